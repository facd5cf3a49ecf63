/** One socket for all tables. It comes back by itself, and asks for what was missed. */

import { speak as say } from "./language.svelte.ts";
import { beSomebody, me } from "./me.svelte.ts";
import type { Reply, Request } from "./wire.ts";

type Ear = { hear(reply: Reply): void; opening(isBack?: boolean): Request; forget(): void };

const WAITS = [300, 800, 1500, 3000, 6000, 10_000];
const BEAT = 20_000;
const DOUBT = 3000; // for an answer, where the browser says that it is offline
const wait = (failed: number) => WAITS[Math.min(failed, WAITS.length - 1)];

/** `why` is what the house said when it did not let us in. */
export const line = $state<{ state: "idle" | "joining" | "open" | "lost"; why: string }>({ state: "idle", why: "" });

let socket: WebSocket | null = null;
let failures = 0;
let timer = 0;
let heard = 0;
let whose = ""; // as the house has said when it let us in
let isUnknown = false; // one may have deleted oneself elsewhere
const ears = new Map<string, Ear>();

export function listen(match: string, ear: Ear): () => void {
  ears.set(match, ear);
  if (socket?.readyState === WebSocket.OPEN) tell(ear.opening());
  else connect();
  return () => {
    if (ears.get(match) !== ear) return;
    ears.delete(match);
    tell({ type: "close", match });
  };
}

/** Says whether it went out; what did not is asked for again when the table comes. */
export function tell(request: Request): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(request));
  return true;
}

/** Every open table again, in the language of the moment. */
export function speak(lang: "pt" | "en"): void {
  say(lang);
  for (const ear of ears.values()) ear.forget();
  if (tell({ type: "speak", lang })) for (const ear of ears.values()) tell(ear.opening());
}

function connect(): void {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  clearTimeout(timer);
  line.state = failures ? "lost" : "joining";
  const fresh = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
  socket = fresh;
  whose = "";
  const enter = (player: string) => {
    whose = player;
    failures = 0;
    line.state = "open";
    line.why = "";
    tell({ type: "speak", lang: document.documentElement.lang.startsWith("en") ? "en" : "pt" });
    for (const ear of ears.values()) tell(ear.opening(true));
  };
  fresh.onmessage = (event: MessageEvent<string>) => {
    heard = Date.now();
    const reply = JSON.parse(event.data) as Reply;
    if (reply.type === "welcome") enter(reply.player);
    else if (line.state !== "open") {
      line.why = reply.type === "wrong" ? reply.words : "";
      isUnknown = reply.type === "wrong" && reply.code === "no identity";
      return;
    }
    const match = "info" in reply ? reply.info.match : "match" in reply ? reply.match : "";
    if (match) ears.get(match)?.hear(reply);
    else if (reply.type === "wrong") for (const ear of ears.values()) ear.hear(reply);
  };
  fresh.onclose = () => {
    if (socket !== fresh) return;
    socket = null;
    if (!ears.size) {
      line.state = "idle";
      return;
    }
    line.state = "lost";
    timer = window.setTimeout(() => (isUnknown ? introduce() : connect()), wait(failures));
    failures += 1;
  };
}

/** As a guest, to whom the house says of each table whether it is open to him. */
function introduce(): void {
  isUnknown = false;
  beSomebody().then(connect, connect);
}

/** In another tab, or without its cookies, this browser has become somebody else: it says so to the house here, too. */
$effect.root(() => {
  $effect(() => {
    const player = me.who?.player;
    if (player && whose && player !== whose) socket?.close();
  });
});

/** Resolves when it is time to try again what failed so many times: after a while, or when the browser is online. */
export function retry(failed: number): Promise<void> {
  return new Promise((resolve) => {
    const now = () => {
      window.removeEventListener("online", now);
      clearTimeout(timer);
      resolve();
    };
    const timer = window.setTimeout(now, wait(failed));
    window.addEventListener("online", now);
  });
}

function again(): void {
  if (ears.size && socket?.readyState !== WebSocket.OPEN) connect();
}

/** The browser's word is no proof: where there is no network, a house on the same machine is open all the same. */
function doubt(): void {
  const asked = socket;
  const before = heard;
  if (tell({ type: "ping" })) window.setTimeout(() => heard === before && asked?.close(), DOUBT);
}

window.addEventListener("online", again);
window.addEventListener("offline", doubt);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && again());
window.setInterval(() => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (Date.now() - heard > 2.5 * BEAT) socket.close();
  else if (Date.now() - heard > BEAT) tell({ type: "ping" });
}, 5000);
