// Tiles and the zones that they lie in, as elements of the page.
//
// Everything that a trace or a text says gets into the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const SMALL_PILE = 12; // hidden tiles of a shared row that are still shown in full size
const MANY = 16; // tiles of a zone that are shown smaller
const LONGEST_WORD = 24; // characters of a word that is not broken
const UNKNOWN = "?"; // a tile that nobody can know
const MOST_NAMED = 40; // tiles that a hidden one can be, before the rest is counted

/** Return an element with some of `class`, `text`, attributes and children. */
function make(tag, about = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(about)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The pictures of the tiles of one game. */
class Tiles {
  constructor(game) {
    this.pictures = game.pictures;
    this.kinds = new Map();
    game.tiles.forEach((kind, place) => this.kinds.set(kind.name, { ...kind, place }));
    for (const kind of game.tiles) {
      for (const name of kind.also) if (!this.kinds.has(name)) this.kinds.set(name, this.kinds.get(kind.name));
    }
  }

  /**
   * Return a tile, face up or face down. One that nobody saw may be one of some `possible` ones, or `certain`: then these are
   * the words that say why.
   */
  tile(name, { down = false, arrived = false, quiet = false, possible = null, certain = null } = {}) {
    const kind = this.kinds.get(name);
    const hidden = down || name === UNKNOWN;
    const unseen = !down && name === UNKNOWN && possible !== null;
    const spoken = unseen ? this.#oneOf(possible) : hidden ? "a tile, face down" : (kind?.spoken ?? name);
    const said = certain === null ? spoken : `${spoken}, hidden but certain`;
    const label = arrived ? `${said}, moved` : said;
    const classes = ["tile", hidden && "down", arrived && "new", unseen && "unknown", certain !== null && "certain"];
    const about = quiet ? { "aria-hidden": "true" } : { role: "img", "aria-label": label, title: said };
    const element = certain === null || quiet ? make("span", about) : this.#telling(spoken, label, certain);
    if (!hidden && kind?.drawn) {
      const { width, height } = this.pictures;
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("aria-hidden", "true");
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#face-${kind.place}`);
      svg.append(use);
      element.append(svg);
    } else if (!hidden) {
      element.textContent = name;
      classes.push("named");
    } else if (unseen) {
      element.textContent = UNKNOWN;
    }
    element.className = classes.filter((word) => word).join(" ");
    if (this.pictures) element.style.setProperty("--wide", this.pictures.width / this.pictures.height);
    return element;
  }

  /** Return the words for a tile that is one of some. */
  #oneOf(possible) {
    const names = possible.slice(0, MOST_NAMED).map((name) => this.kinds.get(name)?.spoken ?? name);
    const more = possible.length - names.length;
    return `a hidden tile: ${names.join(", ")}${more > 0 ? ` or one of ${more} more` : ""}`;
  }

  /** Return the button of a certain tile, which tells why. */
  #telling(spoken, label, why) {
    const button = make("button", { type: "button", "aria-label": label, title: `${spoken}, hidden but certain: why?` });
    const words = why ? `${spoken} is certain. Without it, this would not be legal: ${why}.` : `${spoken} is certain.`;
    button.addEventListener("click", () => button.dispatchEvent(new CustomEvent("reason", { bubbles: true, detail: words })));
    return button;
  }

  /** Return tiles as a line, those that have `arrived` marked; `known` says what is known of those that nobody saw. */
  line(names, arrived = new Map(), down = false, pile = false, known = {}) {
    const certain = counts(known.certain ?? []);
    const left = new Map(arrived);
    const isNew = names.map(() => false);
    if (down) {
      // where a tile lies among others that are not seen would tell something of it
      const many = [...left.values()].reduce((sum, count) => sum + count, 0);
      isNew.fill(true, Math.max(0, names.length - many));
      left.clear();
    }
    for (let at = names.length - 1; at >= 0; at--) {
      if ((left.get(names[at]) ?? 0) > 0) {
        isNew[at] = true;
        left.set(names[at], left.get(names[at]) - 1);
      }
    }
    const tiles = names.map((name, at) => {
      const about = { down, arrived: isNew[at] && !pile, quiet: pile, possible: known.possible ?? null };
      const isCertain = !down && !pile && (certain.get(name) ?? 0) > 0;
      if (isCertain) certain.set(name, certain.get(name) - 1);
      return this.tile(name, { ...about, certain: isCertain ? (known.why?.[name] ?? "") : null });
    });
    return make("div", { class: "tiles" }, ...tiles);
  }
}

/** Return words as parts of which none that has a hyphen, such as the name of a tile, is broken at the end of a line. */
function unbroken(words) {
  if (!words.includes("-")) return [words];
  return words.split(/(\S+)/).map((part) => (part.includes("-") && part.length <= LONGEST_WORD ? make("span", { class: "unbroken", text: part }) : part));
}

/** Return how often each name is in a list. */
function counts(names) {
  const found = new Map();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return found;
}

/** Return what the second list has more of than the first, by name. */
function arrivals(before, after) {
  const there = counts(before);
  const found = new Map();
  for (const [name, count] of counts(after)) {
    const more = count - (there.get(name) ?? 0);
    if (more > 0) found.set(name, more);
  }
  return found;
}

const sameTiles = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Return a zone: its name, how many tiles it holds, and the tiles. `before` are those of the step before. */
function zoneElement(tiles, zone, held, before, down, known = {}) {
  const size = zone.kind === "melds" ? held.reduce((sum, meld) => sum + meld.tiles.length, 0) : held.length;
  const was =
    zone.kind === "melds" ? before.reduce((sum, meld) => sum + meld.tiles.length, 0) : before.length;
  const difference = size - was;
  const label = difference ? `${size} (${difference > 0 ? "+" : "−"}${Math.abs(difference)})` : `${size}`;
  const changed = !sameTiles(held, before);
  const title = make("h3", {}, zone.name, make("span", { class: changed ? "count new" : "count", text: label }));
  // A hand that lies face down is small, however many tiles it has: its size does not change with each of them.
  const pile = down && !zone.each_player && (zone.kind !== "row" || held.length > SMALL_PILE);
  const isSmall = !pile && (held.length > MANY || (down && zone.each_player));
  const classes = ["zone", `of-${zone.kind}`, pile && "pile", isSmall && "many", down && "down"];
  const group = { class: classes.filter((word) => word).join(" "), role: "group" };
  const name = `${zone.name}: ${size} tiles${down && size ? ", face down" : ""}`;
  const element = make("div", { ...group, "aria-label": name }, title);
  if (zone.kind === "melds") {
    const old = counts(before.map((meld) => JSON.stringify(meld)));
    const melds = held.map((meld) => {
      const key = JSON.stringify(meld);
      const isOld = (old.get(key) ?? 0) > 0;
      if (isOld) old.set(key, old.get(key) - 1);
      const caption = meld.label ? make("figcaption", { text: meld.label }) : null;
      const arrived = isOld ? new Map() : counts(meld.tiles);
      return make("figure", { class: "meld" }, tiles.line(meld.tiles, arrived, down), caption);
    });
    element.append(make("div", { class: "melds" }, ...melds));
  } else {
    element.append(tiles.line(held, arrivals(before, held), down, pile, known));
  }
  return element;
}
