// Tiles and the zones that they lie in, as elements of the page.
//
// Everything that a trace or a text says gets into the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const SMALL_PILE = 12; // hidden tiles of a shared row that are still shown in full size
const MANY = 16; // tiles of a zone that are shown smaller
const LONGEST_WORD = 24; // characters of a word that is not broken
const UNKNOWN = "?"; // a tile that nobody can know

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

  /** Return a tile, face up or face down. */
  tile(name, { down = false, arrived = false, quiet = false } = {}) {
    const kind = this.kinds.get(name);
    const hidden = down || name === UNKNOWN;
    const spoken = hidden ? "a tile, face down" : (kind?.spoken ?? name);
    const label = arrived ? `${spoken}, moved` : spoken;
    const classes = ["tile", hidden && "down", arrived && "new"];
    const about = quiet ? { "aria-hidden": "true" } : { role: "img", "aria-label": label, title: spoken };
    const element = make("span", about);
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
    }
    element.className = classes.filter((word) => word).join(" ");
    if (this.pictures) element.style.setProperty("--wide", this.pictures.width / this.pictures.height);
    return element;
  }

  /** Return tiles as a line, those that have `arrived` marked. */
  line(names, arrived = new Map(), down = false, pile = false) {
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
    const tiles = names.map((name, at) => this.tile(name, { down, arrived: isNew[at] && !pile, quiet: pile }));
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
function zoneElement(tiles, zone, held, before, down) {
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
    element.append(tiles.line(held, arrivals(before, held), down, pile));
  }
  return element;
}
