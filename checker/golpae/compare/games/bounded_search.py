"""Find the shortest game that one rule set allows and another refuses or pays differently, by bounded search.

Input: the verifiers of the two rule sets, their `StateDivergence`, and a question.
Output: a game with the fewest events that answers it, or the number of events up to which there is none.
Guarantee: every game comes from a model; the caller replays it.

The search enumerates sequences of actions and seats in order of length. The solver chooses the tiles that are dealt,
taken and put, for both rule sets at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.compare.games import foreign_events
from golpae.compare.games.divergence import StateDivergence
from golpae.compare.games.verdict import PAID
from golpae.ir.ruleset import Action
from golpae.prove.bmc import BoundedModelChecker
from golpae.prove.encoding.step import Step
from golpae.prove.solving.solver import MILLION, SAT, UNSAT, Session
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Number, Truth, all_of, any_of, bags_same, conj, equal, negate
from golpae.verify.analysis import Analysis

PATH, GAME = 20 * MILLION, 40 * MILLION  # units for a path, and for a game along it

Events = Sequence[Mapping[str, Any]]
Accept = Callable[[Events, int], bool]  # of the events of a game, and its stake


@dataclass(frozen=True, slots=True)
class PairedPath:
    """The events so far, whose tiles are unknown, and the state that they lead to on either side.

    `other` is None while both sides share one state. `premises` is the path condition of all events.
    """

    steps: tuple[Step, ...]
    premises: tuple[Truth, ...]
    state: SymbolicState
    other: SymbolicState | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The events of a game, or None. No game with up to `exhausted` events answers the question."""

    events: tuple[Mapping[str, Any], ...] | None
    exhausted: int


@dataclass(frozen=True, slots=True)
class _Found:
    """The events of a game in a model, and its stake there."""

    events: tuple[Mapping[str, Any], ...]
    stake: int


class BoundedSearch:
    """Searches the games of `ours`. One search looks at `most_paths` paths, for `units` units of the solver's work."""

    def __init__(
        self, ours: Analysis, theirs: Analysis, divergence: StateDivergence, most_paths: int, units: int
    ) -> None:
        self.ours, self.theirs = ours, theirs
        self.divergence = divergence
        self.search = BoundedModelChecker(ours.induction.system, ours.solver, most_paths, units)
        self.system = theirs.induction.system

    def run(self, question: str, most: int, accept: Accept) -> SearchResult:
        """Return the shortest game of at most `most` events that answers the question and that `accept` accepts.

        Games that begin with the deal come first: events before the deal add many paths and few games.
        """
        result = self._search(question, most, accept, dealt=True)
        if result.events is not None:
            most = len(result.events) - 1
        if most < 1 or not any(a.kind == "before" for a in self.ours.instance.rule_set.actions):
            return result
        other = self._search(question, most, accept, dealt=False)
        return SearchResult(other.events or result.events, min(result.exhausted, other.exhausted))

    def _search(self, question: str, most: int, accept: Accept, dealt: bool) -> SearchResult:
        """Search only the games that begin with the deal, or only those that begin before it."""
        search, solver, system = self.search, self.ours.solver, self.ours.induction.system
        spent, paths = solver.spent, 0
        search.complete = True
        begin = len(system.symbols.facts)
        first = system.initial_state()
        facts = tuple(system.symbols.facts[begin:])
        other = self._initial_state(first) if self.divergence.begins_differently else None
        waiting = deque([PairedPath((), facts, first, other)])
        length, exhausted = 0, most  # events of the paths at hand; up to `exhausted`, no path was skipped
        while waiting:
            path = waiting.popleft()
            length = len(path.steps)
            if length >= most:
                return SearchResult(None, exhausted)
            session = self.ours.solver.session(path.premises)
            for action in system.rules.actions:
                if not path.steps and (action.kind == "before") == dealt:
                    continue
                for step in search.successors(action, path.state, not path.steps):
                    if paths >= search.most_paths or solver.spent - spent > search.units:
                        return SearchResult(None, min(length, exhausted))
                    paths += 1
                    game = self._game(session, path, step, question, first.stake)
                    if game is not None:
                        stakes = dict.fromkeys((1, game.stake))
                        if any(accept(game.events, stake) for stake in stakes):
                            return SearchResult(game.events, min(length, exhausted))
                        search.complete = False  # another game along this path may be accepted
                    waiting += self._extended(session, path, step)
            if not search.complete:
                exhausted = min(exhausted, length)
        return SearchResult(None, exhausted)

    def _initial_state(self, ours: SymbolicState) -> SymbolicState:
        """Return the initial state of the other side."""
        state = self.system.initial_state()
        state.stake = ours.stake
        return state

    # ------------------------------------------------------------------ the last event

    def _game(
        self, session: Session, path: PairedPath, step: Step, question: str, stake: Number
    ) -> _Found | None:
        """Return a game along this path whose last event answers the question."""
        system = self.system
        begin = len(system.symbols.facts)
        try:
            answers = self._paid_otherwise(path, step) if question == PAID else self._refused(path, step)
        except Unsupported:
            self.search.complete = False
            return None
        if answers is False:
            return None
        facts = system.symbols.facts[begin:]
        reply = session.check("a game that parts them", [*step.path_condition, *facts, answers], GAME)
        if reply.status != SAT:
            self.search.complete &= reply.status == UNSAT
            return None
        model = reply.satisfied_by
        events = tuple(self.search.event_in(model, s) for s in (*path.steps, step))
        return _Found(events, max(1, model.number(stake)))

    def _refused(self, path: PairedPath, step: Step) -> Truth:
        """Return whether the other rule set refuses a step."""
        other = self._other_action(step)
        if other is None:
            return True
        own_state = path.other is not None
        conditions = [
            c for c in other.conditions if own_state or self.divergence.is_rewritten(c, step.action)
        ]
        effects = own_state or not self.divergence.same_effects(step.action, other)
        if step.action.kind == "deal" and not self.divergence.same_deal(step.action, other):
            raise Unsupported("deals that differ")
        if not conditions and not effects:
            return False
        names = foreign_events.renamed(step.names, self.ours.induction.system, step.action, other)
        state = self._other_state(path)
        violations = [
            negate(foreign_events.holds(self.system, other, condition, state, names))
            for condition in conditions
        ]
        if effects:
            missing = foreign_events.tiles_missing(self.system, other, state, names)
            violations += [all_of(formulas) for formulas in missing]
        return any_of(violations)

    def _paid_otherwise(self, path: PairedPath, step: Step) -> Truth:
        """Return whether a step ends the hand, or the match, in both, with different payments."""
        if step.action.kind not in ("end", "finish") or self._other_action(step) is None:
            return False
        mine = self.ours.induction.system.paid_at(step.action.kind, path.state)
        theirs = self.system.paid_at(step.action.kind, self._other_state(path))
        differ = any_of(negate(equal(a, b)) for a, b in zip(mine, theirs, strict=True))
        return conj(differ, self._allowed(path, step))

    def _allowed(self, path: PairedPath, step: Step) -> Truth:
        return negate(self._refused(path, step))

    def _other_action(self, step: Step) -> Action | None:
        return self.theirs.instance.rule_set.action(step.action.name)

    def _other_state(self, path: PairedPath) -> SymbolicState:
        if path.other is not None:
            return path.other
        state = path.state.copy()
        state.vars = {v.name: state.vars[v.name] for v in self.theirs.instance.rule_set.vars}
        return state

    # ------------------------------------------------------------------ longer paths

    def _extended(self, session: Session, path: PairedPath, step: Step) -> Iterator[PairedPath]:
        """Yield the path after a step that both allow, once for each path through the other's effects."""
        system = self.system
        other = self._other_action(step)
        if other is None:
            return
        if self.divergence.names_tiles_otherwise(step.action, other):
            self.search.complete = False  # the other side may be in another state than the one at hand
        begin = len(system.symbols.facts)
        try:
            allowed = self._allowed(path, step)
            if path.other is None and self.divergence.same_effects(step.action, other):
                facts = system.symbols.facts[begin:]
                yield from self._possible(session, path, step, [*facts, allowed], None)
                return
            names = foreign_events.renamed(step.names, self.ours.induction.system, step.action, other)
            state = self._other_state(path)
            if step.action.kind == "deal":
                for theirs in system.deals(other, state, names["first"], names):
                    pairs = zip(step.dealt, theirs.dealt, strict=True)
                    same_hands = all_of(bags_same(one, two) for one, two in pairs)
                    premises = [*theirs.path_condition, same_hands]
                    yield from self._possible(session, path, step, premises, theirs.after)
                return
            for theirs in system.paths(other, names, state):
                yield from self._possible(session, path, step, theirs.path_condition, theirs.after)
        except Unsupported:
            self.search.complete = False

    def _possible(
        self,
        session: Session,
        path: PairedPath,
        step: Step,
        more: Sequence[Truth],
        other: SymbolicState | None,
    ) -> Iterator[PairedPath]:
        """Yield the extended path unless the solver shows that no game follows it."""
        premises = [*step.path_condition, *more]
        if session.check("a path of both", premises, PATH).status != UNSAT:
            yield PairedPath((*path.steps, step), (*path.premises, *premises), step.after, other)
