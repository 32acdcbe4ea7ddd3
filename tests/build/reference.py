"""What the reference says of a trace, event by event, in the forms that hosts of modules use.

Input: the events of a trace, and the machine that plays them. Output: for each event what it comes to; the state, and
what can follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from golpae.ir.types import Bag, Each, Opt, Type
from golpae.ir.types import Meld as MeldType
from golpae.kernel.layout import is_scalar
from golpae.replay.citing import effects_fail_elsewhere
from golpae.replay.explain import explain
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.replay.report import NOT_POSSIBLE, Report
from golpae.replay.simulate import written
from golpae.simulate.position import Positions, each


def answer(report: Report) -> dict[str, Any]:
    """Return what a host says of the last event of a trace."""
    outcome = report.outcome
    if report.refusal is None:
        whole = outcome.message is None
        return {"verdict": "legal"} if whole else {"verdict": "malformed", "message": outcome.message}
    told = explain(report.refusal)
    refused = report.refusal
    # a host says that an effect cannot be carried out, but not why
    elsewhere = refused.condition is None and effects_fail_elsewhere(refused.machine.rules, refused.action)
    message, line = told.message, outcome.message or ""
    if elsewhere:
        message, line = NOT_POSSIBLE, line.replace(told.message, NOT_POSSIBLE, 1)
    return {
        "verdict": "illegal",
        "clause": outcome.clause,
        "message": message,
        "facts": [list(fact) for fact in told.facts],
        "rules": [*told.rules],
        "legal": [*(told.legal or ())],
        "line": line,
    }


class Shown:
    """States and events of one machine, as hosts show them."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self._legal, self._positions = machine, Legal(machine), Positions(machine)

    # ------------------------------------------------------------------ states

    def state(self, state: State) -> dict[str, Any]:
        """Return a state."""
        return self._positions.nested(state)

    def alike(self, state: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
        """Return a state as `state` shows it: bags of melds and bags in its order, and none for what has no value yet,
        which a host shows as empty.
        """
        states = {
            var.name: None
            if expected["states"][var.name] in (None, [None] * self.machine.instance.players)
            and not is_scalar(var.type)
            and not isinstance(var.type, Opt)
            else each(var.each_player, _of_bags(var.type), state["states"][var.name])
            for var in self.machine.rules.vars
        }
        return {**state, "states": states}

    # ------------------------------------------------------------------ events

    def following(self, state: State) -> dict[str, Any]:
        """Return what can follow in a state."""
        found = self._legal.can_follow(state)
        assert not found.endless
        events = self.sorted(written(self.machine, event) for event in found.events)
        return {"events": events, "dealers": found.seats, "unlisted": found.unlisted}

    def sorted(self, lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return events with their lists in one order, unless that counts."""
        return [
            {
                key: value if self._is_ordered(line["do"], key) else _sorted(value)
                for key, value in line.items()
            }
            for line in lines
        ]

    def _is_ordered(self, do: str, key: str) -> bool:
        params = {param.name: param for param in self.machine.actions[do].params}
        return key in ("pay", "totals", "hands") or (key in params and isinstance(params[key].type, Each))


def _of_bags(kind: Type) -> Callable[[Any], Any]:
    """Return what puts the members of a bag of bags or melds in one order."""
    match kind:
        case Opt(item):
            return _of_bags(item)
        case Bag(Bag() | MeldType() | Each()):
            return lambda value: None if value is None else sorted(value, key=repr)
        case _:
            return lambda value: value


def _sorted(value: Any) -> Any:
    match value:
        case [str() as label, [*tiles]]:  # a meld, which can be written as `[label, tile, ...]` too
            return _sorted([label, *tiles])
        case [*members]:
            return sorted(map(_sorted, members), key=repr)
        case _:
            return value
