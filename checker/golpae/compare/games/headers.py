"""Which headers two rule sets take, and at which tables their games are compared.

Input: two rule sets, A and B, and the tables that a call chooses.
Output: `Headers`: the tables to compare, the values of options that these stand for, and the headers that only one of
the two takes, or that name another table in each.
Guarantee: if all values of an option are said to be covered, the tables show every difference that some value of it
makes.

A header that one rule set takes and the other calls malformed is a difference. So is an option that a header leaves
out, if it has another usual value in each. The tables give every option that both have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from golpae.compare.games.alignment import Rewritten, aligned, same_games, used, why_order_matters
from golpae.compare.games.verdict import A_IN_B, B_IN_A, Covered, HeaderDifference
from golpae.compare.options import CompareOptions
from golpae.elaborate.instance import bounds, options_of, values_of
from golpae.ir.ruleset import RuleSet

MOST_TABLES = 24  # of two rule sets: options with more values are compared at their usual ones

Table = tuple[int, dict[str, int]]


@dataclass(frozen=True, slots=True)
class Headers:
    """The tables to compare, the values that each common option has there, and the headers that differ."""

    tables: tuple[Table, ...]
    covered: tuple[Covered, ...]
    differences: tuple[HeaderDifference, ...]


def headers_of(a: RuleSet, b: RuleSet, chosen: CompareOptions) -> Headers:
    """Return the tables to compare. Raises `TableFault` if one of the two lacks an option or a value that is chosen."""
    return _Headers(a, b, chosen).all()


class _Headers:
    def __init__(self, a: RuleSet, b: RuleSet, chosen: CompareOptions) -> None:
        self.rules = (a, b)
        self.chosen = chosen
        self.usual = [options_of(rules, chosen.options) for rules in (a, b)]
        self.ranges = [
            {name: values_of(rules, name) for name in usual}
            for rules, usual in zip(self.rules, self.usual, strict=True)
        ]

    def all(self) -> Headers:
        differences = [*self._of_options()]
        few, covered = self._values()
        names = [*few]
        tables: list[Table] = []
        differing: dict[HeaderDifference, None] = {}
        for values in product(*few.values()):
            given = dict(zip(names, values, strict=True))
            ours, theirs = (self._players(rules, given) for rules in self.rules)
            tables += [(n, given) for n in ours if n in theirs]
            if self.chosen.players is None:
                differing |= dict.fromkeys(self._of_players(ours, theirs))
        tables.sort(key=lambda table: table[0])
        return Headers(tuple(tables), covered, (*differences, *differing))

    def _players(self, rules: RuleSet, given: Mapping[str, int]) -> list[int]:
        low, high = bounds(rules, options_of(rules, given))
        return [n for n in range(low, high + 1) if self.chosen.players in (None, n)]

    # ------------------------------------------------------------------ the tables

    def _values(self) -> tuple[dict[str, Sequence[int]], tuple[Covered, ...]]:
        """Return the values at which each option is compared, and what these cover."""
        a, b = self.rules
        chosen = self.chosen.options
        common = {
            name: _both(values, self.ranges[1][name])
            for name, values in self.ranges[0].items()
            if name in self.ranges[1]
        }
        few: dict[str, Sequence[int]] = {name: self._base(name, values) for name, values in common.items()}
        matters = {name for rules in self.rules for kind, name in used(rules) if kind == "option"}
        same_options = self.ranges[0].keys() == self.ranges[1].keys()
        if same_options and why_order_matters(a, b) is None and same_games(Rewritten(a, aligned(a, b))):
            matters = set()
        complete = {name for name in common if name in chosen or name not in matters}
        for name in sorted(common.keys() - complete, key=lambda n: len(common[n])):
            more = {**few, name: common[name]}
            if self._most_players(more) * prod(len(values) for values in more.values()) <= MOST_TABLES:
                few = more
                complete.add(name)
        covered = []
        for name, values in common.items():
            if name in chosen:
                covered.append(Covered(name, chosen[name], chosen[name]))
            elif values:
                some = None if name in complete else tuple(few[name])
                covered.append(Covered(name, values[0], values[-1], some))
        return few, tuple(covered)

    def _base(self, name: str, values: range) -> Sequence[int]:
        """Return the chosen value, or the usual values that both allow, or the first value that both allow."""
        usual = dict.fromkeys(usual[name] for usual in self.usual)
        return [v for v in usual if v in values] or values[:1]

    def _most_players(self, values: Mapping[str, Sequence[int]]) -> int:
        given = {name: some[0] for name, some in values.items() if some}
        return max(1, *(len(self._players(rules, given)) for rules in self.rules))

    # ------------------------------------------------------------------ the differences

    def _of_options(self) -> Iterator[HeaderDifference]:
        for side, question in ((0, A_IN_B), (1, B_IN_A)):
            ours, theirs = self.ranges[side], self.ranges[1 - side]
            only = "{a}" if side == 0 else "{b}"
            for name, values in ours.items():
                if name in self.chosen.options:
                    continue
                if name not in theirs:
                    yield HeaderDifference((question,), f"only {only} has the option `{name}`")
                elif more := [v for v in (values[0], values[-1]) if v not in theirs[name]]:
                    words = " or ".join(map(str, dict.fromkeys(more)))
                    yield HeaderDifference((question,), f"only in {only} can `{name}` be {words}")
        for name, value in self.usual[0].items():
            other = self.usual[1].get(name, value)
            if other != value and name not in self.chosen.options:
                words = f"`{name}` is normally {value} in {{a}} and {other} in {{b}}"
                yield HeaderDifference((A_IN_B, B_IN_A), words)

    def _of_players(self, ours: list[int], theirs: list[int]) -> Iterator[HeaderDifference]:
        for some, rest, question, only in ((ours, theirs, A_IN_B, "{a}"), (theirs, ours, B_IN_A, "{b}")):
            more = [n for n in some if n not in rest]
            if more:
                numbers = ", ".join(map(str, more))
                many = "player" if more == [1] else "players"
                yield HeaderDifference((question,), f"only {only} is for {numbers} {many}")


def _both(one: range, other: range) -> range:
    return range(max(one.start, other.start), min(one.stop, other.stop))
