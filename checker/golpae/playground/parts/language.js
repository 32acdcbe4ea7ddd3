// Rule texts for the editor: the patterns of golpae's own highlighting, which `build.json` has.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const TAGS = {
  comment: tags.comment,
  text: tags.string,
  value: tags.special(tags.string),
  citation: tags.annotation,
  beginning: tags.definitionKeyword,
  keyword: tags.keyword,
  declared: tags.definition(tags.name),
  clause: tags.labelName,
  number: tags.number,
  operator: tags.operator,
  punctuation: tags.punctuation,
  name: tags.name,
  error: tags.invalid,
};
const COLOURS = [
  [tags.comment, "comment"], [tags.string, "text"], [tags.special(tags.string), "value"], [tags.annotation, "citation"],
  [tags.definitionKeyword, "beginning"], [tags.keyword, "keyword"], [tags.definition(tags.name), "declared"],
  [tags.labelName, "clause"], [tags.number, "number"], [tags.operator, "operator"], [tags.invalid, "error"],
];

/** Return the language, with its colours. */
export function language(patterns) {
  const tried = patterns.map(([kind, regex]) => [kind, new RegExp(regex, "y")]);

  function piece(stream, end) {
    const line = end === stream.string.length ? stream.string : stream.string.slice(0, end);
    for (const [kind, regex] of tried) {
      regex.lastIndex = stream.pos;
      const found = regex.exec(line);
      if (found && found[0]) {
        stream.pos += found[0].length;
        return kind === "blank" ? null : kind;
      }
    }
    stream.next();
    return "error";
  }

  function token(stream, state) {
    if (stream.sol()) state.end = null;
    if (state.end === null) {
      if (stream.peek() === "#") {
        stream.skipToEnd();
        return "comment";
      }
      if (stream.peek() !== '"') return piece(stream, stream.string.length);
      const close = stream.string.indexOf('"', stream.pos + 1);
      state.end = close < 0 ? stream.string.length : close + 1;
      state.isValue = false;
    }
    const kind = state.isValue ? value(stream, state) : message(stream, state);
    if (stream.pos >= state.end) state.end = null;
    return kind;
  }

  function message(stream, state) {
    const open = stream.string.indexOf("{", stream.pos);
    if (open < 0 || open >= state.end) stream.pos = state.end;
    else if (open > stream.pos) stream.pos = open;
    else {
      stream.next();
      state.isValue = true;
      return "value";
    }
    return "text";
  }

  function value(stream, state) {
    if (stream.peek() !== "}") return piece(stream, state.end);
    stream.next();
    state.isValue = false;
    return "value";
  }

  const rules = StreamLanguage.define({
    name: "golpae",
    tokenTable: TAGS,
    startState: () => ({ end: null, isValue: false }),
    copyState: (state) => ({ ...state }),
    token,
    languageData: { commentTokens: { line: "#" }, indentOnInput: /^\s*$/ },
  });
  const style = HighlightStyle.define(COLOURS.map(([tag, name]) => ({ tag, class: `piece-${name}` })));
  return [rules, syntaxHighlighting(style)];
}
