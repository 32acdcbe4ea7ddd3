// One game on a page: stepping through what was recorded.

const NOTED = 300; // milliseconds after the last step
const CHUNK = 50; // events of a list that are laid out together
const MOST_LISTED = 8; // values that an event was refused by, before the rest is folded

/** The data of a page: what Python wrote into it. */
const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** The events that a page shows, and the position after each of them. */
class Story {
  constructor(game) {
    this.game = game;
    this.positions = [game.first];
    this.since = [{}]; // the event that gave each state its value, at each position
    this.events = [];
    for (const step of game.steps) this.add(step);
  }

  /** Add an event: its words, and what it changed. */
  add(step) {
    this.events.push(step);
    const before = this.positions.at(-1);
    const after = { ...before };
    for (const [key, value] of Object.entries(step.new)) after[key] = whole(value, before[key]);
    this.positions.push(after);
    const since = { ...this.since.at(-1) };
    for (const key of Object.keys(step.new)) if (key.startsWith("state/")) since[key] = this.events.length;
    this.since.push(since);
  }

  /** Take back all events from one on. */
  cut(size) {
    this.events.length = size;
    this.positions.length = this.since.length = size + 1;
  }
}

/** Return what a step makes of a value: of a list that mostly stays as it was, it says only what is replaced, and by what. */
function whole(value, before) {
  if (!value?.cut) return value;
  const [at, gone, ...added] = value.cut;
  return [...before.slice(0, at), ...added, ...before.slice(at + gone)];
}

class Page {
  constructor(game) {
    this.game = game;
    this.story = new Story(game);
    this.tiles = new Tiles(game);
    this.table = new Table(game, this.tiles, element("table"));
    this.refused = game.refused;
    this.at = 0;
    this.listeners = [];
    this.#fillViews();
    this.sight = new Sight(game, this.view);
    this.#connect();
    this.list();
    this.to(this.#fromAddress() ?? (this.refused ? this.end : Math.min(1, this.end)), false);
  }

  /** The last step: what was refused stands behind the last event. */
  get end() {
    return this.story.events.length + (this.refused ? 1 : 0);
  }

  get view() {
    return element("view").value;
  }

  /** Return the tiles that an event moves unseen. */
  #unseen(step) {
    const { positions } = this.story;
    return this.sight.unseen(positions[step - 1] ?? positions[step], positions[step] ?? positions.at(-1));
  }

  /** Return what tells whether a state at a step names a tile that was moved unseen when it got this value. */
  #isUnseen(step) {
    return (key, tiles) => {
      const since = this.story.since[step][key];
      return since !== undefined && tiles.some((tile) => this.#unseen(since).has(tile));
    };
  }

  /** Return the words of an event, as far as the reader sees it. */
  #words(event, step) {
    if (this.sight.isOpen) return event.words;
    const { positions } = this.story;
    const [before, after] = [positions[step - 1] ?? positions[step], positions[step] ?? positions.at(-1)];
    return this.sight.words(event.words, this.sight.unnamed(before, after, event.line ?? {}), this.tiles);
  }

  /** The step that shows the position, which a refused event leaves as it is. */
  get shown() {
    return Math.min(this.at, this.story.events.length);
  }

  #fillViews() {
    const views = { ...OPEN };
    this.table.names.forEach((name, seat) => (views[`seat ${seat}`] = `what ${name} sees`));
    element("view").append(...Object.entries(views).map(([value, text]) => make("option", { value, text })));
    if (this.game.is_hidden) element("view").value = "all"; // nothing is shown that the record does not tell
  }

  #fromAddress() {
    const number = /^#event-(\d+)$/.exec(location.hash)?.[1];
    return number === undefined ? null : Math.min(Number(number), this.end);
  }

  // ---------------------------------------------------------------- stepping

  /** Show the position after an event. */
  to(step, tells = true) {
    this.at = Math.max(0, Math.min(step, this.end));
    const { positions, events } = this.story;
    const position = positions[this.shown];
    const isRefused = this.at > events.length;
    const before = isRefused ? position : (positions[this.shown - 1] ?? position);
    const next = isRefused ? this.refused.line : (events[this.at]?.line ?? this.refused?.line);
    const acts = this.at < this.end || isRefused ? [next?.by].filter((seat) => Number.isInteger(seat)) : [];
    const doing = isRefused ? "tried" : "to act";
    this.table.show(position, before, { sight: this.sight, acts, doing, isUnseen: this.#isUnseen(this.shown) });
    this.#tell(isRefused);
    this.#mark(tells);
    element("reason").hidden = true;
    element("fault").hidden = !isRefused;
    this.#scores(isRefused ? [] : this.#counted());
    if (isRefused) this.#fault();
    for (const listen of this.listeners) listen();
  }

  #tell(isRefused) {
    const event = isRefused ? this.refused : this.story.events[this.at - 1];
    const now = element("now");
    if (!event) {
      now.replaceChildren("Before the first event");
      return;
    }
    const who = this.who(event);
    const pay = event.line?.do === "end" || event.pay ? payments(event.line.pay, this.table.names) : "";
    const about = isRefused ? " (refused)" : event.played ? " (played here)" : "";
    now.replaceChildren(`${this.at}. `, ...said(who, this.#words(event, this.at)), pay, about);
  }

  /** Return who acts in an event, for the line about it. */
  who(event) {
    const by = event.line?.by;
    return Number.isInteger(by) && by in this.table.names ? this.table.names[by] : "";
  }

  #mark(tells) {
    const slider = element("slider");
    slider.max = this.end;
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", element("now").textContent);
    for (const id of ["first", "back"]) element(id).disabled = this.at === 0;
    for (const id of ["on", "last"]) element(id).disabled = this.at === this.end;
    const list = element("events");
    this.current?.removeAttribute("aria-current");
    const button = (this.current = this.buttons[this.at]);
    if (!button) return;
    button.setAttribute("aria-current", "step");
    const [shown, place] = [list.getBoundingClientRect(), button.getBoundingClientRect()];
    if (place.top < shown.top) list.scrollTop -= shown.top - place.top;
    if (place.bottom > shown.bottom) list.scrollTop += place.bottom - shown.bottom;
    if (tells) this.#note();
  }

  /** Put the step into the address of the page, when nobody steps any more. */
  #note() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => history.replaceState(null, "", `#event-${this.at}`), NOTED);
  }

  // ---------------------------------------------------------------- the list

  /** Fill the list of events anew. */
  list() {
    const items = this.story.events.map((event, at) => this.#item(event, at + 1));
    if (this.refused) items.push(this.#item(this.refused, items.length + 1, "refused"));
    items.unshift(this.#item({ words: "the beginning", line: {} }, 0));
    this.buttons = items.map((item) => item.firstChild);
    const chunks = [];
    for (let at = 0; at < items.length; at += CHUNK) chunks.push(items.slice(at, at + CHUNK));
    const lists = chunks.map((chunk) => make("ol", { style: `--size: ${chunk.length}` }, ...chunk));
    element("events").replaceChildren(...lists);
  }

  #item(event, step, what = event.played ? "played" : "") {
    const by = event.line?.by;
    const who = this.who(event);
    const dot = make("span", { class: "dot", style: `--seat: ${colourOf(by ?? 0)}`, "aria-hidden": "true" });
    if (!who) dot.style.visibility = "hidden";
    const shown = this.#words(event, step);
    const words = make("span", { class: "words" }, ...said(who, shown));
    const number = make("span", { class: "number", text: step || "" });
    const button = make("button", { type: "button", "data-step": step, class: what }, number, dot, words);
    button.addEventListener("click", () => this.to(step));
    return make("li", { class: event.line?.do === "deal" ? "whole" : undefined }, button);
  }

  // ---------------------------------------------------------------- what was refused

  #fault() {
    element("fault").replaceChildren(...faultCard(this.refused, this.game));
  }

  /** Return the scores of the hand that has won, also behind the events that end it. */
  #counted() {
    const { events, positions } = this.story;
    let at = this.at;
    while (at > 0 && !events[at - 1].scores?.length && positions[at - 1].winner !== null) at--;
    return at > 0 && positions[at].winner !== null ? (events[at - 1].scores ?? []) : [];
  }

  /** Show the scores of hands that an event counted, as they were laid out. */
  #scores(scores) {
    const shown = scores.flatMap((score) => {
      const patterns = score.patterns.map(([name, points]) => {
        const number = score.counted_in ? ` ${score.counted_in[name]}` : "";
        return make("li", {}, `${name} `, make("b", { text: `${points}${number}` }));
      });
      const numbers = Object.entries(score.numbers ?? {}).map(([number, many]) => `${many} ${number}`);
      const total = numbers.length ? `${score.total} (${numbers.join(", ")})` : score.total;
      const groups = score.groups.map(({ label, tiles }) => {
        const caption = make("figcaption", { text: label });
        return make("figure", { class: "meld" }, this.tiles.line(tiles), caption);
      });
      return [
        make("h2", {}, `${score.score}: `, make("b", { text: total })),
        make("div", { class: "melds" }, ...groups),
        make("ul", { class: "patterns", "aria-label": "patterns" }, ...patterns),
      ];
    });
    element("score").hidden = !shown.length;
    element("score").replaceChildren(...shown);
  }

  // ---------------------------------------------------------------- keys

  #connect() {
    const steps = {
      first: () => 0,
      back: () => this.at - 1,
      on: () => this.at + 1,
      last: () => this.end,
    };
    for (const [id, step] of Object.entries(steps)) element(id).addEventListener("click", () => this.to(step()));
    element("slider").addEventListener("input", () => this.to(Number(element("slider").value)));
    element("view").addEventListener("change", () => {
      this.sight = new Sight(this.game, this.view);
      this.list();
      this.to(this.at);
    });
    element("table").addEventListener("reason", (event) => {
      element("reason").replaceChildren(...unbroken(event.detail));
      element("reason").hidden = false;
    });
    element("to-fault").hidden = !this.refused;
    element("to-fault").addEventListener("click", () => this.toFault());
    window.addEventListener("hashchange", () => this.to(this.#fromAddress() ?? this.at, false));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  toFault() {
    if (this.refused) this.to(this.end);
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = document.activeElement;
    if (at?.matches("input:not([type=range]), select, textarea")) return;
    const keys = {
      ArrowLeft: () => this.to(this.at - 1),
      ArrowRight: () => this.to(this.at + 1),
      Home: () => this.to(0),
      End: () => this.to(this.end),
      PageUp: () => this.to(this.#hand(-1)),
      PageDown: () => this.to(this.#hand(1)),
      f: () => this.toFault(),
      v: () => element("view").focus(),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Return the step of the next deal in one direction, or the end there. */
  #hand(direction) {
    const deals = this.story.events.flatMap((event, at) => (event.line.do === "deal" ? [at + 1] : []));
    const there = deals.filter((step) => (step - this.at) * direction > 0);
    return direction > 0 ? (there[0] ?? this.end) : (there.at(-1) ?? 0);
  }
}

const element = (id) => document.getElementById(id);

/** Return who does something, and what. */
function said(who, words) {
  return who ? [make("b", { text: who }), ": ", ...unbroken(words)] : unbroken(words);
}

/** Return what is paid at the end of a hand, in words. */
function payments(pay, names) {
  if (!Array.isArray(pay)) return "";
  const said = pay.flatMap((amount, seat) => (amount ? [`${names[seat] ?? seat} ${signed(amount)}`] : []));
  return said.length ? `: ${said.join(", ")}` : ": nobody pays";
}

/** Return words with those in backticks as code. */
function coded(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, at) => (at % 2 ? make("code", { text: part }) : part));
}

/** Return the elements that tell why an event was refused. */
function faultCard(told, game) {
  const text = game.clauses[told.clause?.slice(game.game.length + 1)];
  const title = told.title ? told.title : told.clause ? "Not legal" : told.reason ? "Not decided here" : "Cannot be read";
  const rows = [];
  const row = (name, values) => {
    if (!values?.length) return;
    const items = values.map((value) => make("li", {}, ...coded(value)));
    const more = items.length > MOST_LISTED + 1 ? items.splice(MOST_LISTED) : [];
    const held = [make("ul", {}, ...items)];
    if (more.length) held.push(make("details", {}, make("summary", { text: `and ${more.length} more` }), make("ul", {}, ...more)));
    rows.push(make("dt", { text: name }), make("dd", {}, ...held));
  };
  if (text) rows.push(make("dt", { text: "the clause" }), make("dd", {}, make("pre", { text })));
  row("its name", told.clause ? [told.clause] : []);
  row("it asked", told.asked?.map(([name, value]) => `${name}: ${value}`));
  row("on the table", told.facts?.map(([name, value]) => `${name}: ${value}`));
  row("the rule", told.rules);
  row("legal here", told.clause && !told.legal?.length ? ["nothing"] : told.legal);
  return [make("h2", { text: title }), make("p", { class: "message" }, ...coded(told.message ?? told.reason ?? "")), make("dl", {}, ...rows)];
}
