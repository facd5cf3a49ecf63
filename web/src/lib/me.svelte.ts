/** Who one is: nobody has to say it to play, so a guest gets a name that he may change. */

import { house, Refused } from "./house.ts";
import { drop } from "./kept.ts";
import { language, t } from "./language.svelte.ts";
import type { Me } from "./wire.ts";

export const me = $state<{ who: Me | null }>({ who: null });

/** Asks the house whether it knows this browser: on another device or in another tab one may have deleted oneself. */
export async function known(): Promise<Me | null> {
  me.who = await house.me();
  return me.who;
}

export async function beSomebody(): Promise<Me> {
  return (await known()) ?? (await call(t("me.guest")));
}

/** Some browsers keep no cookie: so the house is asked whether it knows this one now. */
export async function call(name: string): Promise<Me> {
  await house.be({ name: name.trim().slice(0, 24) || t("me.guest"), lang: language.lang });
  const who = await known();
  if (!who) throw new Refused({ code: "no identity", words: t("me.cookies") });
  return who;
}

/** Nobody again, here and at the house: what this browser keeps goes too, and the page begins anew. */
export async function vanish(): Promise<void> {
  await house.forget();
  drop();
  location.reload();
}
