// The table from above: the shared places in the middle, each player at a side, next players to the right.
//
// It shows one view, plain data, and reads nothing else of a page:
//   position, before   what lies where now, and a step before
//   seat               whose view it is; that player sits south. null: the first one
//   down               the places whose tiles lie face down
//   acts, doing        whose turn it is, and the word for that
//   plays              whose tiles are played by somebody else now
//   calls              by seat, what a player said last, since tiles moved
//   apart              by place, the tile that came last to a hand
//   origins            by place of melds and number, which tile came from whom
//   about              { seat, tiles, is: "event" | "fault" }: what to light
//   unseen             the states that name a tile which is not seen
//   together           { held, taker }: by place what was taken away as a whole and is still shown, and who got it
//   most               by place, how many tiles lie there at most

const COLOURS = ["#f0b429", "#56b4e9", "#ef6f6c", "#7bd389", "#c792ea", "#ff9f68", "#9fd8d8", "#e6e6a1"];
const LONGEST_NAME = 60;
const FEW = 6; // tiles of a state that are shown, not only counted
const PLATE = 25; // pixels of the line with a player's name
const CHIP_OF_TURN = 60; // pixels of the word that says whose turn it is
const PLATE_ROW = 23; // of each further line of it
const CHIP_ROW = 15; // of each further line of long words
const UNTITLED = ["hand", "rows", "middle"]; // looks whose place says what they are

const colourOf = (seat) => COLOURS[seat % COLOURS.length];
/** Return all places of a game: each zone with its owner, null for nobody. */
const placesOf = (game) => game.zones.flatMap((zone) => (zone.each_player ? [...game.players.keys()] : [null]).map((owner) => [zone, owner]));
/** Return the tiles that lie at a place, those of melds one by one. */
const tilesAt = (position, key) => (position[key] ?? []).flatMap((held) => held.tiles ?? [held]);
const keyOf = (zone, owner) => (owner === null ? `zone/${zone.name}` : `zone/${zone.name}/${owner}`);

/** Draws the positions of one game into an element, as large as the element is. */
class Table {
  constructor(game, tiles, element) {
    this.game = game;
    this.tiles = tiles;
    this.element = element;
    this.names = game.players.map((name, seat) => shownName(name) || `seat ${seat}`);
    this.sides = sidesOf(this.names.length);
    this.middle = make("section", { class: "middle", "aria-label": "the middle" });
    this.parts = this.names.map((name, seat) => this.#part(name, seat));
    element.replaceChildren(this.middle, ...this.parts.map((part) => part.section));
    this.resizing = new ResizeObserver(() => this.#resized());
    this.resizing.observe(element);
  }

  #part(name, seat) {
    const plate = make("h2", { class: "plate" });
    const zones = make("div", { class: "zones" });
    const front = make("div", { class: "front" });
    const strip = make("div", { class: "strip" }, plate, zones);
    const section = make("section", { class: "seat", "aria-label": name, "data-seat": seat }, strip, front);
    return { section, strip, plate, zones, front };
  }

  /** Show a view. */
  show(view) {
    this.view = view;
    this.offered = null;
    this.#draw();
  }

  #resized() {
    const { clientWidth: w, clientHeight: h } = this.element;
    if (this.view && (w !== this.size?.w || h !== this.size?.h)) {
      const at = this.#reached().indexOf(document.activeElement);
      this.#draw();
      if (this.offered) this.offer(...this.offered);
      if (at >= 0) this.#reached()[at]?.focus({ preventScroll: true });
    }
  }

  /** Return what the keyboard can reach. */
  #reached() {
    return [...this.element.querySelectorAll("button, [tabindex]")];
  }

  #draw() {
    const { view } = this;
    this.size = { w: this.element.clientWidth, h: this.element.clientHeight };
    const first = view.seat ?? 0;
    const seats = this.names.map((_, at) => (first + at) % this.names.length);
    const shared = this.#shared();
    const own = seats.map((seat) => this.#own(seat));
    const front = own.some((one) => one.front.some(({ look }) => look === "middle"))
      ? "middle"
      : own.some((one) => one.front.length) || this.game.zones.some((zone) => zone.each_player && lookOf(zone, [], false) === "rows") ? "rows" : null;
    const about = { front, plate: PLATE };
    const found = rooms(this.size, this.sides, { ...about, ...this.#shares(about, own, shared) });
    this.largest = Math.min(84, ...found.fronts.map((room, at) => pack(own[at].front.map((one) => one.thing), ...inside(room), 84)));
    this.#fill(this.middle, shared, found.middle, 74);
    this.middle.prepend(make("h2", { class: "unseen", text: "the middle" }));
    place(this.middle, found.middle);
    this.#order(seats);
    seats.forEach((seat, at) => this.#seat(seat, this.sides[at], own[at], found.strips[at], found.fronts[at]));
    this.#light();
  }

  /** Put the parts of the players in order: who looks on comes first. */
  #order(seats) {
    if (this.ordered === seats[0]) return;
    this.ordered = seats[0];
    this.element.append(...seats.map((seat) => this.parts[seat].section));
  }

  /** Return the shares of the sides and the shape of what lies before them, the same ones as long as the fullest places do not become fuller. */
  #shares(about, own, shared) {
    const most = this.view.most ?? {};
    const { w, h } = this.size;
    const key = JSON.stringify([w, h, about.front, this.view.seat, most, this.chips, own.map((one) => one.zones.map(({ full }) => full))]);
    if (this.sharesOf === key) return this.best;
    const full = (entries) => entries.map((one) => one.full);
    const strips = (found) => own.map((one, at) => pack(full(one.zones), ...stripSize(found.strips[at], one.chips), 84));
    const fronts = (found) => found.fronts.map((room, at) => pack(full(own[at].front), ...inside(room), 84));
    const middle = (found, some = shared) => pack(full(some), found.middle.w, found.middle.h, 84);
    const tiles = shared.filter(({ look }) => look !== "chips"); // they are in the middle, words only if there is room
    const short = Math.min(w, h);
    const rate = (found) => {
      const [held, before] = [strips(found), fronts(found)];
      const [shown, withWords] = [middle(found, tiles), middle(found)];
      const others = held.slice(1);
      return (
        1.6 * use(held[0], 0.11 * short) +
        (others.length ? use(Math.min(...others), 0.08 * short) : 0) +
        (before.length ? 2.4 * use(Math.min(...before), 0.09 * short) : 0) +
        (tiles.length ? use(shown, 0.08 * short) : 0) +
        use(withWords, 0.05 * short)
      );
    };
    this.best = bestShares(this.size, this.sides, about, rate);
    this.sharesOf = key;
    return this.best;
  }

  /** Return a place with what it needs, as it is and at its fullest; null if nothing is or was there. */
  #place(zone, owner) {
    const { position, before, down, most = {}, apart = {}, origins = {} } = this.view;
    const key = keyOf(zone, owner);
    const [held, was] = [position[key] ?? [], before[key] ?? []];
    const isDown = down[key] ?? false;
    const known = knownOf(key, position);
    const look = lookOf(zone, held, isDown, known.certain ? 0 : most[key]);
    if (!held.length && !was.length && look !== "rows") return null;
    const isPlain = look === "melds" && this.game.zones.filter((one) => one.each_player && one.kind === "melds").length === 1;
    const title = isPlain || UNTITLED.includes(look) ? null : (zone.title ?? zone.name).replaceAll("-", " ");
    const about = { key, down: isDown, known, origins: origins[key], apart: apart[key] ?? null, title, owner };
    const element = zoneElement(this.tiles, zone, look, held, was, about);
    if (this.view.together?.held[key]) this.#markTaken(element, owner);
    const shape = { title, isApart: true, origins: origins[key] };
    const thing = thingOf(this.tiles, zone, look, held, { ...shape, most: most[key] });
    const melded = look === "hand" ? this.#melded(owner) : 0; // which came out of the hand
    const atMost = isDown && !zone.each_player && look !== "pile" ? SMALL_ROW : Infinity; // of more, a pile
    const fullest = Math.min((most[key] ?? 0) - melded, atMost);
    const all = zone.kind === "melds" ? held : [...held, ...Array(Math.max(0, fullest - held.length)).fill("")];
    const full = thingOf(this.tiles, zone, look, all, { ...shape, most: fullest });
    if (isDown && zone.each_player) thing.scale = full.scale = 0.7;
    return { key, look, element, thing, full, down: isDown };
  }

  /** Return how many tiles lie in melds of a player. */
  #melded(owner) {
    const zones = this.game.zones.filter((zone) => zone.each_player && zone.kind === "melds");
    return zones.reduce((sum, zone) => sum + tilesAt(this.view.position, keyOf(zone, owner)).length, 0);
  }

  /** Mark what was before a player and was taken away as it is shown. */
  #markTaken(element, owner) {
    const { taker } = this.view.together;
    element.classList.add("taken");
    if (taker === owner) element.classList.add("takes");
    const words = taker === null ? ", taken away" : `, taken by ${this.names[taker]}`;
    element.setAttribute("aria-label", `${element.getAttribute("aria-label")}${words}`);
    for (const tile of element.querySelectorAll(".tile")) tile.title = `${tile.title}${words}`;
  }

  #shared() {
    const zones = this.game.zones.filter((zone) => !zone.each_player);
    const places = zones.map((zone) => this.#place(zone, null)).filter((one) => one);
    const chips = this.#states(false).flatMap((state) => this.#chip(state, `state/${state.name}`));
    if (!chips.length) return places;
    const thing = { kind: "chips", chips: chips.map((one) => ({ w: chipWidth(one), least: leastWidth(one) })) };
    return [...places, { look: "chips", element: make("div", { class: "states zone" }, ...chips), thing, full: this.#widest(thing) }];
  }

  /** Return chips that need as much room as any that were shown before, so that the table keeps its shape. */
  #widest({ kind, chips }) {
    const steps = (width) => 24 * Math.ceil(width / 24);
    const sorted = [...chips].sort((one, other) => other.w - one.w);
    const old = this.chips ?? [];
    this.chips = Array.from({ length: Math.max(sorted.length, old.length) }, (_, at) => {
      const [one, other] = [sorted[at], old[at]];
      return { w: Math.max(steps(one?.w ?? 0), other?.w ?? 0), least: Math.max(one?.least ?? 0, other?.least ?? 0) };
    });
    return { kind, chips: this.chips };
  }

  #own(seat) {
    const zones = this.game.zones.filter((zone) => zone.each_player);
    const places = zones.map((zone) => this.#place(zone, seat)).filter((one) => one);
    const isFront = ({ look }) => look === "rows" || look === "middle";
    const strip = places.filter((one) => !isFront(one));
    strip.sort((one, other) => (other.look === "hand") - (one.look === "hand"));
    const chips = this.#chips(seat).map((chip) => chipWidth(chip) - 6);
    if (!this.view.acts.includes(seat)) chips.push(CHIP_OF_TURN); // whose turn it is may be said later
    return { zones: strip, front: places.filter(isFront), chips };
  }

  /** Put places into an element, their tiles as large as the room allows. */
  #fill(element, entries, { w, h }, most) {
    const height = pack(entries.map((one) => one.thing), w, h, most);
    for (const { element: own, thing } of entries) {
      const size = sizeOf(thing, height, w);
      const tile = height * (thing.scale ?? 1);
      own.style.setProperty("--u", `${tile}px`);
      if (size.columns && thing.columns) own.style.maxWidth = `${Math.ceil(size.w) + 1}px`;
      if (thing.kind === "line" && thing.n > 1) own.style.setProperty("--step", `${(size.step - tile * thing.ratio).toFixed(2)}px`);
    }
    element.replaceChildren(...entries.map((one) => one.element));
  }

  #seat(seat, side, { zones, front, chips }, strip, frontRoom) {
    const part = this.parts[seat];
    const isTurn = this.view.acts.includes(seat) || this.view.plays?.includes(seat);
    part.section.className = isTurn ? "seat acts" : "seat";
    part.section.dataset.side = side;
    part.plate.replaceChildren(...this.#plate(seat));
    place(part.strip, { ...strip, turned: null });
    const [w, h] = stripSize(strip, chips);
    this.#fill(part.zones, zones, { w, h }, 84);
    const plate = plateHeight(strip, chips);
    part.plate.style.height = `${plate}px`;
    part.zones.style.cssText = turnedBox(w, h, strip.turned, strip.w, strip.h - plate, plate);
    part.front.hidden = !frontRoom;
    if (!frontRoom) return;
    const [along, deep] = inside(frontRoom);
    place(part.front, { x: frontRoom.x, y: frontRoom.y, w: frontRoom.w, h: frontRoom.h });
    this.#fill(part.front, front, { w: along, h: deep }, this.largest);
    const held = make("div", { class: "before" }, ...part.front.children);
    held.style.cssText = turnedBox(along, deep, frontRoom.turned, frontRoom.w, frontRoom.h, 0);
    part.front.replaceChildren(held);
  }

  #plate(seat) {
    return [
      make("span", { class: "dot", style: `--seat: ${colourOf(seat)}`, "aria-hidden": "true" }),
      make("span", { class: "name", text: this.names[seat], title: this.names[seat] }),
      ...this.#chips(seat),
    ];
  }

  /** Return what is said of a player beside the name. */
  #chips(seat) {
    const { position, before, acts, doing } = this.view;
    const isTitled = (state) => !state.hidden && state.title;
    const said = this.view.calls?.[seat];
    const roles = this.game.states
      .filter((state) => isTitled(state) && !state.each_player && bare(state.type) === "seat")
      .filter((state) => position[`state/${state.name}`] === seat)
      .map((state) => chip(state.title, before[`state/${state.name}`] !== seat));
    const states = this.#states(true).flatMap((state) => this.#chip(state, `state/${state.name}/${seat}`));
    const total = position.totals[seat];
    return [
      acts.includes(seat) ? make("span", { class: "chip turn", text: doing }) : null,
      said ? chip(said, false) : null,
      position.winner === seat ? make("span", { class: "chip won", text: "has won" }) : null,
      total || position.hands_played ? chip(signed(total), before.totals[seat] !== total, "total") : null,
      ...roles,
      ...states,
    ].filter((one) => one);
  }

  /** Return the states that the table shows: those to which the text gives words. */
  #states(isEach) {
    const isShown = (state) => !state.hidden && (state.title || state.told) && Boolean(state.each_player) === isEach;
    return this.game.states.filter((state) => isShown(state) && (isEach || state.told || bare(state.type) !== "seat"));
  }

  /** Return the chip of a state; none if there is nothing to show. */
  #chip(state, key) {
    const value = this.view.position[key];
    const isNew = JSON.stringify(value) !== JSON.stringify(this.view.before[key]);
    const type = bare(state.type);
    const isNothing = type === state.type && (value === false || value === 0); // where there is `none`, 0 was said by somebody
    if (isNothing || value === null || value === undefined || (Array.isArray(value) && !value.length)) return [];
    const { title } = state;
    if (state.told) return [chip(this.#told(state, key), isNew)];
    const tiles = type === "tile" ? [value] : type?.list === "tile" ? value : null;
    const down = (this.view.unseen ?? []).includes(key);
    if (tiles && tiles.length <= FEW) return [chip(title, isNew, null, ...tiles.map((name) => this.tiles.tile(name, { down })))];
    if (tiles) return [chip(`${title}: ${tiles.length} tiles`, isNew)];
    return [chip(value === true ? title : `${title}: ${saidValue(value, type, this)}`, isNew)];
  }

  /** Return the words of a state whose title is a sentence; a part in brackets is said if no state in it is as at first. */
  #told({ told, each_player }, key) {
    const owner = each_player ? `/${key.split("/")[2]}` : "";
    const keyOfState = (name) => {
      const other = this.game.states.find((one) => one.name === name);
      return [other, `state/${name}${other.each_player ? owner : ""}`];
    };
    const value = (name) => this.view.position[keyOfState(name)[1]];
    const isAsAtFirst = (name) => sameTiles(value(name), this.game.first[keyOfState(name)[1]]);
    return filled(told, (name) => !isAsAtFirst(name), (name) => saidValue(value(name), bare(keyOfState(name)[0].type), this));
  }

  /** Light the tiles of an event or a fault: those of whoever acts, else those that lie openly. */
  #light() {
    const { about } = this.view;
    if (!about) return;
    const own = Number.isInteger(about.seat) ? this.parts[about.seat]?.section ?? null : null;
    for (const [name, count] of counts(about.tiles)) {
      const there = (element) => [...(element?.querySelectorAll(".tile[data-tile]") ?? [])].filter((tile) => tile.dataset.tile === name);
      const isLast = (tile) => tile.matches(".as-rows .tile:last-child, .middle .of-row .tile:last-child");
      const last = there(this.element).filter(isLast);
      const isOpen = (tile) => !tile.matches(".as-hand .tile"); // not in the hand of somebody else
      const [held, all] = [there(own), there(this.element).filter(isOpen)];
      const found = [held, last, all].find((tiles) => tiles.length >= Math.min(count, 1)) ?? [];
      for (const tile of found.slice(0, count)) tile.classList.add(about.is === "fault" ? "faulty" : "about");
      if (about.is === "fault" && last.length && found !== last) last[0].classList.add("faulty");
    }
  }

  // ---------------------------------------------------------------- what can be chosen

  /** Mark the seats that can act, and those whose tiles they play. */
  mark(seats, plays = []) {
    if (!this.view) return;
    this.view = { ...this.view, acts: seats, doing: "to act", plays };
    this.parts.forEach((part, seat) => {
      part.section.classList.toggle("acts", seats.includes(seat) || plays.includes(seat));
      part.plate.replaceChildren(...this.#plate(seat));
    });
  }

  /** Make things on the table that can be chosen: `{ zone, tile }` or `{ zone, end: "front" | "back" }`. `does` is called
   *  with the thing. Those that are `picked` already can be given back, each copy by itself. */
  offer(things, does, picked = [], undoes = null) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.withdraw();
    this.offered = [things, does, picked, undoes];
    for (const thing of picked) {
      const tile = this.#targets(thing).find((one) => !one.classList.contains("picked"));
      if (!tile) continue;
      tile.classList.add("picked");
      tile.setAttribute("aria-pressed", "true");
      asButton(tile, () => undoes(thing));
    }
    for (const thing of things) {
      for (const tile of this.#targets(thing)) {
        if (tile.classList.contains("picked")) continue;
        tile.classList.add("can");
        const already = tile.offered;
        tile.offered = [...(already ?? []), thing];
        if (already) continue;
        asButton(tile, () => does(tile.offered, tile));
        tile.draggable = true;
        tile.ondragstart = (event) => {
          event.dataTransfer.setData("text/plain", tile.dataset.tile ?? "");
          does(tile.offered, tile, "drag");
        };
        tile.ondragover = (event) => event.preventDefault();
        tile.ondrop = (event) => {
          event.preventDefault();
          event.stopPropagation();
          does(tile.offered, tile, "drop");
        };
      }
    }
    focused?.focus({ preventScroll: true });
  }

  /** Take back what could be chosen. */
  withdraw() {
    this.offered = null;
    for (const tile of this.element.querySelectorAll(".can, .picked")) {
      tile.classList.remove("can", "picked");
      tile.onclick = tile.onkeydown = tile.ondragstart = tile.ondragover = tile.ondrop = null;
      tile.offered = undefined;
      tile.draggable = false;
      tile.removeAttribute("tabindex");
      tile.removeAttribute("aria-pressed");
      tile.setAttribute("role", "img");
    }
  }

  #targets({ zone, tile, end }) {
    const place = [...this.element.querySelectorAll(".zone:not(.taken)")].find((one) => one.dataset.zone === zone);
    const all = [...(place?.querySelectorAll(".tile") ?? [])];
    if (end) return all.length ? [end === "front" ? all[0] : all.at(-1)] : [];
    return all.filter((one) => one.dataset.tile === tile);
  }
}

/** Make a tile do something by a click, or by Enter or the space bar. */
function asButton(tile, does) {
  tile.setAttribute("role", "button");
  tile.tabIndex = 0;
  tile.onclick = does;
  tile.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) does();
  };
}

/** Return how high the lines with a player's name are: at a side, what is said of the player stands under it. */
function plateHeight({ w, turned }, chips) {
  if (!turned || !chips.length) return PLATE;
  const most = w - 14;
  const rows = (own) => Math.ceil(own / most); // long words are broken
  return PLATE + wrapped(chips.map((own) => ({ w: Math.min(own, most), h: PLATE_ROW + CHIP_ROW * (rows(own) - 1) })), most, 6).h;
}

/** Return the inner size of a strip, along its edge and across. */
function stripSize(strip, chips) {
  const plate = plateHeight(strip, chips);
  return strip.turned ? [strip.h - plate - 12, strip.w - 12] : [strip.w - 14, strip.h - plate - 12];
}

/** Return of how much use tiles of a size are: twice as large is as much more for small ones as for large ones, and little
 *  where they are large enough. */
const use = (size, enough) => Math.log(Math.min(size, enough)) + 0.15 * Math.log(size);

const inside = ({ w, h, turned }) => (turned ? [h - 8, w - 8] : [w - 8, h - 8]);

function place(element, { x, y, w, h }) {
  element.style.cssText = `left: ${x.toFixed(1)}px; top: ${y.toFixed(1)}px; width: ${w.toFixed(1)}px; height: ${h.toFixed(1)}px`;
}

/** Return the style of a box of `w` by `h`, turned, in the middle of a room. */
function turnedBox(w, h, turned, roomW, roomH, top) {
  const turn = turned ? `; transform: rotate(${turned}deg)` : "";
  return `width: ${w}px; height: ${h}px; left: ${(roomW - w) / 2}px; top: ${top + (roomH - h) / 2}px${turn}`;
}

/** Return a value of a state in words. */
function saidValue(value, type, table) {
  const titles = (tiles) => tiles.map((name) => table.tiles.kinds.get(name)?.spoken ?? name);
  const joined = (words) => words.join(words.some((word) => word.includes(" ")) ? ", " : " ");
  if (value === null || value === undefined) return "none";
  if (type === "seat") return table.names[value];
  if (type === "tile") return titles([value])[0];
  if (type?.list === "tile") return joined(titles(value)) || "no tiles";
  if (Array.isArray(value)) {
    const words = value.map((one) => saidValue(one, bare(type?.list ?? type?.each), table));
    return words.join(words.some((word) => word.includes(", ")) ? "; " : ", ") || "none";
  }
  if (typeof value === "object") return [value.label, joined(titles(value.tiles ?? []))].filter((word) => word).join(" ");
  if (typeof value === "number") return minus(value);
  return value === true ? "yes" : value === false ? "no" : value.replaceAll("-", " ");
}

/** Return a player's name on one line, without characters that are not shown or turn the others round. */
function shownName(name) {
  const letters = [...name].map((letter, at, all) =>
    letter === " " || !/[\p{C}\p{Z}]/u.test(letter) || joinsEmoji(all, at) ? letter : " ",
  );
  const whole = letters.join("").trim();
  const cut = [...whole].slice(0, LONGEST_NAME).join("").trim();
  return cut.length < whole.length ? `${cut}…` : whole;
}

/** Return whether a letter is the joiner between two emoji, which makes one picture of them. */
function joinsEmoji(letters, at) {
  const isEmoji = (letter) =>
    /^[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}]$/u.test(letter ?? "");
  const before = letters[at - 1] === "\ufe0f" ? letters[at - 2] : letters[at - 1];
  return letters[at] === "\u200d" && isEmoji(before) && isEmoji(letters[at + 1]);
}

const bare = (type) => (type !== null && typeof type === "object" && "or none" in type ? type["or none"] : type);

const minus = (number) => String(number).replace("-", "−");
const signed = (number) => (number > 0 ? `+${number}` : minus(number));

function chip(words, isNew, label, ...more) {
  const title = label ? `${label} ${words}` : null;
  return make("span", { class: isNew ? "chip new" : "chip", title }, words, ...more);
}

const chipWidth = (element) => wordWidth(element.textContent) + 24 * element.querySelectorAll(".tile").length;

/** Return about how wide a chip with some words is. */
const wordWidth = (words) => 6.6 * words.length + 15;

/** Return how wide a chip is that breaks its words: as the longest of them. */
const leastWidth = (element) => Math.max(...element.textContent.split(" ").map(wordWidth), 24 * element.querySelectorAll(".tile").length + 15);
