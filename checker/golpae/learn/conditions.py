"""Conditions that recorded events keep, and what else could have happened does not.

Input: the recorded events of an action with what else was legal there; conditions in the words of the text.
Output: conditions, the best first: single ones, up to three joined by `or`, and several of these joined by `and`.
Guarantee: a condition holds of all recorded events, but for those of at most `most_broken` games; it refuses something
that was legal. The same ones on any machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.ir.limits import TooManySteps
from golpae.learn.asked import Asked
from golpae.learn.bits import REFUSED, WORD, saved
from golpae.learn.chances import Chances
from golpae.replay.machine import Machine

SOON = 100  # recorded events, spread evenly, after which a condition is dropped that holds seldom
SELDOM = 0.2
TRUE_OFTEN = 0.3  # of the recorded events, for a condition that is joined with others
BEST_PAIRS = 40  # of which threes are made
BEST_FIRST = 4  # conditions to which others are added
MOST_ALTERNATIVES = 300  # conditions that are joined with each other
MOST_JOINED = 4  # by `and`
KEPT = 12  # that are returned
RARE = 20.0  # how much seldomer than by even choice recorded games do what a rule refuses


@dataclass(frozen=True, slots=True)
class Kept:
    """A condition that recorded events keep: each of `parts` is some conditions, of which one has to hold.

    `saved`: the bits that it saves; `cost`: those of its words; `broken`: the games that do not keep it; `expected`:
    how often the players would have done what it refuses if they chose evenly.
    """

    parts: tuple[tuple[Asked, ...], ...]
    saved: float
    cost: float
    broken: frozenset[int]
    expected: float

    @property
    def words(self) -> str:
        said = [" or ".join(_joined(one.words, "or") for one in part) for part in self.parts]
        return said[0] if len(said) == 1 else " and ".join(_joined(one, "and") for one in said)

    @property
    def is_single(self) -> bool:
        return len(self.parts) == 1 and len(self.parts[0]) == 1

    @property
    def may_break(self) -> int:
        """Return how many games that do not keep it can be faults of recording: few, where many were expected."""
        return int(self.expected / RARE)

    @property
    def worth(self) -> float:
        return self.saved - self.cost - REFUSED * len(self.broken)


def _joined(words: str, by: str) -> str:
    looser = (": ", " implies ", " or ") if by == "and" else (": ", " implies ")
    return f"({words})" if any(one in words for one in looser) else words


@dataclass(slots=True)
class _Truth:
    """Of which recorded events a condition holds, and of which that could have happened, as bits."""

    parts: tuple[Asked, ...]
    happened: int
    others: int

    @property
    def cost(self) -> float:
        return WORD * (len(self.parts) + sum(len(part.words.split()) for part in self.parts))


class Conditions:
    """Looks for conditions of one action."""

    def __init__(
        self,
        chances: Chances,
        machines: Mapping[Any, Machine],
        names: tuple[str, ...],
        most_broken: int,
    ) -> None:
        self._chances, self._machines, self._names = chances, machines, names
        self._most_broken = most_broken
        self._others = [
            (m.table, m.state, args, number) for number, m in enumerate(chances.moments) for args in m.others
        ]
        self._whole = (1 << len(chances.happened)) - 1
        self._happened = [(e.table, (e.state, *self._args(e.args))) for e in chances.happened]
        self._first = range(0, len(self._happened), max(1, len(self._happened) // SOON))
        self._open = [(table, (state, *self._args(args))) for table, state, args, _ in self._others]

    def kept(self, conditions: Sequence[Asked]) -> list[Kept]:
        """Return the best conditions."""
        truths = _each_once([truth for truth in map(self._truth, conditions) if truth is not None])
        everything = (1 << len(self._others)) - 1
        found: dict[int, Kept] = {}
        for first in self._alternatives(truths, everything)[:BEST_FIRST]:
            chosen, left = [first], first.others
            while True:
                kept = self._worth(chosen)
                known = found.get(left)
                if known is None or kept.worth > known.worth:
                    found[left] = kept
                if len(chosen) == MOST_JOINED:
                    break
                more = self._alternatives(truths, left)
                if not more:
                    break
                chosen.append(more[0])
                left &= more[0].others
                if self._worth(chosen).worth <= kept.worth:
                    break
        for truth in self._alternatives(truths, everything):
            found.setdefault(truth.others, self._worth([truth]))
        return sorted(found.values(), key=lambda k: (-k.worth, k.cost, k.words))[:KEPT]

    def _alternatives(self, truths: Sequence[_Truth], left: int) -> list[_Truth]:
        """Return conditions that recorded events keep, by the bits that they save of what is `left`, best first."""
        single: list[_Truth] = []
        found: list[_Truth] = []
        often = TRUE_OFTEN * self._whole.bit_count()
        for truth in truths:
            if left & ~truth.others == 0:
                continue
            if self._is_kept(truth.happened):
                found.append(truth)
            elif truth.happened.bit_count() >= often:
                single.append(truth)
        single.sort(key=lambda one: (one.others & left).bit_count())
        single = single[:MOST_ALTERNATIVES]
        pairs: list[tuple[float, _Truth]] = []
        for at, one in enumerate(single):
            for other in single[at + 1 :]:
                others = one.others | other.others
                if left & ~others == 0:
                    continue
                both = _Truth((*one.parts, *other.parts), one.happened | other.happened, others)
                if self._is_kept(both.happened):
                    found.append(both)
                else:
                    pairs.append((self._nearly(both, left), both))
        pairs.sort(key=lambda pair: -pair[0])
        for _, both in pairs[:BEST_PAIRS]:
            for third in single:
                others = both.others | third.others
                if left & ~others and self._is_kept(both.happened | third.happened):
                    found.append(_Truth((*both.parts, *third.parts), both.happened | third.happened, others))
        found.sort(key=lambda one: (one.others & left).bit_count())
        scored = [(self._saved(left, left & one.others) - one.cost, one) for one in found[: 4 * KEPT]]
        scored.sort(key=lambda pair: -pair[0])
        return [one for _, one in scored[:KEPT]]

    # ------------------------------------------------------------------ truth

    def _truth(self, part: Asked) -> _Truth | None:
        """Ask a condition of all events; None if it means nothing at some of them, or is not worth having."""
        action = next(a for a in part.rules.actions if a.name == self._chances.action)
        expr = next(c.expr for c in action.conditions if c.name == part.name)
        functions = {table: machine.function(expr, self._names) for table, machine in self._machines.items()}
        happened = others = 0
        try:
            for at in self._first:
                table, values = self._happened[at]
                happened += bool(functions[table](*values))
            if happened < SELDOM * len(self._first):
                return None
            for at, (table, values) in enumerate(self._open):
                if functions[table](*values):
                    others |= 1 << at
            if others == (1 << len(self._open)) - 1:
                return None  # it refuses nothing
            happened = 0
            for at, (table, values) in enumerate(self._happened):
                if functions[table](*values):
                    happened |= 1 << at
        except (TypeError, ValueError, IndexError, TooManySteps):
            return None  # what it reads is none there
        return _Truth((part,), happened, others)

    def _args(self, args: tuple[Any, ...]) -> Iterator[Any]:
        """Yield the values of the names: of a key of several tiles, the value and each tile."""
        declared = next(iter(self._machines.values())).actions[self._chances.action]
        rest = list(args)
        if declared.by is not None:
            yield rest.pop(0)
        for param in declared.params:
            value = rest.pop(0)
            yield value
            yield from value if param.parts else ()

    # ------------------------------------------------------------------ worth

    def _games(self, missing: int) -> frozenset[int]:
        found = set()
        while missing:
            low = missing & -missing
            found.add(self._chances.happened[low.bit_length() - 1].game)
            missing ^= low
        return frozenset(found)

    def _is_kept(self, happened: int) -> bool:
        missing, most = self._whole & ~happened, self._most_broken
        return missing == 0 or (missing.bit_count() <= 4 * most and len(self._games(missing)) <= most)

    def _nearly(self, truth: _Truth, left: int) -> float:
        """Return how good a condition is that needs another one beside it."""
        covered = truth.happened.bit_count() / max(1, self._whole.bit_count())
        return covered * (1 - (truth.others & left).bit_count() / max(1, left.bit_count()))

    def _saved(self, before: int, after: int) -> float:
        """Return the bits that are saved if only `after` of the events `before` are legal."""
        open_, refused = self._by_moment(before), self._by_moment(before & ~after)
        total = 0.0
        for moment, count in refused.items():
            listed = self._chances.moments[moment]
            legal = listed.legal - len(listed.others) + open_[moment]
            total += listed.weight * saved(legal, count)
        return total

    def _expected(self, refused: int) -> float:
        """Return how often one of these events would have been chosen, if all legal ones are chosen evenly."""
        moments = self._chances.moments
        counts = self._by_moment(refused).items()
        return sum(moments[at].weight * count / moments[at].legal for at, count in counts)

    def _by_moment(self, events: int) -> dict[int, int]:
        found: dict[int, int] = {}
        while events:
            low = events & -events
            number = self._others[low.bit_length() - 1][3]
            found[number] = found.get(number, 0) + 1
            events ^= low
        return found

    def _worth(self, chosen: Sequence[_Truth]) -> Kept:
        happened, others = self._whole, (1 << len(self._others)) - 1
        everything = others
        for truth in chosen:
            happened &= truth.happened
            others &= truth.others
        return Kept(
            tuple(truth.parts for truth in chosen),
            self._saved(everything, others),
            sum(truth.cost for truth in chosen) + WORD,
            self._games(self._whole & ~happened),
            self._expected(everything & ~others),
        )


def _each_once(truths: Sequence[_Truth]) -> list[_Truth]:
    """Return conditions, of those that cannot be told apart the shortest."""
    found: dict[tuple[int, int], _Truth] = {}
    for truth in sorted(truths, key=lambda one: one.cost):
        found.setdefault((truth.happened, truth.others), truth)
    return list(found.values())
