// Choosing an event on the table: by its tiles, by the ends of a row, step by step.
//
// What a choice does is seen by what it moves and by the tiles that it names, never by its name: a thing on the table can be
// chosen if it is a tile that the event names or takes away from there, or the end of a row that it changes. Tiles that an
// event names are chosen in the order of its keys, each copy by itself.

const MOST_TRIED = 160; // choices whose moves are looked at; of more, only the tiles that they name
const FEW_LEFT = 9; // choices that are listed as a whole when some of their tiles are chosen

/** Return the things on the table that an event moves, each as `{ zone, tile }` or `{ zone, end }`. */
function moves(before, after, game, down) {
  const found = [];
  for (const zone of game.zones) {
    if (zone.kind === "melds") continue;
    for (const owner of zone.each_player ? game.players.keys() : [null]) {
      const key = keyOf(zone, owner);
      const [was, is] = [before[key] ?? [], after[key] ?? []];
      if (sameTiles(was, is)) continue;
      const gone = [...arrivals(is, was).keys()];
      if (!down[key]) found.push(...gone.map((tile) => ({ zone: key, tile })));
      const ends = zone.kind === "row" ? endsChanged(was, is) : [];
      found.push(...ends.map((end) => ({ zone: key, end, isTarget: comes(was, is, end) })));
      if (!ends.length && down[key] && gone.length && !zone.each_player) found.push({ zone: key, end: "front" }); // of a pile, its top
    }
  }
  return found;
}

/** Return the ends of a row at which it is not what it was. */
function endsChanged(was, is) {
  const most = Math.min(was.length, is.length);
  let [start, stop] = [0, 0];
  while (start < most && was[start] === is[start]) start++;
  while (stop < most - start && was.at(-1 - stop) === is.at(-1 - stop)) stop++;
  return [...(start === 0 ? ["front"] : []), ...(stop === 0 ? ["back"] : [])];
}

/** Return whether a tile comes to an end of a row, and none leaves it. */
function comes(was, is, end) {
  const at = end === "front" ? 0 : -1;
  return arrivals(was, is).has(is.at(at)) && !arrivals(is, was).has(was.at(at));
}

/** Return the places where each tile lies openly, one for each copy: those of `seat` first, then those of nobody. */
function lying(position, game, down, seat) {
  const places = placesOf(game);
  const nearness = ([, owner]) => (owner === seat ? 0 : owner === null ? 1 : 2);
  places.sort((one, other) => nearness(one) - nearness(other));
  const found = new Map();
  for (const [zone, owner] of places) {
    const key = keyOf(zone, owner);
    if (down[key]) continue;
    for (const tile of tilesAt(position, key)) {
      if (!found.has(tile)) found.set(tile, []);
      found.get(tile).push(key);
    }
  }
  return found;
}

/** Return the tiles that an event names, key by key, each where it lies: where the event takes it from, if that is known. */
function namedThings(line, keys, lies, moved) {
  const taken = new Map();
  const leaves = new Set(moved.map(thingKey));
  const placesOfTile = (tile) => {
    const all = lies.get(tile) ?? [];
    const isLeft = (zone) => leaves.has(thingKey({ zone, tile }));
    return [...all.filter(isLeft), ...all.filter((zone) => !isLeft(zone))];
  };
  return keys.map(({ name, type }) => {
    const things = (isOfTiles(type) ? tilesNamed(line[name] ?? []) : []).flatMap((tile) => {
      const copy = taken.get(tile) ?? 0;
      taken.set(tile, copy + 1);
      const zone = placesOfTile(tile)[copy];
      return zone ? [{ zone, tile }] : [];
    });
    return { key: name, things };
  });
}

/** Return the names of tiles in a value. */
function tilesNamed(value) {
  if (Array.isArray(value)) return value.flatMap(tilesNamed);
  return typeof value === "string" ? [value] : (value?.tiles ?? []);
}

const thingKey = ({ zone, tile, end }) => `${zone} ${tile ?? ""} ${end ?? ""}`;

/** What of a choice can be chosen on the table: `named`, the tiles of each key that lie somewhere, and what it `moves`. */
class Things {
  constructor(named, moved) {
    this.named = named.filter(({ things }) => things.length);
    const keys = new Set(this.named.flatMap(({ things }) => things.map(thingKey)));
    this.moved = new Map(moved.map((thing) => [thingKey(thing), thing]).filter(([key]) => !keys.has(key)));
    this.size = this.named.reduce((sum, { things }) => sum + things.length, 0); // tiles that are to be chosen
  }

  get hasTile() {
    return this.size > 0 || [...this.moved.values()].some((thing) => thing.tile);
  }

  /** Return what is left when some things are chosen, each step one of some; null if they do not fit. */
  after(steps) {
    const walk = (at, chosen, moved) => {
      if (at === steps.length) return this.#left(chosen, moved);
      for (const key of steps[at].keys) {
        const role = this.#open(chosen).find(([, keys]) => keys.includes(key));
        const next = role ? walk(at + 1, [...chosen, [role[0], key]], moved) : this.moved.has(key) ? walk(at + 1, chosen, [...moved, key]) : null;
        if (next) return next;
      }
      return null;
    };
    return walk(0, [], []);
  }

  /** Return the keys that can be chosen next: in each place, those of the first key of the event that lacks some. */
  #open(chosen) {
    const places = new Set();
    return this.named.flatMap(({ things }, role) => {
      const keys = things.map(thingKey);
      for (const [own, key] of chosen) if (own === role) keys.splice(keys.indexOf(key), 1);
      const zone = things[0].zone;
      if (!keys.length || places.has(zone)) return [];
      places.add(zone);
      return [[role, keys]];
    });
  }

  #left(chosen, moved) {
    const open = this.#open(chosen);
    const find = (role, key) => this.named[role].things.find((thing) => thingKey(thing) === key);
    const next = open.flatMap(([role, keys]) => [...new Set(keys)].map((key) => ({ ...find(role, key), of: this.named[role].key })));
    const others = [...this.moved].filter(([key]) => !moved.includes(key)).map(([, thing]) => thing);
    return { next, others, chosen: chosen.length, lacks: this.size - chosen.length };
  }
}

/** What somebody has chosen so far of the choices that there are. */
class Chooser {
  /** `things` returns the `Things` of a choice; `done` is called with the choice that is left, `changed` after each step. */
  constructor(table, { things, done, changed }) {
    this.table = table;
    this.things = things;
    this.done = done;
    this.changed = changed;
    this.choices = [];
    this.steps = [];
  }

  /** Begin anew with some choices. */
  begin(choices) {
    this.choices = choices;
    this.steps = [];
    this.known = new Map();
    this.offer();
  }

  /** Return the choices that fit what was chosen so far. */
  get left() {
    return this.choices.filter((choice) => this.#after(choice) !== null);
  }

  get #picks() {
    return this.steps.filter((step) => step.keys);
  }

  #after(choice) {
    const isOf = (step) => choice.line.do === step.action && (choice.line.by ?? null) === step.by;
    return this.steps.every((step) => step.keys || isOf(step)) ? this.#things(choice).after(this.#picks) : null;
  }

  #things(choice) {
    if (!this.known.has(choice)) this.known.set(choice, this.things(choice, this.choices.length <= MOST_TRIED));
    return this.known.get(choice);
  }

  /** Return whether all of some choices can be made by tiles. */
  onTable(choices) {
    return choices.every((choice) => this.#things(choice).hasTile);
  }

  /** Return how many tiles are chosen, and of how many: the fewest and the most of what is left. */
  get count() {
    const sizes = this.left.map((choice) => this.#things(choice).size);
    return { chosen: this.#picks.length, least: Math.min(...sizes), most: Math.max(...sizes) };
  }

  /** Return the tiles that can be chosen next if there are too many choices to be listed as a whole, each once, and the
   *  choices that need no more; null if the choices that are left can be listed. */
  get next() {
    const { left } = this;
    if (left.length <= FEW_LEFT || !this.onTable(left) || this.count.most < 2) return null;
    const found = new Map();
    const complete = [];
    for (const choice of left) {
      const { next, chosen } = this.#after(choice);
      if (chosen > 0 && !next.length) complete.push(choice);
      for (const thing of next) if (!found.has(thingKey(thing))) found.set(thingKey(thing), thing);
    }
    return complete.length > FEW_LEFT || !found.size ? null : { things: [...found.values()], complete };
  }

  /** Make what is left choosable on the table. */
  offer() {
    const found = new Map();
    const { left } = this;
    const tells = (thing) => {
      const own = left.filter((choice) => this.#things(choice).moved.has(thingKey(thing))).map(({ line }) => line);
      return left.some(({ line }) => !own.includes(line) && own.some((one) => one.do === line.do && one.by === line.by));
    };
    for (const choice of left) {
      const { next, others } = this.#after(choice);
      const open = others.filter((thing) => !thing.isTarget || tells(thing)); // where every tile would go is no choice
      for (const thing of [...next, ...open]) found.set(thingKey(thing), thing);
    }
    const picked = this.#picks.map((step) => this.#thing(step.keys)).filter((thing) => thing);
    this.table.offer([...found.values()], (offered, element, how) => this.pick(offered, element, how), picked, (thing) => this.unpick(thing));
  }

  #thing(keys) {
    for (const choice of this.choices) {
      const { named, moved } = this.#things(choice);
      const all = [...named.flatMap(({ things }) => things), ...moved.values()];
      const thing = all.find((one) => keys.includes(thingKey(one)));
      if (thing) return thing;
    }
    return null;
  }

  /** Choose a thing on the table. What is dragged is chosen, and happens only when it is dropped. */
  pick(offered, element, how) {
    const step = { keys: offered.map(thingKey) };
    this.steps.push(step);
    if (!this.left.length) this.steps = [step]; // it goes with nothing that was chosen before
    const { left } = this;
    if (how !== "drag" && left.length === 1 && this.#after(left[0]).lacks <= 1) {
      this.done(left[0]); // one tile that is sure need not be chosen; of more, somebody may have meant something else
      return;
    }
    if (how === "drag") {
      element.addEventListener("dragend", () => this.clear(), { once: true });
      return;
    }
    this.#again();
  }

  /** Take back the step by which a thing was chosen. */
  unpick(thing) {
    const at = this.steps.findLastIndex((step) => step.keys?.includes(thingKey(thing)));
    this.steps.splice(at, 1);
    if (!this.left.length) this.steps.length = Math.min(at, this.steps.length); // what was chosen after it depends on it
    this.#again();
  }

  /** Take back the last step. */
  back() {
    this.steps.pop();
    this.#again();
  }

  /** Choose an action. */
  narrow(line) {
    this.steps = [{ action: line.do, by: line.by ?? null }];
    if (this.left.length === 1) this.done(this.left[0]);
    else this.#again();
  }

  /** Let go what was dragged: onto the table, which is enough if only one choice is left. */
  drop() {
    if (this.steps.length && this.left.length === 1) this.done(this.left[0]);
    else this.#again();
  }

  /** Choose something else. */
  clear() {
    if (!this.steps.length) return;
    this.steps = [];
    this.#again();
  }

  #again() {
    this.offer();
    this.changed();
  }
}
