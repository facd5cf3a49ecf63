/** What this browser keeps for the page. Some keep nothing and refuse even to be asked: then it is as if it were the first visit. */

const PLACES = ["localStorage", "sessionStorage"] as const; // for good, or for this tab
type Place = (typeof PLACES)[number];

export function kept(key: string, place: Place = "localStorage"): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null;
  }
}

export function keep(key: string, value: string, place: Place = "localStorage"): void {
  try {
    globalThis[place].setItem(key, value);
  } catch {
    return;
  }
}

/** All of it. */
export function drop(): void {
  for (const place of PLACES) {
    try {
      const all = globalThis[place];
      for (const key of Object.keys(all)) if (key.startsWith("carteado.")) all.removeItem(key);
    } catch {
      continue;
    }
  }
}
