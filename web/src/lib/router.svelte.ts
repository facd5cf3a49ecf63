/** Addresses after the `#`: they need nothing of the server, and an invitation's key never reaches its logs. */

export interface Route {
  page: "home" | "table" | "replay" | "rules" | "tour" | "day" | "device";
  args: string[];
}

const PAGES: Record<string, Route["page"]> = { mesa: "table", replay: "replay", regras: "rules", aprender: "tour", dia: "day", aparelho: "device" };

const DATE = "\\d{4}-\\d\\d-\\d\\d";
const MATCH = "[\\w-]{8,32}";
/** What may follow each of them; what does not fit leads home. */
const SHAPES: Partial<Record<Route["page"], RegExp>> = {
  table: new RegExp(`^${MATCH}(/[\\w-]{0,64})?$`),
  replay: new RegExp(`^(${MATCH}|dia/[a-z0-9-]+/${DATE})(/\\d+)?$`),
  tour: new RegExp(`^[a-z0-9-]+(/${MATCH})?$`),
  day: new RegExp(`^[a-z0-9-]+(/${DATE})?$`),
};

function read(): Route {
  const [first = "", ...args] = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  const page = PAGES[first];
  const rest = args.join("/");
  const isDay = args.every((one) => !new RegExp(`^${DATE}$`).test(one) || !Number.isNaN(Date.parse(one)));
  return page && isDay && (SHAPES[page]?.test(rest) ?? true) ? { page, args } : { page: "home", args: [] };
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
  device: (code = "") => `#/aparelho${code && `/${code}`}`,
  dayReplay: (game: string, date: string, at = 0) => `#/replay/dia/${game}/${date}${at ? `/${at}` : ""}`,
};

export function go(to: string): void {
  location.hash = to;
}

/** From an address that only leads on: the way back does not end there, and lead here again. */
export function pass(to: string): void {
  location.replace(to);
}

/** The address of where one is already. */
export function name(to: string): void {
  history.replaceState(null, "", to);
}

/** A whole address that can be sent to somebody. */
export function link(to: string): string {
  return location.origin + location.pathname + to;
}
