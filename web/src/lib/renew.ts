/** The house may be renewed while a page is open: what that page has not loaded yet is then gone. */

const KEY = "carteado.renewed";

/** The page begins anew, if the house has another one by now; once, or it would never end. */
async function renew(): Promise<void> {
  const ours = document.querySelector("script[src]")?.getAttribute("src") ?? "";
  if (sessionStorage.getItem(KEY) === ours) return;
  const page = await fetch(location.pathname, { cache: "no-store" });
  if (!page.ok || (await page.text()).includes(ours)) return;
  sessionStorage.setItem(KEY, ours);
  location.reload();
}

window.addEventListener("vite:preloadError", () => void renew().catch(() => {}));
