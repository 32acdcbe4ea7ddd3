// Play and check games with a module that `golpae build` made: in a browser, in Node, or anywhere with WebAssembly.
//
//     import { Rules } from "./golpae_host.mjs";
//
//     const rules = await Rules.load(bytes); // of x.wasm
//     const match = rules.match(["An", "Bo"]);
//     match.apply({ do: "deal", ... }); // { verdict: "legal" }, or what is wrong, in golpae's words
//     match.following(); // every legal event
//     match.state(); // where everything lies
//
// Written by `golpae build`, for you to use and change as you like. It imports nothing but the files beside it.

import { Lines } from "./golpae_lines.mjs";
import { Words, oneLine } from "./golpae_words.mjs";

const SECTION = "golpae"; // of a module, with its templates
const LARGEST = 1e15; // the largest number that a module reads, and one more
const NO_MODULE = "this is no module of golpae";
const FILLERS = { number: 0, seat: 0, truth: false }; // any value of a type

/** The module cannot decide this; golpae itself can. */
export class Referred extends Error {}

/** A module: one rule set at one table. */
export class Rules {
  static async load(bytes) {
    if (!WebAssembly.validate(bytes)) throw new Error(NO_MODULE);
    return new Rules(await WebAssembly.compile(bytes));
  }

  constructor(module) {
    const [section] = WebAssembly.Module.customSections(module, SECTION);
    if (!section) throw new Error(NO_MODULE);
    this.module = module;
    this.templates = JSON.parse(new TextDecoder().decode(section));
  }

  /** Return a new match of players with these names; throw an error if no header can have them. */
  match(players, stake = 1) {
    const { players: needed, rules } = this.templates;
    const fault = new Lines(this.templates).headerFault({ golpae: 1, rules, players: players ?? null, stake });
    if (fault) throw new Error(fault);
    if (players.length !== needed) throw new Error(`this module is for ${needed} players`);
    if (stake >= LARGEST) throw new Referred("a very large stake");
    return new Match(this, players, stake);
  }
}

/** One match, which has the memory of the module for itself. */
export class Match {
  #actions;
  #exports;

  constructor(rules, players, stake) {
    this.templates = rules.templates;
    this.words = new Words(rules.templates, players);
    this.lines = new Lines(rules.templates);
    this.#actions = rules.templates.actions;
    this.#exports = new WebAssembly.Instance(rules.module, {}).exports;
    this.#call("init");
    this.#call("new_game", stake);
  }

  // ---------------------------------------------------------------- what happens

  /** Let an event happen if it is legal. Return its `verdict` (legal, illegal, malformed, referred), and why. */
  apply(line) {
    const fault = this.lines.fault(line);
    if (fault) return { verdict: "malformed", message: fault };
    try {
      const broken = this.#happen(line);
      return broken === null ? { verdict: "legal" } : this.#refusal(line, broken);
    } catch (reason) {
      if (!(reason instanceof Referred)) throw reason;
      return { verdict: "referred", reason: reason.message };
    }
  }

  /** Let an event happen. Return the condition that it breaks, or null. */
  #happen(given) {
    const { line, wrong } = this.#fitted(given);
    const number = this.#read(line);
    if (!wrong.length && this.#call("act", number)) return null;
    const broken = this.#call("broken", number);
    return Math.min(...wrong, ...(broken >= 0 ? [broken] : []));
  }

  /** Let the module read a line. Return the number of its action. */
  #read(line) {
    const number = this.#number(line);
    const { note, time, ...keys } = line;
    const text = new TextEncoder().encode(`${JSON.stringify(keys)}\n`);
    const [start, room] = this.templates.memory.text;
    if (text.length > room) throw new Referred("a very long line");
    this.#memory(start, text.length).set(text);
    if (this.#call("read") !== number) {
      throw new Referred("a very long list or number, an unknown pattern, or too many copies of a tile");
    }
    return number;
  }

  #number(line) {
    return this.#actions.findIndex((action) => action.name === line.do);
  }

  /** Return a line with lists of the length that they should have, and the conditions that say so. */
  #fitted(line) {
    const { keys, conditions } = this.#actions[this.#number(line)];
    const [fitted, wrong] = [{ ...line }, []];
    conditions.forEach((condition, number) => {
      const key = keys.find((key) => key.name === condition.length_of);
      const given = key && line[key.name];
      const size = key && (key.tiles || this.templates.players);
      if (!given || given.length === size) return;
      const item = key.type.list ?? key.type.each;
      const filler = item === "tile" ? this.templates.tiles[0].name : FILLERS[item];
      fitted[key.name] = [...given, ...Array(size).fill(filler)].slice(0, size);
      wrong.push(number);
    });
    return { line: fitted, wrong };
  }

  /** Return why an event is illegal; if the module cannot say all of it, the rest is null, for a `reason`. */
  #refusal(line, broken) {
    const number = this.#number(line);
    const { kind, conditions } = this.#actions[number];
    const condition = conditions[broken];
    const clause = `${this.templates.game}.${line.do}.${condition.name}`;
    const out = { verdict: "illegal", clause, message: null, facts: null, rules: null, legal: null, line: null };
    try {
      const [state, values] = [this.state(), this.#json("asked", number, broken)];
      out.message = this.words.message(line, condition, values, state);
      out.facts = this.words.facts(line, condition, state, values);
      out.rules = this.words.rules(line, condition);
      out.legal = this.words.legal(this.following(), kind === "deal" ? line.first : null);
      out.line = oneLine(out.message, out.facts, out.rules, out.legal);
    } catch (reason) {
      if (!(reason instanceof Referred)) throw reason;
      out.reason = reason.message;
    }
    return out;
  }

  // ---------------------------------------------------------------- what is and what can follow

  /** Return the state of the match. */
  state() {
    return this.#json("state");
  }

  /**
   * Return all legal `events`, as lines; the `dealers`, seats that can be the first of a deal; the `unlisted` actions
   * that may be legal, but have too many events to be listed.
   */
  following() {
    const events = [...this.#picked("pick"), ...this.#picked("pick_finish")];
    const [seats, bits] = [[...this.words.names.keys()], this.#call("dealers")];
    const unlisted = this.#actions.filter((_, number) => this.#call("unlisted", number));
    return { events, dealers: seats.filter((seat) => (bits >> seat) & 1), unlisted: unlisted.map(({ name }) => name) };
  }

  /**
   * Return the scores of hands that an event counts which is legal here: `score`, `total`, `patterns` with their points,
   * the `arrangement` that counted, and its `groups`, in the order of the set. Nothing happens.
   */
  scores(line) {
    const before = this.position;
    try {
      const found = new Map();
      for (const one of this.#json("scored", this.#read(line))) {
        const key = [one.score, one.total, ...Object.values(one.numbers ?? {})].join(" ");
        if (!found.has(key)) found.set(key, { ...one, groups: this.#inOrder(one.groups) });
      }
      return [...found.values()];
    } finally {
      this.position = before;
    }
  }

  /** Return groups in the order of the set, those with one label together. */
  #inOrder(groups) {
    const [labels, tiles] = [groups.map(({ label }) => label), this.templates.tiles.map(({ name }) => name)];
    const place = (group) => String.fromCodePoint(labels.indexOf(group.label), ...group.tiles.map((tile) => tiles.indexOf(tile)));
    const placed = groups.map((group) => [place(group), group]);
    return placed.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, group]) => group);
  }

  #picked(name) {
    const events = [];
    for (let number; (number = this.#call(name, events.length)) >= 0; ) events.push(this.#json("write", number));
    return events;
  }

  /** The state as bytes: keep them, and set them again to take events back. */
  get position() {
    return this.#memory(...this.templates.memory.position).slice();
  }

  set position(held) {
    this.#memory(...this.templates.memory.position).set(held);
  }

  // ---------------------------------------------------------------- games by chance

  /** From now on, chance is that of a game of `golpae simulate --seed`. */
  begin(seed, game) {
    this.#call("begin", seed, game);
  }

  /** Deal by chance; return the event, or null if nobody can be dealt. */
  deal() {
    const number = this.#actions.findIndex((action) => action.kind === "deal");
    return this.#call("deal") > 0 ? this.#json("write", number) : null;
  }

  /** Let one of the legal events happen by chance; return it, or null if there is none. */
  play() {
    const number = this.#call("play");
    return number >= 0 ? this.#json("write", number) : null;
  }

  /**
   * Return how a greedy module rated the event of the last `play`: `rating` (4 wins, 3 takes or melds, 2 gives away what
   * no longer serves, 1 anything else, 0 lets another player win), and whether it is `alike`: no choice was rated worse.
   * Return null if nothing was compared.
   */
  rated() {
    const number = this.#exports.rated ? this.#call("rated") : -1;
    return number < 0 ? null : { rating: number & 7, alike: number > 7 };
  }

  // ---------------------------------------------------------------- the module

  /** Return the result of a function, or throw `Referred`; the position is what it was then. */
  #call(name, ...numbers) {
    const [{ why }, before] = [this.templates.memory, this.position];
    this.#memory(why, 8).fill(0);
    try {
      return Number(this.#exports[name](...numbers.map(BigInt)) ?? 0);
    } catch (trap) {
      if (!(trap instanceof WebAssembly.RuntimeError || trap instanceof RangeError)) throw trap;
      this.position = before;
      const number = new DataView(this.#exports.memory.buffer).getInt32(why, true);
      const { reasons, limits } = this.templates;
      throw new Referred(number > 0 ? reasons[number - 1] : limits[number] ?? "a limit of the module");
    }
  }

  /** Return what a function writes. */
  #json(name, ...numbers) {
    const size = this.#call(name, ...numbers);
    return JSON.parse(new TextDecoder().decode(this.#memory(this.templates.memory.text[0], size)));
  }

  #memory(start, size) {
    return new Uint8Array(this.#exports.memory.buffer, start, size);
  }
}
