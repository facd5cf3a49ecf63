import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { page } from "./scripts/markdown.mjs";
import { shell } from "./scripts/shell.mjs";

// The rulebooks of docs/rules become HTML when the page is built, so the page carries no Markdown reader.
const rulebooks = {
  name: "rulebooks",
  transform: (text, id) => (id.endsWith(".md") ? `export default ${JSON.stringify(page(text))}` : null),
};

const house = process.env.CARTEADO_HOUSE ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [rulebooks, svelte(), shell()],
  build: {
    outDir: process.env.CARTEADO_OUT ?? fileURLToPath(new URL("../src/carteado/web_dist", import.meta.url)),
    emptyOutDir: true,
    manifest: true, // scripts/size.mjs reads it
    assetsInlineLimit: 0, // the server's policy lets no font or script come from the page itself
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [".."] },
    proxy: { "/api": house, "/ws": { target: house, ws: true } },
  },
});
