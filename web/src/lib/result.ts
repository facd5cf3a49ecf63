/** Seats in the order of a result: winners, then by points, and last who resigned. */
export function ranked(scores: number[], winners: number[], resigned: boolean[]): number[] {
  const of = (seat: number) => scores[seat] ?? 0;
  const best = of(winners[0] ?? 0);
  const isLess = scores.some((score, seat) => !resigned[seat] && score > best); // in some games less is better
  const behind = (seat: number) => Number(resigned[seat]) * 2 - Number(winners.includes(seat));
  return resigned.map((_, seat) => seat).sort((a, b) => behind(a) - behind(b) || (isLess ? of(a) - of(b) : of(b) - of(a)));
}
