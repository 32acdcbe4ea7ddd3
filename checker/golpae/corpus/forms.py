"""How verdicts, and hands that were scored, are written to a file.

Input: what tasks yield. Output: JSON lines, as `--format json` prints them, and the columns of a table.
Guarantee: every verdict has the hashes by which it can be cited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from golpae.corpus.paths import Legal, Listed
from golpae.corpus.results import JSON, encode
from golpae.corpus.scoring import COUNTS, COUNTS_NOT, UNSCORED, Hands, HoldsTraces, Unscored, WrittenHands
from golpae.replay.report import Report
from golpae.trace import Verdict

TRACE = {
    "file": "string",
    "line": "int64",
    "id": JSON,
    "rules": "string",
    "verdict": "string",
    "event": "int64",
    "at": "int64",
    "clause": "string",
    "message": "string",
}
"""The columns of whatever is written of a trace, which come first."""

VERDICTS = {
    **TRACE,
    "spec_hash": "string",
    "trace_hash": "string",
    "version": "string",
    "rulings": JSON,
}

HANDS = {
    "id": JSON,
    "points": "int64",
    "ok": "bool_",
    "numbers": JSON,
    "patterns": JSON,
    "sets": JSON,
    "lacks": "int64",
    "misfit": JSON,
    "waits": JSON,
    "error": "string",
}
"""The columns of a table of hands: the keys of their JSON."""


class _AsWritten:
    """A form whose lines are in the file as they were written."""

    behind = None

    def final(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of the file."""
        return iter(lines)


class VerdictsForm(_AsWritten):
    """The form of verdicts."""

    @property
    def columns(self) -> Mapping[str, str]:
        return VERDICTS

    def lines(self, item: Report | Legal, counts: Counter[str], texts: dict[str, str | None]) -> bytes:
        """Return a verdict as a line of JSON, or several."""
        if isinstance(item, Listed):
            counts[Verdict.LEGAL.value] += item.games
            for rules, spec_hash in item.texts:
                texts.setdefault(rules, spec_hash)
            return item.verdicts(lambda value: encode(value).decode()).encode()
        assert isinstance(item, Report)
        outcome = item.outcome
        counts[outcome.verdict.value] += 1
        if outcome.rules is not None:
            texts.setdefault(outcome.rules, outcome.spec_hash)
        return encode(outcome.to_cited_json()) + b"\n"


class HandsForm(_AsWritten):
    """How hands are written to a file: as they are printed."""

    @property
    def columns(self) -> Mapping[str, str]:
        return HANDS

    def lines(self, item: Hands, counts: Counter[str], texts: dict[str, str | None]) -> bytes:
        """Return hands as JSON lines."""
        match item:
            case WrittenHands():
                counts[COUNTS] += item.good
                counts[COUNTS_NOT] += item.hands - item.good
                texts.update(item.texts)
                return item.text.encode()
            case Unscored():
                counts[UNSCORED] += 1
                return item.text.encode()
            case HoldsTraces():
                return b""
