"""Find the shortest game that one rule set allows and another refuses or pays differently, by bounded search.

Input: a `RefinementChecker` and a question.
Output: a game with the fewest events that answers it, or the number of events up to which there is none.

The search enumerates sequences of actions and seats in order of length. The solver chooses the tiles that are dealt,
taken and put, for both rule sets at once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.compare.games.product import RefinementChecker
from golpae.compare.games.verdict import PAID
from golpae.ir.traverse import names_in
from golpae.prove.bmc import BoundedModelChecker
from golpae.prove.encoding.evaluate import OPAQUE
from golpae.prove.encoding.step import Step
from golpae.prove.solving.solver import SAT, UNSAT, Session
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, Unsupported, all_of, any_of, bags_same, conj, equal, negate
from golpae.verify.analysis import Analysis

PATH, GAME = 5_000, 10_000  # milliseconds for a path, and for a game along it

Accept = Callable[[Sequence[Mapping[str, Any]]], bool]


@dataclass(frozen=True, slots=True)
class Path:
    """Events so far, their tiles open, and the table as each of the two has it; one for both while it is the same."""

    steps: tuple[Step, ...]
    known: tuple[Truth, ...]
    table: SymbolicState
    other: SymbolicState | None


@dataclass(frozen=True, slots=True)
class Found:
    """A game, if one was found; `deep` is the number of events up to which there is certainly none."""

    events: tuple[Mapping[str, Any], ...] | None
    deep: int


class BoundedSearch:
    """Searches one table, for games that `ours` allows to their end. `seconds`, of this
    process, are what a search takes at most."""

    def __init__(self, lockstep: RefinementChecker, ours: Analysis, theirs: Analysis, seconds: float) -> None:
        self.lockstep = lockstep
        self.ours, self.theirs = ours, theirs
        self.search = BoundedModelChecker(ours.induction.rules, ours.solver, seconds)
        self.rules = theirs.induction.rules
        self.seconds = seconds

    def run(self, which: str, within: int, accept: Accept) -> Found:
        """The shortest game of up to so many events that parts the two; `accept` is asked of every one found.

        Games that begin with the deal come first: what can happen before makes many paths and few of the games.
        """
        found = self._from(which, within, accept, dealt=True)
        if found.events is not None:
            within = len(found.events) - 1
        if within < 1 or not any(a.kind == "before" for a in self.ours.instance.rule_set.actions):
            return found
        other = self._from(which, within, accept, dealt=False)
        deep = min(found.deep, other.deep)
        return Found(other.events or found.events, deep)

    def _from(self, which: str, within: int, accept: Accept, dealt: bool) -> Found:
        """The same of games that begin with the deal, or of the others."""
        end = time.process_time() + self.seconds
        search, rules = self.search, self.ours.induction.rules
        search.complete = True
        begin = len(rules.symbols.facts)
        first = rules.initial_state()
        facts = tuple(rules.symbols.facts[begin:])
        other = self._first(first) if self.lockstep.begins_differently else None
        waiting = deque([Path((), facts, first, other)])
        deep, sure = 0, within  # events that are gone through, and up to which nothing was passed over
        while waiting:
            path = waiting.popleft()
            deep = len(path.steps)
            if deep >= within:
                return Found(None, sure)
            session = self.ours.solver.session(path.known)
            for action in rules.rules.actions:
                if not path.steps and (action.kind == "before") == dealt:
                    continue
                for step in search.successors(action, path.table, not path.steps):
                    if time.process_time() > end:
                        return Found(None, min(deep, sure))
                    found = self._parted(session, path, step, which)
                    if found is not None:
                        if accept(found):
                            return Found(found, min(deep, sure))
                        search.complete = False  # another game along this path may be accepted
                    waiting += self._on(session, path, step)
            if not search.complete:
                sure = min(sure, deep)
        return Found(None, sure)

    def _first(self, table: SymbolicState) -> SymbolicState:
        rules = self.rules
        other = rules.initial_state()
        other.stake = table.stake
        return other

    # ------------------------------------------------------------------ where they part

    def _parted(
        self, session: Session, path: Path, step: Step, which: str
    ) -> tuple[Mapping[str, Any], ...] | None:
        """A game along this path whose last event parts the two."""
        rules = self.rules
        begin = len(rules.symbols.facts)
        try:
            parted = self._unpaid(path, step) if which == PAID else self._refused(path, step)
        except Unsupported:
            self.search.complete = False
            return None
        if parted is False:
            return None
        facts = rules.symbols.facts[begin:]
        reply = session.check("a game that parts them", [*step.path_condition, *facts, parted], GAME)
        if reply.status != SAT:
            self.search.complete &= reply.status == UNSAT
            return None
        return tuple(self.search.event_in(reply.model, s) for s in (*path.steps, step))

    def _refused(self, path: Path, step: Step) -> Truth:
        """Whether the other rule set refuses a step."""
        other = self.theirs.instance.rule_set.action(step.action.name)
        if other is None:
            return True
        lockstep = self.lockstep
        asked = [
            c for c in other.conditions if path.other is not None or lockstep.is_rewritten(c, step.action)
        ]
        moved = path.other is not None or not lockstep.does_alike(step.action, other)
        if step.action.kind == "deal" and not lockstep.dealt_alike(step.action, other):
            raise Unsupported("a deal of other tiles")
        if not asked and not moved:
            return False
        names = lockstep.names(step, self.ours.induction.rules, other)
        table = self._other(path)
        wrong: list[Truth] = []
        for condition in asked:
            if any(names.get(n) is OPAQUE for n in names_in(condition.expr)):
                raise Unsupported(f"what `{condition.name}` asks")
            wrong.append(negate(lockstep.holds(self.theirs, other, condition, table, names)))
        if moved:
            wrong += [all_of(stuck) for stuck in lockstep.stuck(self.theirs, other, names, table)]
        return any_of(wrong)

    def _unpaid(self, path: Path, step: Step) -> Truth:
        """Whether a step is an end that the two pay otherwise."""
        other = self.theirs.instance.rule_set.action(step.action.name)
        if step.action.kind != "end" or other is None:
            return False
        mine = self.ours.induction.rules.payout(path.table)
        theirs = self.rules.payout(self._other(path))
        differ = any_of(negate(equal(a, b)) for a, b in zip(mine, theirs, strict=True))
        return conj(differ, self._allowed(path, step))

    def _allowed(self, path: Path, step: Step) -> Truth:
        """Whether the other rule set allows a step too."""
        return negate(self._refused(path, step))

    def _other(self, path: Path) -> SymbolicState:
        if path.other is not None:
            return path.other
        table = path.table.copy()
        own = self.theirs.instance.rule_set.vars
        table.vars = {v.name: table.vars[v.name] for v in own}
        return table

    # ------------------------------------------------------------------ going on

    def _on(self, session: Session, path: Path, step: Step) -> Iterator[Path]:
        """The path after a step that both allow, one for each way that the other's effects go."""
        rules = self.rules
        other = self.theirs.instance.rule_set.action(step.action.name)
        if other is None:
            return
        begin = len(rules.symbols.facts)
        try:
            allowed = self._allowed(path, step)
            if path.other is None and self.lockstep.does_alike(step.action, other):
                facts = rules.symbols.facts[begin:]
                yield from self._possible(session, path, step, [*facts, allowed], None)
                return
            names = self.lockstep.names(step, self.ours.induction.rules, other)
            table = self._other(path)
            if step.action.kind == "deal":
                for theirs in rules.deals(other, table, names["first"]):
                    pairs = zip(step.dealt, theirs.dealt, strict=True)
                    dealt = all_of(bags_same(one, two) for one, two in pairs)
                    yield from self._possible(
                        session, path, step, [*theirs.path_condition, dealt], theirs.after
                    )
                return
            for theirs in rules.paths(other, names, table):
                yield from self._possible(session, path, step, theirs.path_condition, theirs.after)
        except Unsupported:
            self.search.complete = False

    def _possible(
        self, session: Session, path: Path, step: Step, more: Sequence[Truth], other: SymbolicState | None
    ) -> Iterator[Path]:
        known = [*step.path_condition, *more]
        if session.check("a path of both", known, PATH).status != UNSAT:
            yield Path((*path.steps, step), (*path.known, *known), step.after, other)
