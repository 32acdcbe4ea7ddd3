"""Names that a choice of words has swallowed: in `w: one of a, b, n, r: number`, `n` is a word of the choice.

Input: the parameters as written. Output: the fault of using such a word as a value.
Guarantee: all uses of one word have the same fault, at its place in the list, so that it is reported once.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from golpae.elaborate.typecheck.symbols import RefusedExpression
from golpae.syntax import tree as t


def swallowed(params: Sequence[t.Param]) -> dict[str, RefusedExpression]:
    """Return the faults by word: of the words of every choice that another parameter follows, but its first."""
    out: dict[str, RefusedExpression] = {}
    for param, following in itertools.pairwise(params):
        for word in _words(param.type)[1:]:
            out.setdefault(word.text, _fault(word, param, following))
    return out


def missing_values(params: Sequence[t.Param], missing: int) -> RefusedExpression | None:
    """Return the fault if a definition lacks as many parameters as the last words of a choice, or None."""
    for param, following in itertools.pairwise(params):
        words = _words(param.type)
        if 0 < missing < len(words):
            return _fault(words[-missing], param, following)
    return None


def _words(kind: t.Type | None) -> tuple[t.Word, ...]:
    return kind.words if isinstance(kind, t.TypeChoice) else ()


def _fault(word: t.Word, param: t.Param, following: t.Param) -> RefusedExpression:
    message = f"`{word.text}` is a word of the choice `{param.name}` here, and not a value of its own"
    kind = "number" if following.type is None else following.type.span.excerpt
    advice = f"write `{word.text}: {kind}`, or put `{param.name}: one of ...` last"
    return RefusedExpression("N001", message, word.span, advice)
