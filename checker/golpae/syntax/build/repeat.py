"""The head of a repetition: `repeat 3 times`, `repeat at most 3 times until test`.

Input: the words of the head. Output: the repetition, once its effects are known.
Guarantee: what may happen a different number of times has `at most`, and nothing else has.
"""

from __future__ import annotations

from dataclasses import dataclass

from lark import Token

from golpae.diagnostics import Diagnostic, Span, SpecError, Text
from golpae.syntax import tree as t


@dataclass(frozen=True, slots=True)
class RepeatHead:
    """The words before the effects: `at_most` and `rounds` may be missing."""

    text: Text
    repeat_word: Token
    at_most: Token | None
    times: t.Expr
    rounds: Token | None
    test: t.Expr | None

    def repeat(self, span: Span, effects: tuple[t.Effect, ...]) -> t.Repeat:
        """Return the repetition of these effects. Raises `SpecError` if `at most` is missing, or says nothing."""
        times = self.times.span.excerpt
        if self.at_most is not None and self.rounds is None:
            advice = f"add `until` and what ends it, or write `repeat {times} times`"
            raise self._refused("nothing says when this repetition ends", self.at_most, advice)
        if self.rounds is not None and self.at_most is None:
            advice = f"write `repeat at most {times} times {self.rounds} ...`"
            raise self._refused("the number says how often this may happen at most", self.rounds, advice)
        rounds: t.Rounds | None = None
        if self.rounds is not None:
            rounds = "until" if self.rounds == "until" else "while"
        return t.Repeat(span, self.times, rounds, self.test, effects)

    def _refused(self, message: str, token: Token, advice: str) -> SpecError:
        start = token.start_pos or 0
        return SpecError([Diagnostic("S001", message, Span(self.text, start, start + len(token)), advice)])
