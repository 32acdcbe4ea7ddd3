// What games use of their rules: from one gap to the next, gaps only, tables sorted. Everything else works without this.

"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const gaps = [...document.querySelectorAll("details.none, details.part")];
  const shown = element("gap");
  let at = -1; // the gap that the reader was led to

  document.querySelectorAll("table").forEach(sortable);
  element("next").parentElement.hidden = false;
  if (!gaps.length) {
    shown.textContent = "nothing is missing";
    for (const id of ["before", "next", "only"]) element(id).hidden = true;
    for (const words of document.querySelectorAll(".tools label, .tools .keys")) words.hidden = true;
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
