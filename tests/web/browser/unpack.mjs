// Unpacks what npm's @sparticuz/chromium brings: node unpack.mjs FROM TO
import { readFileSync, writeFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";

const [from, to] = process.argv.slice(2);
for (const name of ["chromium", "al2023.tar", "fonts.tar"])
  writeFileSync(`${to}/${name}`, brotliDecompressSync(readFileSync(`${from}/${name}.br`)), { mode: 0o755 });
