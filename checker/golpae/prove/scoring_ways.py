"""Every way to score a hand, as a score block defines it, for unknown hands, melds and arrangements.

Input: a score block. Output: for each of its arrangements a `Way`: unknown counts of each group in the hand and on the
table, the facts about them, and the values of all names that a pattern may use.
Guarantee: the facts of a way hold in each hand that the score counts: its tiles are in the set, its melds are what
their labels say, and its parameters satisfy the `provided` conditions of the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import closure
from golpae.ir.ruleset import PartDecl, PatternDecl, ScoreDecl
from golpae.ir.scoring import counted_beside, holds_tiles, is_eligible, left_out, with_asked, words_of
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import MELD, MELDS, TILES, Each, Int, Meld, Opt, Tile, Type
from golpae.ir.types import Bag as BagType
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.evaluation.operators import by_face
from golpae.prove.solving.solver import SAT, UNKNOWN, Reply, Session
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    EMPTY,
    Bag,
    MeldValue,
    Number,
    Truth,
    Value,
    all_of,
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
    merge,
    negate,
    size,
    tiles_of,
    times,
    total_of,
)

MOST_VALUES = 64  # of a number that are listed
MOST_MELDS = 256  # bags of tiles that are listed as melds


@dataclass(frozen=True, slots=True)
class Way:
    """One arrangement of a score with all its names.

    `facts` are certain, `holds` says whether each pattern holds, `valid` whether the score keeps the way. The names in
    `lacking` have no value, because they need parts that the arrangement lacks.
    """

    score: str
    arrangement: str
    facts: tuple[Truth, ...]
    names: Mapping[str, Value]
    holds: Mapping[str, Truth]
    valid: Truth
    points: Number
    lacking: frozenset[str]

    def truth(self, evaluator: Evaluator, expr: ir.Expr) -> Truth:
        """Return whether something is true of the way; it is not if it names what the way lacks (semantics 8.7)."""
        if free(expr) & self.lacking:
            return False
        with evaluator.context.arranged(self.arrangement):
            return evaluator.truth(expr, None, self.names)


def implied_patterns(score: ScoreDecl) -> dict[str, set[str]]:
    """Return the patterns that each pattern brings along by the text, directly or through others."""
    direct = {line.pattern: line.brought for line in score.brings}
    return {name: set(closure(first, lambda n: direct.get(n, ()))) for name, first in direct.items()}


UNLISTED = "what it asks for cannot be listed"


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
        return Reply(UNKNOWN, None, UNLISTED)
    return reply


def supported_ways(evaluator: Evaluator, name: str, labels: Iterable[str | None]) -> tuple[list[Way], bool]:
    """Return a `Way` for each arrangement of a score that the prover supports, and whether these are all."""
    score, own, out = evaluator.scores[name], [*labels], list[Way]()
    are_all = True
    for arrangement in score.arrangements:
        begin = len(evaluator.symbols.facts)
        try:
            if _can_be(evaluator, arrangement):
                out.append(_way(evaluator, score, arrangement, own))
        except Unsupported:
            del evaluator.symbols.facts[begin:]
            are_all = False
    return out, are_all


def ways(evaluator: Evaluator, name: str, labels: Iterable[str | None]) -> list[Way]:
    """Return a `Way` for each arrangement of a score. Raises `Unsupported`."""
    score = evaluator.scores[name]
    own = [*labels]
    return [
        _way(evaluator, score, arrangement, own) for arrangement in possible_arrangements(evaluator, score)
    ]


def possible_arrangements(evaluator: Evaluator, score: ScoreDecl) -> list[str]:
    """Return the arrangements of a score of which each part has a group in the set. Raises `Unsupported`."""
    return [name for name in score.arrangements if _can_be(evaluator, name)]


def _can_be(evaluator: Evaluator, arrangement: str) -> bool:
    return all(
        any(evaluator.shapes.can_be(group.tiles) for group in evaluator.shapes.groups(part.shape))
        for part in evaluator.arrangements[arrangement].parts
    )


def _way(evaluator: Evaluator, score: ScoreDecl, arrangement: str, labels: list[str | None]) -> Way:
    begin = len(evaluator.symbols.facts)
    arranged = arranged_hand(evaluator, score, arrangement, labels)
    evaluator.symbols.fact(provided_of(evaluator, score, arranged))
    counted = counted_patterns(evaluator, score, arranged)
    names = {**arranged.names, **counted.defines}
    points, by_name = summed_up(evaluator, score, counted, names)
    names = {**{name: value for name, value in by_name.items() if name not in counted.lacking}, **names}
    valid = is_valid(evaluator, score, counted, names)
    names.setdefault("kept", valid)
    facts = tuple(evaluator.symbols.facts[begin:])
    return Way(score.name, arrangement, facts, names, counted.holds, valid, points, counted.lacking)


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
    fixed: dict[str, list[Bag]] = {name: [] for name in fixed_params(score, have_own_faces(evaluator))}
    for part in evaluator.arrangements[arrangement].parts:
        in_hand, on_table = _groups_of(evaluator, score, part, labels)
        parts[part.word] = _add_part_facts(evaluator, part, joined(in_hand, *on_table))
        hand_groups.append(in_hand)
        for of_param, own in zip(fixed.values(), on_table, strict=True):
            of_param.append(own)
    in_hand = joined(*hand_groups)
    names = _parameters(evaluator, score, labels, {name: joined(*own) for name, own in fixed.items()})
    hand = evaluator.bag(score.hand, None, names)
    symbols.fact(bags_same(hand, tiles_of(in_hand)))
    _add_set_facts(evaluator, score, names)
    for part in evaluator.arrangements[arrangement].parts:
        groups = parts[part.word]
        names[part.word] = _only_group(groups) if part.count == 1 else groups
    words = {p.word for a in score.arrangements for p in evaluator.arrangements[a].parts}
    if score.marking is not None:
        marked = evaluator.value(score.marking[0], None, names)
        names[score.marking[1]] = _marked(evaluator, in_hand, marked, score.marking[1])
    names["arrangement"] = EMPTY
    return Arranged(arrangement, names, frozenset(words - set(parts)))


def provided_of(evaluator: Evaluator, score: ScoreDecl, arranged: Arranged) -> Truth:
    """Return whether the values of an arranged hand can be given together."""
    with evaluator.context.arranged(arranged.arrangement):
        return all_of(evaluator.truth(c.expr, None, arranged.names) for c in score.provided)


def counted_patterns(evaluator: Evaluator, score: ScoreDecl, arranged: Arranged) -> Counted:
    """Return the patterns and points of a score for an arranged hand."""
    names, lacking = dict(arranged.names), set(arranged.words)
    words = words_of(score, evaluator.arrangements)
    defines: dict[str, Value] = {}
    holds: dict[str, Truth] = {}
    counts: dict[str, Number] = {}
    with evaluator.context.arranged(arranged.arrangement):
        for define, expr in with_asked(score, words, lacking).defines:
            if free(expr) & lacking:
                lacking.add(define)
            else:
                names[define] = defines[define] = evaluator.value(expr, None, names)
        for pattern in score.patterns:
            holds[pattern.name], counts[pattern.name] = _pattern(evaluator, pattern, names, lacking)
    return Counted(arranged.arrangement, defines, holds, counts, frozenset(lacking))


def eligible_of(score: ScoreDecl, counts: Mapping[str, Number]) -> Number:
    """Return the points of the patterns that are not extra."""
    return total_of([counts[pattern.name] for pattern in score.patterns if is_eligible(score, pattern)])


def numbers_of(
    score: ScoreDecl, holds: Mapping[str, Truth], counts: Mapping[str, Number]
) -> dict[str, Value]:
    """Return the numbers of a way by name, if patterns count in several: one of few values if they can be listed."""
    out: dict[str, Value] = {}
    for number in score.numbers:
        own = [p for p in score.patterns if p.number == number]
        value = _left_over(score, holds, {p.name: counts[p.name] for p in own})
        ends = [None if p.each is not None else _ends(p.value) for p in own]
        pairs = [pair for pair in ends if pair is not None]
        low, high = (sum(pair[end] for pair in pairs) for end in (0, 1))
        if len(pairs) == len(own) and high - low < MOST_VALUES:
            out[number] = guarded_union((equal(value, k), k) for k in range(low, high + 1))
        else:
            out[number] = value
    return out


def _ends(expr: ir.Expr) -> tuple[int, int] | None:
    """Return between which numbers lies what a pattern counts, 0 among them; None if the text does not show it."""
    if isinstance(expr, ir.Const) and isinstance(expr.value, int):
        return min(expr.value, 0), max(expr.value, 0)
    if isinstance(expr, ir.If):
        one, other = _ends(expr.yes), _ends(expr.no)
        if one is not None and other is not None:
            return min(one[0], other[0]), max(one[1], other[1])
    return None


def formula_of(
    evaluator: Evaluator, score: ScoreDecl, counted: Counted, names: Mapping[str, Value]
) -> Number | None:
    """Return the points of a way as the score makes them of several numbers; None if it has none."""
    if score.formula is None:
        return None
    if free(score.formula) & counted.lacking:
        return 0
    with evaluator.context.arranged(counted.arrangement):
        return evaluator.number(score.formula, None, names)


def summed_up(
    evaluator: Evaluator, score: ScoreDecl, counted: Counted, names: Mapping[str, Value]
) -> tuple[Number, dict[str, Value]]:
    """Return the points of an arranged hand, and what `results_of` returns. `names` are all others that it has."""
    numbers, eligible = numbers_of(score, counted.holds, counted.counts), eligible_of(score, counted.counts)
    known = {**counted.holds, "eligible": eligible, **numbers, **names}
    points = formula_of(evaluator, score, counted, known)
    if points is None:
        points = points_of(score, counted.holds, counted.counts)
    return points, results_of(counted.holds, points, eligible, numbers)


def results_of(
    holds: Mapping[str, Truth], points: Number, eligible: Number, numbers: Mapping[str, Value]
) -> dict[str, Value]:
    """Return the patterns and what they come to, by name; what a score itself calls so hides them."""
    return {**holds, "points": points, "eligible": eligible, **numbers}


def is_valid(evaluator: Evaluator, score: ScoreDecl, counted: Counted, names: Mapping[str, Value]) -> Truth:
    """Return whether a score keeps a way."""
    if score.formula is not None and free(score.formula) & counted.lacking:
        return False
    if score.keep is None:
        return any_of(counted.holds.values())
    if free(score.keep) & counted.lacking:
        return False
    with evaluator.context.arranged(counted.arrangement):
        return evaluator.truth(score.keep, None, names)


def have_own_faces(evaluator: Evaluator) -> bool:
    """Return whether no tile in play counts as another one."""
    return not any(kind.copies and kind.like is not None for kind in evaluator.instance.kinds)


def fixed_params(score: ScoreDecl, own_faces: bool = False) -> list[str]:
    """Return the parameters whose melds are `fixed`. Raises `Unsupported` if it is not these melds, all together.

    `own_faces`: no tile counts as another one.
    """
    waiting, out = [] if score.fixed is None else [score.fixed], list[str]()
    while waiting:
        bag = waiting.pop()
        if own_faces and isinstance(bag, ir.Faces):
            waiting.append(bag.arg)
        elif isinstance(bag, ir.Local) and bag.type == BagType(Meld()) and bag.name not in out:
            out.append(bag.name)
        elif isinstance(bag, ir.Op) and bag.op == "bag_add":
            waiting += bag.args
        elif not isinstance(bag, ir.BagOf) or bag.items:
            raise Unsupported(f"`fixed` of `{score.name}`, which is not all melds that are given")
    return out


def _groups_of(
    evaluator: Evaluator, score: ScoreDecl, part: PartDecl, labels: list[str | None]
) -> tuple[Bag, list[Bag]]:
    """Return unknown groups of a part: those in the hand, and those on the table in each of the `fixed` parameters."""
    fixed = fixed_params(score, have_own_faces(evaluator))
    groups = [g for g in evaluator.shapes.groups(part.shape) if evaluator.shapes.can_be(g.tiles)]
    most = 1 if part.different else part.count
    in_hand = evaluator.symbols.bag(f"{part.word} in hand", dict.fromkeys(groups, most))
    melds = [
        meld
        for meld in _labelled(evaluator, score, (g.tiles for g in groups), labels)
        if evaluator.context.oracle.holds(meld.tiles, meld.label, part.shape)
    ]
    on_table = [
        evaluator.symbols.bag(
            f"{part.word} in {name}",
            {meld: most for meld in melds if not _is_refused(evaluator, score, name, meld)},
        )
        for name in fixed
    ]
    return in_hand, on_table


def _is_refused(evaluator: Evaluator, score: ScoreDecl, name: str, meld: MeldValue) -> bool:
    """Return whether a condition on what is given refuses each meld like this one, whatever else is given.

    Such a meld would be refused later, too; it costs the solver less not to know of it.
    """
    for test in (part for condition in score.provided for part in conjuncts(condition.expr)):
        if not isinstance(test, ir.Quant) or test.kind == "some" or test.size is not None:
            continue
        if len(test.names) != 1 or not isinstance(test.domain, ir.Local):
            continue
        if test.domain.name == name and free(test.body) <= {*test.names}:
            holds = evaluator.truth(test.body, None, {test.names[0]: meld})
            if holds is (test.kind == "no"):
                return True
    return False


def _labelled(
    evaluator: Evaluator,
    score: ScoreDecl,
    groups: Iterable[tuple[int, ...]],
    labels: Sequence[str | None],
) -> Iterator[MeldValue]:
    """Yield these tiles as melds with each label that they can have: a label that is a shape holds of them.

    A meld without a label is left out if nothing tells it from the same with a label: only one shape holds of its
    tiles, and no other group has them, because the set does not have them twice, and all melds count together.
    """
    shapes, oracle = evaluator.context.shape_decls, evaluator.context.oracle
    together = all(p.type in (TILES, MELDS) or not holds_tiles(p.type) for p in score.params)
    for tiles in groups:
        fitting = [
            label
            for label in labels
            if label is None or label not in shapes or oracle.holds(tiles, None, label)
        ]
        plain = [label for label in fitting if label in shapes and not shapes[label].union]
        is_twin = together and len(plain) == 1 and not evaluator.shapes.can_be(tiles + tiles)
        yield from (MeldValue(tiles, label) for label in fitting if label is not None or not is_twin)


def _add_part_facts(evaluator: Evaluator, part: PartDecl, groups: Bag) -> Bag:
    """Return all groups of a part, and add the facts about their numbers."""
    evaluator.symbols.fact(equal(size(groups), part.count))
    if part.different:
        alike: dict[tuple[int, ...], list[Number]] = {}
        for group, count in groups.items():
            alike.setdefault(group.tiles, []).append(count)
        for counts in alike.values():
            evaluator.symbols.fact(at_least(1, total_of(counts)))
    return groups


def _parameters(
    evaluator: Evaluator, score: ScoreDecl, labels: Sequence[str | None], fixed: Mapping[str, Bag]
) -> dict[str, Value]:
    """Return unknown values of the parameters. Raises `Unsupported`."""
    return {
        param.name: fixed[param.name]
        if param.name in fixed
        else _unknown(evaluator, score, param.name, param.type, labels)
        for param in score.params
    }


def _unknown(
    evaluator: Evaluator, score: ScoreDecl, name: str, kind: Type, labels: Sequence[str | None]
) -> Value:
    """Return an unknown value that can be given: no bag of tiles is more than the set. Raises `Unsupported`."""
    symbols = evaluator.symbols
    match kind:
        case BagType(Tile()):
            return symbols.bag(name, dict(evaluator.copies))
        case BagType(Meld()):
            return symbols.bag(name, dict.fromkeys(_melds(evaluator, score, labels)), MELD)
        case BagType(Int() | BagType()):
            raise Unsupported(f"every value of `{name}`")
        case Meld():
            return symbols.of(name, _melds(evaluator, score, labels), MELD)
        case Opt(Meld()):
            return symbols.of(name, [*_melds(evaluator, score, labels), None], MELD)
        case Opt(BagType() as item):
            there = symbols.truth(name)
            return merge([(there, _unknown(evaluator, score, name, item, labels)), (negate(there), None)])
        case Each(item):
            return [_unknown(evaluator, score, name, item, labels) for _ in range(evaluator.players)]
        case _:
            return evaluator.unknown(name, kind)


def _melds(evaluator: Evaluator, score: ScoreDecl, labels: Sequence[str | None]) -> list[MeldValue]:
    """Return every meld of tiles of the set. Raises `Unsupported` if they are too many."""
    bags: list[tuple[int, ...]] = [()]
    for kind, copies in sorted(evaluator.copies.items()):
        if len(bags) * (copies + 1) > MOST_MELDS:
            raise Unsupported("every meld of so large a set")
        bags = [(*tiles, *[kind] * often) for tiles in bags for often in range(copies + 1)]
    return [*_labelled(evaluator, score, filter(None, bags), labels)]


def _add_set_facts(evaluator: Evaluator, score: ScoreDecl, names: Mapping[str, Value]) -> None:
    """Add the facts that all tiles of a way are in the set together. The hand includes the marked tile."""
    own = (*fixed_params(score, have_own_faces(evaluator)), *counted_beside(score))
    melds = {p.name for p in score.params if p.type == MELDS}
    bags = [evaluator.bag(score.hand, None, names)]
    bags += [tiles_of(as_bag(names[n])) if n in melds else as_bag(names[n]) for n in own]
    instance = evaluator.instance
    most = instance.by_face()
    for kind, count in as_bag(by_face(joined(*bags), instance.faces)).items():
        evaluator.symbols.fact(at_least(most[kind], count))


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
    used = free(pattern.test) | free(pattern.value)
    if pattern.each is not None:
        used = (used - {pattern.each[0]}) | free(pattern.each[1])
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
        case "sum" | "unimplied":
            return _left_over(score, holds, counts)
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


def _left_over(score: ScoreDecl, holds: Mapping[str, Truth], counts: Mapping[str, Number]) -> Number:
    """Return the sum without the patterns that another one takes out of it."""
    out_by = left_out(score)
    out: list[Number] = []
    for name, number in counts.items():
        by = [other for other, names in out_by.items() if name in names]
        out.append(ite_number(any_of(holds[b] for b in by), 0, number) if by else number)
    return total_of(out)
