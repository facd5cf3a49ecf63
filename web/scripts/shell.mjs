// The service worker gets the list of all files of the build, and a version that changes with any of them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export function shell() {
  return {
    name: "shell",
    apply: "build",
    generateBundle(_, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|woff2|html)$/.test(name) && !/rules|\.md/.test(name));
      const files = ["/", ...names.filter((name) => name !== "index.html").map((name) => `/${name}`)].sort();
      const html = bundle["index.html"]?.source ?? "";
      const version = createHash("sha256").update(JSON.stringify(files)).update(html).digest("hex").slice(0, 12);
      const source = readFileSync(new URL("./worker.js", import.meta.url), "utf8")
        .replace('"VERSION"', JSON.stringify(version))
        .replace('["FILES"]', JSON.stringify(files));
      this.emitFile({ type: "asset", fileName: "worker.js", source });
    },
  };
}
