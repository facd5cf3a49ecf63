/** Who was asked to play again, kept for whoever waits for them at the next table. */

const key = (match: string) => `carteado.again.${match}`;

export const asked = (match: string): string[] => JSON.parse(sessionStorage.getItem(key(match)) ?? "[]");

export const ask = (match: string, names: string[]) => sessionStorage.setItem(key(match), JSON.stringify(names));
