// The rules in the page: every legal event at any step, a wish that is refused in golpae's words, playing on, saving.
//
// The module is that of `golpae build`. Where the browser does not run it, everything recorded still shows.

const MOST_BUTTONS = 80; // events of one action that are shown
const FEW_WHOLE = 24; // choices of an action that are listed at once if they can be made tile by tile
const FEW_CHOICES = 4; // choices of an action that are listed at once where there is little room
const PACKED = "deflate-raw";

/** Return the rules of the page, or null where the browser does not run them. */
async function loadRules(packed) {
  if (!packed || typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") return null;
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(PACKED));
  try {
    return await Rules.load(await new Response(stream).arrayBuffer());
  } catch (fault) {
    console.warn(`the rules of this page do not run here: ${fault}`);
    return null;
  }
}

/** Return a state of a module as the positions of a page are. */
function flat(state, game) {
  const { zones, states, seen = {}, ...rest } = state;
  const parts = [
    ...game.zones.map((zone) => [`zone/${zone.name}`, zone.each_player, zones[zone.name]]),
    ...game.zones.filter((zone) => zone.name in seen).map((zone) => [`seen/${zone.name}`, zone.each_player, seen[zone.name]]),
    ...game.states.map((own) => [`state/${own.name}`, own.each_player, states[own.name]]),
  ];
  for (const [key, isEach, held] of parts) {
    if (isEach) held.forEach((value, seat) => (rest[`${key}/${seat}`] = value));
    else rest[key] = held;
  }
  return rest;
}

/** What can follow at the step that a page shows. */
class Play {
  constructor(page, rules) {
    this.page = page;
    this.game = page.game;
    this.match = rules.match(this.game.players, this.game.stake);
    this.marks = [this.match.position]; // the position after each event
    this.waiting = false;
    this.chooser = new Chooser(page.table, {
      things: (choice, isTried) => this.things(choice, isTried),
      done: (choice) => this.choose(choice),
      changed: () => this.list(),
    });
    element("table").addEventListener("dragover", (event) => event.preventDefault());
    element("table").addEventListener("drop", (event) => {
      event.preventDefault();
      this.chooser.drop();
    });
    page.keys.push((event) => this.key(event));
    element("play").hidden = false;
    const tab = document.getElementById("tab-play");
    if (tab) tab.hidden = false;
    element("wishes").append(this.form(), this.tools());
    page.listeners.push(() => this.soon());
    this.soon();
  }

  /** Show what can follow when the browser has drawn the step. */
  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.waiting = false;
        this.show();
        element("play").dataset.step = this.page.at; // what can follow is shown for this step
      }),
    );
  }

  /** Bring the match to the step that is shown. Return why that is not possible, or null. */
  reach() {
    const events = this.page.story.events;
    const step = this.page.shown;
    this.match.position = this.marks[Math.min(step, this.marks.length - 1)];
    while (this.marks.length <= step) {
      const answer = this.match.apply(events[this.marks.length - 1].line);
      if (answer.verdict !== "legal") return answer.reason ?? answer.message ?? answer.verdict;
      this.marks.push(this.match.position);
    }
    return null;
  }

  /** Return what can follow at the step that is shown; null, with a word about it, where the module cannot say that. */
  following() {
    element("answer").replaceChildren();
    let fault = this.reach();
    try {
      if (fault === null) return this.match.following();
    } catch (reason) {
      if (!(reason instanceof Referred)) throw reason;
      fault = reason.message;
    }
    element("tries").replaceChildren(`golpae itself has to say what can follow here: ${fault}`);
    return null;
  }

  show() {
    const following = this.following();
    if (following === null) return;
    const { events } = following;
    this.shown = { following, choices: this.choices(events, this.page.sight.isOpen) };
    const isOwn = ({ line }) => this.page.sight.isOpen || line.by === undefined || line.by === this.page.sight.seat;
    this.chooser.begin(this.isChoosing ? this.shown.choices.filter(isOwn) : []);
    this.list();
    const seats = new Set(events.map((line) => line.by).filter((seat) => Number.isInteger(seat)));
    if (this.page.at === this.page.end && !this.page.refused) this.page.table.mark([...seats], this.played(events));
    const played = this.page.story.events.some((event) => event.played);
    element("restore").hidden = !played;
    element("chance").disabled = !events.length;
  }

  /** Return the players whose tiles others play in some events. */
  played(events) {
    const position = this.page.story.positions[this.page.shown];
    return [...new Set(events.flatMap((line) => heldBy(line, this.page.tiles, position, this.game)))];
  }

  /** Return whether tiles on the table can be chosen now: in a recorded game, if a reader wants to play on. */
  get isChoosing() {
    return this.page.opened === "play";
  }

  /** List what can follow, or what is left of it. */
  list() {
    const { following, choices } = this.shown;
    const isPart = this.chooser.steps.length > 0;
    const shown = isPart ? this.parts() : this.groups(choices);
    if (isPart && this.counted) shown.unshift(make("p", { class: "quiet", text: this.counted }));
    if (!isPart) {
      if (following.dealers.length) shown.push(this.button("deal by chance", () => this.#deal()));
      shown.push(...this.unlisted(following));
    }
    if (!shown.length) shown.push(make("p", { class: "quiet", text: "nothing can follow" }));
    this.put(...shown);
  }

  /** Show what can be chosen; the first ones have a number, which is their key. */
  put(...shown) {
    const tries = element("tries");
    const hadFocus = tries.contains(document.activeElement);
    tries.replaceChildren(...shown);
    [...tries.querySelectorAll("button:not(:disabled, .guard)")].slice(0, 9).forEach((button, at) => (button.dataset.key = at + 1));
    if (hadFocus) element("play-title").focus({ preventScroll: true });
  }

  /** Return how many tiles are chosen, and of how many; nothing if one is enough. */
  get counted() {
    const { chosen, least, most } = this.chooser.count;
    if (most < 2) return "";
    if (least === most) return `${chosen} of ${most}`;
    return chosen < least ? `${chosen} of ${least} or more` : `${chosen} of at most ${most}`;
  }

  /** Return what is left of the choices if some things are chosen: as a whole if they are few, else tile by tile. */
  parts() {
    const { chooser } = this;
    const { next } = chooser;
    const back = chooser.steps.length > 1 ? [this.button("one back", () => chooser.back())] : [];
    back.push(this.button("something else", () => chooser.clear()));
    for (const button of back) button.classList.add("guard"); // they have keys of their own
    if (!next) {
      const groups = this.groups(chooser.left, true);
      if (groups.length !== 1) return [...groups, ...back];
      groups[0].append(...back); // which are shown beside its words, and take no line of their own there
      return groups;
    }
    const { kinds } = this.page.tiles;
    const roles = new Map();
    for (const thing of next.things.sort((one, two) => kinds.get(one.tile)?.place - kinds.get(two.tile)?.place)) {
      if (!roles.has(thing.of)) roles.set(thing.of, []);
      const button = this.button("", () => chooser.pick([thing]), kinds.get(thing.tile)?.spoken ?? thing.tile);
      button.append(this.page.tiles.tile(thing.tile, { quiet: true }));
      roles.get(thing.of).push(button);
    }
    const keys = new Set(chooser.left.flatMap((choice) => this.#keysOfTiles(choice.line)));
    const tiles = [...roles].map(([role, buttons]) => {
      const head = keys.size > 1 ? make("h3", {}, this.#roleWords(role)) : null;
      return make("div", { class: "group" }, head, make("div", { class: "options" }, ...buttons));
    });
    return [...this.groups(next.complete, true), ...back, ...tiles];
  }

  /** Return the words for a key of the choices that are left. */
  #roleWords(key) {
    const own = this.chooser.left.find(({ line }) => line[key] !== undefined);
    return keyWords(this.game.told[own?.line.do], key);
  }

  #keysOfTiles(line) {
    const action = this.game.actions.find((action) => action.name === line.do);
    return action.keys.filter((key) => key.of_text && isOfTiles(key.type)).map((key) => key.name);
  }

  /** Return what of a choice can be chosen on the table; `isTried`: also what it moves without naming it. */
  things({ line, hidden }, isTried) {
    const { page, game } = this;
    const { down } = page.table.view;
    const position = page.story.positions[page.shown];
    if (this.lies?.position !== position || this.lies.down !== down || this.lies.seat !== line.by) {
      this.lies = { position, down, seat: line.by, places: lying(position, game, down, line.by) };
    }
    const action = game.actions.find((action) => action.name === line.do);
    const keys = action.keys.filter((key) => key.of_text && !(key.name in hidden));
    const moved = isTried ? this.#moved(line) : [];
    return new Things(namedThings(line, keys, this.lies.places, moved), moved);
  }

  /** Return the things on the table that an event moves. */
  #moved(line) {
    const { page } = this;
    const before = page.story.positions[page.shown];
    if (this.reach() !== null) return [];
    try {
      if (this.match.apply(line).verdict !== "legal") return [];
      return moves(before, flat(this.match.state(), this.game), this.game, page.table.view.down);
    } finally {
      this.match.position = this.marks[page.shown];
    }
  }

  /** Choose by a key: a number, Escape, or Backspace. Return whether it was one. */
  key(event) {
    if (event.key === "Backspace" && this.chooser.steps.length) {
      this.chooser.back();
      return true;
    }
    if (event.key === "Escape" && this.chooser.steps.length) {
      this.chooser.clear();
      return true;
    }
    if (!this.isChoosing || event.repeat || !/^[1-9]$/.test(event.key)) return false;
    const button = element("tries").querySelector(`[data-key="${event.key}"]`);
    button?.click();
    return button !== null;
  }

  // ---------------------------------------------------------------- what can follow

  /** Return the choices of each action and player, together; `isPart` says that they are what is left of more. */
  groups(choices, isPart = false) {
    const groups = new Map();
    for (const choice of choices) {
      const key = `${choice.line.do} ${choice.line.by ?? ""}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(choice);
    }
    return [...groups.values()].map((own) => this.#group(own, isPart));
  }

  /** Return a word about actions that may follow, but have too many events to be listed. */
  unlisted({ events, unlisted }) {
    const titles = unlisted.filter((name) => events.every((line) => line.do !== name)).map((name) => titleOf(name, this.game));
    return titles.length ? [make("p", { class: "quiet", text: `perhaps too, in more ways than can be listed: ${titles.join("; ")}` })] : [];
  }

  /** Return what can be chosen: events, together where whoever acts cannot see by which tiles they differ, unless all
   *  tiles are open. */
  choices(events, isOpen) {
    const found = new Map();
    for (const line of events) {
      const hidden = isOpen ? {} : this.hidden(line);
      const shown = JSON.stringify({ ...line, ...hidden });
      if (!found.has(shown)) found.set(shown, { line, hidden, lines: [] });
      found.get(shown).lines.push(line);
    }
    return this.#distinct([...found.values()]);
  }

  /** Leave out choices that only say more than another one which does the same: a key that need not be given. */
  #distinct(choices) {
    const bare = ({ line }) => {
      const action = this.game.actions.find((action) => action.name === line.do);
      const needed = action.keys.filter((key) => !key.optional || isOfTiles(key.type)).map((key) => key.name);
      return JSON.stringify(["by", "do", ...needed].map((key) => line[key] ?? null));
    };
    const groups = new Map();
    for (const choice of choices) groups.set(bare(choice), [...(groups.get(bare(choice)) ?? []), choice]);
    return [...groups.values()].flatMap((own) => {
      const sizes = own.map(({ line }) => Object.keys(line).length);
      const [shortest] = own.filter((_, at) => sizes[at] === Math.min(...sizes));
      if (own.length === 1 || this.reach() !== null) return own;
      const after = this.#positionAfter(shortest.line);
      return own.filter((one) => one === shortest || after === null || this.#positionAfter(one.line) !== after);
    });
  }

  /** Return in one text what a position is after an event. */
  #positionAfter(line) {
    try {
      return this.match.apply(line).verdict === "legal" ? JSON.stringify(this.match.state()) : null;
    } finally {
      this.match.position = this.marks[this.page.shown];
    }
  }

  /** Return one of the events of a choice by chance: each copy of the tiles that nobody sees has the same. */
  oneOf({ lines }, below = (size) => Math.floor(Math.random() * size)) {
    if (lines.length === 1) return lines[0];
    const position = this.page.story.positions[this.page.shown];
    const weights = lines.map((line) => this.#ways(line, position));
    let place = below(weights.reduce((sum, weight) => sum + weight, 0));
    return lines[weights.findIndex((weight) => (place -= weight) < 0)];
  }

  /** Return in how many ways the unseen tiles of an event can be taken from the copies that lie where they come from. */
  #ways(line, position) {
    const taken = new Map();
    let ways = 1;
    for (const { key, zone, of, is_ordered: isOrdered } of this.game.unseen[line.do] ?? []) {
      const one = Number.isInteger(line[of]) ? `zone/${zone}/${line[of]}` : null;
      const own = Object.keys(position).filter((name) => name === (one ?? `zone/${zone}`) || (one === null && name.startsWith(`zone/${zone}/`)));
      const there = counts(own.flatMap((name) => position[name]));
      for (const [tile, times] of counts([line[key] ?? []].flat())) {
        const place = `${own} ${tile}`;
        const left = (there.get(tile) ?? 0) - (taken.get(place) ?? 0);
        if (left < times) continue;
        for (let number = 0; number < times; number++) ways = (ways * (left - number)) / (isOrdered ? 1 : number + 1);
        taken.set(place, (taken.get(place) ?? 0) + times);
      }
    }
    return ways;
  }

  /** Return the keys of an event whose tiles the one who acts cannot see, with unknown tiles. */
  hidden(line) {
    const unseen = this.game.unseen[line.do] ?? [];
    return Object.fromEntries(unseen.flatMap(({ key }) => (line[key] ? [[key, [line[key]].flat().map(() => UNKNOWN)]] : [])));
  }

  /** Return the words of a choice, without the names of tiles that are not seen. These may have the name of one that is:
   *  a tile that the rest of the event does not name stands for them. */
  words({ line, hidden }) {
    const said = new Set(Object.keys(line).flatMap((key) => (key in hidden ? [] : line[key])));
    const other = this.game.tiles.find(({ name }) => !said.has(name))?.name;
    if (other === undefined) return line.do;
    const shown = Object.keys(hidden).map((key) => [key, Array.isArray(line[key]) ? line[key].map(() => other) : other]);
    const named = { ...line, ...Object.fromEntries(shown) };
    const words = toldEvent(named, this.match.words.event(named), this.game, this.page.table);
    return shown.length ? this.page.sight.words(words, new Set([other]), this.page.tiles) : words;
  }

  #group(choices, isPart) {
    const { do: name, by } = choices[0].line;
    const who = Number.isInteger(by) ? this.page.table.names[by] : "";
    const title = titleOf(name, this.game);
    if (choices.length === 1 && !who) return this.button(this.words(choices[0]), () => this.choose(choices[0]));
    const { sight } = this.page;
    const isOwn = !who || sight.isOpen || by === sight.seat;
    if (!isPart && isOwn && this.isChoosing && choices.length > (this.isShort ? FEW_CHOICES : FEW_WHOLE)) {
      const isOnTable = this.chooser.onTable(choices);
      const button = this.button(`${title} …`, () => this.chooser.narrow(choices[0].line));
      if (isOnTable) button.title = "or click a tile";
      if (isOnTable || this.isShort) return button;
    }
    const dot = who ? make("span", { class: "dot", style: `--seat: ${colourOf(by)}`, "aria-hidden": "true" }) : null;
    const isOne = this.isShort && choices.length === 1;
    const head = isOne ? null : make("h3", {}, dot, make("span", {}, ...(this.isShort ? [title] : said(who, title))));
    if (!isOwn) {
      return make("div", { class: "group" }, head, make("span", { class: "quiet", text: "what, only that player sees" }));
    }
    const buttons = choices.slice(0, MOST_BUTTONS).map((choice) => this.#event(choice, name, who, isOne ? title : null));
    if (choices.length > MOST_BUTTONS) buttons.push(make("span", { class: "quiet", text: `and ${choices.length - MOST_BUTTONS} more` }));
    return make("div", { class: "group" }, head, make("div", { class: "options" }, ...buttons));
  }

  #event(choice, name, who, title = null) {
    const { line, hidden } = choice;
    const words = this.words(choice);
    const action = this.game.actions.find((action) => action.name === name);
    const own = action.keys.filter((key) => key.of_text);
    const keys = own.filter((key) => (line[key.name] ?? null) !== null);
    const isSets = (key) => key.type?.list?.list === "tile";
    const isTiles = (key) => key.type === "tile" || key.type?.list === "tile" || isSets(key);
    const isNamed = (key) => key !== own[0] || keys.filter(isTiles).length > 1;
    const label = !who ? words : isTold(line, this.game) ? `${who} ${words}` : `${who}: ${words}`;
    const button = this.button("", () => this.choose(choice), label);
    if (title) button.append(make("span", { text: title }));
    if (keys.some(isTiles)) {
      for (const key of keys) {
        const value = hidden[key.name] ?? line[key.name];
        const named = isNamed(key) ? [make("span", { class: "quiet", text: keyWords(this.game.told[name], key.name) })] : [];
        const sets = isSets(key) ? value : [[value].flat()];
        if (!isTiles(key)) button.append(...named, typeof value === "string" ? spacedName(value) : this.match.words.say(value, key.type));
        else if (sets.flat().length) button.append(...named, ...sets.map((set) => this.#pictures(set)));
        else button.append(...named, "none");
      }
    } else if (!title) {
      const said = name.replaceAll("_", " "); // as the module says it
      button.append(words === said ? said : words.startsWith(`${said} `) ? words.slice(said.length + 1) : words);
    }
    return button;
  }

  #pictures(names) {
    return make("span", { class: "set" }, ...names.map((tile) => this.page.tiles.tile(tile, { quiet: true })));
  }

  /** Let a choice happen. */
  choose(choice) {
    this.play(this.oneOf(choice));
  }

  button(text, does, label) {
    const button = make("button", { type: "button", text, "aria-label": label, title: label });
    button.addEventListener("click", does);
    return button;
  }

  // ---------------------------------------------------------------- playing

  /** Let an event happen at the step that is shown, or tell why it may not. */
  play(line) {
    if (this.reach() !== null) return;
    const answer = this.match.apply(line);
    if (answer.verdict !== "legal") {
      element("answer").replaceChildren(...faultCard(this.told(answer, line), this.game));
      return;
    }
    this.happened(line);
  }

  /** Return what is told of a wish that is refused. */
  told(answer, line) {
    return answer.clause ? { ...answer, asked: [...this.#asked(answer.clause, line)] } : answer;
  }

  /** Return the names that a clause reads, with their values: of the event, and of the position. */
  *#asked(clause, line) {
    const asks = this.game.asks[clause.slice(this.game.game.length + 1)];
    if (!asks) return;
    const { words } = this.match;
    const action = this.game.actions.find((action) => action.name === line.do);
    for (const name of asks.keys) {
      const type = name === asks.by ? "seat" : action.keys.find((key) => key.name === name)?.type;
      const value = line[name === asks.by ? "by" : name] ?? null;
      const isPlain = type && type !== "meld" && type?.list !== "meld" && type !== "patterns";
      yield [name, value === null ? "none" : isPlain ? words.say(value, type) : JSON.stringify(value)];
    }
    const { states } = this.match.state();
    for (const name of asks.states) {
      const state = this.game.states.find((state) => state.name === name);
      if (state.hidden) continue;
      const { type, each_player: isEach } = state;
      const title = state.title ?? name;
      const said = (value) => (value === null ? "none" : words.say(value, type));
      const all = isEach ? states[name].map(said) : [];
      if (isEach && new Set(all).size === 1) yield [`everybody's ${title}`, all[0]];
      else if (isEach) yield* all.map((value, seat) => [`${words.names[seat]}'s ${title}`, value]);
      else yield [title, said(states[name])];
    }
  }

  /** Put an event that has happened behind the step that is shown; what was behind it goes. */
  happened(line, about = { played: true }) {
    const { page } = this;
    const step = page.shown;
    page.story.cut(step);
    page.refused = null;
    const before = page.story.positions[step];
    const after = flat(this.match.state(), this.game);
    const isNew = ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]);
    const changed = Object.fromEntries(Object.entries(after).filter(isNew));
    this.marks.length = step + 1;
    this.marks.push(this.match.position);
    const scores = Number.isInteger(changed.winner) ? this.#scores(line, step) : [];
    page.story.add({ line, words: this.match.words.event(line), new: changed, scores, ...about });
    page.list();
    page.to(step + 1);
  }

  /** Return the scores that an event counted by which somebody won; none where the module cannot say that. */
  #scores(line, step) {
    const now = this.match.position;
    this.match.position = this.marks[step];
    try {
      return this.match.scores(line);
    } catch (reason) {
      if (!(reason instanceof Referred)) throw reason;
      return [];
    } finally {
      this.match.position = now;
    }
  }

  /** Try any event. */
  wish(line) {
    this.play(line);
  }

  #deal() {
    if (this.reach() !== null) return;
    this.begin();
    const line = this.match.deal();
    if (line) this.happened(line);
  }

  #chance() {
    if (this.reach() !== null) return;
    this.begin();
    const line = this.match.play();
    if (line) this.happened(line);
  }

  begin() {
    const [seed, game] = crypto.getRandomValues(new Uint32Array(2));
    this.match.begin(seed, game);
  }

  /** Go back to what was recorded. */
  #restore() {
    const { page } = this;
    const kept = page.story.events.findIndex((event) => event.played);
    page.story = new Story(this.game);
    page.refused = this.game.refused;
    this.marks.length = Math.min(this.marks.length, kept + 1);
    page.list();
    page.to(kept);
  }

  /** Save the game up to the step that is shown, as a trace. */
  save() {
    const events = this.page.story.events.slice(0, this.page.shown).map((event) => event.line);
    const text = traceText(this.game, events);
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/jsonl" })), download: "game.jsonl" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    element("saved").value = text;
  }

  tools() {
    const restore = this.button("back to the recorded game", () => this.#restore());
    restore.id = "restore";
    restore.hidden = true;
    const chance = this.button("one event by chance", () => this.#chance());
    chance.id = "chance";
    const save = this.button("save this game", () => this.save());
    save.id = "save";
    return make("div", { class: "wish" }, chance, save, restore, make("input", { type: "hidden", id: "saved" }));
  }

  // ---------------------------------------------------------------- wishes

  /** Return the form for any event, legal or not. */
  form() {
    const names = this.game.actions.map(({ name }) => make("option", { value: name, text: titleOf(name, this.game) }));
    const choice = make("select", { id: "wish" }, ...names);
    const keys = make("span", { class: "keys" });
    const refill = () => keys.replaceChildren(...this.#fields(choice.value));
    choice.addEventListener("change", refill);
    const play = this.game.actions.find((action) => action.kind === "play");
    if (play) choice.value = play.name;
    refill();
    const form = make("form", { class: "wish", id: "try" }, make("label", {}, "another event", choice), keys, make("button", { text: "try it" }));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.wish(this.#wished(choice.value, keys));
    });
    return make("details", {}, make("summary", { text: "try any event" }), form, make("div", { id: "answer", class: "fault answer", "aria-live": "polite" }));
  }

  #fields(name) {
    const action = this.game.actions.find((action) => action.name === name);
    const keys = [...(action.by ? [{ name: "by", type: "seat", words: "who" }] : []), ...action.keys];
    return keys.map((key) => {
      const type = key.type?.["or none"] ?? key.type;
      const about = { name: key.name, "data-type": JSON.stringify(type) };
      let field;
      if (type === "seat" || type?.word || type === "truth") {
        const values = type === "seat" ? this.page.table.names.map((word, seat) => [seat, word]) : type === "truth" ? [[true, "yes"], [false, "no"]] : type.word.map((word) => [word, word]);
        const none = key.optional ? [["", "—"]] : key.type?.["or none"] ? [["null", "none"]] : [];
        const options = [...none, ...values].map(([value, text]) => make("option", { value: value === "" ? "" : JSON.stringify(value === "null" ? null : value), text }));
        field = make("select", about, ...options);
      } else {
        const hints = { tile: "a tile", number: "a number" };
        const hint = type?.list === "tile" ? "tiles, with spaces" : (hints[type] ?? "as in a trace");
        field = make("input", { type: "text", placeholder: hint, autocomplete: "off", spellcheck: "false", ...about });
      }
      return make("label", {}, key.words ?? spacedName(key.name), field);
    });
  }

  /** Return the event of the form, as a line of a trace. What is typed as JSON is taken as it is. */
  #wished(name, keys) {
    const line = { do: name };
    for (const field of keys.querySelectorAll("[name]")) {
      const typed = field.value.trim();
      const type = JSON.parse(field.dataset.type);
      if (typed === "") {
        if (type?.list === "tile") line[field.name] = [];
        continue;
      }
      line[field.name] = field.tagName === "SELECT" ? JSON.parse(typed) : typedValue(typed, type);
    }
    return line;
  }
}

/** Return what somebody has typed as a value of a type. */
function typedValue(typed, type) {
  if (type === "tile") return typed;
  if (type?.list === "tile" && !typed.startsWith("[")) return typed.split(/[\s,]+/);
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}
