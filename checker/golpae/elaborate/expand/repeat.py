"""Write out effects that are repeated.

Input: the declarations of a rule set. Output: the same ones without `repeat`.
Guarantee: the effects happen as often as before, in the same order. Their round has a number that no text can name.

    repeat at most 4 times until a: b    becomes    for each n in {1 to 4}: when n = 1 or not a: b
    repeat at most 4 times while a: b    becomes    for each n in {1 to 4}: when a: b
    repeat 4 times: b                    becomes    for each n in {1 to 4}: b

A repetition that has ended stays ended: nothing happens any more that could change the test.
"""

from __future__ import annotations

from typing import Any

from golpae.elaborate.expand.rewrite import rewritten
from golpae.ir.distinct_names import MARK
from golpae.syntax import tree as t
from golpae.syntax.traverse import flat

ROUND = f"round{MARK}{MARK}"


def without_repeat(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return the declarations with each repetition written out."""
    return tuple(rewritten(d, _written_out) if _repeats(d) else d for d in decls)


def _repeats(decl: t.Decl) -> bool:
    """Return whether effects of a declaration are repeated."""
    if not isinstance(decl, t.Action | t.Group):
        return False
    bodies = [c.body for c in decl.clauses if isinstance(c.body, t.Effects)]
    return any(isinstance(e, t.Repeat) for body in bodies for e in flat(body.effects))


def _written_out(node: Any) -> Any:
    return _loop(node) if isinstance(node, t.Repeat) else node


def _loop(node: t.Repeat) -> t.ForEach:
    place = node.times.span
    numbers = t.RangeBag(place, t.Number(place, 1), node.times)
    effects = node.effects
    if node.test is not None:
        test = node.test
        if node.rounds == "until":
            is_first = t.Binary(test.span, "=", t.Name(test.span, ROUND), t.Number(test.span, 1))
            test = t.Binary(test.span, "or", is_first, t.Unary(test.span, "not", test))
        effects = (t.When(node.span, test, effects),)
    return t.ForEach(node.span, t.Word(node.span, ROUND), numbers, effects, remarks=node.remarks)
