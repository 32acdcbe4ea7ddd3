"""Two rule sets at one table, over all their games (section 10).

Input: two instances of one number of players; how many hands the games have; the scope of the events. Output: a
`Comparison`.
Guarantee: every game that both allow is gone through, as far as the scope goes; payments are no part of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import Action
from tests.judge.evaluate import Scene
from tests.judge.events import Legal, try_event
from tests.judge.faults import Refused, Unclear
from tests.judge.legal_events import Scope, legal_events
from tests.judge.match import payments, start, totals_left
from tests.judge.properties import MOST_STATES, within
from tests.judge.state import State
from tests.judge.table import Table


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether some game is allowed by the first rule set alone, by the second alone; whether they pay the same."""

    only_first: bool
    only_second: bool
    pay_the_same: bool

    @property
    def allow_the_same(self) -> bool:
        return not self.only_first and not self.only_second

    @property
    def first_is_narrower(self) -> bool:
        return not self.only_first and self.only_second


def compare(
    first: Instance, second: Instance, hands: int = 1, scope: Scope | None = None, stake: int = 1
) -> Comparison:
    """Return how two rule sets differ at one table (10.1). Raises `Unclear` beyond `MOST_STATES`."""
    one, begin_one = start(first, stake)
    two, begin_two = start(second, stake)
    found = {(begin_one, begin_two)}
    waiting = [(begin_one, begin_two)]
    only_first = only_second = False
    pay_the_same = True
    while waiting:
        at_one, at_two = waiting.pop()
        tried = within(scope, hands - at_one.hands_played)
        for event, verdict in legal_events(one, at_one, tried):
            own = with_payments(two, at_two, event)
            if own is None:
                continue
            other = try_event(two, at_two, own)
            if not isinstance(other, Legal):
                only_first = True
                continue
            pay_the_same = pay_the_same and own.get("pay") == event.get("pay")
            pay_the_same = pay_the_same and _paid_at_finish(own, at_two) == _paid_at_finish(event, at_one)
            if (pair := (verdict.state, other.state)) not in found:
                found.add(pair)
                waiting.append(pair)
        for event, _ in legal_events(two, at_two, tried):
            own = with_payments(one, at_one, event)
            only_second = only_second or (
                own is not None and not isinstance(try_event(one, at_one, own), Legal)
            )
        if len(found) > MOST_STATES:
            raise Unclear("too many positions")
    return Comparison(only_first, only_second, pay_the_same)


def with_payments(table: Table, state: State, event: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an event with what another rule set says about payments there; None for an `end` that is left out."""
    out = dict(event)
    try:
        if "pay" in event and state.stage in ("playing", "over"):
            out["pay"] = list(payments(_closing(table, "end"), Scene(table, state)))
    except Refused:
        return None
    if "totals" in event:
        totals = totals_left(_closing(table, "finish"), Scene(table, state))
        out["totals"] = list(totals)
        out["winners"] = [seat for seat in table.seats if totals[seat] == max(totals)]
    return out


def _paid_at_finish(event: Mapping[str, Any], state: State) -> list[int]:
    """Return what a `finish` pays; nothing of another event."""
    return [left - total for left, total in zip(event.get("totals", ()), state.totals, strict=False)]


def _closing(table: Table, kind: str) -> Action:
    return next(action for action in table.rules.actions if action.kind == kind)
