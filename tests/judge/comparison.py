"""Two rule sets at one table, over all their games (section 10).

Input: two instances of one number of players; how many hands the games have; the scope of the events. Output: a
`Comparison`.
Guarantee: every game that both allow is gone through, as far as the scope goes.
"""

from __future__ import annotations

from dataclasses import dataclass

from golpae.elaborate.instance import Instance
from tests.judge.events import Legal, try_event
from tests.judge.faults import Unclear
from tests.judge.legal_events import Scope, legal_events
from tests.judge.match import start
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
            other = try_event(two, at_two, event)
            if not isinstance(other, Legal):
                only_first = True
                pay_the_same = pay_the_same and not _pays_otherwise(event, two, at_two, tried)
            elif (pair := (verdict.state, other.state)) not in found:
                found.add(pair)
                waiting.append(pair)
        for event, _ in legal_events(two, at_two, tried):
            only_second = only_second or not isinstance(try_event(one, at_one, event), Legal)
        if len(found) > MOST_STATES:
            raise Unclear("too many positions")
    return Comparison(only_first, only_second, pay_the_same)


def _pays_otherwise(event: dict[str, object], table: Table, state: State, scope: Scope) -> bool:
    """Return whether an `end` is legal at another table but for what it pays."""
    if event["do"] != "end":
        return False
    same = {**event, "pay": None}
    return any({**other, "pay": None} == same for other, _ in legal_events(table, state, scope))
