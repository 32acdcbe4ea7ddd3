"""What the modules of two rule sets side by side have in common.

Input: two instances, and what writes the functions of each; a running module that notes hands.
Output: the functions of both, in one memory, each in the scope of its side; what the module noted of each hand.
Guarantee: rounds of loops are counted, so that an event or a hand with very many is referred: there may be a million.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeVar

from golpae.elaborate.instance import Instance
from golpae.kernel.emit.parts import Parts
from golpae.kernel.emit.playing.pairing import SCOPES
from golpae.kernel.language.code import Function
from golpae.kernel.language.host import Host, Referred
from golpae.kernel.language.writer import Writer
from golpae.kernel.layout import WORD, Layout
from golpae.kernel.module import fill
from golpae.kernel.start import signed

T = TypeVar("T")


class TwoSides:
    """The functions of two instances, and their parts. The memory of the first begins at the address `first`, that of
    the second behind it. `write` returns the functions of a side but for those that fill its tables and lists, of which
    those in `left_out` are not filled; their names begin with a scope.
    """

    def __init__(
        self,
        instances: tuple[Instance, Instance],
        first: int,
        left_out: Collection[str],
        write: Callable[[int, Parts], list[Function]],
    ) -> None:
        self.functions: list[Function] = []
        self.parts: list[Parts] = []
        for at, (scope, instance) in enumerate(zip(SCOPES, instances, strict=True)):
            layout = Layout(instance, first=first)
            own = Parts(layout, True, {name[2:] for name in left_out if name.startswith(f"{scope}.")})
            written = write(at, own)
            if self.parts:
                own.filling = self.filling
            before = len(self.parts[0].prepared) if self.parts else 0
            written = own.counted([*written, fill(own, before), *own.functions.values()])
            for function in written:
                function.scope = scope
            self.functions += written
            self.parts.append(own)
            first = layout.end
        self.functions.append(_init())

    @property
    def end(self) -> int:
        """The end of the memory of both."""
        return self.parts[1].layout.end

    @property
    def data(self) -> dict[int, bytes]:
        """What lies in the memory of both from the start."""
        ours, theirs = (own.layout.data for own in self.parts)
        return ours | theirs

    @property
    def filled(self) -> tuple[str, ...]:
        """The tables and lists that `init` fills."""
        return tuple(f"{s}.{n}" for s, own in zip(SCOPES, self.parts, strict=True) for n in own.prepared)

    @property
    def filling(self) -> int:
        """Where the number of the one that is filled lies meanwhile."""
        return self.parts[0].filling


def _init() -> Function:
    """`init()`: fill the tables and lists of both."""
    writer = Writer("init", 0, 0, exported=True)
    for scope in SCOPES:
        writer.call_into((), f"{scope}.init")
    return writer.function()


class HandsOfModule:
    """The hands that a module notes in its `hands(seed, first, many)`, `room` of them at most. At the address `many`
    lies how many they are.
    """

    def __init__(self, host: Host, many: int, room: int) -> None:
        self._host, self._many, self._room = host, many, room
        self._hands = host.function("hands")

    def of(self, seed: int, first: int, many: int, noted: Callable[[int], Iterable[T]]) -> Iterator[T | None]:
        """Yield the notes on so many hands, from the number `first` on; None for one that is referred."""
        while many > 0:
            referred = 0
            try:
                self._hands(signed(seed), first, min(many, self._room))
            except Referred:
                referred = 1
            (done,) = self.words(self._many, 1)
            yield from noted(done)
            yield from (None for _ in range(referred))
            first, many = first + done + referred, many - done - referred

    def words(self, address: int, many: int) -> list[int]:
        """Return so many words of the memory."""
        return memoryview(self._host.read(address, many * WORD)).cast("q").tolist() if many else []
