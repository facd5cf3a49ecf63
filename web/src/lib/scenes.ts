/** The picture of each game, found by its name. */

import type { Component } from "svelte";

const scenes = import.meta.glob<{ default: Component }>("../games/scenes/*.svelte", { eager: true });

export const scene = (game: string) => scenes[`../games/scenes/${game}.svelte`]?.default;
