// Written by `carteado types` from the server's messages: do not edit.

export const PROTOCOL = 1;

export type Lang = "en" | "pt";

export type Level = "aprendiz" | "jogador" | "mestre";

export type Status = "over" | "playing" | "waiting";

export type Request = Speak | Open | Close | Contribute | Play | Undo | Consent | Resign | AskHint | Rematch | Ping;

export type Reply = Welcome | Room | Shown | Advice | Noted | Again | Wrong | Pong;

export interface NewMe {
  name: string;
  lang?: "en" | "pt" | null;
}

export interface Me {
  player: string;
  name: string;
  lang: "en" | "pt";
}

export interface DeviceLink {
  code: string;
  seconds: number;
}

export interface UseLink {
  code: string;
}

export interface SeatKept {
  match: string;
  seat: number;
  game: string;
  made: number;
}

export interface Kept {
  player: string;
  name: string;
  lang: "en" | "pt";
  made: number;
  seats: SeatKept[];
  days: (Record<string, any>)[];
  link: number | null;
}

export interface OptionInfo {
  name: string;
  default: number | boolean;
  values: (number | boolean)[];
}

export interface GameInfo {
  name: string;
  title: string;
  rules: number;
  options: OptionInfo[];
  daily: boolean;
  aid: string;
}

export interface Place {
  kind?: "bot" | "me" | "person";
  level?: "aprendiz" | "jogador" | "mestre";
}

export interface Clock {
  kind: "match" | "move";
  seconds: number;
}

export interface NewMatch {
  game: string;
  options?: Record<string, number | boolean>;
  places?: Place[];
  drawn?: boolean;
  clock?: Clock | null;
  window?: number | null;
  listed?: boolean;
  hints?: boolean;
  undo?: boolean;
  start?: Record<string, any> | null;
}

export interface Join {
  key?: string;
  seat?: number | null;
}

export interface Fill {
  level?: "aprendiz" | "jogador" | "mestre";
}

export interface SeatInfo {
  kind: "bot" | "free" | "person";
  name: string;
  level: string;
  here: boolean;
  replaced: boolean;
  resigned: boolean;
}

export interface MatchInfo {
  match: string;
  game: string;
  rules: number;
  options: Record<string, number | boolean>;
  status: "over" | "playing" | "waiting";
  seats: SeatInfo[];
  made: number;
  listed: boolean;
  hints: boolean;
  undo: boolean;
  clock: Clock | null;
  window: number;
  commitment: string;
  ply: number;
  seat: number;
  key: string;
  day: string;
  again: string;
  drawn: boolean;
}

export interface Lobby {
  waiting: MatchInfo[];
  playing: MatchInfo[];
}

export interface Past {
  match: string;
  game: string;
  seat: number;
  made: number;
  status: "over" | "playing" | "waiting";
  players: string[];
  over: boolean;
  turn: boolean | null;
  ply: number | null;
  winners: number[];
  day: string;
  resigned: boolean;
}

export interface History {
  matches: Past[];
}

export interface Score {
  name: string;
  score: number;
  match: string;
}

export interface Day {
  date: string;
  game: string;
  commitment: string;
  secret: string;
  best: Score[];
  house: number | null;
  mine: string;
  score: number | null;
  place: number | null;
}

export interface Frame {
  event: number;
  ply: number;
  kind: "deal" | "move" | "resign" | "return" | "takeover" | "undo";
  mover: number | null;
  move: string;
  line: string;
  table: Record<string, any>;
}

export interface Replay {
  match: string;
  game: string;
  rules: number;
  options: Record<string, number | boolean>;
  names: string[];
  seat: number;
  frames: Frame[];
  over: boolean;
  winners: number[];
  scores: number[];
  resigned: number[];
  left_out: number;
}

export interface Problem {
  code: string;
  words: string;
}

export interface Speak {
  type: "speak";
  lang: "en" | "pt";
}

export interface Open {
  type: "open";
  match: string;
  key?: string;
  since?: number;
}

export interface Close {
  type: "close";
  match: string;
}

export interface Contribute {
  type: "contribute";
  match: string;
  bytes: string;
}

export interface Play {
  type: "play";
  match: string;
  ply: number;
  move: string;
}

export interface Undo {
  type: "undo";
  match: string;
  ply: number;
}

export interface Consent {
  type: "consent";
  match: string;
  ply: number;
  agree: boolean;
}

export interface Resign {
  type: "resign";
  match: string;
}

export interface AskHint {
  type: "hint";
  match: string;
  ply: number;
}

export interface Rematch {
  type: "rematch";
  match: string;
}

export interface Ping {
  type: "ping";
  n?: number;
}

export interface Welcome {
  type: "welcome";
  protocol: number;
  player: string;
  name: string;
  lang: "en" | "pt";
}

export interface Room {
  type: "room";
  info: MatchInfo;
}

export interface LegalMove {
  move: string;
  words: string;
}

export interface LastMove {
  mover: number;
  move: string;
}

export interface Shown {
  type: "table";
  match: string;
  event: number;
  ply: number;
  seat: number;
  to_move: number | null;
  table: Record<string, any>;
  link: string;
  legal?: LegalMove[];
  lines?: string[];
  clocks?: (number | null)[];
  window?: number;
  over?: boolean;
  winners?: number[];
  scores?: number[];
  undo_asked?: number | null;
  last?: LastMove | null;
  may_undo?: boolean;
  may_hint?: boolean;
}

export interface Advice {
  type: "hint";
  match: string;
  ply: number;
  move: string;
  words: string;
  sure: number;
}

export interface Noted {
  type: "noted";
  match: string;
  ply: number;
}

export interface Again {
  type: "again";
  match: string;
  next: string;
  seated: boolean;
}

export interface Wrong {
  type: "wrong";
  code: string;
  words: string;
  match: string;
}

export interface Pong {
  type: "pong";
  n: number;
}

export interface RecordEvent {
  n: number;
  at: number;
  kind: "answer" | "contribute" | "deal" | "move" | "resign" | "return" | "sit" | "stand" | "takeover" | "undo";
  seat?: number;
  data?: string;
  used?: number;
}

export interface RecordMessage {
  carteado: number;
  match: string;
  day: string;
  game: string;
  rules: number;
  options: Record<string, number | boolean>;
  bots: string[];
  names: string[];
  clock: Clock | null;
  made: number;
  commitment: string;
  secret: string;
  contributions: string[];
  seed: string;
  events: RecordEvent[];
  winners: number[];
  scores: number[];
  link: string;
  start: Record<string, any> | null;
}
