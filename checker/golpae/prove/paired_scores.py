"""Every way to score a hand under two rule sets at once.

Input: an evaluator for each of two rule sets, and a score that both have. Output: a `PairedWay` for each arrangement of
either: the same unknown hand under both, and whether it is scored otherwise.
Guarantee: if no hand is scored otherwise in any of them, the score counts every hand alike. `Unsupported` is raised if
an arrangement is made of other groups in one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.evaluation.memo_keys import key_of
from golpae.prove.scoring_ways import (
    Arranged,
    arranged_hand,
    counted_patterns,
    is_valid,
    possible_arrangements,
    provided_of,
    summed_up,
)
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Number, Truth, Value, conj, disj, equal, iff, negate

LAID_OUT = "hands that are laid out otherwise"


@dataclass(frozen=True, slots=True)
class PairedWay:
    """An unknown hand in one arrangement. `names` are the values that are given; `differs` is whether the two score it
    otherwise, `points` what it comes to in each.
    """

    facts: tuple[Truth, ...]
    names: Mapping[str, Value]
    differs: Truth
    points: tuple[Number, Number]


@dataclass(frozen=True, slots=True)
class _Scored:
    counts: Truth
    points: Number


def paired_ways(
    evaluators: tuple[Evaluator, Evaluator], name: str, labels: Sequence[Sequence[str | None]]
) -> Iterator[PairedWay]:
    """Yield the ways of a score that both have, with the same keys. Raises `Unsupported`."""
    scores = [evaluator.scores[name] for evaluator in evaluators]
    possible = [possible_arrangements(*side) for side in zip(evaluators, scores, strict=True)]
    for arrangement in dict.fromkeys(form for forms in possible for form in forms):
        sides = [
            (evaluator, own) if arrangement in forms else None
            for evaluator, own, forms in zip(evaluators, labels, possible, strict=True)
        ]
        hands: list[tuple[Arranged, list[Truth]] | None] = []
        for side, score in zip(sides, scores, strict=True):
            if side is None:
                hands.append(None)
                continue
            evaluator, own = side
            evaluator.symbols.scope = f"{arrangement}: "
            begin = len(evaluator.symbols.facts)
            hand = arranged_hand(evaluator, score, arrangement, [*own])
            hands.append((hand, evaluator.symbols.facts[begin:]))
        yield _paired(evaluators, name, hands)


def _paired(
    evaluators: tuple[Evaluator, Evaluator],
    name: str,
    hands: Sequence[tuple[Arranged, list[Truth]] | None],
) -> PairedWay:
    """Return the way of an arrangement; a side without the arrangement scores it as one that does not count."""
    there = [hand for hand in hands if hand is not None]
    params = [param.name for param in evaluators[0].scores[name].params]
    given = [{param: hand.names[param] for param in params} for hand, _ in there]
    if len(there) == 2:
        keys = [
            (key_of(names), tuple(map(key_of, facts))) for names, (_, facts) in zip(given, there, strict=True)
        ]
        if keys[0] != keys[1]:
            raise Unsupported(LAID_OUT)
    facts: list[Truth] = [*there[0][1]]
    scored = []
    for number, (evaluator, hand) in enumerate(zip(evaluators, hands, strict=True)):
        evaluator.symbols.scope = f"side {number} {there[0][0].arrangement}: "
        begin = len(evaluator.symbols.facts)
        scored.append(_NOTHING if hand is None else _scored(evaluator, name, hand[0]))
        facts += evaluator.symbols.facts[begin:]
    one, other = scored
    differs = disj(
        negate(iff(one.counts, other.counts)),
        conj(one.counts, other.counts, negate(equal(one.points, other.points))),
    )
    return PairedWay(tuple(facts), given[0], differs, (one.points, other.points))


_NOTHING = _Scored(False, 0)


def _scored(evaluator: Evaluator, name: str, hand: Arranged) -> _Scored:
    """Return whether a hand counts, and what. One that cannot be given does not."""
    score = evaluator.scores[name]
    provided = provided_of(evaluator, score, hand)
    counted = counted_patterns(evaluator, score, hand)
    names = {**hand.names, **counted.defines}
    points, by_name = summed_up(evaluator, score, counted, names)
    names = {**{name: value for name, value in by_name.items() if name not in counted.lacking}, **names}
    return _Scored(conj(provided, is_valid(evaluator, score, counted, names)), points)
