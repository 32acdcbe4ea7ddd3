"""Games that can follow a recorded game, counted on the compiled path.

Input: an instance, and the lines of a trace. Output: counts.
Guarantee: what is not compiled is `Referred`, and is for the reference to count.
"""

from __future__ import annotations

from golpae.elaborate.instance import Instance
from golpae.kernel.emit.playing.counting import DEEPEST
from golpae.kernel.language.host import Referred
from golpae.kernel.runner import Runner
from golpae.kernel.traces import COMPLETE, DONE, INCOMPLETE, OUTCOME


class Counter:
    """A position of one instance, after the trace `text`, whose lines are written in the usual way.

    Raises `NotCompiled`, `MemoryError`, and `Referred` if the trace is not legal or not recognised.
    """

    def __init__(self, instance: Instance, rules: str, counted: bool, text: bytes) -> None:
        self._runner = Runner(instance, rules, counted, plays=True)
        self._runner.load(text)
        stopped = self._runner.check(0, 1, len(text))
        if stopped.why != DONE or stopped.noted.words(OUTCOME) not in ([INCOMPLETE], [COMPLETE]):
            raise Referred
        self._count, self._pick, self._act = map(self._runner.function, ("count", "pick", "act"))

    def count(self, depth: int) -> int:
        """Return how many sequences of `depth` legal events can follow. Raises `Referred`."""
        if depth <= DEEPEST:
            return int(self._count(depth)) if depth else 1
        total, number = 0, 0
        position = self._runner.position
        while (action := self._pick(number)) >= 0:
            self._act(action)
            total += self.count(depth - 1)
            self._runner.position = position
            number += 1
        return total
