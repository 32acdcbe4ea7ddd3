// The index of many games: pages, sorting, searching, and filters by verdict and clause. The table itself is in the page.
// What is shown is in the address, so that it is there again when one comes back from a game.

(() => {
  const PAGE = 50; // rows
  const element = (id) => document.getElementById(id);
  const body = element("games").tBodies[0];
  const heads = [...element("games").tHead.rows[0].cells];
  const texts = new Map([...body.rows].map((row) => [row, row.textContent.toLowerCase()]));
  const filters = [...document.querySelectorAll("[data-filter]")];
  let chosen = null; // the filter that is on: ["verdict" or "clause", its value]
  let page = 0;

  function show() {
    const words = element("search").value.toLowerCase().split(/\s+/).filter((word) => word);
    const rows = [...body.rows];
    const found = rows.filter((row) => {
      const fits = chosen === null || row.dataset[chosen[0]] === chosen[1];
      return fits && words.every((word) => texts.get(row).includes(word));
    });
    page = Math.max(0, Math.min(page, Math.ceil(found.length / PAGE) - 1));
    const [from, to] = [page * PAGE, Math.min(found.length, (page + 1) * PAGE)];
    const here = new Set(found.slice(from, to));
    for (const row of rows) row.hidden = !here.has(row);
    element("shown").textContent = found.length === rows.length ? "" : `${found.length} of ${rows.length} games`;
    element("all").hidden = found.length === rows.length && chosen === null;
    element("none").hidden = found.length > 0;
    element("pager").hidden = found.length <= PAGE;
    element("window").textContent = `${from + 1}–${to} of ${found.length}`;
    element("before").disabled = page === 0;
    element("after").disabled = to === found.length;
    for (const filter of filters) {
      const [kind, value] = [filter.dataset.filter, filter.dataset.value];
      filter.setAttribute("aria-pressed", String(chosen !== null && chosen[0] === kind && chosen[1] === value));
    }
  }

  /** Put what is shown into the address. */
  function keep() {
    const state = new URLSearchParams();
    if (chosen) state.set(chosen[0], chosen[1]);
    if (element("search").value) state.set("find", element("search").value);
    const column = heads.findIndex((head) => head.hasAttribute("aria-sort"));
    if (column >= 0) state.set("sort", `${column}${heads[column].getAttribute("aria-sort") === "descending" ? "-" : ""}`);
    if (page) state.set("page", page + 1);
    const hash = `${state}` ? `#${state}` : "";
    history.replaceState(null, "", hash || location.pathname + location.search);
    keptIndex.set(hash);
  }

  function change(next = 0) {
    page = next;
    show();
    keep();
  }

  /** Show what the address says. */
  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    const kind = ["verdict", "clause"].find((name) => state.has(name));
    chosen = kind ? [kind, state.get(kind)] : null;
    element("search").value = state.get("find") ?? "";
    const [, column, down] = /^(\d+)(-?)$/.exec(state.get("sort") ?? "") ?? [];
    for (let turn = 0; column < heads.length && turn < (down ? 2 : 1); turn++) heads[column].querySelector("button").click();
    page = Math.max(0, Number.parseInt(state.get("page") ?? "1", 10) - 1 || 0);
    show();
    keep();
  }

  for (const filter of filters) {
    filter.addEventListener("click", () => {
      const isOn = filter.getAttribute("aria-pressed") === "true";
      chosen = isOn ? null : [filter.dataset.filter, filter.dataset.value];
      change();
    });
  }
  element("search").addEventListener("input", () => change());
  element("before").addEventListener("click", () => change(page - 1));
  element("after").addEventListener("click", () => change(page + 1));
  for (const id of ["all", "clear"]) {
    element(id).addEventListener("click", () => {
      chosen = null;
      element("search").value = "";
      change();
    });
  }

  sortable(element("games"));
  let isRestoring = true;
  for (const head of heads) {
    head.querySelector("button").addEventListener("click", () => {
      if (!isRestoring) change();
    });
  }
  restore();
  isRestoring = false;
})();
