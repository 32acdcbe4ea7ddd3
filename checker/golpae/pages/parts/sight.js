// What a reader sees: all hands, everything, what everybody sees, or what one player sees.

const OPEN = { hands: "hands open", all: "everything open", table: "what everybody sees" };
const A_TILE = "a tile";
const SEVERAL = /(?<![\p{L}\p{N}_])a tile(?:,? a tile)+(?![\p{L}\p{N}_])/gu;

/** One way to look at a game. */
class Sight {
  constructor(game, view) {
    this.game = game;
    this.view = view;
    this.seat = view.startsWith("seat ") ? Number(view.slice(5)) : null;
    this.isOpen = view === "all" || view === "hands";
  }

  /** Return whether the tiles of a zone are face down in a position. */
  isDown(zone, owner, position) {
    if (zone.seen_by === "everyone" || this.view === "all") return false;
    const seers = position[owner === null ? `seen/${zone.name}` : `seen/${zone.name}/${owner}`] ?? [];
    if (seers.includes(this.seat) || seers.length === this.game.players.length) return false;
    if (zone.seen_by === "nobody") return true;
    if (this.view === "hands") return false;
    const isOwn = this.seat === owner;
    return this.seat === null || isOwn !== (zone.seen_by === "its owner");
  }

  /** Return the tiles that an event moves from one place that is not seen to another. */
  unseen(before, after) {
    return this.isOpen ? new Set() : this.#hidden(this.#moved(before, after));
  }

  /** Return the tiles that leave or reach each place, and whether they are face down there. */
  #moved(before, after) {
    const found = [];
    for (const zone of before === after ? [] : this.game.zones) {
      const owners = zone.each_player ? this.game.players.keys() : [null];
      for (const owner of owners) {
        const key = owner === null ? `zone/${zone.name}` : `zone/${zone.name}/${owner}`;
        if (before[key] === after[key]) continue;
        const [was, held] = [before[key], after[key]].map((tiles) => tiles.flatMap((tile) => tile.tiles ?? [tile]));
        const moved = [...arrivals(was, held).keys(), ...arrivals(held, was).keys()];
        const isDown = this.isDown(zone, owner, before) && this.isDown(zone, owner, after);
        if (moved.length) found.push({ isDown, moved });
      }
    }
    return found;
  }

  /** Return what no place shows of the tiles that moved. */
  #hidden(places) {
    const shown = new Set([UNKNOWN, ...places.flatMap(({ isDown, moved }) => (isDown ? [] : moved))]);
    return new Set(places.flatMap(({ isDown, moved }) => (isDown ? moved : [])).filter((tile) => !shown.has(tile)));
  }

  /** Return the tiles that the words of an event do not name: those that it moves unseen. If it puts back what it takes, no
   *  place tells that; then all its tiles. */
  unnamed(before, after, line) {
    if (this.isOpen) return new Set();
    const moved = this.#moved(before, after);
    const swaps = this.game.unseen?.[line.do] && line.by !== this.seat;
    return moved.length || !swaps ? this.#hidden(moved) : new Set(Object.values(line).flat());
  }

  /** Return the words of an event without the names of tiles that are not seen. */
  words(words, unseen, tiles) {
    const kinds = [...unseen].filter((name) => tiles.kinds.has(name));
    const names = kinds.flatMap((name) => [name, tiles.kinds.get(name).spoken]).filter(Boolean);
    if (!names.length) return words;
    names.sort((one, other) => other.length - one.length);
    const any = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
    return words.replace(new RegExp(`(?<![\\p{L}\\p{N}_])(?:${any})(?![\\p{L}\\p{N}_])`, "gu"), A_TILE).replace(SEVERAL, (all) => `${all.match(/a tile/g).length} tiles`);
  }
}
