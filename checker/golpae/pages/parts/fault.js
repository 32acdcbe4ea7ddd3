// Why an event was refused: the sentence, the rule, and what would have been legal; the rest is folded.

const MOST_LISTED = 8; // values that an event was refused by, before the rest is folded

/** Return words with those in backticks as code. */
function coded(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, at) => (at % 2 ? make("code", { text: part }) : part));
}

/** Return a message with the names of actions as words. */
const playersWords = (text, game) => text.replace(/`([\w-]+)`/g, (all, name) => (Object.hasOwn(game.told, name) ? `“${spacedName(name)}”` : all));

/** Return where the rule book has an action. */
const anchorOf = (name, game) => (["play", "before"].includes(game.told[name]?.kind) ? `action-${name}` : name);

/** Return the elements that tell why an event was refused. */
function faultCard(told, game) {
  const text = game.clauses[told.clause?.slice(game.game.length + 1)];
  const title = told.title ? told.title : told.clause ? "Not legal" : told.reason ? "Not decided here" : "Cannot be read";
  const message = make("p", { class: "message" }, ...coded(playersWords(told.message ?? told.reason ?? "", game)));
  const parts = [make("h2", { text: title }), message];
  if (told.clause && game.book) {
    parts.push(make("p", {}, make("a", { href: `${game.book}#${anchorOf(told.clause.split(".")[1], game)}`, text: "this rule in the rule book" })));
  }
  if (told.rules?.length) parts.push(make("ul", { class: "rules" }, ...told.rules.map((rule) => make("li", {}, ...coded(rule)))));
  const rows = [];
  const row = (name, values) => {
    if (!values?.length) return;
    const items = values.map((value) => make("li", {}, ...coded(value)));
    const more = items.length > MOST_LISTED + 1 ? items.splice(MOST_LISTED) : [];
    const held = [make("ul", {}, ...items)];
    if (more.length) held.push(make("details", {}, make("summary", { text: `and ${more.length} more` }), make("ul", {}, ...more)));
    rows.push(make("dt", { text: name }), make("dd", {}, ...held));
  };
  row("legal here", told.clause && !told.legal?.length ? ["nothing"] : told.legal);
  row("the event", told.asked?.map(([name, value]) => `${name}: ${value}`));
  row("the table", told.facts?.map(([name, value]) => `${name}: ${value}`));
  if (text) rows.push(make("dt", { text: "the text" }), make("dd", {}, make("pre", { text })));
  row("its name", told.clause ? [told.clause] : []);
  if (rows.length) parts.push(make("details", { class: "more" }, make("summary", { text: "details" }), make("dl", {}, ...rows)));
  return parts;
}
