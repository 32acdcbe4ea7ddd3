"""Why a rule text does not parse, in words for its author.

In: the place where the parser stopped, the token there and the tokens it could have taken. Out: a
`Diagnostic`. The usual mistakes are known one by one; for the rest, what could stand there is said in the
language's words, never in the parser's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark import Token

from golpae.diagnostics import Diagnostic, Span, Text, near

STARTS = (
    "game include source players option tiles zones state define shape arrangement score action deal end "
    "finish payout variant reading replace add drop theorem always never reachable ends claim"
).split()

NAMED = {
    "NAME": "a name",
    "INT": "a number",
    "TILE": "a tile",
    "TEXT": 'a text in `"quotes"`',
    "ANCHOR": "rule numbers in `[ ]`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "DOT": "`.`",
    "_NL": "the end of the line",
    "_INDENT": "deeper lines",
    "_DEDENT": "the end of the block",
    "COUNT": "how many (`one`, `two`, `4`)",
    "COMPARE": "a comparison",
    "BEFORE": "`before the deal`",
    "HOLDS": "`, holds the set`",
}
EXPRESSION = {"NAME", "INT", "TILE", "LBRACE", "LPAR", "POSS", "QUANTIFIER", "NUMBER_OF", "SIZE_OF"}
OPERATORS = {
    "AND",
    "OR",
    "COMPARE",
    "IN",
    "PLUS",
    "TIMES",
    "IS",
    "IMPLIES",
    "OTHERWISE",
    "FITS",
    "NOT",
    "CIRCUMFLEX",
}
FOREIGN = {
    "==": ("`=` compares here", "write `=`"),
    "!=": ("`!=` is written `/=` here", "write `/=`"),
    "<>": ("`<>` is written `/=` here", "write `/=`"),
    "≠": ("`≠` is written `/=` here", "write `/=`"),
    "&&": ("`&&` is written `and` here", "write `and`"),
    "||": ("`||` is written `or` here", "write `or`"),
    "!": ("`!` is written `not` here", "write `not`"),
    "//": ("a comment starts with `#` here", "write `#`"),
    "%": ("`%` is written `mod` here", "write `mod`"),
    "/": ("`/` is written `div` here", "write `div`: whole numbers only"),
    "->": ("`->` has no meaning here", "write `implies`, or `move a from b to c`"),
    "=>": ("`=>` is written `implies` here", "write `implies`"),
    "'": ("texts stand in double quotes", 'write `"..."`'),
}


def explain(
    text: Text, characters: str, offset: int, token: Token | None, expected: Iterable[str]
) -> Diagnostic:
    """What is wrong at `offset`, where `token` (None: no word of the language) stands and `expected` could."""
    wanted = set(expected)
    end_of_line = offset >= len(text.content) or characters[offset : offset + 1] in ("\n", "")
    if end_of_line:
        return _at_line_end(text, offset, wanted)
    word = _word(text, offset)
    span = Span(text, offset, offset + len(word))
    for foreign in sorted(FOREIGN, key=len, reverse=True):
        if text.content.startswith(foreign, offset):
            message, advice = FOREIGN[foreign]
            return Diagnostic("S001", message, Span(text, offset, offset + len(foreign)), advice)
    before = text.content[:offset].rstrip()
    if before.endswith(("=", "<", ">")) and word.startswith("="):
        return Diagnostic("S001", "`=` compares here", Span(text, offset, offset + 1), "write one `=`")
    _, column = text.place(offset)
    if column == 1:
        advice = (
            near(word, STARTS)
            or "a line at the left edge starts with a word such as `action`, `define`, `variant`"
        )
        return Diagnostic("S001", f"`{word}` starts no part of a rule text", span, advice)
    if token is not None and token.type == "_INDENT":
        return Diagnostic(
            "S003",
            "this line is deeper than the line above allows",
            span,
            "put a `:` into the line above, or move this line left",
        )
    if word == "=" and OPERATORS - wanted and ":=" in text.content[offset - 2 : offset + 2]:
        return Diagnostic(
            "S001", "`:=` sets a value; it stands only after `then`", span, "write `=` to compare"
        )
    if word == "=" and "COMPARE" not in wanted:
        return Diagnostic("S001", "`=` cannot stand here", span, "write `:=` to set a value, `=` to compare")
    if word in ("=", "/=", "<", ">", "<=", ">=") and OPERATORS & wanted == set():
        return Diagnostic("S001", f"`{word}` cannot follow here", span, _advice(wanted))
    if word in ("=", "/=", "<", ">", "<=", ">="):
        return Diagnostic("S001", "comparisons cannot be chained", span, "join two comparisons with `and`")
    if re.match(r"[A-Za-z0-9]*[-+*/][A-Za-z0-9]", text.content[offset - 1 : offset + 2] or ""):
        return Diagnostic(
            "S001", f"`{word}` cannot follow here", span, "put a space on both sides of `-`, `+` and `*`"
        )
    keyword = _near_keyword(word, wanted)
    return Diagnostic("S001", f"`{word}` cannot stand here", span, keyword or _advice(wanted))


def _near_keyword(word: str, wanted: set[str]) -> str | None:
    words = [w.lower() for w in wanted if w.isalpha() and w.isupper() and w not in NAMED and len(w) > 1]
    return near(word, words) if word.isalpha() else None


def _at_line_end(text: Text, offset: int, wanted: set[str]) -> Diagnostic:
    offset = min(offset, len(text.content))
    last = offset
    while last > 0 and text.content[last - 1].isspace():
        last -= 1
    # a comment behind the words is no part of them
    line, _ = text.place(max(0, last - 1))
    start = text.starts[line - 1]
    code = re.match(r'(?:"[^"]*"|[^"#])*', text.content[start:last])
    if code is not None:
        last = start + len(code.group().rstrip())
    span = Span(text, max(start, last - 1), max(start + 1, last))
    if EXPRESSION & wanted and not OPERATORS & wanted:
        return Diagnostic("S005", "this line stops in the middle", span, _advice(wanted))
    if "COLON" in wanted:
        return Diagnostic("S005", "a `:` is missing in this line", span, "write `name: what has to hold`")
    if "_INDENT" in wanted:
        return Diagnostic(
            "S005",
            "this line opens a block, and no deeper lines follow",
            span,
            "indent its lines by two spaces",
        )
    return Diagnostic("S005", "this line stops too early", span, _advice(wanted))


def _advice(wanted: set[str]) -> str:
    """What could stand here, said in a few words."""
    said: list[str] = []
    rest = set(wanted)
    if {"NAME", "LPAR"} <= rest or {"NAME", "LBRACE", "INT"} <= rest:
        said.append("a value such as `p`, `p's hand`, `3` or `{a, b}`")
        rest -= EXPRESSION | {"NO", "NONE", "YES", "THE", "IF", "ITS", "NOT", "MINUS_SIGN"}
        rest -= {w for w in rest if w.endswith("_OF")} | {"THOSE"}
    if len(OPERATORS & rest) > 2:
        said.append("an operator such as `and`, `=`, `in`")
        rest -= OPERATORS
    named = sorted(NAMED[w] for w in rest if w in NAMED)
    words = sorted(f"`{w.lower()}`" for w in rest if w not in NAMED and w.isalpha())
    said.extend((named + words)[:8])
    return f"expected {' or '.join(said)}" if said else "see the language reference"


def _word(text: Text, offset: int) -> str:
    match = re.match(r"[A-Za-z][\w-]*('s)?|\d[\w-]*|:=|/=|<=|>=|\"[^\"\n]*\"|\S", text.content[offset:])
    return match.group() if match else " "
