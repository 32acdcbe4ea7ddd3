"""Every way to score a hand, as a score block defines it, for unknown hands, melds and arrangements.

Input: a score block. Output: for each of its arrangements a `Way`: unknown counts of each group in the hand and on the
table, the facts about them, and the values of all names that a pattern may use.
Guarantee: the facts of a way hold in each hand that the score counts: its tiles are in the set, its melds have labels
that actions give, and its parameters satisfy the `provided` conditions of the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never

from golpae.ir.dependencies import closure
from golpae.ir.ruleset import PartDecl, PatternDecl, ScoreDecl
from golpae.ir.traverse import names_in
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Meld, Tile
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.solving.solver import SAT, UNKNOWN, Reply, Session
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    MeldValue,
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
    """One arrangement with all names of its score.

    `facts` are certain, `holds` says whether each pattern holds, `valid` whether the score keeps the way.
    """

    arrangement: str
    facts: tuple[Truth, ...]
    names: Mapping[str, Value]
    holds: Mapping[str, Truth]
    valid: Truth
    points: Number


def implied_patterns(score: ScoreDecl) -> dict[str, set[str]]:
    """Return the patterns that each pattern brings along by the text, directly or through others."""
    direct = {line.pattern: line.brought for line in score.brings}
    return {name: set(closure(first, lambda n: direct.get(n, ()))) for name, first in direct.items()}


def check_exactly(
    session: Session, evaluator: Evaluator, about: str, formulas: Iterable[Truth], stands_for: int = 1
) -> Reply:
    """Return whether formulas can be true together, with the axioms of all abstract calls if they are needed.

    A model obeys the rules: if some axioms cannot be listed, a model of the rest counts as no answer. The question
    `stands_for` so many, as `Session.check` says.
    """
    goals = list(formulas)
    reply = session.check(about, goals, stands_for=stands_for)
    if reply.status != SAT or evaluator.abstraction.precise:
        return reply
    axioms, complete = evaluator.abstraction.exact_axioms()
    if axioms:
        reply = session.check(about, [*goals, *axioms], stands_for=stands_for)
    if reply.status == SAT and not complete:
        return Reply(UNKNOWN, None, "what it asks for cannot be listed")
    return reply


def ways(evaluator: Evaluator, name: str, labels: Iterable[str | None]) -> list[Way]:
    """Return a `Way` for each arrangement of a score. Raises `Unsupported`."""
    score = evaluator.scores[name]
    return [_way(evaluator, score, arrangement, [*labels]) for arrangement in score.arrangements]


def _way(evaluator: Evaluator, score: ScoreDecl, arrangement: str, labels: list[str | None]) -> Way:
    begin = len(evaluator.symbols.facts)
    arranged = arranged_hand(evaluator, score, arrangement, labels)
    counted = counted_patterns(evaluator, score, arranged)
    names = {**arranged.names, **counted.defines}
    points = points_of(score, counted.holds, counted.counts)
    add_results(names, counted.holds, points, eligible_of(score, counted.counts))
    valid = is_valid(evaluator, score, counted, names)
    names.setdefault("kept", valid)
    return Way(arrangement, tuple(evaluator.symbols.facts[begin:]), names, counted.holds, valid, points)


@dataclass(frozen=True, slots=True)
class Arranged:
    """An unknown hand in one arrangement: its parameters and parts by name. `words` are the parts that only
    other arrangements have.
    """

    arrangement: str
    names: Mapping[str, Value]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Counted:
    """What a score defines for an arranged hand, and its patterns: whether each holds, and what it counts.

    What needs a word that is `lacking` never holds, and has no value.
    """

    arrangement: str
    defines: Mapping[str, Value]
    holds: Mapping[str, Truth]
    counts: Mapping[str, Number]
    lacking: frozenset[str]


def arranged_hand(
    evaluator: Evaluator, score: ScoreDecl, arrangement: str, labels: list[str | None]
) -> Arranged:
    """Return an unknown hand in one arrangement, and note its facts."""
    symbols = evaluator.symbols
    parts: dict[str, Bag] = {}  # the groups of each part, in the hand and on the table
    hand_groups: list[Bag] = []
    table_groups: list[Bag] = []
    for part in evaluator.arrangements[arrangement].parts:
        in_hand, on_table = _groups_of(evaluator, score, part, labels)
        parts[part.word] = _add_part_facts(evaluator, part, in_hand, on_table)
        hand_groups.append(in_hand)
        table_groups.append(on_table)
    in_hand, melds = joined(*hand_groups), joined(*table_groups)
    names = _parameters(evaluator, score, melds)
    hand = evaluator.bag(score.hand, None, names)
    symbols.fact(bags_same(hand, tiles_of(in_hand)))
    if score.fixed is not None:
        symbols.fact(bags_same(evaluator.bag(score.fixed, None, names), melds))
    _add_set_facts(evaluator, score, names, melds)
    for part in evaluator.arrangements[arrangement].parts:
        groups = parts[part.word]
        names[part.word] = _only_group(groups) if part.count == 1 else groups
    words = {p.word for a in score.arrangements for p in evaluator.arrangements[a].parts}
    if score.marking is not None:
        marked = evaluator.value(score.marking[0], None, names)
        names[score.marking[1]] = _marked(evaluator, in_hand, marked, score.marking[1])
    names["arrangement"] = EMPTY
    return Arranged(arrangement, names, frozenset(words - set(parts)))


def counted_patterns(evaluator: Evaluator, score: ScoreDecl, arranged: Arranged) -> Counted:
    """Return what a score makes of an arranged hand, and note the facts about what can be given together."""
    names, lacking = dict(arranged.names), set(arranged.words)
    defines: dict[str, Value] = {}
    holds: dict[str, Truth] = {}
    counts: dict[str, Number] = {}
    with evaluator.context.arranged(arranged.arrangement):
        for condition in score.provided:
            evaluator.symbols.fact(evaluator.truth(condition.expr, None, names))
        for define, expr in score.defines:
            if names_in(expr) & lacking:
                lacking.add(define)
            else:
                names[define] = defines[define] = evaluator.value(expr, None, names)
        for pattern in score.patterns:
            holds[pattern.name], counts[pattern.name] = _pattern(evaluator, pattern, names, lacking)
    return Counted(arranged.arrangement, defines, holds, counts, frozenset(lacking))


def eligible_of(score: ScoreDecl, counts: Mapping[str, Number]) -> Number:
    """Return what the patterns count that are not extra."""
    return total_of([counts[pattern.name] for pattern in score.patterns if not pattern.extra])


def add_results(
    names: dict[str, Value], holds: Mapping[str, Truth], points: Number, eligible: Number
) -> None:
    """Add the patterns and what they come to, unless the score itself calls something so."""
    for name, truth in holds.items():
        names.setdefault(name, truth)
    names.setdefault("points", points)
    names.setdefault("eligible", eligible)


def is_valid(evaluator: Evaluator, score: ScoreDecl, counted: Counted, names: Mapping[str, Value]) -> Truth:
    """Return whether a score keeps a way."""
    if score.keep is None:
        return any_of(counted.holds.values())
    if names_in(score.keep) & counted.lacking:
        return False
    with evaluator.context.arranged(counted.arrangement):
        return evaluator.truth(score.keep, None, names)


def _groups_of(
    evaluator: Evaluator, score: ScoreDecl, part: PartDecl, labels: list[str | None]
) -> tuple[Bag, Bag]:
    """Return unknown groups of a part: those in the hand and those on the table."""
    groups = [g for g in evaluator.shapes.groups(part.shape) if evaluator.in_set(g.tiles)]
    most = 1 if part.different else part.count
    in_hand = evaluator.symbols.bag(f"{part.word} in hand", dict.fromkeys(groups, most))
    if score.fixed is None:
        return in_hand, EMPTY
    melds = [
        MeldValue(g.tiles, label)
        for label in labels
        for g in groups
        if evaluator.context.oracle.holds(g.tiles, label, part.shape)
        and (label is None or evaluator.context.oracle.holds(g.tiles, None, label))
    ]
    return in_hand, evaluator.symbols.bag(f"{part.word} on the table", dict.fromkeys(melds, most))


def _add_part_facts(evaluator: Evaluator, part: PartDecl, in_hand: Bag, on_table: Bag) -> Bag:
    """Return all groups of a part, and add the facts about their numbers."""
    groups = joined(in_hand, on_table)
    evaluator.symbols.fact(equal(size(groups), part.count))
    if part.different:
        alike: dict[tuple[int, ...], list[Number]] = {}
        for group, count in groups.items():
            alike.setdefault(group.tiles, []).append(count)
        for counts in alike.values():
            evaluator.symbols.fact(at_least(1, total_of(counts)))
    return groups


def _parameters(evaluator: Evaluator, score: ScoreDecl, melds: Bag) -> dict[str, Value]:
    """Return unknown values of the parameters."""
    names: dict[str, Value] = {}
    for param in score.params:
        if param.type == BagType(Meld()):
            names[param.name] = melds
        elif param.type == BagType(Tile()):
            names[param.name] = evaluator.symbols.bag(param.name, dict(evaluator.copies))
        else:
            names[param.name] = evaluator.unknown(param.name, param.type)
    return names


def _add_set_facts(evaluator: Evaluator, score: ScoreDecl, names: Mapping[str, Value], melds: Bag) -> None:
    """Add the facts that all tiles of a way are in the set together. The hand includes the marked tile."""
    bags = [evaluator.bag(score.hand, None, names), tiles_of(melds)]
    in_hand = names_in(score.hand)
    own = [p.name for p in score.params if p.type == BagType(Tile()) and p.name not in in_hand]
    bags += [as_bag(names[n]) for n in own]
    together = joined(*bags)
    for kind, count in together.items():
        evaluator.symbols.fact(at_least(evaluator.copies.get(kind, 0), count))


def _only_group(groups: Bag) -> Value:
    """Return the group of a part that has exactly one."""
    return guarded_union([(at_least(c, 1), g) for g, c in groups.items()])


def _marked(evaluator: Evaluator, in_hand: Bag, tile: Value, name: str) -> Value:
    """Return an unknown group of the hand that has the marked tile."""
    groups = [g for g, _ in in_hand.items()]
    group_of_tile = evaluator.symbols.of(name, groups)
    for guard, group in cases(group_of_tile):
        has = any_of(conj(g, t in group.tiles) for g, t in cases(tile) if t is not None)
        evaluator.symbols.fact(implies(guard, conj(at_least(in_hand.count(group), 1), has)))
    return group_of_tile


def _pattern(
    evaluator: Evaluator, pattern: PatternDecl, names: dict[str, Value], lacking: set[str]
) -> tuple[Truth, Number]:
    """Return whether a pattern holds and how many points it counts."""
    used = names_in(pattern.test) | names_in(pattern.value)
    if pattern.each is not None:
        used = (used - {pattern.each[0]}) | names_in(pattern.each[1])
    if used & lacking:
        return False, 0
    if pattern.each is None:
        test = evaluator.truth(pattern.test, None, names)
        value = evaluator.number(pattern.value, None, names)
        return _counts(test, value), ite_number(test, value, 0)
    name, domain = pattern.each
    truths, numbers = [], []
    for key, count in evaluator.bag(domain, None, names).items():
        inner = {**names, name: key}
        test = evaluator.truth(pattern.test, None, inner)
        if test is False:
            continue
        value = evaluator.number(pattern.value, None, inner)
        truths.append(conj(at_least(count, 1), _counts(test, value)))
        numbers.append(ite_number(test, times(count, value), 0))
    return any_of(truths), total_of(numbers)


def _counts(test: Truth, value: Number) -> Truth:
    """Return whether a pattern holds that has passed its test: one that counts nothing does not."""
    return conj(test, negate(equal(value, 0)))


def points_of(score: ScoreDecl, holds: Mapping[str, Truth], counts: Mapping[str, Number]) -> Number:
    """Return the points of a way, from what each pattern counts."""
    match score.total:
        case "highest":
            return _highest(holds, counts)
        case "sum":
            return total_of(counts.values())
        case "unimplied":
            return _unimplied(score, holds, counts)
        case _:
            assert_never(score.total)


def _highest(holds: Mapping[str, Truth], counts: Mapping[str, Number]) -> Number:
    """Return the largest of what the holding patterns count, which may be negative, or 0 if none holds."""
    best: Number = 0
    some: Truth = False
    for name, number in counts.items():
        larger = conj(holds[name], any_of((negate(some), at_least(number, best))))
        best = ite_number(larger, number, best)
        some = any_of((some, holds[name]))
    return best


def _unimplied(score: ScoreDecl, holds: Mapping[str, Truth], counts: Mapping[str, Number]) -> Number:
    """Return the sum without the patterns that another one brings along."""
    implied = implied_patterns(score)
    order = [p.name for p in score.patterns]
    out: list[Number] = []
    for name, number in counts.items():
        by = [
            other
            for other, patterns in implied.items()
            if name in patterns
            and other != name
            # if two patterns bring each other, the first counts
            and not (other in implied.get(name, ()) and order.index(name) < order.index(other))
        ]
        out.append(ite_number(any_of(holds[b] for b in by), 0, number))
    return total_of(out)
