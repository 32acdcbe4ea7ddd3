// Tables that are sorted by a click on a heading.

"use strict";
// Make a table sortable. A column whose heading is of the kind `number` goes by the number that its cells begin with.
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    const isNumber = head.dataset.kind === "number";
    const words = (row) => row.cells[column].textContent;
    const number = (row) => parseFloat(words(row).replaceAll(",", "")) || 0;
    const order = (a, b) => (isNumber ? number(a) - number(b) : words(a).localeCompare(words(b)));
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...body.rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
    });
  });
}
