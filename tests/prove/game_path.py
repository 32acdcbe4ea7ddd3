"""A game in the prover: its events, one after the other, through the transition relation."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from golpae.prove.encoding.step import Step
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.values import Truth, same
from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.replay_bridge import symbolic_state
from tests.prove.shared import Both, culprits, differences, step_of


class Path:
    """A path of the transition relation from the initial state, as far as its events determine it."""

    def __init__(self, both: Both) -> None:
        self.both = both
        begin = len(both.system.symbols.facts)
        self.state: SymbolicState = both.system.initial_state()
        self.formulas: list[Truth] = []
        self.solver = z3.Solver()
        self.add([*both.system.symbols.facts[begin:], same(self.state.stake, 1)])

    def add(self, formulas: Sequence[Truth]) -> None:
        self.formulas += formulas
        self.solver.add(*(t for t in formulas if not isinstance(t, bool)))

    def possible(self, formulas: Sequence[Truth] = ()) -> bool:
        """Return whether these formulas can be true on the path too."""
        if any(t is False for t in (*self.formulas, *formulas)):
            return False
        self.solver.push()
        self.solver.add(*(t for t in formulas if t is not True))
        status = self.solver.check()
        self.solver.pop()
        assert status != z3.unknown
        return bool(status == z3.sat)

    def step(self, event: Event, after: State | None) -> Step:
        """Return the step of an event. For a deal, constrain it to the state after it."""
        if self.both.machine.actions[event.action].kind != "deal":
            return step_of(self.both, event, self.state)
        (step,) = self.both.system.steps(self.both.machine.actions[event.action], self.state)
        assert after is not None
        real = symbolic_state(self.both.machine, after)
        self.add([t for _, t in differences(self.both, step.after, real)])
        return step

    def take(self, event: Event, after: State) -> None:
        """Extend the path by an event, which has to be possible."""
        step = self.step(event, after)
        named = [*step.guards, *((f"fact {n}", t) for n, t in enumerate((*step.facts, *step.definitions)))]
        if not self.possible([t for _, t in named]):
            raise AssertionError((event, culprits(self.formulas, named)))
        self.add([t for _, t in named])
        self.state = step.after

    def agrees(self, state: State) -> bool:
        """Return whether the path can end in a state of replay."""
        real = symbolic_state(self.both.machine, state)
        return self.possible([t for _, t in differences(self.both, self.state, real)])
