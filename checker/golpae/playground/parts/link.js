// The whole state of the page in its link: packed JSON behind the `#`, which no server gets.

const PACKED = "deflate-raw";

async function through(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Return a state as text for a link. */
export async function written(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream(PACKED));
  let letters = "";
  for (let at = 0; at < bytes.length; at += 8192) letters += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Return the state of a link; null if it has none, or none that can be read. */
export async function read(hash) {
  const words = /^#s=([\w-]+)$/.exec(hash)?.[1];
  if (!words) return null;
  try {
    const letters = atob(words.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream(PACKED))));
  } catch {
    return null;
  }
}
