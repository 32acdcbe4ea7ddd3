// Places of tiles on the table, as elements: a hand, rows before a player, melds, tiles end to end, a pile.
//
// How a place looks follows from what the text says of it: what lies there, whose it is, who sees it, and `shown as`.

const SMALL_ROW = 12; // hidden tiles of a shared row that are still shown, not only counted
const LONGEST_LINE = 20; // tiles of a hand in one line; a longer one has several
const ROW = 6; // tiles in each of the rows before a player
const OVERLAP = 0.42; // of a card's width: what is seen of one that lies under another

const sameTiles = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const sizeOfZone = (zone, held) => (zone.kind === "melds" ? held.reduce((sum, meld) => sum + meld.tiles.length, 0) : held.length);

/** Return how a place looks: hand, rows, middle, melds, line, pile or spread. `most` tiles lie there at most: what was a
 *  pile stays one. */
function lookOf(zone, held, down, most = 0) {
  if (down && !zone.each_player && (zone.kind !== "row" || Math.max(held.length, most) > SMALL_ROW)) return "pile";
  if (zone.shown) return zone.shown === "pile" && !held.length ? "spread" : zone.shown;
  if (zone.kind === "melds") return "melds";
  if (!zone.each_player) return "spread";
  if (zone.kind === "row" && zone.seen_by === "everyone") return "rows";
  return zone.seen_by === "everyone" ? "spread" : "hand";
}

/** Return the two ends of a tile that can lie in a line, from its name: the numbers in it. */
function endsOf(name) {
  const numbers = name.match(/\d+/g);
  return numbers?.length === 2 ? numbers.map(Number) : null;
}

/** Return how each tile of a line lies: `null` across it, else whether its first end is in front. */
function chained(names) {
  const ends = names.map(endsOf);
  let open = null;
  return ends.map((own, at) => {
    if (own === null || own[0] === own[1]) {
      open = own?.[0] ?? null;
      return null;
    }
    const next = ends[at + 1];
    const isFirst = open !== null ? own[0] === open : !next || next.includes(own[1]);
    open = own[isFirst ? 1 : 0];
    return isFirst;
  });
}

/** Return a thing that can be packed, which says how much room a place needs. */
function thingOf(tiles, zone, look, held, { most = 0, title, isApart = false, origins = {} }) {
  const ratio = tiles.ratio;
  const label = title ? 6.2 * title.length + 24 : 0;
  switch (look) {
    case "hand":
      if (held.length > LONGEST_LINE) return { kind: "flow", n: held.length, ratio };
      return { kind: "line", n: Math.max(held.length, Math.min(most, held.length + 1)), ratio, overlap: tiles.overlap, apart: isApart };
    case "rows":
      return { kind: "flow", n: Math.max(held.length, most, ROW), ratio, columns: ROW, scale: 0.8 };
    case "middle":
      return { kind: "flow", n: Math.max(held.length, 1), ratio };
    case "melds": {
      const turned = (meld, at) => (origins[at] ? 1 / ratio - 1 : 0); // what lies on its side is wider
      return { kind: "melds", sizes: held.map((meld, at) => meld.tiles.length + turned(meld, at)), ratio, scale: 0.82, label };
    }
    case "line":
      return { kind: "chain", lying: chained(held).map((lies) => lies !== null), ratio, scale: 0.8, label };
    case "pile":
      return { kind: "pile", ratio, scale: zone.each_player ? 0.6 : 0.8, label };
    default: {
      const n = Math.max(held.length, zone.each_player ? 0 : Math.min(most, held.length + 4));
      return { kind: "flow", n, ratio, scale: zone.each_player ? 0.7 : 0.9, label };
    }
  }
}

/** Return the element of a place. `before` is what was there a step before; `origins` say which tile of a meld came from
 *  whom, and `apart` is the tile of a hand that came last. */
function zoneElement(tiles, zone, look, held, before, { key, down, known = {}, origins = {}, apart = null, title, owner = null }) {
  const size = sizeOfZone(zone, held);
  const difference = size - sizeOfZone(zone, before);
  const changed = !sameTiles(held, before);
  const isLong = look === "hand" && held.length > LONGEST_LINE;
  const classes = ["zone", `of-${zone.kind}`, `as-${isLong ? "spread" : look}`, down && "down"];
  const name = `${zone.name}: ${size} tiles${down && size ? ", face down" : ""}`;
  const about = { class: classes.filter((word) => word).join(" "), role: "group", "aria-label": name, "data-zone": key };
  const element = make("div", about);
  if (title) {
    const words = difference ? `${size} (${difference > 0 ? "+" : "−"}${Math.abs(difference)})` : `${size}`;
    element.append(make("h3", {}, title, make("span", { class: changed ? "count new" : "count", text: words })));
  }
  if (look === "pile") element.append(pile(tiles, held, down, size));
  else if (look === "melds") element.append(melds(tiles, held, before, down, origins, owner));
  else if (look === "line") element.append(chain(tiles, held, before, down, known));
  else {
    const line = tiles.line(held, arrivals(before, held), down, known);
    if (apart !== null) setApart(line, held, apart, down);
    element.append(line);
  }
  return element;
}

function pile(tiles, held, down, size) {
  if (!size) return make("div", { class: "tiles stack none", title: "no tiles" }, make("span", { class: "slot" }));
  const top = tiles.tile(down ? UNKNOWN : held.at(-1), { down, quiet: true });
  return make("div", { class: "tiles stack", title: `${size} tiles` }, top, make("span", { class: "size", text: size }));
}

/** Put the tile that came last at the end of a hand, apart from the others. */
function setApart(line, held, apart, down) {
  const place = down ? held.length - 1 : held.lastIndexOf(apart);
  const tile = line.children[place];
  if (!tile) return;
  tile.classList.add("apart");
  line.append(tile);
}

function melds(tiles, held, before, down, origins, owner) {
  const old = counts(before.map((meld) => JSON.stringify(meld)));
  const figures = held.map((meld, at) => {
    const key = JSON.stringify(meld);
    const isOld = (old.get(key) ?? 0) > 0;
    if (isOld) old.set(key, old.get(key) - 1);
    const line = tiles.line(meld.tiles, isOld ? new Map() : counts(meld.tiles), down);
    if (origins[at] && owner !== null) turn(line, meld.tiles, origins[at], owner);
    return make("figure", { class: "meld", "aria-label": meld.label ?? null, title: meld.label ?? null }, line);
  });
  return make("div", { class: "melds" }, ...figures);
}

/** Turn the tile of a meld that was taken from somebody, and put it on the side of that player. */
function turn(line, names, { tile, from, players, name }, owner) {
  const element = line.children[names.indexOf(tile)];
  if (!element || line.children.length < 2) return;
  const to = (from - owner + players) % players; // 1 sits to the right
  const place = to === 1 ? line.children.length - 1 : to === players - 1 ? 0 : Math.floor((line.children.length - 1) / 2);
  element.remove();
  line.insertBefore(element, line.children[place] ?? null);
  element.classList.add("turned");
  element.title = `${element.title}, from ${name}`;
}

/** Return tiles end to end, those with two like ends across. */
function chain(tiles, held, before, down, known) {
  const line = tiles.line(held, arrivals(before, held), down, known);
  if (!down) {
    chained(held).forEach((isFirst, at) => {
      if (isFirst !== null) line.children[at].classList.add("lies", ...(isFirst ? [] : ["last-first"]));
    });
  }
  return line;
}

/** Return what is known of the tiles of a zone that nobody saw: which are certain and why, and which are possible. */
function knownOf(key, position) {
  const name = key.slice("zone/".length);
  return { certain: position[`certain/${name}`], possible: position[`possible/${name}`], why: position[`why/${name}`] };
}
