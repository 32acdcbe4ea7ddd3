"""Score hands without a game.

Input: rules, tiles, the other keys of a score.
Output: what the hand counts, with each arrangement of it.
Guarantee: the answer is that of `golpae score`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from golpae.library.errors import HandError, rules_error
from golpae.library.values import FrozenDict, ShortRepr, line_of, several
from golpae.replay import score_hand as inner
from golpae.replay.score_hand import SCORE, score_hand
from golpae.replay.scoring.score import FailedTest

if TYPE_CHECKING:
    from golpae.library.rules import Rules


@dataclass(frozen=True, slots=True)
class Way:
    """One arrangement of a hand.

    Attributes:
        sets: its groups, each the names of its tiles.
        patterns: the points of each pattern that counts.
        points: what it is worth.
        numbers: what its patterns come to, if they count in several numbers; empty otherwise.
    """

    sets: tuple[tuple[str, ...], ...]
    patterns: FrozenDict[str, int]
    points: int
    numbers: FrozenDict[str, int]


@dataclass(frozen=True, slots=True)
class Missed:
    """A number that a hand lacks to count.

    Attributes:
        bound: `at least`, `at most` or `exactly`.
        needed: the number that is asked for.
        there: the number that there is.
    """

    bound: str
    needed: int
    there: int


@dataclass(frozen=True, slots=True)
class Misfit:
    """The nearest arrangement to a hand that fits none.

    Attributes:
        arrangement: its name.
        sets: the groups that are there.
        lacks: how many groups of each shape are missing.
        left: the tiles that are left over.
    """

    arrangement: str
    sets: tuple[tuple[str, ...], ...]
    lacks: FrozenDict[str, int]
    left: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Scored(ShortRepr):
    """What a hand counts.

    Attributes:
        rules: the rules.
        points: what it is worth; None if it does not count.
        ways: all arrangements of it that count, the best first.
        best: the best of them; None if it does not count.
        below: the best arrangement that does not count, if none does.
        missed: the numbers that `keep` asks for and this arrangement does not have.
        fails: the conditions of `keep` that do not hold of this arrangement, as the text has them.
        misfit: what the hand lacks, if it cannot be laid out at all.
    """

    rules: str
    points: int | None
    ways: tuple[Way, ...]
    below: Way | None = None
    missed: tuple[Missed, ...] = ()
    misfit: Misfit | None = None
    fails: tuple[str, ...] = ()

    @property
    def best(self) -> Way | None:
        """The best arrangement; None if it does not count."""
        return self.ways[0] if self.ways else None

    def __bool__(self) -> bool:
        """Return whether it counts."""
        return self.points is not None


@dataclass(frozen=True, slots=True, repr=False)
class Wait(ShortRepr):
    """A tile that completes a hand.

    Attributes:
        tile: the tile.
        best: the best arrangement with it; None if none counts.
        below: the best arrangement that does not count, if none does.
        fails: the conditions of `keep` that do not hold of this arrangement, as the text has them.
    """

    tile: str
    best: Way | None
    below: Way | None = None
    fails: tuple[str, ...] = ()

    @property
    def points(self) -> int | None:
        """What the hand is worth with it; None if it does not count."""
        return None if self.best is None else self.best.points


@dataclass(frozen=True, slots=True)
class Waiting:
    """A hand without the tile that completes it.

    Attributes:
        rules: the rules.
        key: the key of the tile that is left out.
        waits: the tiles that complete it.
    """

    rules: str
    key: str
    waits: tuple[Wait, ...]

    def __bool__(self) -> bool:
        """Return whether some tile makes a hand that counts."""
        return any(wait.best is not None for wait in self.waits)


def scored(
    rules: Rules, tiles: Iterable[str], players: int | None, score: str | None, keys: Mapping[str, Any]
) -> Scored | Waiting:
    """Return the score of a hand, or the score with each tile that it waits for. Raises `HandError`, `RulesError` for a
    faulty text, and `TypeError`.
    """
    if isinstance(tiles, str):
        raise TypeError("`tiles` are the names of tiles, such as ['1-1', '2-1'], not one text")
    names = several(tiles, str, "`tiles` are names of tiles")
    hand: dict[str, Any] = {"rules": rules.name, **keys}
    if score is not None:
        hand[SCORE] = score
    line, fault = line_of(hand, "a hand")
    if line is None or fault is not None:
        raise HandError(fault or "a hand is a JSON object")
    result = score_hand(line, rules.library, players, names)
    if isinstance(result, inner.Fault):
        if result.text_faults is not None:
            raise rules_error(result.text_faults)
        raise HandError(result.message)
    if isinstance(result, inner.Waiting):
        waits = (Wait(w.tile, _way(w.best), _way(w.below), _words(w.failed)) for w in result.waits)
        return Waiting(result.rules, result.key, tuple(waits))
    ways = tuple(_counting(way) for way in result.ways)
    missed = tuple(Missed(*test.number) for test in result.failed if test.number is not None)
    near = result.misfit
    misfit = None if near is None else Misfit(near.arrangement, near.sets, FrozenDict(near.lacks), near.left)
    return Scored(
        result.rules, result.points, ways, _way(result.below), missed, misfit, _words(result.failed)
    )


def _words(failed: Iterable[FailedTest]) -> tuple[str, ...]:
    return tuple(test.words for test in failed)


def _way(way: inner.Way | None) -> Way | None:
    return None if way is None else _counting(way)


def _counting(way: inner.Way) -> Way:
    return Way(way.lists, FrozenDict(way.patterns), way.points, FrozenDict(way.numbers))
