/** Who was asked to play again, kept for whoever waits for them at the next table. */

import type { MatchInfo } from "./wire.ts";

const key = (match: string) => `carteado.again.${match}`;

const asked = (match: string): string[] => JSON.parse(sessionStorage.getItem(key(match)) ?? "[]");

export const ask = (match: string, names: string[]) => sessionStorage.setItem(key(match), JSON.stringify(names));

/** Those who have not come yet. Names may repeat, so each who is there counts for one; if somebody else took a seat, it is not
 * known for whom the others are. */
export function missing({ match, seat, seats }: Pick<MatchInfo, "match" | "seat" | "seats">): string[] {
  const here = seats.filter((one, i) => one.kind === "person" && i !== seat).map(({ name }) => name);
  const names = asked(match).filter((name) => {
    const at = here.indexOf(name);
    if (at >= 0) here.splice(at, 1);
    return at < 0;
  });
  return names.length === seats.filter(({ kind }) => kind === "free").length ? names : [];
}
