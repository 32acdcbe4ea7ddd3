"""The verdict on one trace, in the shape that `golpae check --format json` prints."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """What can be said of a trace."""

    LEGAL = "legal"
    """Every event is legal and the last hand has ended."""
    INCOMPLETE = "incomplete"
    """Every event is legal, the last hand has not ended."""
    ILLEGAL = "illegal"
    """Some event is one that no legal game could contain at that place."""
    MALFORMED = "malformed"
    """It cannot be read as a trace."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on one trace and, where it is not a good one, where and why."""

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

    def to_json(self) -> dict[str, str | int | None]:
        """The outcome as the trace format has it: its keys in its order, null for what is not known."""
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
