// The page: two texts, what golpae says of them, and what a reader asks for.

import { autocompletion, closeBrackets } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";

import { Engine, Latest } from "./engine.js";
import { language } from "./language.js";
import { read, written } from "./link.js";
import { Table, answersOf, changesOf, element, proofOf, verdictOf } from "./shown.js";

const TYPED = 250; // milliseconds without a change before a text is checked
const RESTED = 900; // ... before its variants are, too
const LINKED = 500; // ... before the link is written anew
const NARROW = "(max-width: 60rem)"; // as in the styles
const found = (name) => document.getElementById(name);
const OLD = "the old text"; // what `Compare` can take besides variants
const { patterns, first, docs } = await (await fetch("build.json")).json();
found("alone").remove();

const reader = new Engine((doing) => (found("doing").textContent = doing));
const prover = new Engine((doing) => (found("doing").textContent = doing));
const table = new Table(found("shown"), found("caption"), found("place"));
let about = { players: [], switches: [], properties: [] };
let wanted = {}; // what a link or an example asks for, until the rules are known
const answered = { proofs: null, compared: null }; // the rules that answers are about
let tab = "trace";
let shownGame = 0;
let opened = ""; // the rules as a link or an example gave them
let begun = false; // whether the page shows what its link says

// ---------------------------------------------------------------- texts

// Who comes into a text by Tab goes through it by Tab, until something is typed or clicked there: then Tab indents.
let passing = false;
addEventListener("keydown", ({ key }) => (passing = key === "Tab" && !document.activeElement?.matches(".cm-content") ? true : passing), true);
addEventListener("pointerdown", () => (passing = false), true);
const indents = { ...indentWithTab, run: (view) => !passing && indentWithTab.run(view), shift: (view) => !passing && indentWithTab.shift(view) };

const parts = [
  lineNumbers(), history(), drawSelection(), highlightActiveLine(), highlightSelectionMatches(), lintGutter(),
  keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indents]),
  EditorView.updateListener.of((update) => update.docChanged && (passing = false)),
];
const rules = new EditorView({
  parent: found("rules"),
  extensions: [
    ...parts, language(patterns), indentUnit.of("  "), closeBrackets(),
    EditorView.contentAttributes.of({ "aria-label": "Rule text", tabindex: "0", "aria-describedby": "leaving", spellcheck: "false" }),
    autocompletion({ override: [complete] }),
    hoverTooltip(hover),
    EditorView.updateListener.of((update) => update.docChanged && changedRules()),
  ],
});
const events = new EditorView({
  parent: found("events"),
  extensions: [
    ...parts, EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "Recorded game, one event on a line", tabindex: "0", "aria-describedby": "leaving", spellcheck: "false" }),
    EditorView.updateListener.of((update) => update.docChanged && changedEvents()),
  ],
});
const textOf = (view) => view.state.doc.toString();
function put(view, text) {
  const changes = { from: 0, to: view.state.doc.length, insert: text };
  view.dispatch({ changes, annotations: isolateHistory.of("full"), selection: { anchor: 0 } });
}

async function complete(context) {
  const word = context.matchBefore(/[\w-]*/);
  if (word.from === word.to && !context.explicit && !/[.[ ]$/.test(context.state.sliceDoc(word.from - 1, word.from))) return null;
  if (word.from === word.to && !context.explicit) return null;
  const { offers = [] } = await reader.ask({ do: "complete", text: textOf(rules), at: context.pos });
  return { from: word.from, options: offers.map(({ word: label, what: detail }) => ({ label, detail })), validFor: /^[\w-]*$/ };
}

async function hover(view, at) {
  const { words, start, end } = await reader.ask({ do: "hover", text: textOf(rules), at });
  if (!words) return null;
  const plain = words.replaceAll(/```\w*\n?|\*\*/g, "");
  return { pos: start, end, create: () => ({ dom: element("div", { class: "said" }, plain) }) };
}

// ---------------------------------------------------------------- faults and verdicts

const base = new Latest(async () => {
  const text = textOf(rules);
  const { marks = [] } = await reader.ask({ do: "faults", text, whole: false });
  if (text === textOf(rules)) showMarks(marks);
});
const whole = new Latest(async () => {
  const text = textOf(rules);
  const { marks = [] } = await reader.ask({ do: "faults", text, whole: true });
  if (text === textOf(rules)) showMarks(marks);
  if (!marks.some((mark) => mark.severity === "error")) await learn();
});
const judged = new Latest(async () => {
  const [text, trace] = [textOf(rules), textOf(events)];
  if (!trace.trim()) return showVerdicts({ games: [] });
  const answer = await reader.ask({ do: "check", text, trace, game: shownGame });
  if (text === textOf(rules) && trace === textOf(events)) showVerdicts(answer);
});

let typing, resting, linking;
function changedRules() {
  clearTimeout(typing);
  clearTimeout(resting);
  typing = setTimeout(() => base.ask().then(() => judged.ask()), TYPED);
  resting = setTimeout(() => whole.ask(), RESTED);
  changed();
}
function changedEvents() {
  clearTimeout(typing);
  found("no-game").hidden = textOf(events).trim() !== "";
  shownGame = 0;
  typing = setTimeout(() => judged.ask(), TYPED);
  changed();
}

function showMarks(marks) {
  const size = rules.state.doc.length;
  const within = (place) => Math.min(place, size);
  const shown = marks.map(({ start, end, severity, message, code }) => ({
    from: within(start), to: within(end), severity, message, code,
  }));
  const said = shown.map(({ code, ...mark }) => ({ ...mark, message: `${mark.message}\n${code}` }));
  rules.dispatch(setDiagnostics(rules.state, said));
  found("marks").replaceChildren(
    ...shown.map((mark) => {
      const line = rules.state.doc.lineAt(mark.from).number;
      const button = element("button", { type: "button", class: mark.severity }, `line ${line}: ${mark.message}`);
      button.addEventListener("click", () => go(rules, mark.from));
      const code = docs ? element("a", { href: `${docs}docs/language/faults.html#${mark.code}`, target: "_blank" }, mark.code) : mark.code;
      return element("li", {}, button, code);
    }),
  );
}

function go(view, at) {
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  view.focus();
}

function showVerdicts({ games = [], page = null, are_all: areAll = true, fault = null }) {
  const doc = events.state.doc;
  const marked = games.filter((game) => game.at && game.at <= doc.lines);
  events.dispatch(
    setDiagnostics(events.state, marked.map((game) => ({ ...range(doc, game.at), severity: "error", message: game.message }))),
  );
  found("verdicts").replaceChildren(
    ...games.map((game, number) => verdictOf(game, () => chooseGame(number), (line) => go(events, doc.line(line).from))),
    ...(areAll ? [] : [element("li", { class: "warning" }, `These are the first ${games.length} games; golpae check reads all of them.`)]),
    ...(fault ? [element("li", { class: "error" }, fault)] : []),
  );
  if (shownGame >= games.length && games.length > 0) return chooseGame(0);
  if (tab === "trace") table.show(page, "");
}

function range(doc, number) {
  const { from, to } = doc.line(number);
  return { from, to };
}

function chooseGame(number) {
  shownGame = number;
  judged.ask();
}

// ---------------------------------------------------------------- what the rules offer

const switches = () => [...found("switches").querySelectorAll("input:checked")].map((box) => box.value);
const players = () => Number(found("players").value) || undefined;
const ofRules = () => ({ text: textOf(rules), switches: switches(), players: players() });

/** Return what a link asks for and the rules lack. */
function lacking() {
  const lacks = (names, chosen, what) => (chosen && !names.includes(chosen) ? [`${what} ${chosen}`] : []);
  const named = about.switches.map(({ name }) => name);
  return [
    ...(wanted.switches ?? []).flatMap((name) => lacks(named, name, "the variant")),
    ...lacks(named, wanted.right, "the variant"),
    ...lacks(about.properties.map(({ name }) => name), wanted.property, "the property"),
    ...(wanted.players && !about.players.includes(wanted.players) ? [`a game of ${wanted.players} players`] : []),
  ];
}

async function learn() {
  const answer = await reader.ask({ do: "rules", text: textOf(rules) });
  if (answer.fault) return;
  about = answer;
  const lacks = [...new Set(lacking())];
  const said = found("notice").firstElementChild.textContent;
  if (lacks.length > 0) notice(`${said} This link asks for what its rules do not have: ${lacks.join(", ")}.`);
  document.title = `${about.title}: golpae playground`;
  fill(found("players"), about.players.map((n) => [n, n]), wanted.players ?? found("players").value);
  fill(found("property"), about.properties.map((one) => [one.name, `${one.name} (${one.kind})`]), wanted.property ?? found("property").value);
  found("no-property").hidden = about.properties.length > 0;
  found("prove").querySelector(".bar").hidden = about.properties.length === 0;
  offerOthers(wanted.right);
  const on = new Set(wanted.switches ?? switches());
  found("switches").hidden = about.switches.length === 0;
  found("switches").lastElementChild.replaceChildren(
    ...about.switches.map(({ name, gist }) => {
      const box = element("input", { type: "checkbox", value: name });
      box.checked = on.has(name);
      return element("label", {}, box, ` ${name}: ${gist}`);
    }),
  );
  wanted = {};
}

/** Offer what the rules can be compared with: the text before it was changed, and its variants. */
function offerOthers(chosen) {
  const old = textOf(rules) === opened ? [] : [[OLD, `${OLD}, as it was opened`]];
  const others = [...old, ...about.switches.map(({ name }) => [name, name])];
  fill(found("right"), others, chosen ?? found("right").value);
  found("nothing-else").hidden = others.length > 0;
  found("compare").querySelector(".bar").hidden = others.length === 0;
}

function fill(list, entries, chosen) {
  list.replaceChildren(...entries.map(([value, words]) => element("option", { value }, String(words))));
  if (entries.some(([value]) => String(value) === String(chosen))) list.value = chosen;
}

// ---------------------------------------------------------------- what a reader asks for

const key = () => JSON.stringify([textOf(rules), switches()]);

/** Mark answers about other rules than those that stand here now. */
function age() {
  for (const [name, about] of Object.entries(answered)) {
    const isOld = about !== null && about !== key();
    found(name).classList.toggle("older", isOld);
    found(`${name}-older`).hidden = !isOld;
  }
}

async function prove() {
  const [name, asked] = [found("property").value, key()];
  await during("prove", async () => {
    const answer = await prover.ask({ do: "prove", solver: true, ...ofRules(), name });
    if (answer.stopped) return;
    const proofs = answer.proofs ?? [];
    answered.proofs = asked;
    found("proofs").replaceChildren(
      ...(answer.fault ? [element("p", { class: "error" }, answer.fault)] : []),
      ...proofs.map((proof) => proofOf(proof, table, takeTrace)),
    );
    age();
    const first = proofs.find((proof) => proof.page);
    if (tab !== "prove") return;
    table.show(first?.page ?? null, first ? `A game that shows it: ${first.name}, ${first.verdict}` : "", lastOf(first));
  });
}

async function compare() {
  const [left, other, asked] = [switches(), found("right").value, key()];
  const right = other === OLD ? left : [...left.filter((name) => name !== other), other];
  const before = other === OLD ? opened : null;
  await during("compare", async () => {
    const request = { do: "compare", solver: true, ...ofRules(), before, left, right, games: found("games").checked };
    const answer = await prover.ask(request);
    if (answer.stopped) return;
    answered.compared = asked;
    found("compared").replaceChildren(
      ...(answer.fault ? [element("p", { class: "error" }, answer.fault)] : [changesOf(answer), ...answersOf(answer, table, takeTrace)]),
    );
    age();
    if (tab !== "compare") return;
    const first = answer.tables?.flatMap((one) => one.answers).find((one) => one.page);
    table.show(first?.page ?? null, first ? `${first.question} ${first.verdict}` : "", lastOf(first));
  });
}

/** Return the number of the last event of a game that an answer has found. */
const lastOf = (answer) => (answer ? answer.trace.length - 1 : null);

async function during(panel, work) {
  const [start, stop] = [found(panel).querySelector("button:not(.stop)"), found(panel).querySelector(".stop")];
  [start.disabled, stop.hidden] = [true, false];
  await work();
  [start.disabled, stop.hidden] = [false, true];
}

async function play() {
  const answer = await reader.ask({ do: "play", ...ofRules() });
  table.show(answer.page ?? null, answer.fault ? `These rules cannot be played yet: ${answer.fault}` : "");
  reveal();
}

/** Where the page is one column, go to what has been asked for. */
function reveal() {
  if (matchMedia(NARROW).matches) found("using").scrollIntoView();
}

async function chance() {
  const answer = await reader.ask({ do: "chance", ...ofRules(), seed: Number(found("seed").value) || 0 });
  if (answer.trace) put(events, answer.trace);
  else table.say(answer.fault);
}

function takeTrace(lines) {
  put(events, lines.join("\n") + "\n");
  choose("trace");
}

async function example(name) {
  const { fault, runs, ...state } = await reader.ask({ do: "example", name });
  if (fault) return notice(fault);
  found("examples").value = name;
  await show(state);
  if (state.tab === "trace" && state.trace === null) await chance();
  if (runs) await { play, prove, compare }[state.tab]();
  if (runs || state.trace) reveal();
}

/** Show what a link or an example asks for. */
async function show(state) {
  const { text, trace, tab: part, game, seed, games, ...choices } = state;
  wanted = choices;
  for (const name of Object.keys(answered)) {
    answered[name] = null;
    found(name).replaceChildren();
  }
  age();
  if (seed !== undefined) found("seed").value = seed;
  if (games !== undefined) found("games").checked = games;
  choose(part ?? "trace");
  opened = text;
  put(rules, text);
  put(events, trace ?? "");
  shownGame = game ?? 0;
  await learn();
}

function notice(words) {
  found("notice").hidden = !words;
  found("notice").firstElementChild.textContent = words.trim();
}

// ---------------------------------------------------------------- tabs and the link

function choose(name) {
  tab = name;
  for (const button of document.querySelectorAll("[role=tab]")) {
    const isOn = button.id === `tab-${name}`;
    button.setAttribute("aria-selected", isOn);
    button.tabIndex = isOn ? 0 : -1;
    found(button.getAttribute("aria-controls")).hidden = !isOn;
  }
  table.show(null, "");
  if (name === "trace") judged.ask();
  changed();
}

function stateOf() {
  return {
    text: textOf(rules), trace: textOf(events), tab, game: shownGame, players: players(), switches: switches(),
    property: found("property").value, right: found("right").value === OLD ? null : found("right").value,
    seed: Number(found("seed").value) || 0, games: found("games").checked, ...wanted,
  };
}

function changed() {
  age();
  clearTimeout(linking);
  if (!begun) return; // the link still says what is to be shown
  linking = setTimeout(async () => window.history.replaceState(null, "", `#s=${await written(stateOf())}`), LINKED);
}

async function share() {
  const link = new URL(`#s=${await written(stateOf())}`, location.href).href;
  window.history.replaceState(null, "", link);
  await navigator.clipboard?.writeText(link);
  found("share").textContent = "Copied";
  setTimeout(() => (found("share").textContent = "Copy link"), 2000);
}

async function follow(otherwise) {
  const { state, wrong } = await read(location.hash);
  notice(wrong ?? "");
  if (state?.example !== undefined) return example(state.example);
  if (state !== null) return show(state);
  if (otherwise) return example(otherwise);
}

async function begin() {
  const listed = list(); // meanwhile a link with texts shows them
  await follow(first);
  begun = true;
  await listed;
  changed();
}

/** Show the way to pages that explain, if this page lies beside them. */
function lead() {
  if (!docs) return;
  const ways = { Pages: "index.html", Tutorial: "docs/tutorial.html", "The language": "docs/language.html" };
  found("pages").append(...Object.entries(ways).map(([words, page]) => element("a", { href: docs + page, target: "_blank" }, words)));
  found("pages").hidden = false;
}

async function list() {
  const { examples = {} } = await reader.ask({ do: "about" });
  found("examples").append(
    ...Object.entries(examples).map(([label, entries]) =>
      element("optgroup", { label }, ...entries.map(({ name, words }) => element("option", { value: name }, words))),
    ),
  );
}

for (const button of document.querySelectorAll("[role=tab]")) button.addEventListener("click", () => choose(button.id.slice(4)));
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...document.querySelectorAll("[role=tab]")];
  const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
  choose(next.id.slice(4));
  next.focus();
});
for (const button of document.querySelectorAll(".stop")) button.addEventListener("click", () => prover.stop());
addEventListener("hashchange", () => follow(null));
found("notice").querySelector("button").addEventListener("click", () => notice(""));
for (const name of ["players", "switches", "property", "right", "seed", "games"]) found(name).addEventListener("change", changed);
found("examples").addEventListener("change", ({ target }) => target.value && example(target.value));
found("chance").addEventListener("click", chance);
found("deal").addEventListener("click", play);
found("decide").addEventListener("click", prove);
found("hold").addEventListener("click", compare);
found("share").addEventListener("click", share);
found("format").addEventListener("click", async () => {
  const { text } = await reader.ask({ do: "format", text: textOf(rules) });
  if (text) put(rules, text);
});
lead();
choose("trace");
await begin();
document.body.dataset.ready = "";
