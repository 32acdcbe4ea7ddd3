// The events of one game and the positions after them, and what a table shows at each of them.

/** The data of a page: what Python wrote into it. */
const read = (id) => JSON.parse(document.getElementById(id).textContent);

/** The events that a page shows, and the position after each of them. */
class Story {
  constructor(game) {
    this.game = game;
    this.positions = [game.first];
    this.since = [{}]; // the event that gave each state its value, at each position
    this.apart = [{}]; // by place, the one tile that came last, at each position
    this.origins = [{}]; // by place of melds and number, whose tile is in it, at each position
    this.most = [{}]; // by place, how many tiles were there at most until then
    this.together = [null]; // what the event before each position took away from before several players
    this.events = [];
    for (const step of game.steps) this.add(step);
  }

  /** Add an event: its words, and what it changed. */
  add(step) {
    this.events.push(step);
    const before = this.positions.at(-1);
    const after = { ...before };
    for (const [key, value] of Object.entries(step.new)) after[key] = whole(value, before[key]);
    this.positions.push(after);
    const since = { ...this.since.at(-1) };
    for (const key of Object.keys(step.new)) if (key.startsWith("state/")) since[key] = this.events.length;
    this.since.push(since);
    this.together.push(takenTogether(before, after, this.game));
    this.#places(before, after, Object.keys(step.new).filter((key) => key.startsWith("zone/")));
  }

  /** Note what an event did to the places of tiles. */
  #places(before, after, changed) {
    const apart = { ...this.apart.at(-1) };
    const origins = { ...this.origins.at(-1) };
    const most = { ...this.most.at(-1) };
    for (const key of changed) {
      const [was, held] = [before[key] ?? [], after[key] ?? []];
      const name = key.split("/")[1];
      most[name] = Math.max(most[name] ?? 0, held.length);
      delete apart[key];
      if (held.some((item) => item.tiles)) {
        origins[key] = this.#origins(key, was, held, before, after, changed, origins[key] ?? {});
      } else if (held.length === was.length + 1) {
        const come = [...arrivals(was, held)];
        if (come.length === 1) apart[key] = come[0][0];
      }
    }
    this.apart.push(apart);
    this.origins.push(origins);
    this.most.push(most);
  }

  /** Return which tile of each meld came from another player: what left a place of that player for a new meld. */
  #origins(key, was, held, before, after, changed, old) {
    const owner = Number(key.split("/")[2]);
    const found = {};
    held.forEach((meld, at) => {
      if (old[at] && was[at] && meld.tiles.includes(old[at].tile)) found[at] = old[at];
      if (sameTiles(meld, was[at])) return;
      for (const other of changed) {
        const from = Number(other.split("/")[2]);
        if (!Number.isInteger(from) || from === owner || found[at]) continue;
        const [tile] = [...arrivals(after[other], before[other]).keys()].filter((one) => meld.tiles.includes(one));
        if (tile === undefined) continue;
        const players = this.game.players.length;
        found[at] = { tile, from, players, name: this.game.players[from] };
      }
    });
    return found;
  }

  /** Return how many tiles lie at most in each place: for each player as many as for any. */
  mostAt(step) {
    const most = this.game.steps.length ? this.most.at(-1) : this.most[step];
    return Object.fromEntries(
      this.game.zones.flatMap((zone) => {
        const count = most[zone.name] ?? 0;
        const rounded = zone.kind === "row" && zone.each_player ? Math.ceil(count / 6) * 6 : count;
        return zone.each_player ? this.game.players.map((_, seat) => [`zone/${zone.name}/${seat}`, rounded]) : [[`zone/${zone.name}`, rounded]];
      }),
    );
  }

  /** Take back all events from one on. */
  cut(size) {
    this.events.length = size;
    for (const all of [this.positions, this.since, this.apart, this.origins, this.most, this.together]) all.length = size + 1;
  }
}

/**
 * Return what an event took away from before several players at once, its own tiles among them, as it was when it was whole:
 * `{ held, last, taker }`, by place the tiles, the place of those that came last, and who got all of it (null: nobody).
 * Between two events it never lies there whole. Null if the event did nothing of this kind.
 */
function takenTogether(before, after, game) {
  const seats = [...game.players.keys()];
  for (const zone of game.zones) {
    if (!zone.each_player || zone.seen_by !== "everyone" || zone.kind === "melds") continue;
    const emptied = seats.map((seat) => keyOf(zone, seat)).filter((key) => tilesAt(before, key).length);
    if (emptied.length < 2 || seats.some((seat) => tilesAt(after, keyOf(zone, seat)).length)) continue;
    const places = placesOf(game).map(([one, owner]) => ({ key: keyOf(one, owner), owner }));
    const gone = emptied.flatMap((key) => tilesAt(before, key));
    const taken = ({ key }) => listOf(arrivals(tilesAt(before, key), tilesAt(after, key)));
    const to = places.find((place) => !arrivals(taken(place), gone).size);
    const added = to ? listOf(arrivals(gone, taken(to))) : [];
    const lost = ({ key }) => listOf(arrivals(tilesAt(after, key), tilesAt(before, key)));
    const from = places.find((place) => !emptied.includes(place.key) && sameTiles(lost(place).sort(), [...added].sort()));
    if (!added.length || !Number.isInteger(from?.owner)) continue;
    const last = keyOf(zone, from.owner);
    const held = Object.fromEntries(emptied.map((key) => [key, tilesAt(before, key)]));
    return { held: { ...held, [last]: [...(held[last] ?? []), ...added] }, last, taker: to.owner };
  }
  return null;
}

/** Return a name for each time that it is counted. */
const listOf = (counted) => [...counted].flatMap(([name, times]) => Array(times).fill(name));

/** Return what a step makes of a value: of a list that mostly stays as it was, it says only what is replaced, and by what. */
function whole(value, before) {
  if (!value?.cut) return value;
  const [at, gone, ...added] = value.cut;
  return [...before.slice(0, at), ...added, ...before.slice(at + gone)];
}

/** Return an event in a player's words: those of its text, else `words`. `[ ]` is left out if the event lacks a key in it. */
function toldEvent(line, words, game, table) {
  const action = game.told[line?.do];
  if (!action) return words;
  if (action.kind === "end") {
    const winners = [line.winners ?? line.winner ?? []].flat().map((seat) => table.names[seat] ?? seat);
    if (!winners.length) return game.has_winners ? "nobody wins" : "the hand is over";
    return winners.length > 1 ? `${winners.slice(0, -1).join(", ")} and ${winners.at(-1)} win` : `${winners[0]} wins`;
  }
  if (action.kind === "deal") return spacedName(line.do); // what was dealt lies on the table
  if (!action.words) return words;
  const isThere = (key) => line[key] !== undefined && line[key] !== null;
  return filled(action.words, isThere, (key) => (isThere(key) ? saidValue(line[key], bare(action.keys[key]), table) : "none"));
}

/** Return words with what `said` says in their holes; a part in brackets is left out if something in it is not there. */
function filled(words, isThere, said) {
  const holes = /\{([\w-]+)\}/g;
  return words
    .replace(/\[([^\]]*)\]/g, (_, part) => ([...part.matchAll(holes)].every(([, key]) => isThere(key)) ? part : ""))
    .replace(holes, (_, key) => said(key));
}

/** Return the other players out of whose hands somebody plays the tiles of an event, as a declarer those of dummy. */
function heldBy(line, tiles, position, game) {
  const { by } = line ?? {};
  const hand = (seat) => position[`zone/hand/${seat}`] ?? [];
  const named = tilesIn(line, tiles).filter((tile) => !hand(by).includes(tile));
  if (!Number.isInteger(by)) return [];
  return [...game.players.keys()].filter((seat) => seat !== by && named.some((tile) => hand(seat).includes(tile)));
}

/** Return a name of a text as words. */
const spacedName = (name) => name.replaceAll(/[-_]/g, " ");

/** Return what players are told of an action as a whole: its title, else its name. */
const titleOf = (name, game) => game.told[name]?.title ?? spacedName(name);

/** Return the words for a key of an action: those before it in the words of the text, else what it has if no other key
 *  has the same, else its name. */
function keyWords(action, key) {
  const [before, ...behind] = (action?.words ?? "").split(`{${key}}`);
  const words = behind.length ? before.split(/[[\]{},;]/).at(-1).trim().replace(/^and /, "") : "";
  if (words) return words;
  const type = bare(action?.keys[key] ?? null);
  const isLike = (other) => other !== key && sameTiles(bare(action.keys[other]), type);
  if (Object.keys(action?.keys ?? {}).some(isLike)) return spacedName(key);
  if (type === "tile") return "a tile";
  if (type?.list === "tile" || type === "meld") return "tiles";
  return spacedName(key);
}

/** Return whether the values of a type have tiles. */
function isOfTiles(type) {
  if (type === null || typeof type !== "object") return type === "tile" || type === "meld";
  return isOfTiles(type.list ?? type["or none"] ?? null);
}

/** Return whether the text has words for an event, which make a sentence with who acts. */
const isTold = (line, game) => Boolean(game.told[line?.do]?.words);

/** Return the tiles that an event names. */
function tilesIn(line, tiles) {
  const found = [];
  const add = (value) => {
    if (typeof value === "string" && tiles.kinds.has(value)) found.push(tiles.kinds.get(value).name);
    else if (Array.isArray(value)) value.forEach(add);
  };
  for (const [key, value] of Object.entries(line ?? {})) if (key !== "do") add(value);
  return found;
}
