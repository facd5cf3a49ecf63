// Lets node run our TypeScript in the tests: `node --import ./scripts/typescript.mjs --test`.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";

globalThis.localStorage ??= { getItem: () => null, setItem: () => {} };
globalThis.navigator ??= { language: "pt-BR" };

export async function load(url, context, next) {
  if (!url.endsWith(".ts")) return next(url, context);
  const { default: ts } = await import("typescript");
  const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true };
  let source = ts.transpileModule(readFileSync(fileURLToPath(url), "utf8"), { compilerOptions: options }).outputText;
  if (url.endsWith(".svelte.ts")) {
    const { compileModule } = await import("svelte/compiler");
    source = compileModule(source, { generate: "server", filename: fileURLToPath(url) }).js.code;
  }
  return { format: "module", source, shortCircuit: true };
}

if (!globalThis.isHooked) {
  globalThis.isHooked = true;
  register(import.meta.url);
}
