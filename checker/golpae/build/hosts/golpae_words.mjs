// The words of `golpae check`: events, and why one is not legal.
//
// Written by `golpae build`, for you to use and change as you like. It imports nothing but the file beside it.

import { isList, shown, withHidden } from "./golpae_lines.mjs";

const MANY = 8; // tiles or events that are listed before they are only counted
const LONGEST = 2000; // characters of an explanation on one line
const NAME = 60; // characters of a player's name
const OFTEN = ["never", "once", "twice"];

/** Return the name of an action as players say it. */
const spoken = (name) => name.replaceAll("_", " ");

/** The words for one match: those of a module's templates, and the names of the players. */
export class Words {
  constructor(templates, players) {
    this.kinds = templates.tiles;
    this.zones = templates.zones;
    this.actions = new Map(templates.actions.map((action) => [action.name, action]));
    this.place = new Map();
    this.kinds.forEach((kind, place) => {
      for (const name of [kind.name, ...kind.also]) if (!this.place.has(name)) this.place.set(name, place);
    });
    this.names = players.map((name, seat) => printable(name) || `seat ${seat}`);
  }

  // ---------------------------------------------------------------- values and events

  /** Return a value of a type. */
  say(value, type) {
    if (type["or none"]) return value === null ? "none" : this.say(value, type["or none"]);
    if (type.list === "tile") return this.#tiles(value);
    if (isList(type)) {
      const said = value.map((one) => this.say(one, type.list ?? type.each));
      return said.join(said.some((words) => words.includes(", ")) ? "; " : ", ") || "none";
    }
    switch (type) {
      case "seat":
        return this.names[value];
      case "tile":
        return this.kinds[this.place.get(value)].spoken;
      case "meld": {
        // An event names a meld as a list: its label, if it has one, and its tiles.
        const [first, ...others] = Array.isArray(value) ? value : [];
        const { label, tiles } = !Array.isArray(value)
          ? value
          : this.place.has(first) ? { tiles: value } : { label: first, tiles: others.flat() };
        return [label, this.#tiles(tiles)].filter((word) => word).join(" ");
      }
      case "patterns": {
        const said = Object.entries(value).map(([name, points]) => `${printable(name)} ${points}`);
        return said.join(", ") || "no patterns";
      }
      case "score":
        return value === null ? "nothing" : score(value);
      case "truth":
        return value ? "yes" : "no";
      default:
        return String(value);
    }
  }

  /** Return tiles by their titles, in the order of the set. */
  #tiles(tiles) {
    return this.#said(tiles.map((tile) => this.place.get(tile)).sort((a, b) => a - b));
  }

  /** Return tiles by their titles; between commas if a title has several words. */
  #said(places) {
    const titles = places.map((place) => this.kinds[place].spoken);
    return titles.join(titles.some((title) => title.includes(" ")) ? ", " : " ") || "no tiles";
  }

  /** Return tiles as a trace names them, in the order of the set. */
  tiles(tiles) {
    const places = tiles.map((tile) => this.place.get(tile)).sort((a, b) => a - b);
    return places.map((place) => this.kinds[place].name).join(" ") || "no tiles";
  }

  /** Return an event as players say it: `discard 6-5`. */
  event(line) {
    const action = this.actions.get(line.do);
    const closes = action.kind === "end" || action.kind === "finish";
    const unclear = action.keys.filter((key) => key.optional || key.type === "meld" || isList(key.type));
    const tiles = action.keys.filter((key) => key.of_text && key.type === "tile" && !key.optional);
    const named = closes || unclear.length > 1 || tiles.length > 1;
    const said = [spoken(action.name)];
    if (action.kind === "end") {
      said[0] += line.winner === null ? " with no winner" : ` with winner ${this.names[line.winner]}`;
    }
    for (const [number, key] of action.keys.filter((key) => key.of_text).entries()) {
      const value = line[key.name] ?? null;
      if (value === null) continue;
      const inOrder = key.ordered ? value.map((tile) => this.place.get(tile)) : null;
      const words = inOrder ? this.#said(inOrder) : this.say(value, key.type);
      said.push(named || number ? `${key.name} ${words}` : words);
    }
    if (!closes && said[1]?.startsWith(`${said[0]} `)) said.shift(); // the action is said once
    return said.join(closes ? ", " : " ");
  }

  /**
   * Return what can follow, events of one action together. If somebody was refused as the first player of a deal
   * although he can be that, no deal is named.
   */
  legal(following, refusedFirst = null) {
    const alike = new Map();
    for (const line of following.events) {
      const key = `${line.do} ${line.by ?? ""}`;
      if (!alike.has(key)) alike.set(key, { name: line.do, by: line.by ?? null, events: [] });
      alike.get(key).events.push(this.event(line));
    }
    const groups = [...alike.values()];
    const out = groups.map(({ name: own, by, events }) => {
      const name = spoken(own);
      const who = by === null ? "" : `${this.names[by]}: `;
      if (events.length === 1) return who + events[0];
      if (events.length > MANY) return `${who}${name} any of ${events.length}`;
      const rest = events.filter((event) => event !== name).map((event) => event.slice(name.length + 1));
      return `${who}${events.includes(name) ? `${name} | ` : ""}${name} ${rest.join(" | ")}`;
    });
    const unlisted = following.unlisted.filter((name) => groups.every((group) => group.name !== name));
    out.push(...unlisted.map((name) => `perhaps ${spoken(name)}`));
    const first = following.dealers;
    if (first.length && !first.includes(refusedFirst)) {
      const names = first.map((seat) => this.names[seat]).join(" or ");
      out.push(first.length === this.names.length ? "deal" : `deal with ${names} first`);
    }
    return out;
  }

  // ---------------------------------------------------------------- broken conditions

  /** Return what is wrong with an event, from the values that the message of the broken condition asks. */
  message(line, condition, values, state) {
    if (condition.of_every_game) return this.#ofEveryGame(condition, line, values, state);
    const rest = [...values];
    const words = condition.message.map((part) => {
      if (typeof part === "string") return part;
      const value = rest.shift();
      return this.say(part.key ? line[part.key] : value, part.value);
    });
    const key = this.actions.get(line.do).keys.find((key) => key.name === condition.name);
    return words.join("") + (key?.tiles ? `, not ${line[key.name].length}` : "");
  }

  #ofEveryGame(condition, line, values, state) {
    const { winner } = state;
    const totals = values.length ? values : state.totals;
    switch (condition.of_every_game) {
      case "open":
        return this.actions.get(line.do).not_open[state.stage];
      case "hands":
        return this.#hands(line, ...values);
      case "set":
        return this.#dealtTooOften(line).message;
      case "rest":
        return this.#reserve(line);
      case "winner": {
        const named = line.winner === null ? "nobody" : this.names[line.winner];
        const hasWon = condition.winners ? state.states[condition.winners] : [];
        const who = this.names.filter((name, seat) => hasWon[seat]);
        if (who.length > 1) {
          const several = `${who.slice(0, -1).join(", ")} and ${who.at(-1)}`;
          return `${several} have won this hand, so \`winner\` should be \`null\`, not ${named}`;
        }
        if (winner === null) return `nobody has won this hand, but \`winner\` names ${named}`;
        return `${this.names[winner]} has won this hand, not ${named}`;
      }
      case "pay":
        return `\`pay\` should be ${numbers(values)} (${this.#gains(values)}), not ${shown(line.pay)}`;
      case "totals":
        return `\`totals\` should be ${numbers(totals)} (${this.#gains(totals)}), not ${shown(line.totals)}`;
      default: {
        const won = totals.flatMap((total, seat) => (total === Math.max(...totals) ? [seat] : []));
        const who = won.map((seat) => this.names[seat]).join(", ");
        return `\`winners\` should be ${numbers(won)} (${who}), not ${shown(line.winners)}`;
      }
    }
  }

  #gains(values) {
    return values.map((value, seat) => `${this.names[seat]} ${value > 0 ? "+" : ""}${value}`).join(", ");
  }

  /** Return which hand has the wrong size, where those of the players should have these. */
  #hands({ hands }, ...sizes) {
    const dealt = hands.length === 1 ? "1 hand is" : `${hands.length} hands are`;
    if (hands.length !== this.names.length) return `${dealt} dealt to ${this.names.length} players`;
    const seat = hands.findIndex((hand, seat) => hand.length !== sizes[seat]);
    return `${this.names[seat]} should be dealt ${sizes[seat]} tiles, not ${hands[seat].length}`;
  }

  /** Return whether the first kind that is dealt too often is withdrawn, and what is wrong. */
  #dealtTooOften({ hands }) {
    const dealt = this.#count(hands.flat());
    const place = this.kinds.findIndex((kind, place) => dealt[place] > kind.copies);
    const { name, copies, withdrawn } = this.kinds[place];
    if (withdrawn && !copies) return { withdrawn: true, message: `${name} is withdrawn at this table` };
    const often = OFTEN[dealt[place]] ?? `${dealt[place]} times`;
    return { withdrawn: withdrawn > 0, message: `${name} is dealt ${often}, but the set has ${copies} of it` };
  }

  #reserve({ hands, reserve }) {
    const [dealt, given] = [this.#count(hands.flat()), this.#count(reserve)];
    const missing = this.kinds.map((kind, place) => kind.copies - dealt[place] - given[place]);
    const of = (sign) => this.kinds.flatMap((kind, place) => Array(Math.max(0, sign * missing[place])).fill(kind.name));
    const lacks = of(1).length ? [`lacks ${this.tiles(of(1))}`] : [];
    const more = of(-1).length ? [`has ${this.tiles(of(-1))} too many`] : [];
    return `\`reserve\` is not the rest of the set: it ${[...lacks, ...more].join(" and ")}`;
  }

  /** Return how many of each kind some tiles have. */
  #count(tiles) {
    const counts = this.kinds.map(() => 0);
    for (const tile of tiles) counts[this.place.get(tile)]++;
    return counts;
  }

  /** Return the rules that a broken condition stands for, with their sources. */
  rules(line, condition) {
    const ofWithdrawn = condition.of_every_game === "set" && this.#dealtTooOften(line).withdrawn;
    return ofWithdrawn ? condition.rules_if_withdrawn : condition.rules;
  }

  /** Return what lies before the player who acts, and in the shared zones that a condition reads. */
  facts(line, condition, state, values) {
    const { kind, by: acts } = this.actions.get(line.do);
    const atPlay = state.stage === "playing" || state.stage === "over";
    if (!atPlay || kind === "deal" || kind === "end" || kind === "finish" || !condition.zones) return [];
    const others = condition.others ?? [];
    const owners = this.zones.filter((zone) => zone.each_player && acts).map((zone) => [zone.name, line.by]);
    others.forEach((name, i) => {
      const owner = values.at(i - others.length);
      if (!owners.some((known) => known[0] === name && known[1] === owner)) owners.push([name, owner]);
    });
    const kindOf = (name) => this.zones.find((zone) => zone.name === name).kind;
    const own = owners.filter(([name, owner]) => state.zones[name][owner].length || kindOf(name) === "row");
    const shared = condition.zones.map((name) => this.zones.find((zone) => zone.name === name));
    return [
      ...own.map(([name, owner]) => [
        `${this.names[owner]}'s ${name}`,
        this.#lying(state.zones[name][owner], kindOf(name)),
      ]),
      ...shared.map((zone) => [zone.name, this.#lying(state.zones[zone.name], zone.kind)]),
    ];
  }

  #lying(tiles, kind) {
    if (kind === "melds") return tiles.map((meld) => meld.tiles.join("/")).join(", ") || "none";
    if (kind === "tiles") return this.tiles(tiles);
    if (tiles.includes("?")) return `${tiles.length} tiles`;
    return (tiles.length <= MANY ? tiles : ["...", ...tiles.slice(-MANY)]).join(" ") || "empty";
  }
}

/** Return an explanation on one line, as `golpae check --format json` has it. */
export function oneLine(message, facts, rules, legal) {
  const parts = [message, ...facts.map(([what, value]) => `${what}: ${value}`)];
  if (rules.length) parts.push(`rule ${rules.join(", ")}`);
  if (legal.length) parts.push(`legal here: ${legal.join(", ")}`);
  const letters = [...parts.join("; ")];
  return letters.length <= LONGEST ? letters.join("") : `${letters.slice(0, LONGEST - 1).join("")}…`;
}

/** Return a score; if its patterns do not add up, only those that are worth all of it. */
function score({ total, patterns, numbers: several, counted_in: of }) {
  if (several) {
    const counted = Object.entries(patterns).map(([name, points]) => `${name} ${points} ${of[name]}`);
    return `${Object.entries(several).map(([number, many]) => `${many} ${number}`).join(", ")} (${counted.join(", ")})`;
  }
  const sum = Object.values(patterns).reduce((sum, points) => sum + points, 0);
  const shown = Object.entries(patterns).filter(([, points]) => sum === total || points === total);
  return `${total} (${shown.map(([name, points]) => `${name} ${points}`).join(", ")})`;
}

const numbers = (values) => `[${values.join(", ")}]`;

/** Return a player's name on one line, without control characters; what is too long is cut. */
function printable(name) {
  const whole = withHidden(name, () => " ").trim();
  const cut = [...whole].slice(0, NAME).join("").trim();
  return cut.length < whole.length ? `${cut}…` : whole;
}
