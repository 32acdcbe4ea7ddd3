// The table from above: the shared zones in the middle, each player at a side, next players to the right.

const SIDES = { 1: ["south"], 2: ["south", "north"], 3: ["south", "east", "west"], 4: ["south", "east", "north", "west"] };
const COLOURS = ["#f0b429", "#56b4e9", "#ef6f6c", "#7bd389", "#c792ea", "#ff9f68", "#9fd8d8", "#e6e6a1"];
const LONGEST_NAME = 60;
const SMALL_SET = 40; // tiles of a set that are shown larger
const FEW = 6; // tiles of a state that are shown, not only counted

const colourOf = (seat) => COLOURS[seat % COLOURS.length];

/** Draws the positions of one game. */
class Table {
  constructor(game, tiles, element) {
    this.game = game;
    this.tiles = tiles;
    this.element = element;
    this.drawn = new Map(); // the zones on the page, by their keys
    this.parts = new Map(); // the middle and the seats
    this.title = make("h2", { class: "unseen", text: "the middle" });
    this.names = game.players.map((name, seat) => shownName(name) || `seat ${seat}`);
    element.dataset.set = game.size > SMALL_SET ? "large" : "small";
    element.dataset.players = game.players.length in SIDES ? game.players.length : "many";
  }

  /**
   * Show a position, and what is otherwise than in the one before. `acts` are the seats whose turn it is; `isUnseen` tells
   * whether the value of a state names a tile that is not seen.
   */
  show(position, before, { sight, acts, doing, isUnseen }) {
    this.sight = sight;
    this.isUnseen = isUnseen;
    const { seat } = sight;
    const size = this.names.length;
    const seats = this.names.map((_, at) => ((seat ?? 0) + at) % size);
    const sides = SIDES[size] ?? [];
    const around = seats.map((at, place) => this.#seat(at, sides[place], position, before, { acts, doing }));
    update(this.element, [this.#middle(position, before), ...around]);
  }

  /** Return a part of the table, the same one at every step. */
  #part(key, about) {
    if (!this.parts.has(key)) this.parts.set(key, make("section", about));
    return this.parts.get(key);
  }

  /** Mark the seats that can act. */
  mark(seats) {
    for (const element of this.element.querySelectorAll(".seat")) {
      const acts = seats.includes(Number(element.dataset.seat));
      if (acts === element.classList.contains("acts")) continue;
      element.classList.toggle("acts", acts);
      if (acts) element.querySelector(".name").after(make("span", { class: "chip turn", text: "to act" }));
      else element.querySelector(".chip.turn")?.remove();
    }
  }

  #zones(zones, owner, position, before) {
    return zones.flatMap((zone) => {
      const key = owner === null ? `zone/${zone.name}` : `zone/${zone.name}/${owner}`;
      const [held, was] = [position[key] ?? [], before[key] ?? []];
      if (!held.length && !was.length) return [];
      return [this.#zone(key, zone, held, was, this.sight.isDown(zone, owner, position), knownOf(key, position))];
    });
  }

  /** Return a zone: the element that is there already, if nothing in it is otherwise. */
  #zone(key, zone, held, was, down, known) {
    const drawn = this.drawn.get(key);
    const isSame = drawn?.held === held && drawn.was === was && drawn.down === down;
    if (isSame && drawn.known.certain === known.certain && drawn.known.possible === known.possible) return drawn.element;
    const element = zoneElement(this.tiles, zone, held, was, down, known);
    this.drawn.set(key, { held, was, down, known, element });
    return element;
  }

  #middle(position, before) {
    const shared = this.game.zones.filter((zone) => !zone.each_player);
    const zones = this.#zones(shared, null, position, before);
    const chips = this.game.states
      .filter((state) => !state.hidden && !state.each_player && bare(state.type) !== "seat")
      .flatMap((state) => this.#chip(state, `state/${state.name}`, position, before));
    const states = make("div", { class: "states zone" }, ...chips.flatMap((chip) => [chip, " "]));
    const middle = this.#part("middle", { class: "middle", "aria-label": "the middle" });
    update(middle, [this.title, ...zones, ...(chips.length ? [states] : [])]);
    return middle;
  }

  #seat(seat, side, position, before, { acts, doing }) {
    const own = this.game.zones.filter((zone) => zone.each_player);
    const roles = this.game.states
      .filter((state) => !state.hidden && !state.each_player && bare(state.type) === "seat")
      .filter((state) => position[`state/${state.name}`] === seat)
      .map((state) => chip(state.title ?? state.name, before[`state/${state.name}`] !== seat));
    const states = this.game.states
      .filter((state) => !state.hidden && state.each_player)
      .flatMap((state) => this.#chip(state, `state/${state.name}/${seat}`, position, before));
    const total = position.totals[seat];
    const isTurn = acts.includes(seat);
    const head = make(
      "h2",
      {},
      make("span", { class: "dot", style: `--seat: ${colourOf(seat)}`, "aria-hidden": "true" }),
      make("span", { class: "name", text: this.names[seat], title: this.names[seat] }),
      isTurn ? make("span", { class: "chip turn", text: doing }) : null,
      position.winner === seat ? make("span", { class: "chip won", text: "has won" }) : null,
      total || position.hands_played ? chip(`total ${signed(total)}`, before.totals[seat] !== total) : null,
      ...roles,
      ...states,
    );
    const zones = this.#zones(own, seat, position, before);
    const element = this.#part(seat, { "aria-label": this.names[seat], "data-seat": seat });
    element.className = isTurn ? "seat acts" : "seat";
    if (!element.firstChild) element.append(head, make("div", { class: "zones" }));
    element.firstChild.replaceWith(head);
    update(element.lastChild, zones);
    if (side) {
      element.dataset.side = side;
      element.style.gridArea = side;
    }
    return element;
  }

  /** Return the chip of a state; none where there is nothing to tell. */
  #chip(state, key, position, before) {
    const value = position[key];
    const isNew = JSON.stringify(value) !== JSON.stringify(before[key]);
    const isEmpty = value === null || value === false || (value === 0 && !isNew) || (Array.isArray(value) && !value.length);
    if (isEmpty) return [];
    const type = bare(state.type);
    const title = state.title ?? state.name;
    const tiles = type === "tile" ? [value] : type?.list === "tile" ? value : null;
    if (tiles && tiles.length <= FEW) {
      const down = this.isUnseen(key, tiles);
      return [chip(title, isNew, ...tiles.map((name) => this.tiles.tile(name, { down })))];
    }
    if (tiles) return [chip(`${title}: ${tiles.length} tiles`, isNew)];
    return [chip(value === true ? title : `${title}: ${this.#said(value, type)}`, isNew)];
  }

  #said(value, type) {
    const titles = (tiles) => tiles.map((name) => this.tiles.kinds.get(name)?.spoken ?? name);
    const joined = (words) => words.join(words.some((word) => word.includes(" ")) ? ", " : " ");
    if (type === "seat") return this.names[value];
    if (type === "tile" && value !== null) return titles([value])[0];
    if (type?.list === "tile" && value !== null) return joined(titles(value)) || "no tiles";
    if (Array.isArray(value)) {
      const words = value.map((one) => this.#said(one, bare(type?.list ?? type?.each)));
      return words.join(words.some((word) => word.includes(", ")) ? "; " : ", ");
    }
    if (value !== null && typeof value === "object") {
      return [value.label, joined(titles(value.tiles ?? []))].filter((word) => word).join(" ");
    }
    return value === null ? "none" : value === true ? "yes" : value === false ? "no" : String(value);
  }
}

/** Return what is known of the tiles of a zone that nobody saw: which are certain and why, and which are possible. */
function knownOf(key, position) {
  const name = key.slice("zone/".length);
  return { certain: position[`certain/${name}`], possible: position[`possible/${name}`], why: position[`why/${name}`] };
}

/** Make some elements the children of another one; those that are there already stay. */
function update(parent, children) {
  children.forEach((child, at) => {
    if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
  });
  while (parent.children.length > children.length) parent.lastChild.remove();
}

/** Return a player's name on one line, without characters that are not shown or turn the others round. */
function shownName(name) {
  const letters = [...name].map((letter, at, all) =>
    letter === " " || !/[\p{C}\p{Z}]/u.test(letter) || joinsEmoji(all, at) ? letter : " ",
  );
  return letters.join("").trim().slice(0, LONGEST_NAME);
}

/** Return whether a letter is the joiner between two emoji, which makes one picture of them. */
function joinsEmoji(letters, at) {
  const isEmoji = (letter) =>
    /^[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}]$/u.test(letter ?? "");
  const before = letters[at - 1] === "\ufe0f" ? letters[at - 2] : letters[at - 1];
  return letters[at] === "\u200d" && isEmoji(before) && isEmoji(letters[at + 1]);
}

const bare = (type) => (type !== null && typeof type === "object" && "or none" in type ? type["or none"] : type);

const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

function chip(words, isNew, ...more) {
  return make("span", { class: isNew ? "chip new" : "chip" }, words, ...more);
}
