"""Engines: what plays a game beside the rules.

Input: an adapter in Python.
Output: an `Engine`, which answers or raises `EngineFault`.
Guarantee: an exception of an adapter never gets out.
"""

from __future__ import annotations

import copy
import os
import traceback
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from golpae.conform.answer import LONGEST, Answer, EngineFault, Failing, answer_of
from golpae.diagnostics.hidden import on_one_line

Line = Mapping[str, Any]  # of a trace
Scorer = Callable[[dict[str, Any]], int | bool | None]
"""Counts a hand: its points; None if it counts nothing; False if the engine does not know such hands."""


class Refused(Exception):
    """Raised by an adapter: this event is not legal, or this table is none that the engine plays."""


class Adapter(Protocol):
    """What stands between golpae and an engine in Python.

    Both methods return None or True (taken), False (not legal; not a table of this engine), or a dict with `ok`, `why`
    and what the engine tells of the position: `legal`, `state`, `over`, `winner`, `pay`, `totals`. They may raise
    `Refused` instead of returning False. Any other exception is a fault of the engine.
    """

    def new(self, header: dict[str, Any]) -> object:
        """Begin a new game; `header` is the first line of a trace. What was played before is forgotten."""

    def event(self, event: dict[str, Any]) -> object:
        """Take an event, a line of a trace, or refuse it and leave the game as it is."""


class Engine(Protocol):
    """An engine that golpae can ask."""

    def new(self, header: Line) -> Answer:
        """Begin a game. Raises `EngineFault`."""

    def event(self, event: Line) -> Answer:
        """Offer an event. Raises `EngineFault`."""

    def score(self, hand: Line) -> Answer:
        """Let the engine count a hand. Raises `EngineFault`."""

    def settle(self) -> None:
        """Raise `EngineFault` if the engine says more than it was asked."""

    def close(self) -> None:
        """End the engine."""


class InPython:
    """An adapter in this process, or a function that counts hands."""

    def __init__(self, adapter: Adapter | None = None, scorer: Scorer | None = None) -> None:
        self._adapter, self._scorer = adapter, scorer

    def new(self, header: Line) -> Answer:
        """Begin a game. Raises `EngineFault`."""
        assert self._adapter is not None
        return answer_of(_called(self._adapter.new, header))

    def event(self, event: Line) -> Answer:
        """Offer an event. Raises `EngineFault`."""
        assert self._adapter is not None
        return answer_of(_called(self._adapter.event, event))

    def score(self, hand: Line) -> Answer:
        """Let the function count a hand. Raises `EngineFault`."""
        assert self._scorer is not None
        points = _called(self._scorer, hand)
        if points is False or isinstance(points, Mapping):  # it does not know such hands
            return Answer(False, None, {})
        return answer_of({"points": points})

    def settle(self) -> None:
        """Do nothing: a function returns once."""

    def close(self) -> None:
        """Do nothing."""


def _called(function: Callable[[dict[str, Any]], object], line: Line) -> object:
    """Return the result of a function of an adapter, a refusal if it raises `Refused`. Raises `EngineFault`."""
    try:
        return function(copy.deepcopy(dict(line)))
    except Refused as refused:
        return {"ok": False, "why": str(refused) or None}
    except Exception as fault:
        frames = traceback.extract_tb(fault.__traceback__)
        place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})"
        words = on_one_line(f"{type(fault).__name__}{place}: {fault}"[:LONGEST])
        raise EngineFault(Failing.RAISES, words) from None
