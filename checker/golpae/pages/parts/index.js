// The index of many games: sorting, searching, and filters by verdict and clause. The table itself is in the page.

"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const body = element("games").tBodies[0];
  const rows = [...body.rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const filters = [...document.querySelectorAll("[data-filter]")];
  let chosen = null; // the filter that is on: ["verdict" or "clause", its value]

  function show() {
    const words = element("search").value.toLowerCase().split(/\s+/).filter((word) => word);
    let count = 0;
    for (const row of rows) {
      const fits = chosen === null || row.dataset[chosen[0]] === chosen[1];
      row.hidden = !(fits && words.every((word) => texts.get(row).includes(word)));
      if (!row.hidden) count++;
    }
    element("shown").textContent = count === rows.length ? "" : `${count} of ${rows.length} games`;
    element("all").hidden = count === rows.length && chosen === null;
    for (const filter of filters) {
      const [kind, value] = [filter.dataset.filter, filter.dataset.value];
      filter.setAttribute("aria-pressed", String(chosen !== null && chosen[0] === kind && chosen[1] === value));
    }
  }

  for (const filter of filters) {
    filter.addEventListener("click", () => {
      const isOn = filter.getAttribute("aria-pressed") === "true";
      chosen = isOn ? null : [filter.dataset.filter, filter.dataset.value];
      show();
    });
  }
  element("search").addEventListener("input", show);
  element("all").addEventListener("click", () => {
    chosen = null;
    element("search").value = "";
    show();
  });

  const heads = [...document.querySelectorAll("th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    const isNumber = head.dataset.kind === "number";
    const value = (row) => (isNumber ? Number(row.cells[column].textContent) : row.cells[column].textContent);
    const order = (a, b) => (isNumber ? value(a) - value(b) : value(a).localeCompare(value(b)));
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      rows.sort((a, b) => (down ? order(b, a) : order(a, b)));
      body.append(...rows);
    });
  });
  show();
})();
