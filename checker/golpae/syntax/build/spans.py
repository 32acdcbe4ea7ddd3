"""What every part of the builder needs: spans, words, numbers and rule numbers.

Input: tokens and positions of the parser's tree. Output: spans and words of the rule text.
Guarantee: a span ends after its last visible character; a number too long to read is refused with `SpecError`.
"""

from __future__ import annotations

from lark import Token, Transformer, v_args
from lark.tree import Meta

from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.syntax import tree as t

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
