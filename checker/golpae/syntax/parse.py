"""Rule texts to surface trees.

Input: a `Text`. Output: a `RuleText`, or `SpecError` whose diagnostics address the author of the text.
Guarantee: length and nesting are bounded, so that no text can hang golpae.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lark import Lark, Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark import __version__ as lark_version
from lark.exceptions import VisitError
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

from golpae import cache
from golpae.bundled import grammar_text
from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.diagnostics.hidden import hidden
from golpae.syntax.build import Builder
from golpae.syntax.layout import Layout, lay_out
from golpae.syntax.parse_errors import diagnose
from golpae.syntax.parts import parts_of, placed_at
from golpae.syntax.tree import Decl, Expr, RuleText, Word

MAX_TEXT = 1 << 20  # characters of one rule text
MOST_PARTS = 1024  # of texts that are held with their trees: several of the largest
DEEPEST = 60  # brackets within brackets
_AFTER = re.compile(r"\s*after\s+([A-Za-z][A-Za-z0-9_-]*)\s*:")
PAIRS = "pairs"  # the key under which a cached table with numbers for keys stands
OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": ["start", "expr"],
    "propagate_positions": True,
    "maybe_placeholders": True,
}


class _Blocks(PostLex):
    """Inserts the layout's block marks into the parser's stream of tokens."""

    always_accept = ("_NL",)

    def __init__(self) -> None:
        self.layout: Layout | None = None

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        for token in stream:
            if token.type != "_NL" or self.layout is None:
                yield token
                continue
            closed, opened = self.layout.breaks.get(token.start_pos or 0, (0, 0))
            yield token
            for _ in range(closed):
                yield Token.new_borrow_pos("_DEDENT", "", token)
            for _ in range(opened):
                yield Token.new_borrow_pos("_INDENT", "", token)


@lru_cache(maxsize=1)
def _parser() -> tuple[Lark, _Blocks]:
    """Return the parser and its block marker. The parser's tables are slow to make, so they are cached."""
    grammar = grammar_text()
    name = cache.fingerprint("grammar", grammar, OPTIONS, lark_version)
    stored = cache.load(name)
    blocks = _Blocks()
    if stored is not None:
        with suppress(Exception):  # tables that cannot be loaded are built again
            data, memo = json.loads(stored, object_hook=_numbered)
            from_data: Callable[..., Lark] = Lark._load_from_dict  # as lark's own stand-alone parsers do
            return from_data(data, memo, postlex=blocks), blocks
    lark = Lark(grammar, postlex=blocks, **OPTIONS)
    data, memo = lark.memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    cache.store(name, json.dumps(_plain([data, memo]), separators=(",", ":")).encode())
    return lark, blocks


def _plain(value: Any) -> Any:
    """Return lark's tables as JSON can write them: a dictionary with numbers for keys as a list of pairs."""
    if isinstance(value, dict):
        items = [(key, _plain(item)) for key, item in value.items()]
        return dict(items) if all(isinstance(key, str) for key in value) else {PAIRS: items}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _numbered(value: dict[str, Any]) -> dict[Any, Any]:
    return dict(value[PAIRS]) if PAIRS in value else value


def grammar() -> Lark:
    """Return the grammar of the language as lark holds it: terminals and rules."""
    return _parser()[0]


def parse(text: Text) -> RuleText:
    """Return the surface tree of a rule text. Raises `SpecError`."""
    _check_bounds(text)
    _check_characters(text)
    layout = lay_out(text)
    try:
        decls = [
            placed_at(decl, text, start)
            for start, content, part in parts_of(text, layout)
            for decl in _parsed_part(_Part(content, part))
        ]
    except SpecError:  # said with its place in the whole text
        return _parsed(text, layout)
    return RuleText(tuple(decls), tuple(one.words for one in layout.comments if one.line is None))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a text, equal to others whose tree is equal."""

    content: str
    layout: Layout = field(compare=False)
    key: tuple[Any, ...] = field(init=False)

    def __post_init__(self) -> None:
        comments = tuple((one.words, one.line, one.place) for one in self.layout.comments)
        object.__setattr__(self, "key", (self.layout.characters, tuple(self.layout.breaks.items()), comments))


@lru_cache(maxsize=MOST_PARTS)  # an editor's text differs from the one before in one part
def _parsed_part(part: _Part) -> tuple[Decl, ...]:
    """Return the declarations of a part, with places from its beginning. Raises `SpecError`."""
    return _parsed(Text.of("", part.content), part.layout).decls


def _parsed(text: Text, layout: Layout) -> RuleText:
    _, blocks = _parser()
    blocks.layout = layout
    tree: RuleText = _run(text, layout.characters, "start", Builder(text, layout.comments))
    return tree


def parse_expression(text: Text, span: Span) -> Expr:
    """Return the expression in one span of a text, such as a message's braces. Raises `SpecError`."""
    characters = " " * span.start + text.content[span.start : span.end]
    _, blocks = _parser()
    blocks.layout = None
    expr: Expr = _run(text, characters, "expr", Builder(text, ()))
    return expr


def parse_question(text: Text) -> tuple[Word | None, Expr]:
    """Return the parts of `EXPRESSION` or `after ACTION: EXPRESSION`. Raises `SpecError`."""
    _check_bounds(text)
    _check_characters(text)
    match = _AFTER.match(text.content)
    action = None if match is None else Word(Span(text, *match.span(1)), match[1])
    return action, parse_expression(text, Span(text, 0 if match is None else match.end(), len(text.content)))


def _run(text: Text, characters: str, start: str, builder: Builder) -> Any:
    lark, _ = _parser()
    try:
        return builder.transform(lark.parse(characters, start=start))
    except UnexpectedCharacters as fault:
        raise SpecError([diagnose(text, characters, _offset(fault), None, fault.allowed or set())]) from None
    except UnexpectedToken as fault:
        offset = fault.token.start_pos
        if fault.token.type == "$END" or offset is None:
            offset = len(characters.rstrip())
        raise SpecError(
            [diagnose(text, characters, offset, fault.token, fault.accepts or fault.expected)]
        ) from None
    except VisitError as fault:
        raise fault.orig_exc from None
    except UnexpectedInput as fault:  # lark has no third kind today
        raise SpecError([diagnose(text, characters, _offset(fault), None, set())]) from None


def _offset(fault: UnexpectedInput) -> int:
    """Return the offset at which the parser stopped; lark's own types leave it open."""
    offset: int | None = getattr(fault, "pos_in_stream", None)
    return offset or 0


def _check_characters(text: Text) -> None:
    """Check that a text holds no character that is not shown, or that changes how others are. Raises `SpecError`."""
    first: dict[str, int] = {}
    for match in hidden().finditer(text.content):
        first.setdefault(match[0], match.start())
    faults = []
    for char, start in sorted(first.items()):
        if char not in "\n\t":
            message = f"there is an invisible character here (U+{ord(char):04X})"
            advice = "delete it, or write a plain space"
            faults.append(Diagnostic("S001", message, Span(text, start, start + 1), advice))
    if faults:
        raise SpecError(faults)


def _check_bounds(text: Text) -> None:
    """Check the length of a text and how deep its brackets are nested. Raises `SpecError`."""
    if len(text.content) > MAX_TEXT:
        raise SpecError(
            [
                Diagnostic(
                    "S006",
                    f"this text is longer than {MAX_TEXT} characters",
                    Span(text, 0, 1),
                    "split it with `include`",
                )
            ]
        )
    depth = 0
    for match in re.finditer(r'"[^"\n]*"|#[^\n]*|[({]|[)}]', text.content):
        char = match.group()[0]
        depth += 1 if char in "({" else -1 if char in ")}" else 0
        if depth > DEEPEST:
            raise SpecError(
                [
                    Diagnostic(
                        "S006",
                        f"brackets are nested more than {DEEPEST} deep",
                        Span(text, match.start(), match.end()),
                        "give a part of this a name with `define`",
                    )
                ]
            )
