"""The TextMate grammar of golpae, which VS Code and other editors colour rule texts by.

Input: the patterns of `golpae.syntax.highlighting`. Output: the grammar as JSON. Guarantee: the patterns are those of
the Pygments lexer in the same order, so a text has the same colours in an editor and on a page.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from docs.generate.files import TOP, renew
from golpae.syntax.highlighting import Kind, patterns

FILE = TOP / "editors" / "vscode" / "syntaxes" / "golpae.tmLanguage.json"
SCOPES: dict[Kind, str] = {
    "comment": "comment.line.number-sign.golpae",
    "text": "string.quoted.double.golpae",
    "value": "punctuation.section.embedded.golpae",
    "citation": "constant.other.citation.golpae",
    "beginning": "keyword.control.golpae",
    "keyword": "keyword.other.golpae",
    "declared": "entity.name.function.golpae",
    "clause": "support.type.property-name.golpae",
    "number": "constant.numeric.golpae",
    "operator": "keyword.operator.golpae",
}  # what has none is plain: names, tiles, brackets
EMBEDDED = "meta.embedded.golpae"


def textmate() -> str:
    """Return the grammar as the extension has it."""
    brace = {"0": {"name": SCOPES["value"]}}
    code = [_rule(one.kind, one.regex) for one in patterns() if one.kind != "blank"]
    value = {"begin": r"\{", "end": r"\}", "patterns": [{"include": "#braces"}, {"include": "#code"}]}
    message = {"name": SCOPES["text"], "captures": {"0": {"patterns": [{"include": "#value"}]}}}
    grammar = {
        "information_for_contributors": ["made from grammar/golpae.lark: python -m docs.generate.textmate"],
        "name": "golpae",
        "scopeName": "source.golpae",
        "patterns": [{"include": "#comment"}, {"include": "#message"}, {"include": "#code"}],
        "repository": {
            "comment": _rule("comment", "#.*$"),
            "message": {"patterns": [{"match": r'"[^"]*(?:"|$)', **message}]},
            "value": {**value, "contentName": EMBEDDED, "beginCaptures": brace, "endCaptures": brace},
            "braces": value,
            "code": {"patterns": code},
        },
    }
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def _rule(kind: Kind, regex: str) -> dict[str, Any]:
    scope = {"name": SCOPES[kind]} if kind in SCOPES else {}
    return {**scope, "match": regex}


if __name__ == "__main__":
    sys.exit(renew([(FILE, textmate())], "python -m docs.generate.textmate", check="--check" in sys.argv[1:]))
