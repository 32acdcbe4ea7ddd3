"""The grammar in a reader's notation.

Input: the grammar file. Output: its rules as lines of text, and the words of the language in each. Guarantee:
every rule of the file is among them.

    zone: owner NAME ":" NAME "seen" "by" viewer [HOLDS] ids _NL
    zone → <owner> NAME : NAME seen by <viewer> [, holds the set] [NUMBERS]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from golpae import bundled

RULE = re.compile(r"^[?!]?(\w+)(?:\.\d+)?: (.*(?:\n[ \t]+\|.*)*)", re.MULTILINE)
TERMINAL = re.compile(r"^([A-Z_]+)(?:\.\d+)?: (?:/(.*)/|\"(.*)\")$", re.MULTILINE)
SYMBOL = re.compile(r'"((?:[^"\\]|\\.)*)"|([A-Z_]{2,})|(\w+)|([\[\]()|*+?])')
# Terminals that are no words, as a reader would call them.
CALLED = {
    "NAME": "NAME",
    "BRINGER": "NAME",
    "UNIT": "NAME",
    "INT": "NUMBER",
    "TILE": "TILE",
    "TEXT": '"TEXT"',
    "ANCHOR": "NUMBERS",
    "POSS": "NAME's",
    "COUNT": "HOW-MANY",
    "PERCENT": "PERCENT",
    "COMPARE": "/= | < | <= | > | >=",
    "EQUAL": "=",
    "PLUS": "(+ | -)",
    "MINUS_SIGN": "-",
    "TIMES": "(* | div | mod)",
}
# What a reader calls a rule, if that is not its name with `-` for `_`.
SHOWN_AS = {
    "start": "text",
    "decl": "section",
    "tiles_clause": "tiles-line",
    "tile_group": "group",
    "tile_name": "kind-of-tile",
    "tile_template": "kinds-of-tiles",
    "range_of": "range",
    "range_part": "range-part",
    "state_var": "state-line",
    "type": "kind-of-value",
    "type_atom": "plain-kind",
    "define_head": "defined",
    "params": "inputs",
    "param": "input",
    "param_kind": "input-kind",
    "action_clause": "action-line",
    "body": "content",
    "score_clause": "score-line",
    "where_tail": "wheres",
    "where_part": "named",
    "shared": "shared-lines",
    "group_line": "shared-line",
    "requires": "required",
    "use": "used-group",
    "group_use": "used",
    "own_effect": "plain-effect",
    "body_effects": "effects-of-line",
    "first_use": "used-first",
    "first_call": "first-with-values",
    "first_call_by_name": "first-with-names",
    "group_name": "name-of-group",
    "group_call": "used-with-values",
    "group_call_by_name": "used-with-names",
    "delta": "change",
    "reword": "other-words",
    "path": "clause-name",
    "assign": "set",
    "expr": "value",
    "quantified": "question",
    "fold": "count",
    "unary": "signed",
    "postfix": "owned",
    "atom": "single",
    "argument": "named-value",
}


@dataclass(frozen=True)
class Grammar:
    """The grammar file: rules by name, words of terminals by name."""

    rules: dict[str, str]
    terminals: dict[str, str]

    @staticmethod
    def read() -> Grammar:
        """Return the grammar that comes with golpae."""
        text = re.sub(r"^\s*//.*\n", "", bundled.grammar_text(), flags=re.MULTILINE)
        rules = {name.lstrip("_"): body for name, body in RULE.findall(text) if not name.isupper()}
        terminals = {}
        for name, regex, literal in TERMINAL.findall(text):
            terminals[name] = CALLED.get(name) or literal or _words_of(regex)
        return Grammar(rules, terminals)

    def lines(self, name: str) -> list[str]:
        """Return a rule in a reader's notation: a line for each form, deeper lines under the first of a block."""
        out: list[str] = []
        body = re.sub(r"\s*->\s*\w+", "", self.rules[name]).replace(
            "_block", "_INDENT _action_clause* _DEDENT"
        )
        body = body.replace("where* (case where*)*", "(case | where)*").replace("where* (", "(where | ")
        for form in _forms(body):
            head, *inner = [self._readable(part) for part in form.split("_INDENT")]
            out.append(head)
            out.extend("  " + line for line in inner)
        first = f"{shown(name)} → "
        rest = [" " * (len(first) - 2) + ("  " if line[0] == " " else "| ") + line for line in out[1:]]
        return [first + out[0], *rest]

    def _readable(self, form: str) -> str:
        """Return one form of a rule in a reader's notation."""
        pieces: list[str] = []
        for literal, terminal, rule, sign in SYMBOL.findall(form):
            if literal:
                pieces.append(f"'{literal}'" if literal in "(){}[]|" else literal)
            elif terminal in ("_NL", "_INDENT", "_DEDENT"):
                continue
            elif terminal:
                words = self.terminals[terminal]
                pieces.append(f"({words})" if re.search(r"\S\|", words) else words)
            elif rule == "ids":
                pieces.append("[NUMBERS]")
            elif rule:
                pieces.append(f"<{shown(rule)}>")
            elif sign == "*":
                pieces[-1] += "..."
            elif sign == "+":
                pieces[-1] += " ..."
            elif sign == "?":
                pieces[-1] = f"[{pieces[-1]}]"
            else:
                pieces.append(sign)
        line = " ".join(pieces)
        for pattern, better in (
            (r"([\[(]) ", r"\1"),
            (r" ([\])])", r"\1"),
            (r" ([,;])", r"\1"),
            (r"\(, ?\|,\)", ","),  # two terminals for one comma
            (r" \.\.\.", "..."),
            (r"\[\(([^()]*\([^()]*\))\)\]", r"[\1]"),
        ):
            line = re.sub(pattern, better, line)
        return line.strip()

    def words(self, name: str) -> set[str]:
        """Return the words of the language in a rule."""
        words = {word for literal in re.findall(r'"([^"]+)"', self.rules[name]) for word in literal.split()}
        for terminal in re.findall(r"\b[A-Z]{2,}(?:_[A-Z]+)*\b", self.rules[name]):
            if terminal not in CALLED or terminal == "TIMES":
                words |= set(re.findall(r"[a-z]+", self.terminals[terminal]))
        return {word for word in words if re.fullmatch(r"[a-z]+('s)?", word)}


def shown(rule: str) -> str:
    """Return what a reader calls a rule."""
    name = rule.lstrip("_")
    return SHOWN_AS.get(name, name.replace("_", "-"))


def _words_of(regex: str) -> str:
    """Return the words that a terminal's pattern matches."""
    text = re.sub(r"\(\?[=!].*\)$", "", regex).replace(r"\b", "").replace(r"\s+", " ").replace(r"\s*", " ")
    return re.sub(r"^\((.*)\)$", r"\1", text.strip())


def _forms(body: str) -> list[str]:
    """Return the forms of a rule, which `|` outside brackets and quotes divides."""
    out, depth, quoted = [""], 0, False
    # A block that may be missing is shown as one; a choice that a block stands in is shown as two forms.
    body = re.sub(r"\[(_INDENT [^\]]* _DEDENT)\]", r"\1", body.replace("\n", " "))
    if choice := re.fullmatch(r"(.*?) \((.*) \| (.*_INDENT.*)\)", body.strip()):
        body = f"{choice[1]} {choice[2]} | {choice[1]} {choice[3]}"
    for char in body:
        quoted ^= char == '"'
        if not quoted:
            depth += (char in "([") - (char in ")]")
            if char == "|" and depth == 0:
                out.append("")
                continue
        out[-1] += char
    return [form.strip() for form in out]
