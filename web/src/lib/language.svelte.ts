import en from "../text/en.ts";
import pt from "../text/pt.ts";
import { keep, kept } from "./kept.ts";
import type { Lang } from "./wire.ts";

export type Text = keyof typeof pt;

const CATALOGUES: Record<Lang, Record<Text, string>> = { pt, en };
const NUMBERS: Record<Lang, Intl.NumberFormat> = {
  pt: new Intl.NumberFormat("pt-BR", { useGrouping: false }),
  en: new Intl.NumberFormat("en", { useGrouping: false }),
};
const KEY = "carteado.lang";

function first(): Lang {
  const chosen = kept(KEY);
  if (chosen === "pt" || chosen === "en") return chosen;
  return navigator.language.toLowerCase().startsWith("en") ? "en" : "pt";
}

export const language = $state<{ lang: Lang }>({ lang: first() });

export function speak(lang: Lang): void {
  language.lang = lang;
  keep(KEY, lang);
  document.documentElement.lang = lang === "pt" ? "pt-BR" : "en";
}

/** A text of the catalogue in the language of the moment, with its gaps filled; numbers as that language writes them. */
export function t(key: Text, parts: Record<string, string | number> = {}): string {
  const text: string = CATALOGUES[language.lang][key];
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => {
    const part = parts[name] ?? gap;
    return typeof part === "number" ? NUMBERS[language.lang].format(part) : part;
  });
}

/** One or many: `key.one` and `key.many`, which has the gap {n}. */
export function count(key: string, n: number): string {
  return t(`${key}.${n === 1 ? "one" : "many"}` as Text, { n });
}

/** Whether the catalogue has such a text: for names that come from the server. */
export function has(key: string): key is Text {
  return key in CATALOGUES.pt;
}

export function listed(items: string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${t("word.and")} ${items.at(-1)}`;
}
