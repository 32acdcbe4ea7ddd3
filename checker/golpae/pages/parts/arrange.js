// Where things lie on the table: the sides of the players, how large tiles can be, and how they wrap.
//
// Everything here is arithmetic on sizes; nothing reads the page. What is packed is a list of `things`:
//   { kind: "line", n, ratio, scale, overlap, apart }   one row, which may overlap and never wraps
//   { kind: "flow", n, ratio, scale, columns }          rows of tiles
//   { kind: "melds", sizes, ratio, scale }              groups, each so many tiles wide
//   { kind: "chain", lying, ratio, scale }              tiles end to end: whether each lies along the line
//   { kind: "pile", ratio, scale }                      one back, and a number
//   { kind: "chips", chips }                            words, each { w, least }: its width, and that of its longest word
// A `label` is the width of the words above a thing.

const GAP = 3; // pixels between tiles
const BETWEEN = 12; // between things
const LABEL = 17; // the height of the words above a thing
const CHIP = 24;
const BESIDE = 8; // left and right of chips together
const LINE = 18; // of each further line of a chip
const APART = 0.35; // of a tile's width: how far the last tile stands off
const LEAST = 8; // pixels of a tile that is hardly seen
const SMALLEST = 3; // of any tile

/** Return the sides of so many players: the first is south, the next ones follow to the right. */
function sidesOf(players) {
  if (players === 1) return ["south"];
  if (players === 2) return ["south", "north"];
  if (players === 3) return ["south", "east", "west"];
  return ["south", "east", ...Array(players - 3).fill("north"), "west"];
}

/** Return how wide and how high a thing is if its tiles are `h` high, in a row at most `most` wide. */
function sizeOf(thing, h, most) {
  if (thing.kind === "chips") {
    const room = most - BESIDE;
    const lines = (own) => Math.ceil(own.w / Math.max(room, own.least));
    const rows = wrapped(thing.chips.map((own) => ({ w: Math.max(own.least, Math.min(own.w, room)), h: CHIP - 4 + LINE * (lines(own) - 1) })), room, 5);
    return { w: rows.w + BESIDE, h: rows.h };
  }
  const own = h * (thing.scale ?? 1);
  const tw = own * thing.ratio;
  const label = thing.label ? LABEL : 0;
  const sized = inner(thing, own, tw, most);
  return { ...sized, w: Math.max(sized.w, thing.label ?? 0), h: sized.h + label };
}

function inner(thing, own, tw, most) {
  const { n = 0 } = thing;
  switch (thing.kind) {
    case "pile":
      return { w: tw + 46, h: own };
    case "line": {
      const last = thing.apart && n > 1 ? tw * (1 + APART) : 0; // it lies on no other
      const near = n - 1 - (last ? 1 : 0);
      const least = thing.overlap ? tw * thing.overlap : tw + GAP;
      const step = near < 1 ? 0 : Math.max(least, Math.min(tw + GAP, (most - tw - last) / near));
      return { w: tw + Math.max(0, near) * step + last, h: own, step: step || tw + GAP };
    }
    case "melds": {
      const groups = thing.sizes.map((size) => ({ w: size * (tw + 1), h: own }));
      return wrapped(groups, most, 9);
    }
    case "chain":
      return wrapped(thing.lying.map((lies) => ({ w: lies ? own : tw, h: own })), most, 1);
    default: {
      const columns = Math.max(1, Math.min(n || 1, thing.columns ?? Infinity, Math.floor((most + GAP) / (tw + GAP))));
      const rows = Math.ceil((n || 1) / columns);
      return { w: columns * (tw + GAP) - GAP, h: rows * (own + GAP) - GAP, columns };
    }
  }
}

/** Return the size of boxes that are put in rows at most `most` wide. */
function wrapped(boxes, most, gap) {
  let [w, h, x, row] = [0, 0, 0, 0];
  for (const box of boxes) {
    if (x > 0 && x + gap + box.w > most) {
      h += row + gap;
      [x, row] = [0, 0];
    }
    x += (x > 0 ? gap : 0) + box.w;
    row = Math.max(row, box.h);
    w = Math.max(w, x);
  }
  return { w, h: h + row };
}

/** Return the largest height of tiles, at most `most`, at which all things fit into a room of `w` by `h`; where not even
 *  the smallest ones fit, by how much they would have to be smaller still. */
function pack(things, w, h, most) {
  const sizeAt = (height) => wrapped(things.map((thing) => sizeOf(thing, height, w)), w, BETWEEN);
  const fits = (all) => all.h <= h && all.w <= w + 0.5;
  let [fitting, tooLarge] = [LEAST, Math.floor(most) + 1];
  if (!fits(sizeAt(LEAST))) {
    const least = sizeAt(LEAST);
    return Math.max(SMALLEST, LEAST * Math.min(1, h / least.h, w / least.w));
  }
  while (tooLarge - fitting > 1) {
    const height = (fitting + tooLarge) >> 1;
    if (fits(sizeAt(height))) fitting = height;
    else tooLarge = height;
  }
  return fitting;
}

/**
 * Return the rooms of a table: `strips`, where each player has his hand, `fronts`, what lies before him in the middle,
 * and the `middle`. A room is `{ x, y, w, h, turned }`; `turned` is how it is turned, and then `w` is along the edge.
 */
function rooms({ w, h }, sides, { front, plate, shares, fronts: shape = FRONT[front] }) {
  const has = (side) => sides.includes(side);
  const pad = Math.max(3, Math.min(w, h) * 0.01);
  const isSided = has("east") || has("west");
  const south = Math.round(h * shares.south) + plate;
  const north = has("north") ? Math.round(h * shares.north) + plate : 0;
  const side = isSided ? Math.round(Math.max(w * shares.side, 54)) : 0;
  const between = { y: pad + north, h: h - 2 * pad - north - south };
  const inset = shares.tall ? side : 0; // the sides reach to the corners
  const upright = shares.tall ? { y: pad, h: h - 2 * pad } : between;
  const left = has("west") ? pad + side : pad;
  const right = has("east") ? pad + side : pad;
  const [start, along] = inset ? [left, w - left - right] : [pad, w - 2 * pad];
  const norths = sides.filter((one) => one === "north").length;
  let at = 0;
  const strips = sides.map((one) => {
    if (one === "south") return { x: start, y: h - pad - south, w: along, h: south };
    if (one === "north") return { x: start + (along / norths) * (norths - ++at), y: pad, w: along / norths, h: north };
    const x = one === "west" ? pad : w - pad - side;
    return { x, ...upright, w: side, turned: one === "west" ? 90 : -90 };
  });
  const whole = { x: left, y: between.y, w: w - left - right, h: between.h };
  if (!front) return { strips, fronts: [], middle: whole };
  const deep = whole.h * shape.deep;
  const wide = isSided ? whole.w * shape.wide : 0;
  const inner = { x: whole.x + wide, y: whole.y + (has("north") ? deep : 0), w: whole.w - 2 * wide };
  inner.h = whole.h - (has("north") ? 2 : 1) * deep;
  const [across, upwards] = shape.tall ? [inner, whole] : [whole, inner]; // whose fronts reach to the corners
  let number = 0;
  const fronts = sides.map((one) => {
    if (one === "south") return { x: across.x, y: whole.y + whole.h - deep, w: across.w, h: deep };
    if (one === "north") return { x: across.x + (across.w / norths) * (norths - ++number), y: whole.y, w: across.w / norths, h: deep };
    const x = one === "west" ? whole.x : whole.x + whole.w - wide;
    return { x, y: upwards.y, w: wide, h: upwards.h, turned: one === "west" ? 90 : -90 };
  });
  return { strips, fronts, middle: inner };
}

const FRONT = { rows: { deep: 0.31, wide: 0.29, tall: true }, middle: { deep: 0.31, wide: 0.25, tall: true } };
const DEEP = [0.2, 0.24, 0.28, 0.31, 0.35, 0.39];
const WIDE = [0.16, 0.2, 0.25, 0.29, 0.33, 0.37];
const SHARES = [0.09, 0.13, 0.17, 0.21, 0.25, 0.3];
const SIDES_SHARES = [0.08, 0.11, 0.14, 0.18];
const ROUNDS = 3; // of looking for shares, then for shapes that go with them

/** Return the shares of the table and the shape of what lies before the players at which the tiles of all rooms together
 *  are of most use; `rate` says of how much they are in some rooms. */
function bestShares(size, sides, about, rate) {
  const isSided = sides.includes("west") || sides.includes("east");
  const allShares = SHARES.flatMap((south) =>
    (sides.includes("north") ? SHARES.filter((share) => share <= south) : [0]).flatMap((north) =>
      (isSided ? SIDES_SHARES : [0]).flatMap((side) => (isSided ? [false, true] : [false]).map((tall) => ({ south, north, side, tall }))),
    ),
  );
  const allShapes = about.front
    ? DEEP.flatMap((deep) => (isSided ? WIDE : [0]).flatMap((wide) => [true, false].map((tall) => ({ deep, wide, tall }))))
    : [];
  const rated = (shares, fronts) => {
    const found = rooms(size, sides, { ...about, shares, fronts });
    return found.middle.h < 40 || found.middle.w < 60 ? null : rate(found);
  };
  let shares = { south: 0.25, north: 0.2, side: 0.15, tall: false };
  let fronts = about.front ? FRONT[about.front] : undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = JSON.stringify([shares, fronts]);
    shares = largest(allShares, (one) => rated(one, fronts)) ?? shares;
    fronts = largest(allShapes, (one) => rated(shares, one)) ?? fronts;
    if (JSON.stringify([shares, fronts]) === before) break;
  }
  return { shares, fronts };
}

/** Return the first of those that are rated highest; null if none is rated. */
function largest(all, rate) {
  let best = null;
  for (const one of all) {
    const rated = rate(one);
    if (rated !== null && (best === null || rated > best.rated + 0.01)) best = { one, rated };
  }
  return best?.one ?? null;
}
