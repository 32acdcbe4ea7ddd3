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

  sortable(element("games"));
  show();
})();
