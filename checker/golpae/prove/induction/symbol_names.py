"""What the symbols of a table are called in scripts, and what their codes mean.

Input: an `Induction`, and symbols. Output: for each symbol a name in the words of the text, and its code.
Guarantee: different symbols have different names. A symbol of the unknown state is called by its place: `hand of seat
0: 1-1`. Any other keeps its label and its number: `dealt[1-1].77`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.types import Seat, Tile, Type
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.script import plain_name
from golpae.prove.symbolic.symbol_factory import Meaning
from golpae.prove.symbolic.values import Bag, GuardedUnion, MeldValue, cases, constants


class SymbolNames:
    """The names of the symbols of one table; with an induction, those of its state are called by their places."""

    def __init__(
        self, instance: Instance, meanings: Mapping[str, Meaning], induction: Induction | None = None
    ) -> None:
        self._instance = instance
        self._meanings = meanings
        self._of_state: dict[str, str] = {}
        taken: set[str] = set()
        for words, symbol in () if induction is None else _places(induction):
            meaning = meanings.get(symbol)
            is_count = meaning is not None and not meaning.values
            name = plain_name(f"{words}: {self._member(meaning)}" if meaning and is_count else words)
            if symbol not in self._of_state and name not in taken:
                self._of_state[symbol] = name
                taken.add(name)

    def name(self, symbol: str) -> str:
        """Return the name of a symbol."""
        if symbol in self._of_state:
            return self._of_state[symbol]
        meaning = self._meanings.get(symbol)
        if meaning is None or meaning.values:
            return plain_name(symbol)
        head, _, number = symbol.rpartition(".")
        scope = head[: head.rfind(f"{meaning.label}[")]
        return plain_name(f"{scope}{meaning.label}[{self._member(meaning)}].{number}")

    def code(self, symbol: str) -> str | None:
        """Return the values that the numbers of a symbol stand for, such as `0: A, 1: B`; None if they are plain
        numbers.
        """
        meaning = self._meanings.get(symbol)
        if meaning is None or not meaning.values:
            return None
        return ", ".join(
            f"{i}: {_word(self._instance, value, meaning.kind)}" for i, value in enumerate(meaning.values)
        )

    def _member(self, meaning: Meaning) -> str:
        return _word(self._instance, meaning.member, meaning.kind)


def _places(induction: Induction) -> Iterator[tuple[str, str]]:
    """Yield the symbols of the unknown state with the words for their places, what is plainest first."""
    state = induction.state
    game = {
        "stage": state.at,
        "stake": state.stake,
        "winner": state.winner,
        "hands played": state.hands_played,
    }
    of_seats: dict[str, Any] = {"total": state.total, **state.vars}
    for words, value in game.items():
        yield from ((words, symbol) for symbol in _symbols(value))
    for words, value in of_seats.items():
        for seat, one in enumerate(value) if isinstance(value, list) else [(None, value)]:
            where = words if seat is None else f"{words} of seat {seat}"
            yield from ((where, symbol) for symbol in _symbols(one))
    for words, zones in state.zones.items():
        for seat, zone in enumerate(zones) if isinstance(zones, list) else [(None, zones)]:
            where = words if seat is None else f"{words} of seat {seat}"
            yield from ((where, symbol) for symbol in _symbols(zone.bag))
            if zone.row is not None:
                for part, value in (("front", zone.row.front), ("back", zone.row.back)):
                    yield from ((f"{part} of {where}", symbol) for symbol in _symbols(value))
                for index, value in enumerate(zone.row.places):
                    yield from ((f"place {index + 1} of {where}", symbol) for symbol in _symbols(value))


def _symbols(value: Any) -> list[str]:
    """Return the symbols of a value in a fixed order."""
    if isinstance(value, list):
        return [symbol for one in value for symbol in _symbols(one)]
    if isinstance(value, GuardedUnion):
        return sorted(constants(part for case in cases(value) for part in case))
    if isinstance(value, Bag):
        return [symbol for count in value.counts.values() for symbol in _symbols(count)]
    return sorted(constants([value]))


def _word(instance: Instance, value: Any, kind: Type) -> str:
    if value is None:
        return "none"
    if isinstance(value, MeldValue):
        tiles = " ".join(instance.kinds[t].name for t in value.tiles)
        return tiles if value.label is None else f"{value.label} {tiles}"
    if isinstance(value, tuple):
        return " ".join(instance.kinds[t].name for t in value)
    if isinstance(value, int) and not isinstance(value, bool):
        if isinstance(kind, Tile):
            return str(instance.kinds[value].name)
        return f"seat {value}" if isinstance(kind, Seat) else str(value)
    return str(value)
