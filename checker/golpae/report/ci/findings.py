"""What a verb found, as continuous integration asks for it: data that every format is written from.

Input: none, this module holds data.
Output: `Run`: the cases that a call decided, each with what is wrong with it, if anything is.
Guarantee: a run whose exit status is not 0 has a case that fails.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from golpae import exit_codes
from golpae.diagnostics import Span

Level = Literal["error", "warning", "note"]
STATUS = {
    exit_codes.FAILS: "it does not hold",
    exit_codes.WRONG_INPUT: "the input is wrong",
    exit_codes.UNKNOWN: "it is undecided",
    exit_codes.FAULT: "a fault in golpae itself",
}


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A place in a file, counted from 1. `end` is the column after the last one, on the same line."""

    file: str
    line: int = 1
    column: int | None = None
    end: int | None = None


def place_of(span: Span) -> FilePlace:
    """Return the place of a span; of one that has several lines, the part on its first line."""
    line, column = span.text.position(span.start)
    last, end = span.text.position(span.end)
    return FilePlace(span.text.name, line, column, end if last == line and end > column else None)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a finding is about. `id` stays the same as long as the rule has its number, or its name.

    `title` is a few words, `text` says more, `source` names the place of a numbered rule in its source.
    """

    id: str
    title: str
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, or worth a note.

    `kind` is one word on it (`illegal`, `refuted`). `related` are other places, each with a few words. `clause` is
    the path of a clause of the rules. `details` are lines below the message. `key` tells it from other findings
    on the same rule and file, whatever stands above it. A finding that does not fail leaves the exit status as it is;
    `stands` says why, if somebody has decided that it may stand.
    """

    rule: Rule
    level: Level
    kind: str
    message: str
    place: FilePlace | None = None
    related: tuple[tuple[FilePlace, str], ...] = ()
    clause: str | None = None
    details: tuple[str, ...] = ()
    key: str = ""
    fails: bool = True
    stands: str | None = None

    @property
    def fingerprint(self) -> str:
        """Characters that are the same in the next run, although lines moved and numbers in the message differ."""
        file = "" if self.place is None else self.place.file
        parts = (self.rule.id, self.kind, self.clause or "", file, self.key or self.message)
        return hashlib.sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that a call decided. `suite` is the file or rule set that it belongs to, `told` all that people read.

    `of` is the name of the suite in words of programs, if it has another. `skipped` says why nobody asked. `more` are
    findings beside the first, which do not fail.
    """

    suite: str
    name: str
    finding: Finding | None = None
    told: str = ""
    seconds: float = 0.0
    skipped: str | None = None
    of: str | None = None
    more: tuple[Finding, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.more if self.finding is None else (self.finding, *self.more)

    @property
    def fails(self) -> bool:
        return self.finding is not None and self.finding.fails


@dataclass(frozen=True, slots=True)
class Run:
    """What a call of a verb decided. `words` is its result in one sentence, `facts` are values about suites.

    `page` is Markdown of the verb's own, if it has some.
    """

    verb: str
    cases: tuple[Case, ...]
    status: int
    words: str
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    page: tuple[str, ...] | None = None

    @property
    def findings(self) -> list[Finding]:
        return [finding for case in self.cases for finding in case.findings]

    @property
    def suites(self) -> dict[str, list[Case]]:
        """The cases by suite, in order."""
        out: dict[str, list[Case]] = {}
        for case in self.cases:
            out.setdefault(case.suite, []).append(case)
        return out


def run_of(
    verb: str,
    cases: Sequence[Case],
    status: int,
    words: str,
    facts: Mapping[str, Mapping[str, str]] | None = None,
    page: Sequence[str] | None = None,
) -> Run:
    """Return a run. If its status is not 0 and no case says why, one is added."""
    out = list(cases)
    if status != exit_codes.HOLDS and not any(case.fails for case in out):
        why = STATUS.get(status, "it was interrupted")
        rule = Rule(f"golpae-{verb}", f"golpae {verb}", "The call as a whole.")
        message = f"golpae {verb} ends with status {status}: {why}; standard error says more"
        out.append(Case(f"golpae {verb}", "the call", Finding(rule, "error", "status", message), message))
    return Run(verb, tuple(out), status, words, facts or {}, None if page is None else tuple(page))
