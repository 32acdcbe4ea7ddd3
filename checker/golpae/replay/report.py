"""The results of a replay: data only.

Input: none. Output: `Report`, `Refusal` and `Explanation`, and the bound on the length of a message.
Guarantee: a refusal has everything that an explanation of it needs.
"""

from __future__ import annotations

from collections.abc import Mapping

from golpae.diagnostics import SpecError
from golpae.ir.ruleset import Action, Condition
from golpae.records import dataclass
from golpae.replay.machine import Machine, State
from golpae.trace import Header, Outcome

LONGEST = 2000  # characters of a message
NOT_THERE = "this event moves tiles from a place where they are not"
NOT_POSSIBLE = "an effect of this event cannot be carried out"  # if it may be for another reason, too


@dataclass(frozen=True, slots=True)
class Refusal:
    """An event that was refused. `condition` is None if all conditions hold but an effect failed."""

    machine: Machine
    header: Header
    state: State
    action: Action
    args: tuple[object, ...]
    condition: Condition | None
    clause: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """A refusal in words.

    `facts` are (what, its tiles or value); `rules` the numbered rules, `numbers` their numbers; `legal` the events
    that were legal there, or None if that is said by the message: only another deal. `to_player` is the message without
    what the seat that acts cannot see.
    """

    message: str
    facts: tuple[tuple[str, str], ...]
    rules: tuple[str, ...]
    legal: tuple[str, ...] | None
    numbers: tuple[str, ...] = ()
    to_player: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one trace. `end` is the state after the last legal event, with its machine and header.

    `text_faults` are the faults of the text of its rules, if the trace could not be replayed because of them.
    `unknown_rules` is whether it could not be replayed because golpae finds no rules of that name. `explanation` is
    that of the refusal, if the replay explains. A report that another process has made has no refusal and no `end`.
    `whole` are the header and the events of a game without a fault, with all tiles, if they were asked for. If tiles
    are `unseen`, `end` is the state in one of the games that agree with the trace.
    """

    outcome: Outcome
    refusal: Refusal | None = None
    end: tuple[Machine, Header, State] | None = None
    events: int = 0
    text_faults: SpecError | None = None
    unknown_rules: bool = False
    explanation: Explanation | None = None
    whole: tuple[Mapping[str, object], ...] | None = None
    unseen: bool = False


def bounded(message: str) -> str:
    """Return a message cut to `LONGEST` characters: it may quote a long part of a trace."""
    return message if len(message) <= LONGEST else message[: LONGEST - 1] + "…"
