// The Markdown that our rulebooks use: headings, paragraphs, lists, tables, code, strong and quoted code. Nothing else.

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const inline = (text) =>
  escape(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/\*([^*]+)\*/g, "<em>$1</em>")
    .replace(/\((([TMANRG]\d+)(, [TMANRG]\d+)*)\)/g, '<span class="ruling">($1)</span>')
    .replace(/[♥♦]/g, '<span class="red">$&</span>');

export const slug = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

function table(lines) {
  const [head, rule, ...rows] = lines.map(cells);
  const side = rule.map((cell) => (cell.endsWith(":") ? ' class="number"' : ""));
  const row = (tag) => (cols) => `<tr>${cols.map((cell, i) => `<${tag}${side[i] ?? ""}>${inline(cell)}</${tag}>`).join("")}</tr>`;
  const top = head.some(Boolean) ? `<thead>${row("th")(head)}</thead>` : "";
  return `<div class="wide" tabindex="0" role="region" aria-label="${escape(head.filter(Boolean).join(", ")) || "tabela"}"><table>${top}<tbody>${rows.map(row("td")).join("")}</tbody></table></div>`;
}

/** A list whose items may run over several lines. */
function list(lines) {
  const tag = /^\d/.test(lines[0]) ? "ol" : "ul";
  const items = [];
  for (const line of lines) {
    const item = /^(?:[-*]|\d+\.)\s+(.*)$/.exec(line);
    if (item) items.push(item[1]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join("")}</${tag}>`;
}

function block(lines) {
  const heading = /^(#{1,4}) (.*)$/.exec(lines[0]);
  if (heading) {
    const tag = `h${heading[1].length}`;
    const rest = lines.length > 1 ? block(lines.slice(1)) : "";
    return `<${tag} id="${slug(heading[2])}">${inline(heading[2])}</${tag}>${rest}`;
  }
  if (lines[0].startsWith("|")) return table(lines);
  const start = lines.findIndex((line) => /^(?:[-*]|\d+\.)\s/.test(line));
  if (start === 0) return list(lines);
  if (start > 0) return block(lines.slice(0, start)) + list(lines.slice(start));
  return `<p>${inline(lines.join(" "))}</p>`;
}

/** The whole rulebook as HTML, and its headings of the second order. */
export function page(text) {
  const html = [];
  const parts = text.split(/^```.*$/m);
  parts.forEach((part, i) => {
    if (i % 2) html.push(`<pre tabindex="0">${escape(part.replace(/^\n|\n$/g, ""))}</pre>`);
    else for (const lines of part.split(/\n\s*\n/)) if (lines.trim()) html.push(block(lines.replace(/^\n+/, "").split("\n").filter(Boolean)));
  });
  const parted = [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => ({ id: slug(title), title }));
  return { html: html.join("\n"), parts: parted };
}
