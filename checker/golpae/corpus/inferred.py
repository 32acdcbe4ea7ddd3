"""What is certain of hidden tiles in recorded games.

Input: games with what is seen of their events. Output: for each what is certain of the tiles that are not seen.
Guarantee: nothing is inferred of a game that has a fault, or that could not be decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golpae.corpus.seen import SeenGame, events_of
from golpae.hidden.lines import HiddenLine, read_line
from golpae.hidden.told import Told
from golpae.ir.limits import TooManySteps
from golpae.replay.machine import Machine
from golpae.replay.replay import happen
from golpae.trace import Header, Verdict
from golpae.trace.unseen import is_hidden

if TYPE_CHECKING:
    from golpae.hidden.inferring import InferredHand

Event = Mapping[str, Any]
INFERS = (Verdict.LEGAL, Verdict.INCOMPLETE)


@dataclass(frozen=True, slots=True)
class InferredGame:
    """What is certain of one game, hand by hand; no hands if all tiles are known. `events` are as they were seen."""

    machine: Machine
    header: Header
    events: Sequence[Event]
    hands: tuple[InferredHand, ...]
    before: int
    """Events before the first one with a hidden tile; those of `hands` are counted behind them."""

    def told(self) -> Told:
        return Told(self.machine, self.header)

    def line(self, event: int) -> HiddenLine:
        """Return an event of a hand with its unknown tiles; it is counted as the events of hands are."""
        return self.hidden_line(self.before + event)

    def hidden_line(self, event: int) -> HiddenLine:
        """Return an event with its unknown tiles; it is counted from the first one of the game."""
        line = read_line(self.machine, self.events[event - 1])
        assert isinstance(line, HiddenLine)
        return line


def everything(machine: Machine, header: Header, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return all that is recorded: the view of somebody who has the record."""
    return [dict(event) for event in events]


def inferred(game: SeenGame, why: bool, each: bool = False) -> InferredGame | None:
    """Return the facts that are certain about the hidden tiles of a game, as `infer` does; None if the game has a fault
    or takes too many steps.
    """
    report = game.report
    if report.outcome.verdict not in INFERS or game.events is None or report.end is None:
        return None
    machine, header, _ = report.end
    whole = report.outcome.completion or events_of(game.lines)
    events = game.events
    state = machine.new_state(header.stake)
    before = 0
    for event in events:
        if is_hidden(event):
            break
        try:
            if happen(machine, header, state, event) is not None:
                break  # a key that was left out
        except TooManySteps:
            return None
        before += 1
    from golpae.hidden.inferring import infer  # it loads the solver, which few games need

    hands = infer(machine, header, state, events[before:], whole[before:], why, each)
    return InferredGame(machine, header, events, tuple(hands) if before < len(events) else (), before)
