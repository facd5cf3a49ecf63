/** Small sounds, made on the spot; off until somebody turns them on. */

import { keep, kept } from "./kept.ts";

const KEY = "carteado.sound";

export const sound = $state({ on: kept(KEY) === "1" });

let context: AudioContext | null = null;

export function turn(on: boolean): void {
  sound.on = on;
  keep(KEY, on ? "1" : "0");
  if (on) tap();
}

function note(frequency: number, after: number, long: number, loud: number): void {
  context ??= new AudioContext();
  const start = context.currentTime + after;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + long);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + long);
}

/** A card is laid. */
export function tap(): void {
  if (sound.on) note(220, 0, 0.07, 0.12);
}

/** It is your turn. */
export function chime(): void {
  if (!sound.on) return;
  note(523, 0, 0.12, 0.06);
  note(784, 0.09, 0.18, 0.06);
}
