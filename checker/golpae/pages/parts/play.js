// The rules in the page: every legal event at any step, a wish that is refused in golpae's words, playing on, saving.
//
// The module is that of `golpae build`. Where the browser does not run it, everything recorded still shows.

const MOST_BUTTONS = 80; // events of one action that are shown
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
  const { zones, states, ...rest } = state;
  const parts = [
    ...game.zones.map((zone) => [`zone/${zone.name}`, zone.each_player, zones[zone.name]]),
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
    element("play").hidden = false;
    element("wishes").append(this.#form(), this.#tools());
    page.listeners.push(() => this.#soon());
    this.#soon();
  }

  /** Show what can follow when the browser has drawn the step. */
  #soon() {
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
  #reach() {
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

  show() {
    const fault = this.#reach();
    element("answer").replaceChildren();
    if (fault !== null) {
      element("tries").replaceChildren(`golpae itself has to say what can follow here: ${fault}`);
      return;
    }
    let following;
    try {
      following = this.match.following();
    } catch (reason) {
      if (!(reason instanceof Referred)) throw reason;
      element("tries").replaceChildren(`golpae itself has to say what can follow here: ${reason.message}`);
      return;
    }
    const groups = new Map();
    for (const line of following.events) {
      const key = `${line.do} ${line.by ?? ""}`;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(line);
    }
    const shown = [...groups.values()].map((lines) => this.#group(lines));
    if (following.dealers.length) shown.push(this.#button("deal by chance", () => this.#deal()));
    const unlisted = following.unlisted.filter((name) => [...groups.values()].every(([line]) => line.do !== name));
    if (unlisted.length) shown.push(make("p", { class: "quiet", text: `perhaps ${unlisted.join(", ")}, too many to list` }));
    if (!shown.length) shown.push(make("p", { class: "quiet", text: "nothing can follow" }));
    element("tries").replaceChildren(...shown);
    const seats = new Set(following.events.map((line) => line.by).filter((seat) => Number.isInteger(seat)));
    if (this.page.at === this.page.end && !this.page.refused) this.page.table.mark([...seats]);
    const played = this.page.story.events.some((event) => event.played);
    element("restore").hidden = !played;
    element("chance").disabled = !following.events.length;
  }

  // ---------------------------------------------------------------- what can follow

  #group(lines) {
    const { do: name, by } = lines[0];
    const who = Number.isInteger(by) ? this.page.table.names[by] : "";
    if (lines.length === 1 && !who) return this.#button(this.match.words.event(lines[0]), () => this.play(lines[0]));
    const dot = who ? make("span", { class: "dot", style: `--seat: ${colourOf(by)}`, "aria-hidden": "true" }) : null;
    const head = make("h3", {}, dot, make("b", { text: who }), ` ${name}`);
    const { sight } = this.page;
    if (who && !sight.isOpen && by !== sight.seat) {
      return make("div", { class: "group" }, head, make("span", { class: "quiet", text: "what, only that player sees" }));
    }
    const buttons = lines.slice(0, MOST_BUTTONS).map((line) => this.#event(line, name, who));
    if (lines.length > MOST_BUTTONS) buttons.push(make("span", { class: "quiet", text: `and ${lines.length - MOST_BUTTONS} more` }));
    return make("div", { class: "group" }, head, make("div", { class: "options" }, ...buttons));
  }

  #event(line, name, who) {
    const words = this.match.words.event(line);
    const action = this.game.actions.find((action) => action.name === name);
    const keys = action.keys.filter((key) => key.of_text && line[key.name] !== undefined);
    const isTiles = keys.length > 0 && keys.every((key) => key.type === "tile" || key.type?.list === "tile");
    const button = this.#button("", () => this.play(line), `${who} ${words}`.trim());
    if (isTiles) {
      const tiles = keys.flatMap((key) => line[key.name]);
      button.append(...tiles.map((tile) => this.page.tiles.tile(tile, { quiet: true })));
      if (!tiles.length) button.append("none");
    } else {
      button.append(words === name ? name : words.startsWith(`${name} `) ? words.slice(name.length + 1) : words);
    }
    return button;
  }

  #button(text, does, label) {
    const button = make("button", { type: "button", text, "aria-label": label, title: label });
    button.addEventListener("click", does);
    return button;
  }

  // ---------------------------------------------------------------- playing

  /** Let an event happen at the step that is shown, or tell why it may not. */
  play(line) {
    if (this.#reach() !== null) return;
    const answer = this.match.apply(line);
    if (answer.verdict !== "legal") {
      element("answer").replaceChildren(...faultCard(answer, this.game));
      return;
    }
    this.#happened(line);
  }

  /** Put an event that has happened behind the step that is shown; what was behind it goes. */
  #happened(line) {
    const { page } = this;
    const step = page.shown;
    page.story.cut(step);
    page.refused = null;
    const before = page.story.positions[step];
    const after = flat(this.match.state(), this.game);
    const isNew = ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]);
    const changed = Object.fromEntries(Object.entries(after).filter(isNew));
    page.story.add({ line, words: this.match.words.event(line), new: changed, played: true });
    this.marks.length = step + 1;
    this.marks.push(this.match.position);
    page.list();
    page.to(step + 1);
  }

  #deal() {
    if (this.#reach() !== null) return;
    this.#begin();
    const line = this.match.deal();
    if (line) this.#happened(line);
  }

  #chance() {
    if (this.#reach() !== null) return;
    this.#begin();
    const line = this.match.play();
    if (line) this.#happened(line);
  }

  #begin() {
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
  #save() {
    const { game } = this;
    const header = { golpae: 1, rules: game.rules, players: game.players };
    if (game.stake !== 1) header.stake = game.stake;
    if (Object.keys(game.options).length) header.options = game.options;
    if (game.id !== null) header.id = game.id;
    const events = this.page.story.events.slice(0, this.page.shown).map((event) => event.line);
    const text = [header, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
    const link = make("a", { href: URL.createObjectURL(new Blob([text], { type: "application/jsonl" })), download: "game.jsonl" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    element("saved").value = text;
  }

  #tools() {
    const restore = this.#button("back to the recorded game", () => this.#restore());
    restore.id = "restore";
    restore.hidden = true;
    const chance = this.#button("one event by chance", () => this.#chance());
    chance.id = "chance";
    const save = this.#button("save as a trace", () => this.#save());
    save.id = "save";
    return make("div", { class: "wish" }, chance, save, restore, make("input", { type: "hidden", id: "saved" }));
  }

  // ---------------------------------------------------------------- wishes

  /** Return the form for any event, legal or not. */
  #form() {
    const names = this.game.actions.map((action) => make("option", { value: action.name, text: action.name }));
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
      this.play(this.#wished(choice.value, keys));
    });
    return make("details", {}, make("summary", { text: "try any event" }), form, make("div", { id: "answer", class: "fault answer", "aria-live": "polite" }));
  }

  #fields(name) {
    const action = this.game.actions.find((action) => action.name === name);
    const keys = [...(action.by ? [{ name: "by", type: "seat" }] : []), ...action.keys];
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
      return make("label", {}, key.name, field);
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
