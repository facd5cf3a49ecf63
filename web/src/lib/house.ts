/** The HTTP side of the house. */

import { language, t } from "./language.svelte.ts";
import { recall, type Seen } from "./seen.ts";
import type {
  Day,
  DeviceLink,
  Fill,
  GameInfo,
  History,
  Join,
  Kept,
  Lobby,
  MatchInfo,
  Me,
  NewMatch,
  NewMe,
  Problem,
  RecordMessage,
  Replay,
} from "./wire.ts";

/** What the house refused, in its own words. */
export class Refused extends Error {
  readonly code: string;
  constructor(problem: Problem) {
    super(problem.words);
    this.code = problem.code;
  }
}

async function ask<T>(path: string, method: "GET" | "POST" | "DELETE" = "GET", body?: unknown): Promise<T> {
  const headers: Record<string, string> = { "accept-language": language.lang };
  if (body !== undefined) headers["content-type"] = "application/json";
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const data: unknown = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (!answer.ok) throw data ? new Refused(data as Problem) : new Error(answer.statusText); // not of the house: it is away
  return data as T;
}

const match = (id: string) => `/api/matches/${encodeURIComponent(id)}`;
const keyed = (key: string) => (key ? `?key=${encodeURIComponent(key)}` : "");

export const house = {
  games: () => ask<GameInfo[]>("/api/games"),
  me: () => ask<Me | null>("/api/me"),
  be: (me: NewMe) => ask<Me>("/api/me", "POST", me),
  kept: () => ask<Kept>("/api/me/export"),
  forget: () => ask<null>("/api/me", "DELETE"),
  makeLink: () => ask<DeviceLink>("/api/me/link", "POST", {}),
  useLink: (code: string) => ask<Me>("/api/link", "POST", { code }),
  lobby: () => ask<Lobby>("/api/matches"),
  open: (wanted: NewMatch) => ask<MatchInfo>("/api/matches", "POST", wanted),
  see: (id: string, key = "") => ask<MatchInfo>(match(id) + keyed(key)),
  join: (id: string, body: Join) => ask<MatchInfo>(`${match(id)}/join`, "POST", body),
  fill: (id: string, body: Fill) => ask<MatchInfo>(`${match(id)}/fill`, "POST", body),
  leave: (id: string) => ask<MatchInfo>(`${match(id)}/leave`, "POST", {}),
  record: (id: string) => ask<RecordMessage>(`${match(id)}/record`),
  replay: (id: string, seat: number) => ask<Replay>(`${match(id)}/replay?seat=${seat}&lang=${language.lang}`),
  history: () => ask<History>("/api/history"),
  day: (game: string, date: string) => ask<Day>(`/api/days/${game}/${date}`),
  dayReplay: (game: string, date: string) => ask<Replay>(`/api/days/${game}/${date}/replay?lang=${language.lang}`),
  tryDay: (game: string) => ask<MatchInfo>(`/api/days/${game}`, "POST", {}),
};

/** What to tell somebody whose wish was not fulfilled. */
export const said = (error: unknown) => (error instanceof Refused ? error.message : t("app.offline"));

/** A day as the house counts them; 0 is today. */
export const day = (ago = 0) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** A deal of the day stays closed until that day is over, also for whoever has played it: no replay, no record, no proof. */
export const isClosed = (date: string) => date !== "" && date >= day();

/** Gives something to whoever looks on, as a file. */
export function save(name: string, data: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** The record of a match; with what this browser saw of it, which `carteado verify` holds against the rest. */
export async function download(id: string, seen: Seen | null = recall(id)): Promise<void> {
  const record = await house.record(id);
  save(`carteado-${id}.json`, seen ? { ...record, seen } : record);
}
