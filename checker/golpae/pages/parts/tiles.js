// Tiles, as elements of the page.
//
// Everything that a trace or a text says gets into the page as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const MOST_LIT = 6; // new tiles of a place that are marked; a hand that is dealt is new as a whole
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
    this.ratio = this.pictures ? this.pictures.width / this.pictures.height : wordRatio(game.tiles);
    this.overlap = this.pictures?.overlaps ? OVERLAP : 0;
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
    element.style.setProperty("--wide", this.ratio);
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

  /** Return tiles as a line, those that have `arrived` marked; `known` says what is known of those that nobody saw. A
   *  tile says where it lies, as its name and its number there, unless it is `down`. */
  line(names, arrived = new Map(), down = false, known = {}) {
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
    const lit = isNew.filter((one) => one).length;
    if (lit > MOST_LIT || (lit > 2 && lit === names.length)) isNew.fill(false);
    const tiles = names.map((name, at) => {
      const isCertain = !down && (certain.get(name) ?? 0) > 0;
      if (isCertain) certain.set(name, certain.get(name) - 1);
      const why = isCertain ? (known.why?.[name] ?? "") : null;
      const element = this.tile(name, { down, arrived: isNew[at], possible: known.possible ?? null, certain: why });
      if (!down && name !== UNKNOWN) element.dataset.tile = name;
      return element;
    });
    return make("div", { class: "tiles" }, ...tiles);
  }
}

/** Return how wide a tile has to be for its name, as a share of its height. */
function wordRatio(kinds) {
  const longest = Math.max(1, ...kinds.map(({ name }) => Math.max(...name.split(/\s+/).map((word) => word.length))));
  return Math.min(1.5, Math.max(0.72, 0.2 * longest + 0.2));
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
