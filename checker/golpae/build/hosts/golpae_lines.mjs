// What is wrong with a line of a trace that cannot be read as an event, in golpae's words.
//
// Written by `golpae build`, for you to use and change as you like. It imports nothing.

const ALWAYS = ["do", "note", "time"]; // keys that every line may have
const NEEDED = ["golpae", "rules", "players"]; // keys of a header
const HEADER = [...NEEDED, "id", "stake", "options", "note", "time"];
const NO_OBJECT = "this line must be a JSON object";
const QUOTED = 60; // characters of a text that a message quotes
const COMPARED = 500; // names that a wrong one is compared with

/** The lines that a module can read, from its templates. */
export class Lines {
  constructor(templates) {
    this.game = templates.game;
    this.players = templates.players;
    this.rules = templates.rules;
    this.options = templates.options;
    this.usualOptions = templates.usual_options;
    this.labels = Object.keys(templates.labels);
    this.actions = new Map(templates.actions.map((action) => [action.name, action]));
    this.tiles = templates.tiles.flatMap((kind) => [kind.name, ...kind.also]);
  }

  /** Return what is wrong with a line, or null. */
  fault(line) {
    if (!isObject(line)) return NO_OBJECT;
    const has = (name) => Object.hasOwn(line, name);
    if (!has("do")) return "this line lacks the key `do`";
    if (typeof line.do !== "string") return "`do` must be the name of an action, in quotes";
    const action = this.actions.get(line.do);
    if (!action) return `\`${this.game}\` has no action ${quoted(line.do)}${near(line.do, [...this.actions.keys()])}`;
    const keys = [...(action.by ? [{ name: "by", type: "seat" }] : []), ...action.keys];
    const required = keys.filter((key) => !key.optional).map((key) => key.name);
    const optional = keys.filter((key) => key.optional).map((key) => key.name);
    const known = [...required, ...optional, ...ALWAYS];
    const unknown = Object.keys(line).filter((name) => !known.includes(name));
    for (const name of required.filter((name) => !has(name))) {
      const written = unknown.find((key) => near(key, [name]));
      const meant = written === undefined ? "" : `; did you write ${quoted(written)} for \`${name}\`?`;
      return `\`${line.do}\` lacks the key \`${name}\`${meant}`;
    }
    if (unknown.length) return `unknown key ${quoted(unknown[0])} in \`${line.do}\`${near(unknown[0], known)}`;
    const faults = keys.filter((key) => has(key.name)).map((key) => this.#value(key.name, line[key.name], key.type));
    return faults.find((fault) => fault) ?? null;
  }

  /** Return what is wrong with a header, or null. It may be that of another table. */
  headerFault(line) {
    if (!isObject(line)) return NO_OBJECT;
    const { golpae, rules, players, stake = 1, options = {}, id = "" } = line;
    if (!Object.hasOwn(line, "golpae")) {
      const keys = Object.keys(line).filter((key) => !HEADER.includes(key));
      const written = keys.find((key) => near(key.trim().toLowerCase(), ["golpae"]));
      const meant = written === undefined
        ? 'a header begins with `{"golpae":1,`'
        : `did you mean \`golpae\` for ${quoted(written)}?`;
      return `this line looks like a header without the key \`golpae\`; ${meant}`;
    }
    if (!Number.isInteger(golpae)) return `\`golpae\` must be the whole number 1, not ${shown(golpae ?? null)}`;
    if (golpae !== 1) return `trace format ${shown(golpae)} is unknown: golpae reads format 1`;
    const unknown = Object.keys(line).find((key) => !HEADER.includes(key));
    if (unknown !== undefined) return `unknown key ${quoted(unknown)} in the header${near(unknown, HEADER)}`;
    const missing = NEEDED.find((key) => !Object.hasOwn(line, key));
    if (missing) return `the header lacks the key \`${missing}\``;
    if (typeof rules !== "string") return `\`rules\` must be a text such as \`base+variant\`, not ${shown(rules)}`;
    if (!Array.isArray(players)) return `\`players\` must be a list of names, not ${shown(players)}`;
    if (!players.length) return "`players` is empty";
    const seat = players.findIndex((player) => typeof player !== "string");
    if (seat >= 0) return `\`players\` must be a list of names, but seat ${seat} is ${shown(players[seat])}`;
    if (!Number.isInteger(stake) || stake < 1) return `\`stake\` must be a whole number above 0, not ${shown(stake)}`;
    if (!isObject(options)) return `\`options\` must be an object such as \`{"name":1}\`, not ${shown(options)}`;
    const option = Object.keys(options).find((name) => !Number.isInteger(options[name]));
    if (option !== undefined) {
      return `option ${quoted(option)} must be a whole number, not ${shown(options[option])}`;
    }
    const isId = typeof id === "string" || Number.isInteger(id);
    return isId ? null : `\`id\` must be a text or a whole number, not ${shown(id)}`;
  }

  /** Return whether a header without a fault is that of a game with these rules at this table. */
  isHere({ rules, players, options = {} }) {
    const all = { ...this.usualOptions, ...options };
    const names = Object.keys(all);
    const isSame = names.every((name) => all[name] === this.options[name]);
    return rules === this.rules && players.length === this.players && isSame;
  }

  /** Return why the value of a key is not one of its type, or null. */
  #value(key, value, type) {
    const must = (fits, what) => (fits ? null : `\`${key}\` must be ${what}, not ${shown(value)}`);
    if (type["or none"]) return value === null ? null : this.#value(key, value, type["or none"]);
    if (type.word) return must(type.word.includes(value), `one of ${type.word.join(", ")}`);
    if (isList(type)) return must(Array.isArray(value), "a list") ?? this.#members(key, value, type.list ?? type.each);
    switch (type) {
      case "number":
        return must(Number.isInteger(value), "a whole number");
      case "truth":
        return must(typeof value === "boolean", "true or false");
      case "patterns":
        return must(isObject(value) && Object.values(value).every(Number.isInteger), 'an object such as `{"name":1}`');
      case "seat": {
        const what = `a seat from 0 to ${this.players - 1}`;
        if (!Number.isInteger(value)) return must(false, what);
        const isThere = value >= 0 && value < this.players;
        return isThere ? null : `there is no seat ${shown(value)}: \`${key}\` must be ${what}`;
      }
      case "tile":
        if (this.tiles.includes(value)) return null;
        if (value === "?") return "unknown tiles (`?`) cannot be checked yet";
        if (typeof value !== "string") return must(false, "a tile");
        return `there is no tile ${quoted(value)}${near(value, this.tiles)}`;
      default:
        return this.#meld(key, value);
    }
  }

  #members(key, values, type) {
    for (const value of values) {
      const apart = isList(type) && !Array.isArray(value);
      if (apart) return `\`${key}\` must be a list of lists, but it contains ${shown(value)}`;
      const fault = this.#value(key, value, type);
      if (fault) return fault;
    }
    return null;
  }

  /** Return why a value is not a meld `[label, tile, ...]`, `[label, [tile, ...]]` or `[tile, ...]`, or null. */
  #meld(key, value) {
    const first = Array.isArray(value) ? value[0] : undefined;
    const isLabelled = this.labels.includes(first);
    if (typeof first !== "string" || (isLabelled && value.length === 1)) {
      return `\`${key}\` must hold melds such as \`[shape, tile]\`, not ${shown(value)}`;
    }
    if (!isLabelled && !this.tiles.includes(first)) {
      return `there is no shape ${quoted(first)}${near(first, this.labels)}`;
    }
    const rest = isLabelled ? value.slice(1) : value;
    const tiles = isLabelled && rest.length === 1 && Array.isArray(rest[0]) ? rest[0] : rest;
    return this.#value(key, tiles, { list: "tile" });
  }
}

export const isList = (type) => isObject(type) && ("list" in type || "each" in type);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Return advice that names the one of some words nearest to another; nothing if none is near. */
function near(word, words) {
  let known = [...new Set(words)].sort();
  const same = known.find((other) => other.toLowerCase() === word.toLowerCase());
  if (known.length > COMPARED) {
    known = known.filter((other) => other[0] === word[0] && Math.abs(other.length - word.length) < 3);
    known = known.slice(0, COMPARED);
  }
  const alike = known.map((other) => [likeness([...other], [...word]), other]).filter(([ratio]) => ratio >= 0.65);
  const nearest = same ?? alike.reduce((best, one) => (best && best[0] > one[0] ? best : one), null)?.[1];
  return nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
}

/** Return the share of letters that two words have in common, in longest pieces (as `difflib` of Python counts it). */
function likeness(a, b) {
  return a.length + b.length === 0 ? 1 : (2 * common(a, b)) / (a.length + b.length);
}

function common(a, b) {
  let [size, atA, atB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let length = 0;
      while (i + length < a.length && j + length < b.length && a[i + length] === b[j + length]) length++;
      if (length > size) [size, atA, atB] = [length, i, j];
    }
  }
  if (size === 0) return 0;
  return size + common(a.slice(0, atA), b.slice(0, atB)) + common(a.slice(atA + size), b.slice(atB + size));
}

/** Return a text in backticks, cut, without characters that cannot be printed. */
function quoted(text) {
  const letters = [...text];
  const cut = withHidden(letters.slice(0, QUOTED).join(""), escaped);
  return `\`${cut.replaceAll("`", "'")}${letters.length > QUOTED ? "…" : ""}\``;
}

const EMOJI = /^[\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\u{1f000}-\u{1faff}]$/u; // pictures and signs, no letters

/** Return a text with each character that is not shown as `written` gives it. A joiner between emoji is shown. */
export function withHidden(text, written) {
  const letters = [...text];
  const isEmoji = (at) => at >= 0 && at < letters.length && EMOJI.test(letters[at]);
  const joins = (at) =>
    letters[at] === "\u200d" && isEmoji(letters[at - 1] === "\ufe0f" ? at - 2 : at - 1) && isEmoji(at + 1);
  return letters.map((letter, at) => (isPrintable(letter) || joins(at) ? letter : written(letter))).join("");
}

const isPrintable = (letter) => letter === " " || !/[\p{C}\p{Z}]/u.test(letter);

function escaped(letter) {
  const short = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[letter];
  const [mark, size] = letter.codePointAt(0) < 256 ? ["\\x", 2] : letter.length === 1 ? ["\\u", 4] : ["\\U", 8];
  return short ?? mark + letter.codePointAt(0).toString(16).padStart(size, "0");
}

/** Return a value as a trace writes it, in backticks. */
export const shown = (value) => quoted(written(value));

function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "bigint") return String(value);
  if (!isObject(value)) return JSON.stringify(value) ?? String(value);
  return `{${Object.entries(value).map(([key, own]) => `${JSON.stringify(key)}: ${written(own)}`).join(", ")}}`;
}
