// A rule book: switches change what the page shows. Everything that they change is in the page.

const book = JSON.parse(document.getElementById("book").textContent);
const element = (id) => document.getElementById(id);
const boxes = [...document.querySelectorAll("[data-switch]")];
const claims = [...document.querySelectorAll("[data-claim]")];

/** Return a name of a text as words. */
const spaced = (name) => name.replaceAll("-", " ");

/** Return the switches that are on, in the order of the text. */
const chosen = () => boxes.filter((box) => box.checked).map((box) => box.dataset.switch);

/** Return the verdicts on a claim for the rule set with these switches that are kept about all rule sets together. */
function everywhere(claim, on) {
  const players = new Map();
  for (const table of book.everywhere[claim] ?? []) {
    const part = table.parts.find(({ settings }) =>
      settings.some(([yes, no]) => yes.every((name) => on.has(name)) && !no.some((name) => on.has(name))),
    );
    if (part) players.set(part.verdict, [...(players.get(part.verdict) ?? []), table.players]);
  }
  const words = ([verdict, those]) => `${verdict} with ${those.join(", ")} player${`${those}` === "1" ? "" : "s"}`;
  return players.size ? [...players].map(words).join("; ") : undefined;
}

/** Return whether the chosen switches drop a claim. */
function isDropped(claim) {
  const heads = [...claim.closest("article").querySelectorAll(".code > .row:first-child")];
  return heads.length > 0 && heads.every((head) => head.hidden || head.classList.contains("struck"));
}

function show() {
  const on = new Set(chosen());
  for (const part of document.querySelectorAll("[data-only]")) part.hidden = !on.has(part.dataset.only);
  for (const row of document.querySelectorAll("[data-changed]")) {
    row.classList.toggle("struck", row.dataset.changed.split(" ").some((name) => on.has(name)));
  }
  for (const button of document.querySelectorAll("[data-toggle]")) {
    button.setAttribute("aria-pressed", String(on.has(button.dataset.toggle)));
  }
  const rules = [book.game, ...book.switches.filter((name) => on.has(name))].join("+");
  for (const claim of claims) {
    const verdict = book.verdicts[rules]?.[claim.dataset.claim] ?? everywhere(claim.dataset.claim, on);
    claim.textContent = verdict ?? (isDropped(claim) ? "not claimed under the chosen rules" : "not yet decided");
    claim.dataset.verdict = verdict?.split(/[ :]/)[0] ?? "";
  }
  for (const words of document.querySelectorAll(".by")) words.hidden = rules === book.named;
  const games = [...document.querySelectorAll(".shown")];
  for (const part of document.querySelectorAll("[data-rules]")) part.hidden = part.dataset.rules !== rules;
  if (games.length) element("no-games").hidden = games.some((shown) => !shown.hidden);
  element("chosen").textContent = on.size ? `with ${[...on].map(spaced).join(", ")}` : "";
}

/** Turn a switch on or off; those that cannot be on together with it go off. */
function turn(box) {
  element("clash").textContent = "";
  const name = box.dataset.switch;
  const others = book.clashes.filter((pair) => pair.includes(name)).map((pair) => pair.find((other) => other !== name));
  if (box.checked) {
    const off = boxes.filter((other) => other.checked && others.includes(other.dataset.switch));
    for (const other of off) other.checked = false;
    if (off.length) element("clash").textContent = `${off.map((other) => spaced(other.dataset.switch)).join(", ")} cannot be on together with ${spaced(name)}`;
  }
  show();
  history.replaceState(null, "", `#+${chosen().join("+")}`);
}

/** Open or fold the exact text everywhere. */
function openExact() {
  for (const part of document.querySelectorAll("details.exact")) part.open = element("exact").checked;
}

element("exact").addEventListener("change", openExact);
for (const box of boxes) box.addEventListener("change", () => turn(box));
for (const button of document.querySelectorAll("[data-toggle]")) {
  button.addEventListener("click", () => {
    const box = boxes.find((one) => one.dataset.switch === button.dataset.toggle);
    box.checked = !box.checked;
    turn(box);
  });
}
/** Return what follows `#` in the address; nothing if it is malformed. */
function fragment() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

/** Open the folded text that a link leads to. */
function openTarget() {
  const target = element(fragment());
  const folded = target?.matches("details.exact") ? target : target?.querySelector(":scope > details.exact");
  if (folded) folded.open = true;
}
addEventListener("hashchange", openTarget);
openTarget();
if (fragment().startsWith("+")) {
  const named = fragment().slice(1).split("+");
  for (const box of boxes) box.checked = named.includes(box.dataset.switch);
}
show();
