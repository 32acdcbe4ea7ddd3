"""Count the games that can follow a position, event by event: a test of speed and of agreement, as chess programs have.

Input: a machine, a state, and the trace that leads to it. Output: how many sequences of legal events there are.
Guarantee: the events are those of `docs/semantics.md` (11.5). The compiled path and the reference count the same.
"""

from __future__ import annotations

from golpae.kernel.counter import Counter
from golpae.kernel.language.host import Referred, available
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State


class Perft:
    """A position. `compiled` says whether the compiled path counts, which reads the trace `text`."""

    def __init__(self, machine: Machine, state: State, text: bytes) -> None:
        self._machine, self._state, self._legal = machine, state, Legal(machine)
        self._counter: Counter | None = None
        if available():
            try:
                rules = machine.rules.rules
                self._counter = Counter(machine.instance, rules, machine.may_be_long, text)
            except (NotCompiled, MemoryError, Referred):
                self._counter = None

    @property
    def compiled(self) -> bool:
        return self._counter is not None

    def count(self, depth: int) -> int:
        """Return how many sequences of `depth` events there are. Raises `TooManySteps`."""
        if self._counter is not None:
            try:
                return self._counter.count(depth)
            except Referred:
                self._counter = None
        return self._counted(self._state, depth)

    def _counted(self, state: State, depth: int) -> int:
        if depth == 0:
            return 1
        machine = self._machine
        events = self._legal.in_play(state)
        if depth == 1:
            return len(events)
        total = 0
        for event in events:
            after = machine.copy(state)
            machine.apply(event.action, after, event.args)
            total += self._counted(after, depth - 1)
        return total
