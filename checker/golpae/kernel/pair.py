"""Hands by chance that two rule sets allow, side by side, on the compiled path.

Input: two instances with the same zones, tiles and keys of events; a seed, the numbers of hands.
Output: a word for each hand, as `emit.playing.pairing` describes it.
Guarantee: the hands are those of `docs/semantics.md` (11.9); one that is not compiled is given as None, and is for the
reference to play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from golpae.elaborate.instance import Instance
from golpae.kernel.emit.actions import Actions
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.playing.chance import Playing
from golpae.kernel.emit.playing.listing import Listing
from golpae.kernel.emit.playing.numbers import Numbers
from golpae.kernel.emit.playing.pairing import ROOM, NoteAddresses, Pairing, PlayingSide
from golpae.kernel.emit.rows import row_functions
from golpae.kernel.language.code import Function, Module
from golpae.kernel.language.wasm import wasm
from golpae.kernel.layout import FIRST
from golpae.kernel.module import act_function
from golpae.kernel.start import start
from golpae.kernel.two_sides import HandsOfModule, TwoSides


@dataclass(frozen=True, slots=True)
class CompiledPair:
    """A module of two rule sets, and where it notes hands. The names of the tables that it fills begin with a scope."""

    wasm: bytes
    noted: NoteAddresses
    refused: tuple[str, ...]
    filled: tuple[str, ...]
    filling: int


class PairPlayer:
    """Two instances, compiled to play hands of up to `longest` events.

    Raises `NotCompiled` if they cannot be compiled, and `MemoryError`.
    """

    def __init__(self, a: Instance, b: Instance, longest: int) -> None:
        made, host = start(lambda left_out: compiled_pair(a, b, longest, left_out))
        self._noted, self.refused = made.noted, made.refused
        self._module = HandsOfModule(host, made.noted.many, ROOM)

    def hands(self, seed: int, first: int, many: int) -> Iterator[int | None]:
        """Yield the words of so many hands, from the number `first` on; None of one that is referred."""
        return self._module.of(
            seed, first, many, lambda played: self._module.words(self._noted.words, played)
        )


def compiled_pair(a: Instance, b: Instance, longest: int, left_out: Collection[str] = ()) -> CompiledPair:
    """Return the module of two instances. Tables and lists of `left_out` are not filled."""
    sides: list[PlayingSide] = []
    dealer = 0 if len(a.whole) <= len(b.whole) else 1

    def write(at: int, parts: Parts) -> list[Function]:
        numbers = sides[0].playing.numbers if sides else Numbers(parts.layout)
        written, side = _side(parts, numbers, at == dealer, len(a.whole) == len(b.whole))
        sides.append(side)
        return written

    both = TwoSides((a, b), FIRST, left_out, write)
    pairing = Pairing(sides[0], sides[1], sides[0].playing.numbers, longest)
    functions = [*both.functions, *pairing.functions()]
    module = Module(functions, both.end, both.data)
    refused = tuple(dict.fromkeys(reason for own in both.parts for reason in own.refused))
    return CompiledPair(wasm(module), pairing.noted, refused, both.filled, both.filling)


def _side(
    parts: Parts, numbers: Numbers, deals: bool, lists_reserve: bool
) -> tuple[list[Function], PlayingSide]:
    """Return the functions of one rule set, without those that fill its tables and lists."""
    actions = Actions(parts)
    listing = Listing(actions, paired=True)
    playing = Playing(listing, numbers=numbers)
    functions = [
        *actions.functions(),
        *row_functions(parts.layout),
        *listing.functions(),
        *listing.allowing(),
    ]
    functions += [playing.dealers(), *(playing.dealing(lists_reserve) if deals else []), *playing.choosing()]
    functions.append(act_function(parts))
    return functions, PlayingSide(listing, playing)
