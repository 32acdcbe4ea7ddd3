"""Count the tiles, pairs, sets, hands and first deals that two rule sets treat differently.

Input: the machines of two rule sets with the same kinds of tiles, and what is rewritten between them.
Output: exact `Amount`s, in which `{a}` and `{b}` stand for the names of the two.
Guarantee: every case is counted. What a game does not use, or has too many different cases, is left out.

Definitions of one or two tiles, shapes of few tiles and scores of a hand by itself are counted.

    pairs of tiles for which `pair` holds only in {a}: 4 of 496
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from math import factorial, prod

from golpae.compare.comparison import Amount
from golpae.compare.games.alignment import Rewritten, scored, used
from golpae.compare.size.enumerate_hands import hand_sizes, laid_out, union
from golpae.compare.size.left_out import limit_steps
from golpae.compare.size.paired_count import Hand, PairedCount, Valuation, count_paired, either
from golpae.elaborate.constant import NotConstant, constant_int
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import Definition, RuleSet, ScoreDecl
from golpae.ir.types import BOOL, TILE, TILES
from golpae.prove.symbolic.multiset_count import space
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.scoring.score import total
from golpae.replay.steps import MOST_IN_ALL

MOST = 300_000  # different choices that are counted
FEW = 4  # tiles of a set; sets of more are hands
MOST_SCORES = 8  # rows on hands with different scores


class ExactCounts:
    """Counts the cases that two machines treat differently."""

    def __init__(self, a: Machine, b: Machine, rewritten: Rewritten) -> None:
        self.a, self.b = a, b
        self.rewritten = rewritten
        self.copies = tuple({i: k.copies for i, k in enumerate(m.instance.kinds) if k.copies} for m in (a, b))
        self._listed: dict[tuple[tuple[str, ...], int], set[Hand] | None] = {}
        self._in_use = [used(m.rules) | scored(m.rules) for m in (a, b)]
        self.parts = rewritten.parts & (self._in_use[0] | self._in_use[1])

    def amounts(self) -> Iterator[Amount]:
        """Yield every amount that is not zero."""
        for amount in chain(self._deals(), self._definitions(), self._sets(), self._hands()):
            if amount.count:
                yield amount

    # ------------------------------------------------------------------ first deals

    def _deals(self) -> Iterator[Amount]:
        """Yield how many of all ways to deal the first hands only one of the two has."""
        sizes = [dealt for m in (self.a, self.b) if (dealt := _dealt(m)) is not None]
        if len(sizes) < 2:
            return
        firsts = [set(Legal(m).can_deal(m.new_state())) for m in (self.a, self.b)]
        if sizes[0] == sizes[1] and firsts[0] == firsts[1] and self.copies[0] == self.copies[1]:
            return
        stocks = [sum(c.values()) for c in self.copies]
        ways = [len(f) * _ways_to_deal(n, s) for f, n, s in zip(firsts, stocks, sizes, strict=True)]
        both = 0
        if sizes[0] == sizes[1]:
            common = sum(min(n, self.copies[1].get(k, 0)) for k, n in self.copies[0].items())
            both = len(firsts[0] & firsts[1]) * _ways_to_deal(common, sizes[0])
        of = ways[0] + ways[1] - both
        yield Amount("first deals possible only in {a}", ways[0] - both, of)
        yield Amount("first deals possible only in {b}", ways[1] - both, of)

    # ------------------------------------------------------------------ definitions of tiles

    def _definitions(self) -> Iterator[Amount]:
        theirs = {d.name: d for d in self.b.rules.definitions}
        for ours in self.a.rules.definitions:
            other = theirs.get(ours.name)
            if other is None or ("definition", ours.name) not in self.parts or ours.type != other.type:
                continue
            params = [d.params for d in (ours, other)]
            size = len(params[0])
            if size != len(params[1]) or size > 2 or {p.type for ps in params for p in ps} != {TILE}:
                continue
            if not (_of_tiles_alone(ours, self.a.rules) and _of_tiles_alone(other, self.b.rules)):
                continue
            yield from self._definition(ours, size)

    def _definition(self, definition: Definition, size: int) -> Iterator[Amount]:
        ours, theirs = (_by_definition(m, definition) for m in (self.a, self.b))
        kinds = range(len(self.a.instance.kinds))
        either_way = size == 1 or all(
            valued((i, j)) == valued((j, i)) for valued in (ours, theirs) for i in kinds for j in range(i)
        )
        what = "tiles" if size == 1 else "pairs of tiles"
        counts = [self._count(size, ours, theirs)]
        if not either_way:  # each pair is counted in one order and in the other
            what = "ordered pairs of tiles"
            counts.append(self._count(size, _turned(ours), _turned(theirs)))
        yield from _defined(definition, what, [c for c in counts if c is not None])

    # ------------------------------------------------------------------ sets of few tiles

    def _sets(self) -> Iterator[Amount]:
        for name in self._shapes_of_both():
            ours, theirs = (m.shapes.sizes(name) for m in (self.a, self.b))
            for size in sorted(ours | theirs):
                if size <= FEW:
                    count = self._count(size, _by_shape(self.a, name), _by_shape(self.b, name))
                    if count is not None:
                        what = f"sets of {size} tiles" if size > 1 else "tiles"
                        what = f"{what} that are `{name}` only in"
                        yield Amount(f"{what} {{a}}", count.only[0].ways, count.of.ways)
                        yield Amount(f"{what} {{b}}", count.only[1].ways, count.of.ways)

    def _shapes_of_both(self) -> list[str]:
        theirs = self.b.shapes.shapes
        return [n for n in self.a.shapes.shapes if n in theirs and ("shape", n) in self.parts]

    # ------------------------------------------------------------------ hands

    def _hands(self) -> Iterator[Amount]:
        scores = self.scores()
        for name in scores:
            yield from self.of_score(name)
        for name in () if scores else self._arrangements():
            for size in self._sizes([name]):
                ours, theirs = _by_arrangement(self.a, name), _by_arrangement(self.b, name)
                count = self._count(size, ours, theirs, [name])
                for side, place in enumerate(("{a}", "{b}")):
                    if count is not None:
                        what = f"hands of {size} that are `{name}` only in {place}"
                        yield Amount(what, count.only[side].ways, count.of.ways)

    def of_score(self, name: str) -> Iterator[Amount]:
        """Yield how many hands of each size count differently, as far as they are counted."""
        forms = [f for m in (self.a, self.b) for f in m.scorers[name].score.arrangements]
        for size in self._sizes(forms):
            count = self._count(size, _by_score(self.a, name), _by_score(self.b, name), forms)
            if count is not None:
                yield from _scored(count, name, size)

    def _sizes(self, forms: Sequence[str]) -> list[int]:
        """Return how many tiles one of these arrangements can have, in either."""
        return sorted({n for m in (self.a, self.b) for f in forms for n in hand_sizes(m, f)})

    def _arrangements(self) -> list[str]:
        """Return the rewritten arrangements, without those in the union of another rewritten arrangement."""
        ours, theirs = self.a.shapes.arrangements, self.b.shapes.arrangements
        changed = [n for n in ours if n in theirs and ("shape", n) in self.parts]
        return [n for n in changed if not any(n in (*ours[o].union, *theirs[o].union) for o in changed)]

    def scores(self) -> list[str]:
        """Return the scores of a hand by itself whose value, or whose hands, differ between the two."""
        theirs = {s.name: s for s in self.b.rules.scores}
        changed = self.copies[0] != self.copies[1]
        in_both = self._in_use[0] & self._in_use[1]
        return [
            s.name
            for s in self.a.rules.scores
            if s.name in theirs
            and (("score", s.name) in self.parts or (changed and ("score", s.name) in in_both))
            and _of_hand_alone(s, self.a.rules)
            and _of_hand_alone(theirs[s.name], self.b.rules)
        ]

    def counts(self, score: str) -> bool:
        """Return whether all hands of a score are counted one by one."""
        forms = [f for m in (self.a, self.b) for f in m.scorers[score].score.arrangements]
        return score in self.scores() and all(
            self._few(size) or self._hands_of(forms, size) is not None for size in self._sizes(forms)
        )

    # ------------------------------------------------------------------ counting

    def _count(
        self, size: int, ours: Valuation, theirs: Valuation, forms: Sequence[str] = ()
    ) -> PairedCount | None:
        """Return the counts for every choice of `size` tiles; None if there are too many.

        If `forms` is given, a choice counts only if it can be laid out as one of these arrangements.
        """
        limit_steps((self.a, self.b), MOST_IN_ALL)
        hands = self._hands_of(forms, size) if forms else None
        if hands is None and not self._few(size):
            return None
        return count_paired(self.copies, size, ours, theirs, hands)

    def _few(self, size: int) -> bool:
        return space(either(*self.copies), size).different <= MOST

    def _hands_of(self, forms: Sequence[str], size: int) -> set[Hand] | None:
        """Return all possible hands of some arrangements in either; None if there is no list of them."""
        key = (tuple(forms), size)
        if key not in self._listed:
            self._listed[key] = union(
                laid_out(m, form, size)
                for m in (self.a, self.b)
                for form in dict.fromkeys(forms)
                if form in m.shapes.arrangements
            )
        return self._listed[key]


def _defined(definition: Definition, what: str, counts: Sequence[PairedCount]) -> Iterator[Amount]:
    what = f"{what} for which `{definition.name}`"
    of = sum(c.of.ways for c in counts)
    if definition.type != BOOL:
        odd = sum(count.ways for c in counts for count in (*c.only, *c.otherwise.values()))
        yield Amount(f"{what} has a different value in {{b}}", odd, of)
        return
    for side, place in enumerate(("{a}", "{b}")):
        yield Amount(f"{what} holds only in {place}", sum(c.only[side].ways for c in counts), of)


def _scored(counts: PairedCount, name: str, size: int) -> Iterator[Amount]:
    what = f"hands of {size} with a `{name}`"
    for side, place in enumerate(("{a}", "{b}")):
        yield Amount(f"{what} only in {place}", counts.only[side].ways, counts.of.ways)
        yield Amount(
            f"distinct {what} only in {place}, copies not distinguished",
            counts.only[side].different,
            counts.of.different,
        )
    ordered = sorted(counts.otherwise.items(), key=lambda item: -item[1].ways)
    if len(ordered) > MOST_SCORES:
        odd = sum(count.ways for _, count in ordered)
        yield Amount(f"hands of {size} with a different `{name}` in {{b}}", odd, counts.of.ways)
        return
    for (one, other), count in ordered:
        what = f"hands of {size} whose `{name}` is {one} in {{a}} and {other} in {{b}}"
        yield Amount(what, count.ways, counts.of.ways)


# ---------------------------------------------------------------------- valuations


def _of_tiles_alone(definition: Definition, rules: RuleSet) -> bool:
    return not Dependencies(rules).reads(case.expr for case in definition.cases)


def _by_definition(machine: Machine, definition: Definition) -> Valuation:
    names = tuple(f"t{i}" for i in range(len(definition.params)))
    call = ir.CallDef(definition.name, tuple(ir.Local(n, TILE) for n in names), definition.type)
    function = machine.function(call, names)
    if definition.type == BOOL:
        return lambda tiles: bool(function(None, *tiles))
    return lambda tiles: _comparable(function(None, *tiles))


def _comparable(value: object) -> Hashable:
    """Return a value that can be compared: a bag as a sorted tuple."""
    if isinstance(value, list):
        return tuple(sorted(map(_comparable, value), key=repr))
    assert isinstance(value, Hashable)
    return value


def _turned(valuation: Valuation) -> Valuation:
    return lambda tiles: valuation(tiles[::-1])


def _by_shape(machine: Machine, name: str) -> Valuation:
    return _each_anew(machine, name, lambda tiles: machine.shapes.is_group(tiles, name))


def _each_anew(machine: Machine, name: str, valuation: Valuation) -> Valuation:
    """Return a valuation with the same values. Each choice of tiles may take as many steps as a clause."""

    def value(tiles: Hand) -> Hashable:
        machine.begin_count(name)
        return valuation(tiles)

    return value


def is_state_independent(score: ScoreDecl, rules: RuleSet) -> bool:
    """Return whether the score of a hand is the same in every state of a game."""
    exprs = [score.hand, *(e for _, e in score.defines)]
    exprs += [e for e in (score.fixed, score.keep, score.formula) if e is not None]
    exprs += [e for p in score.patterns for e in (p.value, p.test, *((p.each[1],) if p.each else ()))]
    exprs += [c.expr for c in score.provided] + ([score.marking[0]] if score.marking else [])
    return not Dependencies(rules).reads(exprs)


def _of_hand_alone(score: ScoreDecl, rules: RuleSet) -> bool:
    """Return whether the only parameter of a score is its hand."""
    return is_state_independent(score, rules) and (
        len(score.params) == 1
        and score.params[0].type == TILES
        and isinstance(score.hand, ir.Local)
        and score.fixed is None
        and score.marking is None
    )


def _by_score(machine: Machine, name: str) -> Valuation:
    """Return the valuation by a score. Most hands cannot be laid out, and are not scored."""
    scorer, shapes = machine.scorers[name], machine.shapes
    forms = scorer.score.arrangements

    def value(tiles: Hand) -> int | None:
        if not any(shapes.holds(tiles, form) for form in forms):
            return None
        return total(scorer.best(None, tiles))

    return _each_anew(machine, name, value)


def _by_arrangement(machine: Machine, name: str) -> Valuation:
    return _each_anew(machine, name, lambda tiles: machine.shapes.holds(tiles, name))


def _dealt(machine: Machine) -> tuple[int, ...] | None:
    """Return how many tiles each player is dealt, the first player first; None if that depends on a game."""
    dealing = next(a.dealing for a in machine.rules.actions if a.dealing is not None)
    try:
        first, others = (constant_int(e, machine.instance.static) for e in (dealing.first, dealing.others))
    except NotConstant:
        return None
    return first, *(others for _ in range(machine.instance.players - 1))


def _ways_to_deal(tiles: int, sizes: Sequence[int]) -> int:
    """Return the number of ways to deal hands of these sizes."""
    rest = tiles - sum(sizes)
    return 0 if rest < 0 else factorial(tiles) // prod(map(factorial, (*sizes, rest)))
