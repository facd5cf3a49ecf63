/** How a match begins: the house's good defaults, and what somebody may change in the sheet. */

import { house } from "./house.ts";
import { has, t, type Text } from "./language.svelte.ts";
import { beSomebody } from "./me.svelte.ts";
import type { Clock, GameInfo, Level, MatchInfo, NewMatch, Place } from "./wire.ts";

export interface Wishes {
  options: Record<string, number | boolean>;
  people: number; // seats for people besides me
  level: Level;
  clock: Clock | null;
  hints: boolean;
  undo: boolean;
  listed: boolean; // anybody finds it at the front door
}

export function defaults(game: GameInfo): Wishes {
  const options = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  return { options, people: 0, level: "jogador", clock: null, hints: false, undo: false, listed: false };
}

/** Where memory is the game a hint would tell what has to be remembered (M8). */
export const mayHint = ({ aid }: GameInfo, options: Wishes["options"]) => !aid || options[aid] === true;

/** What an option is called. */
export const optionName = (name: string) => (has(`option.${name}`) ? t(`option.${name}` as Text) : name);

/** What is not as the house proposes it, in words. Seats need none: they are seen. */
export function unusual(game: GameInfo, { options, clock }: MatchInfo): string[] {
  const changed = game.options.filter((one) => one.name !== "players" && options[one.name] !== one.default);
  const said = changed.map(({ name }) => (options[name] === true ? optionName(name) : `${optionName(name)}: ${Number(options[name])}`));
  if (!clock) return said;
  const key = `clock.${clock.kind} ${clock.seconds}`;
  return [...said, `${t("options.clock")}: ${t(has(key) ? key : `clock.${clock.kind}`, { n: clock.seconds })}`];
}

export async function begin(game: GameInfo, wishes: Wishes): Promise<MatchInfo> {
  await beSomebody();
  const players = Number(wishes.options.players ?? 1);
  const people = Math.min(wishes.people, players - 1);
  const others: Place[] = Array.from({ length: players - 1 }, (_, i) =>
    i < people ? { kind: "person" } : { kind: "bot", level: wishes.level },
  );
  const wanted: NewMatch = {
    game: game.name,
    options: wishes.options,
    places: [{ kind: "me" }, ...others],
    hints: wishes.hints && mayHint(game, wishes.options),
    undo: wishes.undo,
    listed: wishes.listed,
  };
  if (wishes.clock) wanted.clock = wishes.clock;
  return house.open(wanted);
}

/** At once, as the house proposes it. */
export async function beginNow(name: string): Promise<MatchInfo> {
  const game = (await house.games()).find((one) => one.name === name);
  if (!game) throw new Error(name);
  return begin(game, defaults(game));
}
