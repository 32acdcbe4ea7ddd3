"""The text of a playthrough of OpenSpiel: its game, its parameters, and its states and actions in order.

Input: the lines of a log. Output: a `Playthrough` for each line `game: NAME`.
Guarantee: what is taken from a line is of the form that OpenSpiel writes; anything else ends the playthrough with a
`Broken`, which says where. Lines that nothing is taken from are passed over, of any length.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from golpae.trace.log_text import Place

GAME = "game: "
MOST_LEGAL = 1_000
"""Actions of a list; no game that is read has so many."""

_NUMBERS = re.compile(r"\[((?:-?\d{1,6}(?:\.0)?(?:, -?\d{1,6}(?:\.0)?)*)?)\]")
_WORDS = re.compile(r'\[((?:"[^"]*"(?:, "[^"]*")*)?)\]')
_PARAMETERS = re.compile(r"\{((?:\w+=[^,{}]*(?:,\w+=[^,{}]*)*)?)\}")
_TRICKS = "# Declarer tricks: "
_APPLIED = re.compile(r'# Apply action "([^"]*)"')


@dataclass(slots=True)
class State:
    """What a playthrough says of a state: who acts, the actions that are legal, and at the end what each player gets.

    `place` is that of the line last read; `legal` and `history` have their own.
    """

    place: Place
    player: int | None = None
    is_over: bool = False
    legal: list[int] = field(default_factory=list)
    words: list[str] | None = None
    listed: Place | None = None
    returns: list[int] | None = None
    returned: Place | None = None
    history: list[int] | None = None
    noted: Place | None = None
    tricks: int | None = None
    """Tricks of the declarer, if nobody played them."""


@dataclass(frozen=True, slots=True)
class Action:
    """An action that was applied: its words, which may be missing, its number, and where it begins."""

    number: int
    words: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class Broken:
    """Where a playthrough is no playthrough any more, and why."""

    words: str
    place: Place


Step = State | Action | Broken


@dataclass(slots=True)
class Playthrough:
    """A playthrough. `game` is OpenSpiel's name for it."""

    game: str
    place: Place
    parameters: dict[str, str] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)


def playthroughs(lines: Iterable[tuple[int, str]]) -> Iterator[Playthrough]:
    """Yield the playthroughs of a log. What comes before the first one is passed over."""
    reader: _Reader | None = None
    for number, line in lines:
        if line.startswith(GAME):
            if reader is not None:
                yield reader.close()
            name = line[len(GAME) :].partition("(")[0].strip()
            reader = _Reader(Playthrough(name, Place(number)))
        elif reader is not None and not reader.is_broken:
            reader.read(line, Place(number))
    if reader is not None:
        yield reader.close()


class _Reader:
    """Reads the lines of one playthrough."""

    def __init__(self, out: Playthrough) -> None:
        self._out = out
        self._state: State | None = None
        self._applied: tuple[str, Place] | None = None
        self.is_broken = False

    def close(self) -> Playthrough:
        self._end_state()
        return self._out

    def _end_state(self) -> None:
        if self._state is not None:
            self._out.steps.append(self._state)
            self._state = None

    def read(self, line: str, place: Place) -> None:
        """Take in a line."""
        try:
            self._read(line, place)
        except ValueError as fault:
            self._state = None
            self._out.steps.append(Broken(str(fault), place))
            self.is_broken = True

    def _read(self, line: str, place: Place) -> None:
        if line.startswith("# State "):
            self._end_state()
            self._state = State(place)
        elif line.startswith("# Apply "):
            self._end_state()
            match = _APPLIED.fullmatch(line)
            if match is None:
                raise ValueError('an action is applied with a line such as `# Apply action "Pass"`')
            self._applied = match[1], place
        elif line.startswith("action: "):
            words, place = self._applied or (None, place)
            self._out.steps.append(Action(_number(line[len("action: ") :]), words, place))
            self._applied = None
        elif line.startswith(_TRICKS) and self._state is not None:
            self._state.tricks = _number(line[len(_TRICKS) :])
        else:
            key, equals, value = line.partition(" = ")
            if equals and key == "GetParameters()":
                self._out.parameters = _parameters(value)
            elif equals and self._state is not None:
                self._of_state(self._state, key, value, place)

    def _of_state(self, state: State, key: str, value: str, place: Place) -> None:
        match key:
            case "IsTerminal()":
                state.is_over = value == "True"
            case "CurrentPlayer()":
                state.player = _number(value)
            case "LegalActions()":
                state.legal, state.listed = _numbers(value), place
            case "StringLegalActions()":
                state.words = _words(value)
            case "Returns()":
                state.returns, state.returned = _numbers(value), place
            case "History()":
                state.history, state.noted = _numbers(value), place


def _number(text: str) -> int:
    """Return a number. Raises ValueError, whose words are for people."""
    match = re.fullmatch(r"-?\d{1,6}", text.strip())
    if match is None:
        raise ValueError(f"`{text.strip()[:20]}` is no number of an action or a player")
    return int(match[0])


def _numbers(text: str) -> list[int]:
    match = _NUMBERS.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"`{text.strip()[:20]}` is no list of whole numbers")
    return [int(float(one)) for one in match[1].split(", ")[:MOST_LEGAL]] if match[1] else []


def _words(text: str) -> list[str]:
    match = _WORDS.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"`{text.strip()[:20]}` is no list of actions in words")
    return match[1][1:-1].split('", "') if match[1] else []


def _parameters(text: str) -> dict[str, str]:
    match = _PARAMETERS.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"`{text.strip()[:20]}` are no parameters of a game")
    return dict(one.split("=", 1) for one in match[1].split(",")) if match[1] else {}
