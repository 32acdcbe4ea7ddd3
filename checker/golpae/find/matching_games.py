"""The events and positions of recorded games at which an expression holds.

Input: the rule sets that are asked, and files of recorded games.
Output: for each game that has some, its places.
Guarantee: a game is asked up to its first event that is refused. Memory holds the places of one game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from golpae.diagnostics import SpecError
from golpae.find.question import MeansNothing, property_of
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.speaker import Speaker
from golpae.search.target import Target
from golpae.trace import Header, lines, read_header
from golpae.trace.cut_games import games
from golpae.trace.unseen import needs_tiles

MOST_LINES = 100_000
"""Lines of a game that are kept for cutting it out; a longer one is cut to its header."""


@dataclass(frozen=True, slots=True)
class FoundPosition:
    """A position at which the expression holds: after an event of this number (0: before the first) on this line, in
    words, with the values of the names that the expression may read.
    """

    event: int
    at: int
    words: str | None
    names: Mapping[str, Any]


@dataclass(slots=True)
class MatchingGame:
    """A game with places. `lines` are those of the file, header first, up to the first place."""

    line: int
    header: Header
    places: list[FoundPosition] = field(default_factory=list)
    lines: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class SearchCounts:
    """How many games were asked, and how many were not: of other rules, or unread, because of their header, their
    rules, or a fault that the expression has in these rules. `stopped`: games whose rules took too long. `unseen`:
    games that were asked up to their first unknown tile.
    """

    games: int = 0
    events: int = 0
    other_games: int = 0
    unread: int = 0
    stopped: int = 0
    unseen: int = 0
    faults: dict[str, SpecError] = field(default_factory=dict)

    @property
    def all_games(self) -> int:
        return self.games + self.other_games + self.unread


class Finder:
    """Looks through files. `load` gives the rules of a name with the expression, and may raise `SpecError`.

    Games of `base` count that are played by the variants and readings `switches`, at least. `of_events`: the expression
    is about events, not about positions.
    """

    def __init__(
        self, load: Callable[[str], RuleSet], base: str, switches: frozenset[str], of_events: bool
    ) -> None:
        self._load, self._base, self._switches, self.of_events = load, base, switches, of_events
        self._library = Library(self._loaded)
        self._targets: dict[int, Target] = {}
        self.asked = SearchCounts()

    def _loaded(self, rules: str) -> RuleSet:
        try:
            return self._load(rules)
        except MeansNothing as fault:
            self.asked.faults.setdefault(rules, fault)
            raise

    def file(self, stream: BinaryIO) -> Generator[MatchingGame, None, tuple[int, str] | None]:
        """Yield the games that have places. Returns the line at which reading stopped, and why, if it did."""
        return (yield from games(lines(stream), self._begun, _Search.found))

    def _begun(self, at: int, line: Mapping[str, Any], fault: str | None) -> _Search | None:
        question = self.asked
        header = read_header(line) if fault is None else fault
        if isinstance(header, str):
            question.unread += 1
            return None
        if header.base != self._base or not self._switches <= {*header.variants}:
            question.other_games += 1
            return None
        machine = self._library.machine(header.rules, len(header.players), header.options)
        if isinstance(machine, str):
            question.unread += 1
            return None
        question.games += 1
        return _Search(machine, self._target(machine), header, at, line, question)

    def _target(self, machine: Machine) -> Target:
        if id(machine) not in self._targets:
            prop = property_of(machine.rules)
            self._targets[id(machine)] = Target(machine, prop.expr, prop.after)
        return self._targets[id(machine)]  # INVARIANT: a target keeps its machine, so the id stays its own


class _Search:
    """One game."""

    def __init__(
        self,
        machine: Machine,
        target: Target,
        header: Header,
        at: int,
        line: Mapping[str, Any],
        search_counts: SearchCounts,
    ) -> None:
        self.game = MatchingGame(at, header, lines=[line])
        self._machine, self._target, self._asked = machine, target, search_counts
        self._speaker = Speaker(machine, header)
        self._events = 0
        self.stopped = False
        try:
            self._state = machine.new_state(header.stake)
            if target.at_start(self._state):
                self.game.places.append(FoundPosition(0, at, None, {}))
        except TooManySteps:
            self._stop()

    def found(self) -> MatchingGame | None:
        """Return the game if it has places."""
        return self.game if self.game.places else None

    def line(self, at: int, line: dict[str, Any] | None, fault: str | None) -> None:
        """Carry out the event of a line, and ask; stop at the first that is refused."""
        if self.stopped:
            return
        action = None if line is None or fault is not None else line.get("do")
        if line is None or action.__class__ is not str or action not in self._machine.steps:
            self.stopped = True
            return
        if not self.game.places and len(self.game.lines) < MOST_LINES:
            self.game.lines.append(line)
        if needs_tiles(line, self._machine.steps):
            self.stopped = True
            self._asked.unseen += 1
            return
        try:
            self._event(str(action), at, line)
        except TooManySteps:
            self._stop()

    def _event(self, action: str, at: int, line: Mapping[str, Any]) -> None:
        machine, target = self._machine, self._target
        before = machine.copy(self._state) if target.compares else self._state
        if target.after not in (None, action):
            try:
                self.stopped = machine.steps[action](self._state, line) is not None
            except ValueError:
                self.stopped = True
            self._count(not self.stopped)
            return
        args = machine.read(action, line)
        if isinstance(args, Bad):
            self.stopped = True
            return
        failed, ordered = machine.first(action, self._state, args)
        if failed >= 0:
            self.stopped = True
            return
        event = Event(action, ordered)
        try:
            machine.apply(action, self._state, ordered)
        except ValueError:
            self.stopped = True
            return
        self._count(True)
        if target.reached(self._state, event, before):
            self.game.places.append(
                FoundPosition(self._events, at, self._words(event), dict(target.names(event)))
            )

    def _count(self, legal: bool) -> None:
        self._events += legal
        self._asked.events += legal

    def _words(self, event: Event) -> str:
        who = self._machine.actions[event.action].by
        name = "" if who is None else f"{self._speaker.names[event.args[0]]}: "
        return f"{name}{self._speaker.event(event)}"

    def _stop(self) -> None:
        self.stopped = True
        self._asked.stopped += 1
