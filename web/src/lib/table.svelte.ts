/** A table as this browser knows it: what the server sent last, and what it has been asked and not answered yet. */

import { tick } from "svelte";
import { t } from "./language.svelte.ts";
import { travel } from "./motion.ts";
import { Witness } from "./seen.ts";
import { chime, tap } from "./sound.svelte.ts";
import { listen, tell } from "./socket.svelte.ts";
import type { Advice, LastMove, MatchInfo, Reply, Request, Shown } from "./wire.ts";

export interface Line {
  id: number;
  text: string;
  event?: number; // of the table with which it came
  shown: Shown | null; // how the table stood then
  isOwn?: boolean; // of a move of ours
}

interface Sent {
  ply: number;
  move: string;
  isOut: boolean; // over a line that was open
}

const MOST_LINES = 200;
const NO_TABLE = ["no match", "closed"];

/** We were asked and did not answer in time: what is done then is the first that was possible. */
const isMissed = (before: Shown, shown: Shown) =>
  Boolean(before.window) && before.to_move === before.seat && shown.ply === before.ply + 1 && shown.last?.mover === shown.seat && shown.last.move === before.legal?.[0]?.move;

/** Whether it may be the one that was made: what went out is believed to have come, unless we see that something else was done. */
const isMade = (sent: Sent, { ply, last, seat }: Shown) => (ply === sent.ply + 1 ? last?.mover === seat && last.move === sent.move : sent.isOut);

/** Our wish to undo is gone, and the move is still there. */
const isRefused = (before: Shown, shown: Shown) =>
  before.undo_asked === shown.seat && (shown.undo_asked ?? null) === null && shown.ply >= before.ply && !shown.over;

/** Everybody has left before the deal; where nobody has come yet, somebody may. */
const isDeserted = (before: MatchInfo | null, room: MatchInfo) => {
  const isSat = ({ seats }: MatchInfo) => seats.some(({ kind }) => kind === "person");
  return before !== null && room.status === "waiting" && isSat(before) && !isSat(room);
};

export class Table {
  readonly match: string;
  readonly key: string;
  readonly witness: Witness;
  room = $state.raw<MatchInfo | null>(null);
  shown = $state.raw<Shown | null>(null);
  lines = $state.raw<Line[]>([]);
  past = $state.raw<Line | null>(null);
  recent = $state.raw<LastMove[]>([]); // what happened since we last moved
  advice = $state.raw<Advice | null>(null);
  thinking = $state(false); // a hint is on its way
  sent = $state.raw<Sent | null>(null);
  unmade = $state(false); // the last that we sent
  noted = $state(false); // the answer is kept until the window ends
  missed = $state(false); // it ended without one
  agreed = $state(false); // we have, to the wish to undo that stands
  wrong = $state.raw<{ text: string; n: number } | null>(null);
  again = $state(""); // the next match, once somebody asked for it
  wantsAgain = $state(false); // we did
  isSeated = $state(false); // at the next match: before that its door is shut to us
  isBack = $state(false); // the socket was opened again: what was sent may be lost, and the house has not told the table yet
  gone = $state(""); // what the house said when it did not know the table (any more)
  got = $state(0); // when the last table came, for clocks

  #n = 0;
  #since = 1; // what we asked the last lines from
  #close: () => void;
  #aid: string; // the option that spares people from remembering, if the game has one

  constructor(match: string, key = "", aid = "") {
    this.match = match;
    this.key = key;
    this.#aid = aid;
    this.witness = new Witness(match);
    this.#close = listen(match, this);
  }

  close(): void {
    this.#close();
  }

  /** Others want to play again, with us. */
  get isCalled(): boolean {
    return this.again !== "" && !this.wantsAgain && !this.isSeated;
  }

  /** Whether people have to remember for themselves here (M8). */
  get isMemory(): boolean {
    return this.#aid !== "" && this.shown?.table[this.#aid] === false;
  }

  /** What is asked for when the socket opens, perhaps again: on a first visit the last lines too. */
  opening(isBack = false): Request {
    this.isBack ||= isBack;
    this.thinking = this.agreed = false; // the hint may be lost, and our word
    this.#since = this.lines.length ? (this.shown?.event ?? 1) : 1;
    return { type: "open", match: this.match, key: this.key, since: this.#since };
  }

  /** What was said in another language. It is asked for again. */
  forget(): void {
    this.lines = [];
    this.past = this.advice = null;
  }

  hear(reply: Reply): void {
    if (reply.type === "room") {
      const isClosed = isDeserted(this.room, reply.info);
      this.room = reply.info;
      if (this.shown && reply.info.status === "waiting") this.#goBack();
      this.witness.meet(reply.info);
      this.again = reply.info.again;
      this.isSeated &&= this.again !== "";
      this.#contribute();
      if (isClosed) tell(this.opening(true)); // the house has words for it
    } else if (reply.type === "table") void this.#show(reply);
    else if (reply.type === "hint") {
      this.thinking = false;
      if (reply.ply === this.shown?.ply) this.advice = reply;
    } else if (reply.type === "noted") this.noted = true;
    else if (reply.type === "again") {
      this.again = reply.next;
      this.isSeated = reply.seated;
    } else if (reply.type === "wrong") {
      this.sent = null;
      this.thinking = this.wantsAgain = false;
      if ((this.isBack || !this.room) && NO_TABLE.includes(reply.code)) {
        this.gone = reply.words;
        this.shown = null; // nothing is prepared here any more, nor anybody's turn
      } else this.complain(reply.words);
    }
  }

  complain(text: string): void {
    this.wrong = { text, n: ++this.#n };
  }

  async #show(shown: Shown): Promise<void> {
    this.witness.look(shown);
    const isGoneBack = this.shown !== null && shown.event < this.shown.event;
    if (isGoneBack) this.#goBack();
    const before = this.shown;
    const isNew = !before || shown.ply !== before.ply;
    const land = before && !this.past ? travel() : null;
    this.shown = shown;
    this.thinking = false; // where what the hint was for is no longer there, the table comes instead
    this.got = performance.now();
    if (shown.window && shown.to_move === shown.seat) this.past = null; // the question does not wait
    if (isNew) {
      const last = shown.last ?? null;
      this.recent = !last ? [] : last.mover === shown.seat ? [last] : [...this.recent.filter((one) => one.mover !== shown.seat), last];
      this.advice = null;
      this.missed = before !== null && !this.noted && !this.room?.seats[shown.seat]?.replaced && isMissed(before, shown) && this.sent?.move !== shown.last?.move;
      this.noted = Boolean(shown.window) && shown.to_move === shown.seat && !shown.legal?.length;
    }
    if (before && isRefused(before, shown)) this.complain(t("undo.refused"));
    if (isNew || (shown.undo_asked ?? null) !== (before.undo_asked ?? null)) this.agreed = false;
    if (shown.lines?.length) this.#note(shown, shown.lines, shown.event === before?.event);
    if (this.sent && (this.sent.ply !== shown.ply || shown.over)) {
      this.unmade = !shown.over && !this.missed && !isMade(this.sent, shown);
      this.sent = null;
    } else if (this.sent && this.isBack) this.#send(this.sent);
    this.isBack = false;
    if (before && isNew) (shown.legal?.length && !before.legal?.length ? chime : tap)();
    if (isGoneBack) tell(this.opening());
    if (land) {
      await tick();
      land();
    }
  }

  /** An older copy was put back at the house: what we saw and sent since then never happened. What did is asked for. */
  #goBack(): void {
    this.forget();
    this.shown = this.sent = null;
    this.recent = [];
    this.complain(t("line.older"));
  }

  /** Newest first. Lines of an event that we know answer an opening: they take the place of those since. Where a person has to remember for himself, the page forgets too, and our own turn as soon as another moves (M8). */
  #note(shown: Shown, texts: string[], isAnswer: boolean): void {
    const forgets = this.isMemory && !shown.over;
    const isOwn = shown.seat >= 0 && shown.last?.mover === shown.seat;
    const fresh = texts.map((text, i) => ({
      id: ++this.#n,
      text,
      event: shown.event,
      shown: i === texts.length - 1 && !forgets ? shown : null,
      isOwn,
    }));
    const most = forgets ? 3 * Number(shown.table.players) : MOST_LINES;
    let kept = isAnswer ? this.lines.filter(({ event = 0 }) => event <= this.#since) : this.lines;
    if (forgets) kept = kept.filter((line) => (line.isOwn ?? false) === isOwn);
    this.lines = [...fresh.reverse(), ...kept].slice(0, most);
    if (this.past && !this.lines.includes(this.past)) this.past = null;
  }

  /** Sixteen bytes of our own for the deal, the same however often they are asked for. To a deal of the day nobody adds any. */
  #contribute(): void {
    const { room, witness } = this;
    if (room?.status !== "waiting" || room.seat < 0 || room.day || !witness.seen) return;
    if (room.seats.some((seat) => seat.kind === "free")) return;
    if (tell({ type: "contribute", match: this.match, bytes: witness.seen.bytes })) witness.sent(room.seat);
  }

  play = (move: string): void => {
    const { shown } = this;
    if (!shown || this.sent || !shown.legal?.some((legal) => legal.move === move)) return;
    this.advice = null;
    this.unmade = false;
    this.sent = { ply: shown.ply, move, isOut: false };
    if (!this.isBack) this.#send(this.sent); // else when the table comes
  };

  /** Sent again after a lost connection it does no harm: the number says which move it was. */
  #send(sent: Sent): void {
    sent.isOut = tell({ type: "play", match: this.match, ply: sent.ply, move: sent.move });
  }

  hint(): void {
    if (!this.shown) return;
    this.missed = false; // it has been read, and the hint needs its place
    this.thinking = tell({ type: "hint", match: this.match, ply: this.shown.ply });
  }

  undo(): void {
    if (this.shown) this.#ask({ type: "undo", match: this.match, ply: this.shown.ply });
  }

  consent(agree: boolean): void {
    if (!this.shown) return;
    this.agreed = this.#ask({ type: "consent", match: this.match, ply: this.shown.ply, agree }) && agree;
  }

  /** To a seat that a bot keeps; whoever opens the table has it again. */
  comeBack(): void {
    this.#ask({ type: "open", match: this.match, key: this.key });
  }

  resign(): void {
    this.#ask({ type: "resign", match: this.match });
  }

  /** Says whether it went out. */
  rematch(): boolean {
    this.wantsAgain = tell({ type: "rematch", match: this.match });
    return this.wantsAgain;
  }

  /** What is not asked for again by itself. */
  #ask(request: Request): boolean {
    const isOut = tell(request);
    if (!isOut) this.complain(t("line.unsent"));
    return isOut;
  }
}
