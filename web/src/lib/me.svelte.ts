/** Who one is: nobody has to say it to play, so a guest gets a name that he may change. */

import { house, Refused } from "./house.ts";
import { language, t } from "./language.svelte.ts";
import type { Me } from "./wire.ts";

export const me = $state<{ who: Me | null }>({ who: null });

const KEY = "carteado.known"; // whether this browser was ever given an identity
let asking: Promise<void> | null = null;

/** Asks the house once whether it still knows this browser. */
export function known(): Promise<void> {
  if (!localStorage.getItem(KEY)) return Promise.resolve();
  asking ??= house
    .me()
    .then((who) => void (me.who = who))
    .catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error;
    });
  return asking;
}

export async function beSomebody(): Promise<Me> {
  await known();
  return me.who ?? (await call(t("me.guest")));
}

export async function call(name: string): Promise<Me> {
  me.who = await house.be({ name: name.trim().slice(0, 24) || t("me.guest"), lang: language.lang });
  localStorage.setItem(KEY, "1");
  return me.who;
}
