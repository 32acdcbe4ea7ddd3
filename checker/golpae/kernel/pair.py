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
from golpae.kernel.emit.playing.pairing import ROOM, SCOPES, Noted, Pairing, Side
from golpae.kernel.emit.rows import row_functions
from golpae.kernel.language.code import Function, Module
from golpae.kernel.language.host import Referred
from golpae.kernel.language.wasm import wasm
from golpae.kernel.language.writer import Writer
from golpae.kernel.layout import FIRST, WORD, Layout
from golpae.kernel.module import act_function, fill
from golpae.kernel.start import signed, start


@dataclass(frozen=True, slots=True)
class CompiledPair:
    """A module of two rule sets, and where it notes hands. The names of the tables that it fills begin with a scope."""

    wasm: bytes
    noted: Noted
    refused: tuple[str, ...]
    filled: tuple[str, ...]
    filling: int


class PairPlayer:
    """Two instances, compiled to play hands of up to `longest` events. `counted` says of each whether an event whose
    loops have very many rounds is referred.

    Raises `Unsupported` if they cannot be compiled, and `MemoryError`.
    """

    def __init__(self, a: Instance, b: Instance, counted: tuple[bool, bool], longest: int) -> None:
        made, self._host = start(lambda left_out: compiled_pair(a, b, counted, longest, left_out))
        self._noted, self.refused = made.noted, made.refused
        self._hands = self._host.function("hands")

    def hands(self, seed: int, first: int, many: int) -> Iterator[int | None]:
        """Yield the words of so many hands, from the number `first` on; None of one that is referred."""
        while many > 0:
            referred = 0
            try:
                self._hands(signed(seed), first, min(many, ROOM))
            except Referred:
                referred = 1
            (played,) = self._words(self._noted.many, 1)
            yield from self._words(self._noted.words, played)
            yield from (None for _ in range(referred))
            first, many = first + played + referred, many - played - referred

    def _words(self, address: int, many: int) -> list[int]:
        return memoryview(self._host.read(address, many * WORD)).cast("q").tolist()


def compiled_pair(
    a: Instance, b: Instance, counted: tuple[bool, bool], longest: int, left_out: Collection[str] = ()
) -> CompiledPair:
    """Return the module of two instances. Tables and lists of `left_out` are not filled."""
    first, functions, sides, parts = FIRST, list[Function](), list[Side](), list[Parts]()
    numbers: Numbers | None = None
    dealer = 0 if len(a.whole) <= len(b.whole) else 1
    for at, (scope, instance) in enumerate(zip(SCOPES, (a, b), strict=True)):
        layout = Layout(instance, first=first)
        numbers = Numbers(layout) if numbers is None else numbers
        own = Parts(layout, counted[at], {name[2:] for name in left_out if name.startswith(f"{scope}.")})
        written, side = _side(own, numbers, at == dealer, len(a.whole) == len(b.whole))
        if parts:
            own.filling = parts[0].filling
        written += [fill(own, len(parts[0].prepared) if parts else 0), *own.functions.values()]
        for function in written:
            function.scope = scope
        functions += written
        sides.append(side)
        parts.append(own)
        first = layout.end
    assert numbers is not None
    pairing = Pairing(sides[0], sides[1], numbers, longest)
    functions += [*pairing.functions(), _init()]
    layouts = [side.layout for side in sides]
    module = Module(functions, layouts[1].end, layouts[0].data | layouts[1].data)
    filled = tuple(f"{s}.{n}" for s, own in zip(SCOPES, parts, strict=True) for n in own.prepared)
    refused = tuple(dict.fromkeys(reason for own in parts for reason in own.refused))
    return CompiledPair(wasm(module), pairing.noted, refused, filled, parts[0].filling)


def _side(parts: Parts, numbers: Numbers, deals: bool, lists_reserve: bool) -> tuple[list[Function], Side]:
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
    return functions, Side(listing, playing)


def _init() -> Function:
    """`init()`: fill the tables and lists of both."""
    writer = Writer("init", 0, 0, exported=True)
    for scope in SCOPES:
        writer.call_into((), f"{scope}.init")
    return writer.function()
