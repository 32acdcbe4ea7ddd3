"""The product of two transition systems: two rule sets that take the same events side by side.

Input: the verifiers `a` and `b` of two rule sets at one table, and their `StateDivergence`.
Output: the symbolic state of each side, the steps of each action, and solver queries about both sides at once.
Guarantee: the states of the two sides share every part that has not diverged. All queries start from what is proved
to hold always in either game.

Both games begin alike, and while both allow the same events, equal effects leave equal states. If an effect may leave
a part different, the solver tries to prove that it does not. Without a proof the part has diverged, and from then on
it is an unknown of its own on either side.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from golpae.compare.games.divergence import OVER, TOTAL, WINNER, StateDivergence
from golpae.compare.games.foreign_events import renamed
from golpae.ir.ruleset import Action
from golpae.prove.encoding.step import Step
from golpae.prove.solving.solver import SAT, UNSAT, Session
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Bag, Truth, any_of, bags_same, equal, negate, same
from golpae.prove.symbolic.zones import Zone
from golpae.verify.analysis import Analysis


class Product:
    """Both sides of a comparison in one solver session."""

    def __init__(self, a: Analysis, b: Analysis, divergence: StateDivergence) -> None:
        self.a, self.b = a, b
        self.divergence = divergence
        self._session: Session | None = None
        self._state_of_b: SymbolicState | None = None
        self._settled = False

    @property
    def diverged(self) -> set[str]:
        return self.divergence.diverged

    def restart(self) -> None:
        """Forget the diverged parts, because more invariants may prove that they are the same."""
        self.divergence.restart()
        self.forget_session()
        self._state_of_b = None
        self._settled = False

    def forget_session(self) -> None:
        """Let the next query start from the invariants as they are then."""
        self._session = None

    # ------------------------------------------------------------------ what diverges

    def settle(self) -> None:
        """Find every part that may diverge in some game that both allow. Raises `Unsupported`."""
        while not self._settled:
            more = self._diverging() - self.diverged
            self._settled = not more
            if more:
                self.diverged.update(more)
                self.forget_session()
                self._state_of_b = None

    def _diverging(self) -> set[str]:
        out: set[str] = set()
        for action in self.a.instance.rule_set.actions:
            other = self.b.instance.rule_set.action(action.name)
            if other is None:
                continue
            possible = self.divergence.possibly_diverging(action, other) - self.diverged - out
            if possible:
                out |= self._not_proved_same(action, other, possible)
        return out

    def _not_proved_same(self, action: Action, other: Action, possible: set[str]) -> set[str]:
        """Return the parts that are not proved to be the same after an event that both allow."""
        state = self.state(self.b)
        out: set[str] = set()
        if action.kind == "deal" or self.divergence.names_tiles_otherwise(action, other):
            return possible
        for step in self.steps(self.a, action):
            names = renamed(step.names, self.a.induction.system, action, other)
            agreed = same(names["winner"], state.winner) if action.kind == "end" else True
            for their_step in self.b.induction.system.paths(other, names, state):
                for name in sorted(possible - out):
                    differ = _part_differs(name, step.after, their_step.after)
                    if differ is None or (
                        differ is not False
                        and self.why_possible(
                            f"{action.name} leaves {name}",
                            [*step.path_condition, *their_step.path_condition, agreed, differ],
                        )
                        is not None
                    ):
                        out.add(name)
        return out

    # ------------------------------------------------------------------ states and steps

    def state(self, side: Analysis) -> SymbolicState:
        """Return the unknown state as one side has it. A diverged part is an unknown of its own on side `b`."""
        mine = self.a.induction.state
        if side is self.a:
            return mine
        if self._state_of_b is None:
            own = side.induction.state
            state = mine.copy()
            state.vars = {n: mine.vars[n] if n not in self.diverged else v for n, v in own.vars.items()}
            for name in self.diverged & mine.zones.keys():
                state.zones[name] = own.zones[name]
            if OVER in self.diverged:
                state.at = own.at
            if WINNER in self.diverged:
                state.winner = own.winner
            if TOTAL in self.diverged:
                state.total = list(own.total)
            self._state_of_b = state
        return self._state_of_b

    def steps(self, side: Analysis, action: Action) -> Iterator[Step]:
        """Yield the steps of an action from the unknown state, as one side has it.

        Steps list the orders of tiles apart if the action is order sensitive on either side.
        """
        mine, other = (d.induction.system for d in (side, self.b if side is self.a else self.a))
        theirs = other.rules.action(action.name)
        own = mine.parameter_choices.is_order_sensitive(action)
        either = own or (theirs is not None and other.parameter_choices.is_order_sensitive(theirs))
        if side is self.a and either is own:
            yield from (s for s in side.induction.steps if s.action.name == action.name)
            return
        mine.parameter_choices.order_sensitive[action.name] = either
        try:
            yield from mine.steps(action, self.state(side))
        finally:
            mine.parameter_choices.order_sensitive[action.name] = own

    # ------------------------------------------------------------------ queries

    def why_possible(self, about: str, formulas: list[Truth]) -> str | None:
        """Return None if the formulas are proved unsatisfiable, otherwise why the proof failed."""
        reply = self._queries().check(about, formulas)
        sides = [side.induction.system.evaluator for side in (self.a, self.b)]
        if reply.status == SAT and any(evaluator.abstraction.axioms for evaluator in sides):
            exact = [formula for evaluator in sides for formula in evaluator.abstraction.exact_axioms()[0]]
            reply = self._queries().check(about, [*formulas, *exact])
        if reply.status == UNSAT:
            return None
        return f": {reply.reason}" if reply.reason else ""

    def _queries(self) -> Session:
        """Return the session whose queries start from all invariants of both sides."""
        if self._session is None:
            mine, other = self.a.induction, self.b.induction
            premises = list(mine.premises)
            state = self.state(self.b)
            system = other.system
            begin = len(system.symbols.facts)
            premises += other.quick_facts
            premises += [c.predicate(state) for c in other.invariants]
            premises += [
                equal(system.states.count_copies(state, k), c) for k, c in system.evaluator.copies.items()
            ]
            premises += self._unreachable_melds(state)
            premises += system.symbols.facts[begin:]
            self._session = self.a.solver.session(premises)
        return self._session

    def _unreachable_melds(self, state: SymbolicState) -> Iterator[Truth]:
        """Yield the formulas that zones of both sides hold no melds that side `b` can never make."""
        for name, groups in self.b.induction.system.states.groups.items():
            if name in self.diverged or name not in state.zones:  # a state can hold melds too
                continue
            zones = state.zones[name]
            for zone in zones if isinstance(zones, list) else [zones]:
                for key, count in zone.bag.items():
                    if key not in groups:
                        yield equal(count, 0)


def _part_differs(name: str, one: SymbolicState, other: SymbolicState) -> Truth | None:
    """Return whether a part differs between two states; None if that has no encoding."""
    if name == OVER:
        return negate(same(one.at, other.at))
    if name == WINNER:
        return negate(same(one.winner, other.winner))
    if name == TOTAL:
        return any_of(negate(equal(a, b)) for a, b in zip(one.total, other.total, strict=True))
    if name in one.vars and name in other.vars:
        return _any_differs(one.vars[name], other.vars[name])
    return _any_differs(one.zones[name], other.zones[name]) if name in one.zones else None


def _any_differs(one: Any, other: Any) -> Truth | None:
    ones, others = (x if isinstance(x, list) else [x] for x in (one, other))
    differences = [_value_differs(a, b) for a, b in zip(ones, others, strict=True)]
    return None if any(d is None for d in differences) else any_of(differences)


def _value_differs(one: Any, other: Any) -> Truth | None:
    if one is other:
        return False
    if isinstance(one, Zone) and isinstance(other, Zone):
        # the order of a row may differ
        return negate(bags_same(one.bag, other.bag)) if one.row is None and other.row is None else None
    if isinstance(one, Bag) and isinstance(other, Bag):
        return negate(bags_same(one, other))
    return negate(same(one, other))
