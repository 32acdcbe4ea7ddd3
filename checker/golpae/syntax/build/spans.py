"""What every part of the builder needs: spans, words, numbers, rule numbers and comments.

Input: tokens and positions of the parser's tree. Output: spans and words of the rule text.
Guarantee: a span ends after its last visible character; a number too long to read is refused with `SpecError`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, get_args

from lark import Token, Transformer, v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.syntax import tree as t
from golpae.syntax.comments import Place, PlacedComment

Remarked = TypeVar("Remarked", bound=Any)  # a node that can have comments
PLACES: tuple[Place, ...] = get_args(Place)

DEEPEST = 100  # nodes within nodes
LONGEST = 15  # digits of a number


def optional_text(token: Token | None) -> str | None:
    """Return the text between quotes, None if there is none."""
    return None if token is None else str(token)[1:-1]


def text_of(token: Token) -> str:
    """Return the text between quotes."""
    return str(token)[1:-1]


def too_large(message: str, span: Span, advice: str | None) -> SpecError:
    """Return the fault of a text beyond golpae's bounds."""
    return SpecError([Diagnostic("S006", message, span, advice)])


@v_args(meta=True)
class SpanBuilder(Transformer[Token, t.RuleText]):
    """Builds words and spans; the other parts of the builder derive from it."""

    def __init__(self, text: Text) -> None:
        super().__init__(visit_tokens=False)
        self._text = text
        # INVARIANT: the comments that no node has taken yet, by the offset of the line that they belong to.
        self.comments: dict[int, list[PlacedComment]] = {}

    def remarks_at(self, start: int) -> t.Remarks:
        """Return the comments of the line that begins at an offset; they are taken by the caller."""
        mine = self.comments.pop(start, [])
        words = {place: tuple(c.words for c in mine if c.place == place) for place in PLACES}
        return t.Remarks(words["above"], next(iter(words["behind"]), None), words["below"])

    def remarked(self, node: Remarked) -> Remarked:
        """Return a node with the comments of the line that it begins."""
        if node.span.start not in self.comments:
            return node
        return replace(node, remarks=self.remarks_at(node.span.start))

    def _span(self, meta: Meta) -> Span:
        if meta.empty:
            return Span(self._text, 0, 0)
        start, end = meta.start_pos, meta.end_pos
        while end > start and self._text.content[end - 1 : end].isspace():
            end -= 1
        return Span(self._text, start, max(start, end))

    def _word(self, token: Token) -> t.Word:
        start = token.start_pos or 0
        return t.Word(Span(self._text, start, start + len(token)), str(token))

    def _int(self, token: Token) -> int:
        if len(token) > LONGEST:
            raise too_large("this number is too large", self._word(token).span, None)
        return int(token)

    def _words(self, tokens: list[Token]) -> tuple[t.Word, ...]:
        return tuple(self._word(token) for token in tokens)

    def ids(self, meta: Meta, children: list[Token]) -> tuple[t.Word, ...]:
        if not children:
            return ()
        token = children[0]
        words = []
        offset = 1
        for word in str(token)[1:-1].split(" "):
            if word:
                start = (token.start_pos or 0) + offset
                words.append(t.Word(Span(self._text, start, start + len(word)), word))
            offset += len(word) + 1
        return tuple(words)
