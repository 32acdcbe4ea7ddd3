"""How hands are shown that were scored: to people, and to programs.

Input: a scored hand. Output: lines of text, or of JSON.
Guarantee: no control character of a hand gets to a terminal. The words are the same in any process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from golpae.cli.terminal.output import json_text, printable
from golpae.diagnostics import quoted_list
from golpae.replay.score_hand import Misfit, Scored, Wait, Waiting, Way
from golpae.replay.scoring.score import FailedTest
from golpae.replay.speaker import said_numbers

if TYPE_CHECKING:
    from golpae.corpus.scored_files import CompiledHand


@dataclass(frozen=True, slots=True)
class Words:
    """Hands as text for people."""

    def hand(self, scored: Scored | Waiting, name: object) -> str:
        """Return the lines on a hand that has this id, None without one."""
        return "\n".join(_lines(scored, name)) + "\n"

    def compiled(self, hand: CompiledHand) -> str:
        """Return the lines on a hand that was scored on the compiled path."""
        return self.hand(hand.scored(), hand.name)

    def fault(self, name: object, message: str) -> str:
        """Return the lines on a hand that cannot be scored."""
        return ""


@dataclass(frozen=True, slots=True)
class Objects:
    """Hands as JSON lines; `utf8`: whoever reads them knows all characters."""

    utf8: bool

    def hand(self, scored: Scored | Waiting, name: object) -> str:
        """Return the line on a hand that has this id, None without one."""
        return json_text({**_id(name), **scored.to_json()}, self.utf8) + "\n"

    def compiled(self, hand: CompiledHand) -> str:
        """Return the line on a hand that was scored on the compiled path."""
        name = hand.id.decode()
        if not (name.isascii() and name.isprintable()):
            return self.hand(hand.scored(), hand.name)
        text = hand.json(partial(json_text, utf8=self.utf8))
        return f'{{"id":{name},{text[1:]}\n' if name else f"{text}\n"

    def fault(self, name: object, message: str) -> str:
        """Return the line on a hand that cannot be scored."""
        return json_text({**_id(name), "points": None, "ok": False, "error": message}, self.utf8) + "\n"


def _id(name: object) -> dict[str, object]:
    return {} if name is None else {"id": name}


def _lines(scored: Scored | Waiting, name: object) -> Iterator[str]:
    head = f"{scored.rules} {scored.hand}" if name is None else f"{printable(str(name))}: {scored.hand}"
    if isinstance(scored, Waiting):
        yield from _waits(head, scored)
        return
    if scored.points is None and scored.below is None:
        yield f"{head}: counts nothing"
        if scored.misfit is not None:
            yield from _lacking(scored.misfit)
        return
    if scored.points is None:
        yield from _below(head, scored)
        return
    yield f"{head}: {scored.points}{_numbers(scored.ways[0])}"
    for way in scored.ways:
        mark = "best" if way.place == scored.ways[0].place else "    "
        yield f"  {mark}  {_laid_out(way)}"


def _numbers(way: Way) -> str:
    """Return the numbers in which patterns count, in brackets; nothing if there is only one, which has no name."""
    return f" ({said_numbers(way.numbers)})" if way.numbers else ""


def _laid_out(way: Way) -> str:
    """Return the points of a layout, its groups, and its patterns, as a line."""
    return f"{way.points:>2}{_numbers(way)}  {' | '.join(way.sets)}  ({way.said or 'no pattern holds'})"


def _below(head: str, scored: Scored) -> Iterator[str]:
    """Yield the lines on a hand that does not count: its points, its layout, and the conditions that fail."""
    way = scored.below
    assert way is not None
    if not way.patterns:
        yield f"{head}: counts nothing"
    else:
        why = "below the minimum" if _is_below(scored.failed) else "it does not count"
        yield f"{head}: worth {way.points}{_numbers(way)}, but {why}"
    yield f"        {_laid_out(way)}"
    for test in scored.failed:
        yield f"        {_failed(test)}"


def _is_below(failed: Sequence[FailedTest]) -> bool:
    """Return whether nothing is missing but points."""
    return bool(failed) and all(test.is_minimum for test in failed)


def _failed(test: FailedTest) -> str:
    """Return the words for a condition of `keep` that does not hold."""
    if test.lacking:
        return f"`{test.words}` does not hold: this arrangement has no {quoted_list(test.lacking)}"
    if test.number is None:
        return f"`{test.words}` does not hold"
    bound, number, there = test.number
    needed = f"{bound} {number} {'is' if number == 1 else 'are'} needed, not {there}"
    return needed if test.is_minimum else f"`{test.words}` does not hold: {needed}"


def _lacking(near: Misfit) -> Iterator[str]:
    """Yield a line on a hand that fits no arrangement: the sets it has, the shapes it lacks, the tiles left over."""
    sets = f"{' | '.join(' '.join(s) for s in near.sets)}  (" if near.sets else "("
    lacks = ", ".join(f"{number} `{shape}`" for shape, number in near.lacks.items())
    words = [f"`{near.arrangement}` lacks {lacks}" if lacks else f"`{near.arrangement}` is complete"]
    if not (lacks or near.left):
        words.append("the marked tile is in no group of the hand")
    if near.left:
        words.append(f"left over: {' '.join(near.left)}")
    yield f"            {sets}{'; '.join(words)})"


def _waits(head: str, hand: Waiting) -> Iterator[str]:
    """Yield the tiles that complete a hand whose last tile is left out."""
    if not hand.waits:
        yield f"{head}: no `{hand.key}` completes it"
        return
    yield f"{head}: waits for {' '.join(wait.tile for wait in hand.waits)}"
    width = max(len(wait.tile) for wait in hand.waits)
    for wait in hand.waits:
        yield f"  {wait.tile:<{width}}  {_counts(wait)}"


def _counts(wait: Wait) -> str:
    way = wait.best or wait.below
    if way is None or (wait.best is None and not wait.failed):
        return "counts nothing"
    below = ""
    if wait.best is None:
        below = ", below the minimum" if _is_below(wait.failed) else f"; {_failed(wait.failed[0])}"
    return f"{_laid_out(way)}{below}"
