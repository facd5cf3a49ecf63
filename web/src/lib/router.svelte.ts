/** Addresses after the `#`: they need nothing of the server, and an invitation's key never reaches its logs. */

export interface Route {
  page: "home" | "table" | "replay" | "rules" | "tour" | "day";
  args: string[];
}

const PAGES: Record<string, Route["page"]> = { mesa: "table", replay: "replay", regras: "rules", aprender: "tour", dia: "day" };

function read(): Route {
  const [first = "", ...args] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
  const page = PAGES[first];
  return page ? { page, args } : { page: "home", args: [] };
}

export const router = $state<{ route: Route }>({ route: read() });

window.addEventListener("hashchange", () => {
  router.route = read();
  window.scrollTo(0, 0);
});

export const address = {
  home: "#/",
  table: (match: string, key = "") => `#/mesa/${match}${key && `/${key}`}`,
  replay: (match: string, at = 0) => `#/replay/${match}${at ? `/${at}` : ""}`,
  rules: (game = "") => `#/regras${game && `/${game}`}`,
  tour: (game: string, match = "") => `#/aprender/${game}${match && `/${match}`}`,
  day: (game: string, date: string) => `#/dia/${game}/${date}`,
  dayReplay: (game: string, date: string, at = 0) => `#/replay/dia/${game}/${date}${at ? `/${at}` : ""}`,
};

export function go(to: string): void {
  location.hash = to;
}

/** The address of where one is already. */
export function name(to: string): void {
  history.replaceState(null, "", to);
}

/** A whole address that can be sent to somebody. */
export function link(to: string): string {
  return location.origin + location.pathname + to;
}
