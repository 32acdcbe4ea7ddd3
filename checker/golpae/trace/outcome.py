"""The verdict on one trace.

Input: the verdict and what led to it. Output: an `Outcome`. Guarantee: `to_json` has the keys that
`golpae check --format json` prints, in their order.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from golpae import __version__
from golpae.records import dataclass


class Verdict(StrEnum):
    """The verdicts on a trace: four, one more if there are rulings, and one more if tiles are unknown."""

    LEGAL = "legal"
    """Every event is legal and the last hand has ended."""
    INCOMPLETE = "incomplete"
    """Every event is legal, the last hand has not ended."""
    ILLEGAL = "illegal"
    """Some event breaks a rule."""
    MALFORMED = "malformed"
    """It cannot be read as a trace."""
    RULED = "legal by ruling"
    """Some event breaks a rule, a director let it stand, and the game is legal but for that. Only with rulings."""
    UNKNOWN = "unknown"
    """Tiles that nobody saw decide it, and the effort did not reach. Only of games with such tiles."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """An event that breaks a rule and stands by a ruling, which is on the line `ruling` of its file."""

    event: int
    at: int
    clause: str
    message: str
    reason: str
    ruling: int

    def to_json(self) -> dict[str, str | int]:
        """Return it as `golpae check --format json` prints it."""
        return {
            "event": self.event,
            "at": self.at,
            "clause": self.clause,
            "message": self.message,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Conflicting:
    """A record that cannot stand with others, whatever tiles nobody saw: an `event`, counted from 1 after the header,
    with the `seat` of the hand if it is a deal; `says` is what it says, for players. `clause` is what it has to fulfil
    for the conflict, None if only its tiles count.
    """

    event: int
    seat: int | None
    says: str
    clause: str | None = None

    def to_json(self) -> dict[str, str | int]:
        """Return it as `golpae check --format json` prints it."""
        parts = {"event": self.event, "seat": self.seat, "says": self.says, "clause": self.clause}
        return {key: value for key, value in parts.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on one trace; if it is bad, the event and the reason."""

    file: str
    """The file's name, `-` for standard input."""
    line: int
    """The line on which the trace begins, from 1."""
    id: str | int | None
    rules: str | None
    verdict: Verdict
    event: int | None = None
    """The first faulty event, 1 being the first after the header and 0 the header."""
    at: int | None = None
    """The line of that event."""
    clause: str | None = None
    """The rule that it breaks."""
    message: str | None = None
    spec_hash: str | None = None
    """The hash of the texts of its rules, if it was asked for."""
    trace_hash: str | None = None
    """The digest of the lines that the verdict is about (`digest`), if it was asked for."""
    rulings: tuple[Ruled, ...] = ()
    """Events that stand by rulings."""
    column: int | None = None
    """The column at which the game begins, in a log whose lines hold more than an event."""
    at_column: int | None = None
    """The column of the faulty event there."""
    ways: int = 1
    """In how many ways the log was read: those that were tried, up to this one if it is the first without a fault."""
    open: str | None = None
    """What the log leaves open, if it can be read in several ways."""
    completion: tuple[Mapping[str, Any], ...] | None = None
    """The events of a legal game that agrees with a trace in which tiles are unknown."""
    conflict: tuple[Conflicting, ...] = ()
    """What cannot stand together in an illegal one, whatever the unknown tiles are: nothing of it can be left out."""

    def to_json(self) -> dict[str, str | int | None]:
        """Return the outcome with the keys of the trace format in their order, null for an unknown value."""
        return {
            "file": self.file,
            "line": self.line,
            "id": self.id,
            "rules": self.rules,
            "verdict": self.verdict.value,
            "event": self.event,
            "at": self.at,
            "clause": self.clause,
            "message": self.message,
        }

    def to_cited_json(self) -> dict[str, Any]:
        """Return it as `golpae check --format json` prints it: with the hashes of what it is about, what decided it,
        and the rulings that it needs, if there are some.
        """
        hashes = {"spec_hash": self.spec_hash, "trace_hash": self.trace_hash, "version": __version__}
        rulings = {"rulings": [one.to_json() for one in self.rulings]} if self.rulings else {}
        return {**self.to_json(), **hashes, **rulings, **self._of_log(), **self._of_unknown_tiles()}

    def _of_unknown_tiles(self) -> dict[str, Any]:
        """Return the keys that only games with unknown tiles have."""
        completion = (
            {} if self.completion is None else {"completion": [dict(line) for line in self.completion]}
        )
        conflict = {"conflict": [one.to_json() for one in self.conflict]} if self.conflict else {}
        return {**completion, **conflict}

    def _of_log(self) -> dict[str, Any]:
        """Return the keys that only games in logs of other programs have."""
        own = {"column": self.column, "at_column": self.at_column, "open": self.open}
        ways = {} if self.open is None else {"ways": self.ways}
        return {**{key: value for key, value in own.items() if value is not None}, **ways}
