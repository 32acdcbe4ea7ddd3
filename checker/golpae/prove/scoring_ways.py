"""Every way to score a hand: what a score block says, of hands, melds and arrangements that are unknown.

In: a score block. Out: for each of its arrangements a `Way`: how often each group lies in the hand and on the
table, all unknown, with what is certain of them, and the values of all names that a pattern may use. A way is made
of tiles of the set, melds have the labels that actions give, and what is given fits the block's `provided`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from golpae.ir.ruleset import PatternDecl, ScoreDecl
from golpae.ir.traverse import names_in
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Meld, Tile
from golpae.prove.encoding.evaluate import Evaluator
from golpae.prove.solving.solver import SAT, UNKNOWN, Reply, Session
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    Group,
    Number,
    Truth,
    Value,
    any_of,
    as_bag,
    at_least,
    bags_same,
    cases,
    conj,
    equal,
    guarded_union,
    implies,
    ite_number,
    joined,
    negate,
    size,
    tiles_of,
    times,
    total_of,
)


@dataclass(frozen=True, slots=True)
class Way:
    """One arrangement with all names of its score; `facts` are certain, `holds` is what each pattern does."""

    arrangement: str
    facts: tuple[Truth, ...]
    names: Mapping[str, Value]
    holds: Mapping[str, Truth]
    kept: Truth
    points: Number


def brought(score: ScoreDecl) -> dict[str, set[str]]:
    """What each pattern brings along, near and far."""
    near = {b.pattern: set(b.brought) for b in score.brings}
    out: dict[str, set[str]] = {}
    for name, first in near.items():
        found: set[str] = set()
        todo = set(first)
        while todo:
            found |= todo
            todo = {n for t in todo for n in near.get(t, ())} - found
        out[name] = found
    return out


def ask_exactly(session: Session, evaluator: Evaluator, about: str, truths: Iterable[Truth]) -> Reply:
    """Whether these truths can hold together, with what stands for unknown answers said as far as it can be.

    A model is one of the rules; where not all could be said, what looks like one is no answer.
    """
    wanted = list(truths)
    reply = session.check(about, wanted)
    if reply.status != SAT or evaluator.precise:
        return reply
    axioms, complete = evaluator.exact_axioms()
    if axioms:
        reply = session.check(about, [*wanted, *axioms])
    return (
        Reply(UNKNOWN, None, "what it asks for cannot be listed")
        if reply.status == SAT and not complete
        else reply
    )


def ways(evaluator: Evaluator, name: str, labels: Iterable[str | None]) -> list[Way]:
    """Every way of a score, one `Way` for each of its arrangements. Raises `Unsupported`."""
    score = evaluator.scores[name]
    return [_way(evaluator, score, arrangement, [*labels]) for arrangement in score.arrangements]


def _way(evaluator: Evaluator, score: ScoreDecl, arrangement: str, labels: list[str | None]) -> Way:
    symbols = evaluator.symbols
    begin = len(symbols.facts)
    held: dict[str, Bag] = {}  # the groups of each part, in the hand and on the table
    hand_groups: list[Bag] = []
    table_groups: list[Bag] = []
    for part in evaluator.arrangements[arrangement].parts:
        groups = [g for g in evaluator._groups(part.shape) if evaluator.in_set(g.tiles)]
        most = 1 if part.different else part.count
        in_hand = symbols.bag(f"{part.word} in hand", dict.fromkeys(groups, most))
        on_table = EMPTY
        if score.fixed is not None:
            melds = [
                Group(g.tiles, label)
                for label in labels
                for g in groups
                if evaluator.shapes.holds(g.tiles, label, part.shape)
                and (label is None or evaluator.shapes.holds(g.tiles, None, label))
            ]
            on_table = symbols.bag(f"{part.word} on the table", dict.fromkeys(melds, most))
        both = joined(in_hand, on_table)
        symbols.fact(equal(size(both), part.count))
        if part.different:
            alike: dict[tuple[int, ...], list[Number]] = {}
            for group, count in both.items():
                alike.setdefault(group.tiles, []).append(count)
            for often in alike.values():
                symbols.fact(at_least(1, total_of(often)))
        held[part.word] = both
        hand_groups.append(in_hand)
        table_groups.append(on_table)
    lying, melded = joined(*hand_groups), joined(*table_groups)
    names = _given(evaluator, score, melded)
    hand = evaluator.bag(score.hand, None, names)
    symbols.fact(bags_same(hand, tiles_of(lying)))
    if score.fixed is not None:
        symbols.fact(bags_same(evaluator.bag(score.fixed, None, names), melded))
    _of_the_set(evaluator, score, names, melded)
    for part in evaluator.arrangements[arrangement].parts:
        groups_of = held[part.word]
        names[part.word] = _the_one(groups_of) if part.count == 1 else groups_of
    words = {p.word for a in score.arrangements for p in evaluator.arrangements[a].parts}
    lacking = words - set(held)
    if score.marking is not None:
        marked = evaluator.value(score.marking[0], None, names)
        names[score.marking[1]] = _marked(evaluator, lying, marked, score.marking[1])
    names["arrangement"] = EMPTY
    kept_arrangement, evaluator.arrangement = evaluator.arrangement, arrangement
    try:
        for condition in score.provided:
            symbols.fact(evaluator.truth(condition.expr, None, names))
        for define, expr in score.defines:
            if names_in(expr) & lacking:
                lacking.add(define)
            else:
                names[define] = evaluator.value(expr, None, names)
        holds: dict[str, Truth] = {}
        counts: dict[str, Number] = {}
        eligible: list[Number] = []
        for pattern in score.patterns:
            holds[pattern.name], counts[pattern.name] = _pattern(evaluator, pattern, names, lacking)
            if not pattern.extra:
                eligible.append(counts[pattern.name])
        points = _points(score, holds, counts)
        for name, truth in holds.items():
            names.setdefault(name, truth)
        names.setdefault("points", points)
        names.setdefault("eligible", total_of(eligible))
        if score.keep is None:
            kept = any_of(holds.values())
        elif names_in(score.keep) & lacking:
            kept = False
        else:
            kept = evaluator.truth(score.keep, None, names)
        names.setdefault("kept", kept)
    finally:
        evaluator.arrangement = kept_arrangement
    return Way(arrangement, tuple(symbols.facts[begin:]), names, holds, kept, points)


def _given(evaluator: Evaluator, score: ScoreDecl, melded: Bag) -> dict[str, Value]:
    """Unknown values of all that is given."""
    names: dict[str, Value] = {}
    for param in score.params:
        if param.type == BagType(Meld()):
            names[param.name] = melded
        elif param.type == BagType(Tile()):
            names[param.name] = evaluator.symbols.bag(param.name, dict(evaluator.copies))
        else:
            names[param.name] = evaluator.unknown(param.name, param.type)
    return names


def _of_the_set(evaluator: Evaluator, score: ScoreDecl, names: Mapping[str, Value], melded: Bag) -> None:
    """All tiles that are held together are in the set once. The marked tile is part of the hand by then."""
    bags = [evaluator.bag(score.hand, None, names), tiles_of(melded)]
    said = names_in(score.hand)
    own = [p.name for p in score.params if p.type == BagType(Tile()) and p.name not in said]
    bags += [as_bag(names[n]) for n in own]
    together = joined(*bags)
    for kind, count in together.items():
        evaluator.symbols.fact(at_least(evaluator.copies.get(kind, 0), count))


def _the_one(groups: Bag) -> Value:
    """The group of a part that has one."""
    return guarded_union([(at_least(c, 1), g) for g, c in groups.items()])


def _marked(evaluator: Evaluator, lying: Bag, tile: Value, said: str) -> Value:
    """One group of the hand that has the marked tile, whichever it is."""
    groups = [g for g, _ in lying.items()]
    found = evaluator.symbols.of(said, groups)
    for guard, group in cases(found):
        has = any_of(conj(g, t in group.tiles) for g, t in cases(tile) if t is not None)
        evaluator.symbols.fact(implies(guard, conj(at_least(lying.count(group), 1), has)))
    return found


def _pattern(
    evaluator: Evaluator, pattern: PatternDecl, names: dict[str, Value], lacking: set[str]
) -> tuple[Truth, Number]:
    """Whether a pattern holds, and what it counts."""
    spoken = names_in(pattern.test) | names_in(pattern.value)
    if pattern.each is not None:
        spoken = (spoken - {pattern.each[0]}) | names_in(pattern.each[1])
    if spoken & lacking:
        return False, 0
    if pattern.each is None:
        test = evaluator.truth(pattern.test, None, names)
        value = evaluator.number(pattern.value, None, names)
        return _counting(test, value), ite_number(test, value, 0)
    name, domain = pattern.each
    truths, numbers = [], []
    for key, count in evaluator.bag(domain, None, names).items():
        inner = {**names, name: key}
        test = evaluator.truth(pattern.test, None, inner)
        if test is False:
            continue
        value = evaluator.number(pattern.value, None, inner)
        truths.append(conj(at_least(count, 1), _counting(test, value)))
        numbers.append(ite_number(test, times(count, value), 0))
    return any_of(truths), total_of(numbers)


def _counting(test: Truth, value: Number) -> Truth:
    """A pattern that counts nothing does not hold."""
    return conj(test, negate(equal(value, 0)))


def _points(score: ScoreDecl, holds: Mapping[str, Truth], counts: Mapping[str, Number]) -> Number:
    if score.total == "highest":
        best: Number = 0
        for name, number in counts.items():
            best = ite_number(conj(holds[name], at_least(number, best)), number, best)
        return best
    if score.total == "sum":
        return total_of(counts.values())
    along = brought(score)
    order = [p.name for p in score.patterns]
    out: list[Number] = []
    for name, number in counts.items():
        by = [
            other
            for other, them in along.items()
            if name in them
            and other != name
            # of two that bring one another the first counts
            and not (other in along.get(name, ()) and order.index(name) < order.index(other))
        ]
        out.append(ite_number(any_of(holds[b] for b in by), 0, number))
    return total_of(out)
