// What answers look like: verdicts, proofs, differences, and pages of games in a frame.

/** Return an element with attributes and children. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

const GOOD = new Set(["legal", "incomplete", "proved", "as expected", "same"]);
const tone = (word) => (GOOD.has(word) ? "good" : word === "unknown" || word === "bounded" || word === "undecided" ? "warning" : "error");
const lines = (words) => words.map((one) => element("div", { class: "quiet" }, one));

function button(words, run) {
  const made = element("button", { type: "button" }, words);
  made.addEventListener("click", run);
  return made;
}

/** The place of a page that golpae made. The frame has no rights but to run the scripts of the page. */
export class Table {
  constructor(section, caption, place) {
    Object.assign(this, { section, caption, place, page: null });
    addEventListener("message", ({ data, source }) => {
      if (data?.waits && source === this.frame?.contentWindow) source.postMessage({ page: this.page }, "*");
    });
  }

  /** Show a page, or none, with words above it; a page of a game at this event. */
  show(page, words, event = null) {
    this.section.hidden = !page && !words;
    this.caption.textContent = words;
    this.caption.hidden = !words;
    if (page === this.page) return;
    this.page = page;
    this.frame?.remove();
    this.frame = null;
    if (!page) return;
    this.frame = element("iframe", { src: `frame.html${event === null ? "" : `#event-${event}`}`, sandbox: "allow-scripts allow-downloads", title: "The table" });
    this.place.append(this.frame);
  }

  /** Say something in place of a page. */
  say(words) {
    this.show(null, words);
  }
}

/** Return the verdict on a game of a trace. */
export function verdictOf(game, choose, go) {
  const name = game.id === null ? `line ${game.line}` : `${game.id} (line ${game.line})`;
  const head = element("div", {}, element("strong", { class: tone(game.verdict) }, game.verdict), ` · ${game.rules ?? "?"} · ${name} `);
  head.append(button("show", choose));
  if (!game.message) return element("li", {}, head);
  const where = game.at ? button(`line ${game.at}`, () => go(game.at)) : null;
  const found = element("div", { class: "error" }, game.message, " ");
  if (where) found.append(where);
  return element(
    "li", {}, head, found,
    ...(game.clause ? [element("div", { class: "quiet" }, `broken: ${game.clause}`)] : []),
    ...lines(game.rules_cited.map((one) => `rule: ${one}`)),
    ...lines(game.facts.map(([name, value]) => `${name}: ${value}`)),
    ...lines(game.legal.map((one) => `legal here: ${one}`)),
  );
}

/** Return the answer to a property at one table. */
export function proofOf(proof, table, take) {
  const at = proof.players ? `${proof.players} players` : "any number of players";
  const made = element("article", {});
  made.append(
    element("p", {}, element("strong", { class: tone(proof.status) }, proof.verdict), ` · ${proof.name} · ${at} · ${proof.status}`),
    element("p", {}, proof.story),
    ...(proof.vacuous ? [element("p", { class: "warning" }, `it holds of nothing: ${proof.vacuous}`)] : []),
    ...lines(Object.entries(proof.values).map(([name, value]) => `${name}: ${value}`)),
  );
  made.append(...gameOf(proof, `${proof.name}, ${proof.verdict}`, table, take));
  return made;
}

/** Return what one can do with a game that an answer has found. */
function gameOf(answer, words, table, take) {
  if (!answer.trace.length) return [];
  return [button("Show the game", () => table.show(answer.page, words, answer.trace.length - 1)), " ", button("Check it as a recorded game", () => take(answer.trace))];
}

/** Return the clauses that two rule sets do not share. */
export function changesOf({ a, b, games, paid, incomparable, differences }) {
  const alike = { same: "both allow the same games", different: "each allows games that the other does not" };
  const said = incomparable ?? (games === null ? "" : alike[games] ?? `${b} is ${games}`);
  const pay = paid === null || incomparable ? "" : paid ? "; they are paid alike" : "; some are paid in different ways";
  const rows = differences.map((one) =>
    element("tr", {}, element("th", {}, `${one.clause}: ${one.kind}`), ...[one.before, one.after].map((text) => element("td", {}, element("pre", {}, text ?? "–")))),
  );
  const head = element("tr", {}, ...["clause", a, b].map((words) => element("th", {}, words)));
  return element("div", {}, element("p", {}, element("strong", {}, said + pay)), element("table", {}, head, ...rows));
}

/** Return the answers about the games of two rule sets. */
export function answersOf({ tables }, table, take) {
  return tables.map(({ players, answers }) =>
    element("article", {}, element("h3", {}, `${players} players`), ...answers.map((one) => answerOf(one, table, take))),
  );
}

function answerOf(answer, table, take) {
  const made = element("div", {}, element("p", {}, `${answer.question} `, element("strong", { class: tone(answer.verdict) }, answer.verdict)));
  made.append(...lines([answer.detail, answer.message && `${answer.refused_by} refuses the last event: ${answer.message} (${answer.clause})`].filter(Boolean)));
  made.append(...gameOf(answer, `${answer.question} ${answer.verdict}`, table, take));
  return made;
}
