/** Addresses after the `#`: they need nothing of the server, and an invitation's key never reaches its logs. */

export interface Route {
  page: "home" | "table" | "replay" | "rules";
  args: string[];
}

const PAGES: Record<string, Route["page"]> = { mesa: "table", replay: "replay", regras: "rules" };

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
  replay: (match: string) => `#/replay/${match}`,
  rules: (game = "") => `#/regras${game && `/${game}`}`,
};

export function go(to: string): void {
  location.hash = to;
}

/** A whole address that can be sent to somebody. */
export function link(to: string): string {
  return location.origin + location.pathname + to;
}
