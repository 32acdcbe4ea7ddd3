"""Run events of the reference on the compiled path.

Input: a machine of the reference. Output: a `Kernel`, which takes the same arguments.
"""

from __future__ import annotations

from typing import Any

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import Action
from golpae.ir.types import TILES, Bag, Choice, Each, Int, Patterns, Seat, Tile, Type
from golpae.kernel.language.host import Host, Referred
from golpae.kernel.layout import NO_NUMBER, WORD, Arg, Layout, is_scalar, none_of
from golpae.kernel.module import ModuleRequest, compiled

_MASK = (1 << 64) - 1


class Unwritten(Exception):
    """The keys of an event cannot be written down for the kernel."""


class Kernel:
    """The compiled path of one instance."""

    def __init__(self, instance: Instance) -> None:
        made = compiled(instance, ModuleRequest(instance.rule_set.rules, counted=True))
        self.layout: Layout = made.layout
        self.refused = made.refused
        self.rules = instance.rule_set
        self._host = Host(made.wasm)
        self._act = self._host.function("act")
        self._new_game = self._host.function("new_game")
        self.stage_number = self._host.function("stage")
        self._host.function("init")()

    def new_game(self, stake: int) -> None:
        self._new_game(stake)

    def act(self, name: str, args: tuple[Any, ...]) -> bool | None:
        """Return whether an event is legal, None if it is referred. `args` are those of the reference."""
        number, action = next((i, a) for i, a in enumerate(self.rules.actions) if a.name == name)
        try:
            self._write(action, args)
            return bool(self._act(number))
        except (Referred, Unwritten):
            return None

    def _write(self, action: Action, args: tuple[Any, ...]) -> None:
        rest = list(args)
        if action.by is not None:
            self._words(self.layout.by, [rest.pop(0)])
        for arg, value in zip(self.layout.args(action), rest, strict=True):
            if arg.parts:
                if len(value) != arg.parts:
                    raise Unwritten
                self._words(arg.address, value)
            else:
                self._words(arg.address, self._value(arg, value))
                if arg.listed and value is not None:
                    listed = b"".join(tile.to_bytes(2, "little") for tile in value)
                    self._host.write(arg.listed, len(value).to_bytes(WORD, "little") + listed)

    def _value(self, arg: Arg, value: Any) -> list[int]:
        if not (arg.optional or arg.nullable) or is_scalar(arg.kind):
            return self._plain(arg.kind, value)
        if value is None:
            return [0]
        return [1, *self._plain(arg.kind, value)]

    def _plain(self, kind: Type, value: Any) -> list[int]:
        match kind:
            case Choice(words):
                return [none_of(kind) if value is None else words.index(value)]
            case _ if is_scalar(kind):
                return [none_of(kind) if value is None else int(value)]
            case Bag(Bag(Tile())):
                if len(value) > self.layout.room(kind.item):
                    raise Unwritten
                return [len(value), *(word for bag in value for word in self._plain(TILES, bag))]
            case Bag(Int()):
                if len(value) > self.layout.room(kind.item):
                    raise Unwritten
                return [len(value), *value]
            case Bag(Tile() | Seat() as item):
                planes = [[0] * self.layout.words(item) for _ in range(self.layout.planes(item))]
                for member in value:
                    plane = next((p for p in planes if not p[member // 64] >> member % 64 & 1), None)
                    if plane is None:
                        raise Unwritten
                    plane[member // 64] |= 1 << member % 64
                return [word for plane in planes for word in plane]
            case Each(item) if is_scalar(item):
                if len(value) != self.layout.players:
                    raise Unwritten
                return [word for one in value for word in self._plain(item, one)]
            case Patterns():
                if not value.keys() <= self.layout.patterns.keys():
                    raise Unwritten
                return [value.get(name, NO_NUMBER) for name in self.layout.patterns]
            case _:
                raise Unwritten

    def _words(self, address: int, words: list[int]) -> None:
        self._host.write(address, b"".join((w & _MASK).to_bytes(WORD, "little") for w in words))
