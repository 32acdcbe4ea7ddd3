// One game on a page: stepping through what was recorded.

const NOTED = 300; // milliseconds after the last step
const CHUNK = 50; // events of a list that are laid out together
const MOST_ABOUT = 8; // tiles of an event that are lit
const SPEEDS = { slow: 2000, medium: 1000, fast: 400 }; // milliseconds between two events that play by themselves

class Page {
  constructor(game) {
    this.game = game;
    this.story = new Story(game);
    this.tiles = new Tiles(game);
    this.table = new Table(game, this.tiles, element("table"));
    this.refused = game.refused;
    this.at = 0;
    this.listeners = [];
    this.keys = []; // what else listens to keys
    this.#fillViews();
    this.sight = new Sight(game, this.view);
    this.#connect();
    this.list();
    this.to(this.#fromAddress() ?? (this.refused ? this.end : this.#dealt()), false);
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
    const { positions } = this.story;
    const [before, after] = [positions[step - 1] ?? positions[step], positions[step] ?? positions.at(-1)];
    const others = heldBy(event.line, this.tiles, before, this.game).filter((seat) => before[`zone/hand/${seat}`] !== after[`zone/hand/${seat}`]);
    const whose = others.map((seat) => ` for ${this.table.names[seat]}`).join("");
    const told = toldEvent(event.line, event.words, this.game, this.table) + whose;
    if (this.sight.isOpen) return told;
    return this.sight.words(told, this.sight.unnamed(before, after, event.line ?? {}), this.tiles);
  }

  /** Return by seat what each player said last: events since the last one that moved tiles. */
  #calls(step) {
    const { positions, events } = this.story;
    const calls = {};
    for (let at = step; at > 0 && !this.#movesTiles(positions[at - 1], positions[at]); at -= 1) {
      const { line } = events[at - 1];
      if (Number.isInteger(line?.by) && isTold(line, this.game)) calls[line.by] ??= this.#words(events[at - 1], at);
    }
    return calls;
  }

  #movesTiles(before, after) {
    return placesOf(this.game).some(([zone, owner]) => before[keyOf(zone, owner)] !== after[keyOf(zone, owner)]);
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
    const { events } = this.story;
    const isRefused = this.at > events.length;
    this.table.show(this.#view(isRefused));
    this.#tell(isRefused);
    this.#mark(tells);
    element("reason").hidden = true;
    element("fault").hidden = !isRefused;
    this.#scores(isRefused ? [] : this.#counted());
    if (isRefused) this.#fault();
    this.#states();
    this.#follow();
    this.follows = true;
    for (const listen of this.listeners) listen();
  }

  /** Return what the table shows at this step, as plain data. */
  #view(isRefused) {
    const { positions, events, apart, origins } = this.story;
    const position = positions[this.shown];
    const before = isRefused ? position : (positions[this.shown - 1] ?? position);
    const next = isRefused ? this.refused.line : (events[this.at]?.line ?? this.refused?.line);
    const acts = this.at < this.end || isRefused ? [next?.by].filter((seat) => Number.isInteger(seat)) : [];
    const shown = isRefused ? this.refused : events[this.at - 1];
    const tiles = tilesIn(shown?.line, this.tiles);
    const isUnseen = this.#isUnseen(this.shown);
    const places = placesOf(this.game);
    const together = isRefused ? null : this.#together();
    const plays = acts.length ? heldBy(next, this.tiles, position, this.game) : [];
    return {
      position: { ...position, ...together?.held },
      plays,
      calls: isRefused ? {} : this.#calls(this.shown),
      together,
      before,
      acts,
      doing: isRefused ? "tried" : "to act",
      seat: this.sight.seat,
      down: Object.fromEntries(places.map(([zone, owner]) => [keyOf(zone, owner), this.sight.isDown(zone, owner, position)])),
      apart: apart[this.shown],
      origins: origins[this.shown],
      most: this.story.mostAt(this.shown),
      unseen: Object.keys(position).filter((key) => key.startsWith("state/") && isUnseen(key, [position[key]].flat())),
      about: tiles.length <= MOST_ABOUT ? { seat: shown?.line?.by, tiles, is: isRefused ? "fault" : "event" } : null,
    };
  }

  /** Return what was taken together by the event that is shown, without tiles that nobody shows to the reader. */
  #together() {
    const together = this.story.together[this.shown];
    if (!together) return null;
    const unseen = this.#unseen(this.shown);
    const shown = together.held[together.last].map((tile) => (unseen.has(tile) ? UNKNOWN : tile));
    return { ...together, held: { ...together.held, [together.last]: shown } };
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
    now.replaceChildren(`${this.at}. `, ...said(who, this.#words(event, this.at), isTold(event.line, this.game)), pay, about);
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
    this.current?.removeAttribute("aria-current");
    const button = (this.current = this.buttons[this.at]);
    if (!button) return;
    button.setAttribute("aria-current", "step");
    this.#follow();
    if (tells) this.#note();
  }

  /** Bring the current event into the visible part of the list, and nothing else. */
  #follow() {
    const list = element("events");
    if (!this.current || !list.clientHeight) return;
    const [shown, place] = [list.getBoundingClientRect(), this.current.getBoundingClientRect()];
    if (place.top < shown.top) list.scrollTop -= shown.top - place.top;
    if (place.bottom > shown.bottom) list.scrollTop += place.bottom - shown.bottom;
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
    this.sizes.disconnect();
    for (const one of [element("events"), ...lists]) this.sizes.observe(one);
    this.#totals();
  }

  #item(event, step, what = event.played ? "played" : "") {
    const by = event.line?.by;
    const who = this.who(event);
    const dot = make("span", { class: "dot", style: `--seat: ${colourOf(by ?? 0)}`, "aria-hidden": "true" });
    if (!who) dot.style.visibility = "hidden";
    const shown = this.#words(event, step);
    const words = make("span", { class: "words" }, ...said(who, shown, isTold(event.line, this.game)));
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
        const worth = countedIn(points, score.counted_in?.[name] ?? "");
        return make("li", {}, `${name.replaceAll("-", " ")} `, make("b", { text: worth }));
      });
      const all = Object.entries(score.numbers ?? {});
      const some = all.filter(([, many]) => many);
      const numbers = (some.length ? some : all).map(([number, many]) => countedIn(many, number));
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

  /** Show what the rules remember at this step: what has words for players, and folded, for authors, the rest by its names. */
  #states() {
    const states = this.game.states.filter((one) => !one.hidden);
    const [shown, others] = [states.filter((one) => one.title), states.filter((one) => !one.title)];
    const rows = (some) => make("dl", { class: "states" }, ...some.flatMap((state) => this.#state(state)));
    const parts = shown.length ? [rows(shown)] : [];
    if (others.length) parts.push(make("details", { class: "authors" }, make("summary", { text: "for authors: all that the rules remember" }), rows(others)));
    const isOpen = element("states").querySelector("details")?.open ?? false;
    element("states").replaceChildren(...parts);
    const folded = element("states").querySelector("details");
    if (folded) folded.open = isOpen;
  }

  /** Return the row of a state. */
  #state(state) {
    const position = this.story.positions[this.shown];
    const keys = state.each_player ? this.table.names.map((name, seat) => [`state/${state.name}/${seat}`, name]) : [[`state/${state.name}`, ""]];
    const isUnseen = this.#isUnseen(this.shown);
    const said = keys.map(([key, name]) => {
      const value = position[key];
      const type = bare(state.type);
      const tiles = type === "tile" && value ? [value] : type?.list === "tile" ? (value ?? []) : [];
      const down = tiles.length > 0 && isUnseen(key, tiles);
      const held = tiles.length && tiles.length <= FEW ? tiles.map((tile) => this.tiles.tile(tile, { down })) : [down ? "tiles face down" : saidValue(value, type, this.table)];
      return make("span", { class: "one" }, name ? `${name}: ` : "", ...held);
    });
    return [make("dt", { text: spacedName(state.title ?? state.name) }), make("dd", {}, ...said.flatMap((one) => [one, " "]))];
  }

  /** Show what each hand paid, and the totals behind it. */
  #totals() {
    const { positions, events } = this.story;
    const rows = [];
    for (let at = 1; at < positions.length; at++) {
      const [was, now] = [positions[at - 1].totals, positions[at].totals];
      if (sameTiles(was, now)) continue;
      const cells = now.map((total, seat) => make("td", {}, signed(total - was[seat]), " ", make("b", { text: total })));
      const go = make("button", { type: "button", text: at, title: `to event ${at}` });
      go.addEventListener("click", () => this.to(at));
      rows.push(make("tr", {}, make("th", { scope: "row" }, go), ...cells));
    }
    element("tab-totals").hidden = !rows.length;
    const heads = this.table.names.map((name) => make("th", { scope: "col", text: name }));
    const head = make("thead", {}, make("tr", {}, make("th", { scope: "col", text: "event" }), ...heads));
    element("totals").replaceChildren(make("table", {}, head, make("tbody", {}, ...rows)));
  }

  // ---------------------------------------------------------------- the side

  /** Show one panel of the side. */
  open(name) {
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isOpen = tab.dataset.panel === name;
      tab.setAttribute("aria-selected", isOpen);
      tab.tabIndex = isOpen ? 0 : -1;
      element(`panel-${tab.dataset.panel}`).hidden = !isOpen;
    }
    this.opened = name;
    this.#follow();
    for (const listen of this.listeners) listen();
  }

  #tabs() {
    const tabs = [...document.querySelectorAll("[role=tab]")];
    for (const tab of tabs) {
      tab.addEventListener("click", () => {
        const { classList } = tab.closest(".side");
        classList.toggle("folded", this.opened === tab.dataset.panel && !classList.contains("folded"));
        this.open(tab.dataset.panel);
      });
      tab.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        const shown = tabs.filter((one) => !one.hidden);
        const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
        tab.closest(".side").classList.remove("folded");
        this.open(next.dataset.panel);
        next.focus();
      });
    }
    document.getElementById("fold")?.addEventListener("click", () => {
      document.querySelector(".side").classList.add("folded");
      document.querySelector('[role="tab"][aria-selected="true"]').focus();
    });
    this.open("events");
  }

  // ---------------------------------------------------------------- playing by itself

  /** Let the recorded events follow by themselves, or stop that. */
  auto(isOn = !this.playing) {
    clearInterval(this.playing);
    this.playing = null;
    element("auto").textContent = isOn ? "❚❚" : "▶";
    element("auto").setAttribute("aria-label", isOn ? "stop" : "play the recorded game");
    element("auto").setAttribute("aria-pressed", isOn);
    if (!isOn) return;
    if (this.at === this.end) this.to(0);
    this.playing = setInterval(() => {
      if (this.at < this.end) this.to(this.at + 1);
      if (this.at >= this.end) this.auto(false);
    }, SPEEDS[element("speed").value]);
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
    const trace = document.getElementById("trace");
    trace?.addEventListener("click", () => (trace.href = this.#traceAddress()));
    element("auto").addEventListener("click", () => this.auto());
    element("speed").addEventListener("change", () => this.playing && this.auto(true));
    this.#tabs();
    // Lists that were not laid out before may be higher than they seemed. Who scrolls the list is left alone.
    this.sizes = new ResizeObserver(() => this.follows && this.#follow());
    for (const kind of ["wheel", "touchstart", "pointerdown"]) {
      element("events").addEventListener(kind, () => (this.follows = false), { passive: true });
    }
    element("to-fault").hidden = !this.refused;
    element("to-fault").addEventListener("click", () => this.toFault());
    window.addEventListener("hashchange", () => this.to(this.#fromAddress() ?? this.at, false));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Return an address that has the recorded game as a trace, with the event that was refused. */
  #traceAddress() {
    const events = [...this.game.steps, ...(this.game.refused?.line?.do ? [this.game.refused] : [])].map((event) => event.line);
    return `data:application/jsonl;charset=utf-8,${encodeURIComponent(traceText(this.game, events))}`;
  }

  toFault() {
    if (!this.refused) return;
    this.to(this.end);
    element("fault").scrollIntoView({ block: "nearest" });
    element("fault").focus({ preventScroll: true });
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = document.activeElement;
    if (at?.matches("[role=tab]") && event.key.startsWith("Arrow")) return;
    if (at?.matches("input:not([type=range]), select, textarea")) return;
    if (this.keys.some((listen) => listen(event))) {
      event.preventDefault();
      return;
    }
    const keys = {
      ArrowLeft: () => this.to(this.at - 1),
      ArrowRight: () => this.to(this.at + 1),
      Home: () => this.to(0),
      End: () => this.to(this.end),
      PageUp: () => this.to(this.#hand(-1)),
      PageDown: () => this.to(this.#hand(1)),
      f: () => this.toFault(),
      v: () => element("view").focus(),
      p: () => this.auto(),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Return the step at which tiles are dealt, or the first one. */
  #dealt() {
    const deal = this.story.events.findIndex((event) => event.line.do === "deal");
    return deal < 0 ? Math.min(1, this.end) : deal + 1;
  }

  /** Return the step of the next deal in one direction, or the end there. */
  #hand(direction) {
    const deals = this.story.events.flatMap((event, at) => (event.line.do === "deal" ? [at + 1] : []));
    const there = deals.filter((step) => (step - this.at) * direction > 0);
    return direction > 0 ? (there[0] ?? this.end) : (there.at(-1) ?? 0);
  }
}

/** Return a game with some events as the lines of a trace. */
function traceText(game, events) {
  const header = { golpae: 1, rules: game.rules, players: game.players };
  if (game.stake !== 1) header.stake = game.stake;
  if (Object.keys(game.options).length) header.options = game.options;
  if (game.id !== null) header.id = game.id;
  return [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
}

const element = (id) => document.getElementById(id);

/** Return who does something, and what; `isSentence` says that the words go on from the name. */
function said(who, words, isSentence = false) {
  return who ? [make("b", { text: who }), isSentence ? " " : ": ", ...unbroken(words)] : unbroken(words);
}

/** Return what is paid at the end of a hand, in words. */
function payments(pay, names) {
  if (!Array.isArray(pay)) return "";
  const said = pay.flatMap((amount, seat) => (amount ? [`${names[seat] ?? seat} ${signed(amount)}`] : []));
  return said.length ? `: ${said.join(", ")}` : ": nobody pays";
}

/** Return points with the name of the number that they count in: `1 limit`, `2 limits`. */
function countedIn(points, number) {
  const name = number.replaceAll("-", " ");
  return `${points} ${points === 1 && /[^s]s$/.test(name) ? name.slice(0, -1) : name}`.trimEnd();
}
