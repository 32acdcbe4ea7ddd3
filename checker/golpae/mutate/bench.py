"""Whether recorded games and hands tell a mutant from its text.

Input: a text, its traces and hands; a mutant.
Output: the first trace with another verdict, event or clause under the mutant, or the first hand with another count;
None if there is none. Any trace tells a rule set apart that the mutant makes faulty.
"""

from __future__ import annotations

from collections.abc import Sequence

from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import split
from golpae.mutate.judge import Judge, Verdict, silent
from golpae.mutate.mutants import Mutant
from golpae.mutate.recorded import Hand, Trace
from golpae.syntax import tree as t


class Bench:
    """All traces of a game, with their verdicts. Rules with fewer switches are tried first, and among them traces that
    noticed earlier mutants; hands last, except for clauses that only score hands.
    """

    def __init__(self, loaded: Loaded, traces: Sequence[Trace], hands: Sequence[Hand] = ()) -> None:
        usual = Judge(silent(loaded))
        self._hands = hands
        self._traces = traces
        self._usual: dict[str, Verdict] = {trace.name: usual.verdict(trace) for trace in traces}
        self._scores = {d.name.text for d in usual.loaded.decls if isinstance(d, t.Score)}
        self.begin()

    def begin(self) -> None:
        """Forget which traces noticed earlier mutants."""
        groups: dict[object, list[Trace]] = {}
        for trace in self._traces:
            groups.setdefault(trace.table, []).append(trace)
        self._groups = sorted(groups.values(), key=_switches)
        self._lately: dict[str, list[Trace]] = {}

    def notices(self, mutant: Mutant, judge: Judge) -> str | None:
        """Return the name of a trace with another verdict, or of a hand with another count, under the mutant."""
        scoring = mutant.place in self._scores
        return (
            (scoring and self._hand(mutant, judge))
            or self._trace(mutant, judge)
            or (None if scoring else self._hand(mutant, judge))
        )

    def _hand(self, mutant: Mutant, judge: Judge) -> str | None:
        for hand in self._hands:
            switched = mutant.switch is None or mutant.switch in split(hand.rules)[1]
            if switched and judge.worth(hand) != hand.worth:
                return hand.name
        return None

    def _trace(self, mutant: Mutant, judge: Judge) -> str | None:
        block = mutant.place.split(".")[0]
        for group in self._order(block):
            if mutant.switch is not None and mutant.switch not in split(group[0].header.rules)[1]:
                continue
            for trace in group:
                if judge.verdict(trace) != self._usual[trace.name]:
                    group.remove(trace)
                    group.insert(0, trace)
                    self._lately[block] = group
                    self._groups.remove(group)
                    at = sum(_switches(other) < _switches(group) for other in self._groups)
                    self._groups.insert(at, group)
                    return trace.name
        return None

    def _order(self, block: str) -> list[list[Trace]]:
        """Return the traces in groups, with those that noticed the last mutant of this block first."""
        last = self._lately.get(block)
        return list(self._groups) if last is None else [last, *(g for g in self._groups if g is not last)]


def _switches(group: Sequence[Trace]) -> int:
    """Return how many switches are on in the rules of traces of one table."""
    return len(split(group[0].header.rules)[1])
