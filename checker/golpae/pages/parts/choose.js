// Choosing an event on the table: by its tiles, by the ends of a row, step by step.
//
// What a choice does is seen by what it moves, never by its name: a thing on the table can be chosen if it is a tile that
// the event takes away from there, or the end of a row that it changes.

const MOST_TRIED = 160; // choices whose moves are looked at

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
      if (zone.kind === "row") found.push(...endsChanged(was, is).map((end) => ({ zone: key, end })));
      else if (down[key] && gone.length && !zone.each_player) found.push({ zone: key, end: "front" });
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

const thingKey = ({ zone, tile, end }) => `${zone} ${tile ?? ""} ${end ?? ""}`;

/** What somebody has chosen so far of the choices that there are. */
class Chooser {
  /** `things` returns what a choice moves; `done` is called with the choice that is left, `changed` after each step. */
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
    return this.choices.filter((choice) => this.steps.every((step) => this.#fits(choice, step)));
  }

  #fits(choice, step) {
    if (step.action) return choice.line.do === step.action && (choice.line.by ?? null) === step.by;
    const keys = this.#keys(choice);
    return step.keys.some((key) => keys.has(key));
  }

  #keys(choice) {
    if (!this.known.has(choice)) this.known.set(choice, new Map(this.things(choice).map((thing) => [thingKey(thing), thing])));
    return this.known.get(choice);
  }

  /** Return whether all of some choices can be made by tiles. */
  onTable(choices) {
    return this.choices.length <= MOST_TRIED && choices.every((choice) => [...this.#keys(choice).values()].some((thing) => thing.tile));
  }

  /** Make what is left choosable on the table. */
  offer() {
    if (this.choices.length > MOST_TRIED) {
      this.table.withdraw();
      return;
    }
    const taken = new Set(this.steps.flatMap((step) => step.keys ?? []));
    const things = new Map(this.left.flatMap((choice) => [...this.#keys(choice)]));
    for (const key of taken) things.delete(key);
    this.table.offer([...things.values()], (offered, element, how) => this.pick(offered, element, how));
    this.table.show_picked([...taken].map((key) => this.#thing(key)).filter((thing) => thing));
  }

  #thing(key) {
    for (const choice of this.choices) {
      const thing = this.#keys(choice).get(key);
      if (thing) return thing;
    }
    return null;
  }

  /** Choose a thing on the table. What is dragged is chosen, and happens only when it is dropped. */
  pick(offered, element, how) {
    const step = { keys: offered.map(thingKey) };
    this.steps.push(step);
    const { left } = this;
    if (!left.length) this.steps = [step]; // it goes with nothing that was chosen before
    if (how !== "drag" && this.left.length === 1) {
      this.done(this.left[0]);
      return;
    }
    if (how === "drag") {
      element.addEventListener("dragend", () => this.clear(), { once: true });
      return;
    }
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
