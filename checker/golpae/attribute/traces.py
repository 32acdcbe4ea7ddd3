"""Which rule sets of a game accept a trace: of all combinations of its variants and readings.

In: the lines of a file, and a way to get rule sets by name. Out: a `Found` for each trace, in order: the region of
the rule sets that accept it and, for every other one, the event and clause that refuses it. Reading streams: of a
trace nothing is kept but the states that it can have led to.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from golpae.attribute.family import Family, Load
from golpae.attribute.multi_replay import Refused, Table, Worlds
from golpae.attribute.region import Region
from golpae.diagnostics import SpecError, near
from golpae.replay.machine_cache import Library
from golpae.replay.report import LONGEST
from golpae.trace import Header, Outcome, Unread, Verdict, identity, is_header, lines, quoted, read_header

MOST_TABLES = 16  # whose machines are kept


@dataclass(frozen=True, slots=True)
class Found:
    """What was found of one trace.

    `said` is what its header says of the rules, `unknown` the switches in it that the game does not have.
    `accepting` are the rule sets under which every event is legal, and `whole` whether the last hand has ended
    under one of them. `refused` are all other rule sets. Of a malformed trace there is only the `fault`, with the
    game where that is known.
    """

    file: str
    line: int
    id: str | int | None
    said: str | None
    family: Family | None
    accepting: Region | None = None
    whole: bool = False
    refused: tuple[Refused, ...] = ()
    unknown: tuple[str, ...] = ()
    fault: Outcome | None = None

    def refusal(self, rules: int) -> Refused | None:
        """Why a rule set refuses it; None where it does not."""
        return next((r for r in self.refused if rules in r.region), None)

    @property
    def furthest(self) -> Refused | None:
        """The refusal that comes last of all: no rule set that refuses gets any further."""
        return max(self.refused, key=lambda r: r.event, default=None)


class Attribution:
    """Attributes traces to rule sets. `load` gives a rule set by name and may raise `SpecError`.

    With `rules`, every trace is of that game, whatever its header says, and has the switches named there on.
    """

    def __init__(self, load: Load, rules: str | None = None) -> None:
        self.library = Library(load)
        self._load = load
        self._rules = rules
        self._families: dict[str, Family | str] = {}
        self._tables: OrderedDict[object, Table] = OrderedDict()

    def traces(self, stream: BinaryIO, file: str) -> Generator[Found, None, tuple[int, str] | None]:
        """What is found of each trace of a file, as soon as it is known.

        The generator's return value is the line at which the file could not be read on, and why, where no `Found`
        says so.
        """
        current: _Trace | None = None
        orphans = True  # nothing has been said yet of lines before any header
        unread: tuple[int, str] | None = None
        for at, line, fault in lines(stream):
            if line is not None and is_header(line):
                if current is not None:
                    yield current.found()
                begun = self._begun(file, at, line, fault)
                current = begun if isinstance(begun, _Trace) else None
                if isinstance(begun, Found):
                    yield begun
            elif current is not None and current.worlds.worlds:
                malformed = current.went_on(at, line, fault)
                if malformed is not None:
                    yield malformed
                    current = None
            elif isinstance(fault, Unread) and not (orphans and current is None):
                unread = at, fault
            elif orphans and current is None:
                words = fault or "an event stands before any header"
                yield _malformed(file, at, None, None, None, 0, at, words)
            orphans = False
        if current is not None:
            yield current.found()
        return unread

    def family(self, base: str) -> Family | str:
        """The game of this name with all its switches, or why there is none."""
        if base not in self._families:
            fixed = () if self._rules is None else tuple(self._rules.split("+")[1:])
            try:
                self._families[base] = Family(base, self._load, fixed)
            except SpecError:
                told = self.library.machine(base, 0, {})  # says it as `check` does, and notes the fault
                self._families[base] = told if isinstance(told, str) else f"`{base}` cannot be used"
        return self._families[base]

    def _begun(self, file: str, at: int, line: Mapping[str, object], fault: str | None) -> _Trace | Found:
        name, said = identity(line)
        if self._rules is not None and isinstance(line.get("rules", ""), str):
            line = {**line, "rules": self._rules}
        header = read_header(line) if fault is None else fault
        if isinstance(header, str):
            return _malformed(file, at, name, said, None, 0, at, header)
        family = self.family(header.base)
        if isinstance(family, str):
            return _malformed(file, at, name, said, None, 0, at, family)
        worlds = Worlds(self._table(family, header), header, at)
        if not worlds.worlds:
            first = worlds.refused[0]
            return _malformed(file, at, name, said, family, 0, at, first.words(first.region.sample))
        return _Trace(file, at, said, family, worlds)

    def _table(self, family: Family, header: Header) -> Table:
        key = (family.base, len(header.players), tuple(sorted(header.options.items())))
        found = self._tables.get(key)
        if found is None:
            found = self._tables[key] = Table(family, self.library, len(header.players), header.options)
            if len(self._tables) > MOST_TABLES:
                self._tables.popitem(last=False)
        self._tables.move_to_end(key)
        return found


@dataclass(frozen=True, slots=True)
class _Trace:
    """A trace that is being read."""

    file: str
    line: int
    said: str | None
    family: Family
    worlds: Worlds

    def went_on(self, at: int, line: Mapping[str, object] | None, fault: str | None) -> Found | None:
        """Go on by one line; what is found where it is malformed."""
        worlds = self.worlds
        do = None if line is None else line.get("do")
        if fault is None and line is not None and isinstance(do, str) and do in self.family.touched.actions:
            fault = worlds.event(at, line, do)
            if fault is None:
                return None
            number = worlds.number
        else:
            number = worlds.number + 1
            fault = fault or _unknown_action(self.family, line or {})
        header = worlds.header
        return _malformed(self.file, self.line, header.id, self.said, self.family, number, at, fault)

    def found(self) -> Found:
        accepting, whole = self.worlds.accepting()
        words = () if self.said is None else tuple(self.said.split("+"))
        unknown = () if words[:1] != (self.family.base,) else words[1:]
        return Found(
            self.file,
            self.line,
            self.worlds.header.id,
            self.said,
            self.family,
            accepting,
            whole,
            tuple(self.worlds.refused),
            tuple(name for name in unknown if name not in self.family.names),
        )


def _malformed(
    file: str,
    line: int,
    name: str | int | None,
    said: str | None,
    family: Family | None,
    event: int,
    at: int,
    words: str,
) -> Found:
    short = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
    outcome = Outcome(file, line, name, said, Verdict.MALFORMED, event, at, None, short)
    return Found(file, line, name, said, family, fault=outcome)


def _unknown_action(family: Family, event: Mapping[str, object]) -> str:
    do = event.get("do")
    if "do" not in event:
        return "this line lacks the key `do`"
    if not isinstance(do, str):
        return "`do` is the name of an action, in quotes"
    advice = near(do, family.touched.actions)
    return f"`{family.base}` has no action {quoted(do)}{'; ' + advice if advice else ''}"
