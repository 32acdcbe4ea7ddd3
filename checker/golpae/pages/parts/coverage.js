// What games use of their rules: from one gap to the next, gaps only, tables sorted. Everything else works without this.

"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const gaps = [...document.querySelectorAll("details.none, details.part")];
  const shown = element("gap");
  let at = -1; // the gap that the reader was led to

  for (const table of document.querySelectorAll("table")) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const isNumber = head.dataset.kind === "number";
      const value = (row) => {
        const words = row.cells[column].textContent;
        return isNumber ? Number(words.replaceAll(",", "").split(" ")[0] || -1) : words;
      };
      const order = (a, b) => (isNumber ? value(a) - value(b) : value(a).localeCompare(value(b)));
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of heads) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        body.append(...[...body.rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
      });
    });
  }

  element("next").parentElement.hidden = false;
  if (!gaps.length) {
    shown.textContent = "nothing is missing";
    for (const id of ["before", "next", "only"]) element(id).disabled = true;
    return;
  }
  shown.textContent = gaps.length === 1 ? "1 line with gaps" : `${gaps.length} lines with gaps`;

  function step(by) {
    const here = gaps.indexOf(document.activeElement.closest("details"));
    at = ((here < 0 ? at : here) + by + gaps.length) % gaps.length;
    if (here < 0 && by < 0 && at < 0) at = gaps.length - 1;
    const line = gaps[at];
    for (const other of gaps) other.open = other === line;
    const head = line.querySelector("summary");
    head.focus({ preventScroll: true });
    head.scrollIntoView({ block: "center" });
    shown.textContent = `${at + 1} of ${gaps.length}`;
  }

  element("next").addEventListener("click", () => step(1));
  element("before").addEventListener("click", () => step(at < 0 ? 0 : -1));
  element("only").addEventListener("change", (event) => {
    element("text").classList.toggle("only", event.target.checked);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
  });
})();
