/** Who is to play again, kept for whoever waits for them at the next table. */

import { keep, kept } from "./kept.ts";
import type { MatchInfo } from "./wire.ts";

const key = (match: string) => `carteado.again.${match}`;

const asked = (match: string): string[] => JSON.parse(kept(key(match), "sessionStorage") ?? "[]");

export const ask = (match: string, names: string[]) => keep(key(match), JSON.stringify(names), "sessionStorage");

/** Without the number by which the house tells people of one name apart. It goes by seats, which are drawn anew: who was "Ana 2" may be "Ana" now. */
const bare = (name: string) => name.replace(/ \d+$/, "");

/** Those who have not come yet. Each who is there counts for one of them: of his very name, or else of the same one without a
 * number. If somebody else took a seat, or one of them has left the house for good, it is not known for whom the others are. */
export function missing({ match, seat, seats }: Pick<MatchInfo, "match" | "seat" | "seats">): string[] {
  const here = seats.filter((one, i) => one.kind === "person" && i !== seat).map(({ name }) => name);
  let names = asked(match);
  for (const read of [String, bare]) {
    names = names.filter((name) => {
      const at = here.findIndex((one) => read(one) === read(name));
      if (at >= 0) here.splice(at, 1);
      return at < 0;
    });
  }
  return names.length === seats.filter(({ kind }) => kind === "free").length ? names : [];
}
