// The whole state of the page in its link: packed JSON behind the `#`, which no server gets.

const PACKED = "deflate-raw";
const LARGEST = 8_000_000; // bytes of a state
const TABS = ["trace", "play", "prove", "compare"];

const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isSafeInteger(value) && value >= 0;
const isWords = (value) => Array.isArray(value) && value.every(isText);
const PARTS = {
  text: isText,
  trace: isText,
  tab: (value) => TABS.includes(value),
  game: isNumber,
  players: isNumber,
  switches: isWords,
  property: isText,
  right: isText,
  games: (value) => typeof value === "boolean",
  seed: isNumber,
};

async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > LARGEST) throw new Error("too large");
    parts.push(value);
  }
}

/** Return a state as text for a link. */
export async function written(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream(PACKED));
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the state of a link, or the example that it names, and what is wrong with the link. Other links have none. */
export async function read(hash) {
  const named = /^#example=([\w-]+)$/.exec(hash)?.[1];
  if (named) return { state: { example: named }, wrong: null };
  if (!hash.startsWith("#s=")) return { state: null, wrong: null };
  const state = await unpacked(hash.slice(3));
  if (typeof state?.text !== "string")
    return { state: null, wrong: "This link is damaged or cut off: what it should show cannot be read. Ask for it again." };
  const odd = Object.keys(state).filter((name) => state[name] != null && !(Object.hasOwn(PARTS, name) && PARTS[name](state[name])));
  const right = Object.fromEntries(Object.entries(state).filter(([name, value]) => value != null && !odd.includes(name)));
  const of = odd.slice(0, 5).join(", ");
  return { state: right, wrong: odd.length ? `This link says things that this page does not understand, and passes over: ${of}.` : null };
}

async function unpacked(words) {
  try {
    const letters = atob(words.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream(PACKED))));
  } catch {
    return null;
  }
}
