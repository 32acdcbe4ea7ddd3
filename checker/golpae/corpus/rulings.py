"""A file of rulings, and which of them a check has used."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence

from golpae.rule_names import UsageError
from golpae.trace import Outcome, Source, quoted
from golpae.trace.ruling import RulingFault, read_rulings
from golpae.unreadable import reason_of

FORM = '{"trace":"ID","event":5,"clause":"game.action.condition","reason":"..."}'


def uses_of(outcome: Outcome) -> list[tuple[int, str]]:
    """Return which rulings, by their lines, a verdict has used, each with the place of its trace."""
    return [(one.ruling, f"{outcome.file}:{outcome.line}") for one in outcome.rulings]


class UsedRulings:
    """The rulings of a file. Raises `UsageError`."""

    def __init__(self, path: str) -> None:
        self._path = path
        try:
            with open(path, "rb") as stream:
                self.rulings = read_rulings(stream)
        except OSError as fault:
            reason = reason_of(fault)
            raise UsageError("--rulings", f"{quoted(path)} cannot be read: {reason}") from None
        except RulingFault as fault:
            message = f"{quoted(path)}, line {fault.line}: {fault}"
            raise UsageError("--rulings", message, f"a ruling is one line such as `{FORM}`") from None
        self.digest = hashlib.sha256(repr(self.rulings).encode()).hexdigest()
        """A hash of what the rulings say."""
        self._used: dict[int, list[str]] = {}

    def without(self, files: Sequence[Source]) -> list[Source]:
        """Return files of traces without this one, which may lie among them."""
        own = os.path.realpath(self._path)
        return [file for file in files if file.path == "-" or os.path.realpath(file.path) != own]

    def note(self, outcome: Outcome) -> None:
        """Note which rulings a verdict has used."""
        self.note_uses(uses_of(outcome))

    def note_uses(self, uses: Iterable[tuple[int, str]]) -> None:
        """Note which rulings verdicts have used, as `uses_of` says."""
        for ruling, trace in uses:
            self._used.setdefault(ruling, []).append(trace)

    def faults(self) -> Iterator[str]:
        """Yield a message about each ruling that no trace needs, or that several traces have used."""
        for ruling in self.rulings:
            traces = self._used.get(ruling.line, [])
            place = f"{self._path}:{ruling.line}"
            if not traces:
                what = (
                    f"event {ruling.event} of {quoted(ruling.trace)} does not break {quoted(ruling.clause)}"
                )
                yield f"{place}: nothing needs this ruling: {what}"
            elif len(traces) > 1:
                yield f"{place}: {len(traces)} traces have used this ruling: name one, such as {quoted(traces[0])}"
