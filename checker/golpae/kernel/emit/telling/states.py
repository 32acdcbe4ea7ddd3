"""The state of a match as JSON.

Input: the layout of an instance.
Output: the function `state()`, which writes the state and returns the size of the text.
Guarantee: all that rules can read is there. A state whose values the module does not keep is referred.

    {"stage": "playing", "stake": 1, "winner": null, "hands_played": 0, "totals": [0, 0],
     "zones": {"wall": ["?", "?"], "hand": [["1-1"], ["2-1"]]}, "seen": {"hand": [[], [0, 1]]},
     "states": {"mover": 0, "passed": [false, true]}}
"""

from __future__ import annotations

from collections.abc import Callable

from golpae.ir import expr as ir
from golpae.ir.lifecycle import STAGES
from golpae.ir.ruleset import VarDecl, ZoneDecl
from golpae.ir.types import BOOL, INT, MELD, SEAT, TILES, Bag, Opt, Type
from golpae.kernel.emit.expressions import Expressions
from golpae.kernel.emit.telling.text import JsonText, TextArea
from golpae.kernel.emit.values import Scalar
from golpae.kernel.emit.winners import the_winner
from golpae.kernel.language.code import Function, Lit
from golpae.kernel.language.writer import ZERO, load
from golpae.kernel.layout import WORD, is_scalar


def state_function(area: TextArea) -> Function:
    """Return `state()`."""
    writer = area.parts.writer("state", 0, 1)
    area.parts.start(writer)
    with area.parts.or_refer(writer):
        _State(area, Expressions(area.parts, writer)).write()
    return writer.function()


class _State:
    """Writes what writes a state."""

    def __init__(self, area: TextArea, expressions: Expressions) -> None:
        self._text, self._memory = JsonText(area, expressions), expressions.memory
        self._layout, self._rules = area.layout, area.parts.rules

    def write(self) -> None:
        text, layout = self._text, self._layout
        text.begin()
        text.put("{")
        text.key("stage")
        text.one_of([f'"{stage}"' for stage in STAGES], load(8, ZERO, layout.at))
        text.put(",")
        self._number("stake", layout.stake)
        text.key("winner")
        text.value(Scalar(the_winner(text.writer, layout), Opt(SEAT)), Opt(SEAT))
        text.put(",")
        self._number("hands_played", layout.hands_played)
        text.key("totals")
        self._each(True, 1, lambda address: self._value(INT, address), layout.totals)
        text.put(",")
        text.key("zones")
        text.put("{")
        for zone in self._rules.zones:
            text.key(zone.name)
            self._each(zone.each_player, layout.zone_slots(zone), self._zone(zone), layout.zone(zone.name))
            text.put(",")
        text.close("}")
        text.put(",")
        self._seen()
        text.key("states")
        text.put("{")
        for var in self._rules.vars:
            text.key(var.name)
            slots = layout.slots(var.type, True)
            self._each(var.each_player, slots, self._var(var), layout.var(var.name))
            text.put(",")
        text.close("}")
        text.close("}")
        text.writer.give(text.size())

    def _seen(self) -> None:
        """Write who else sees each zone of which that depends on the state, if there are such zones."""
        zones = [zone for zone in self._rules.zones if zone.also is not None]
        if not zones:
            return
        text = self._text
        text.key("seen")
        text.put("{")
        for zone in zones:
            text.key(zone.name)
            if zone.each_player:
                text.put("[")
                for owner in range(self._layout.players):
                    self._seers(zone, (owner,))
                    text.put(",")
                text.close("]")
            else:
                self._seers(zone, ())
            text.put(",")
        text.close("}")
        text.put(",")

    def _seers(self, zone: ZoneDecl, owners: tuple[int, ...]) -> None:
        assert zone.also is not None
        text = self._text
        text.put("[")
        for viewer in range(self._layout.players):
            seats = tuple(ir.Const(seat, SEAT) for seat in (*owners, viewer))
            sees = text.expressions.scalar(ir.CallDef(zone.also, seats, BOOL), {})
            with text.writer.when(sees):
                text.put(f"{viewer},")
        text.close("]")

    def _number(self, name: str, address: int) -> None:
        self._text.key(name)
        self._value(INT, address)
        self._text.put(",")

    def _each(self, each_player: bool, slots: int, write: Callable[[int], None], address: int) -> None:
        """Write one value, or a list with each player's; these lie so many words apart."""
        if not each_player:
            write(address)
            return
        self._text.put("[")
        for player in range(self._layout.players):
            write(address + player * slots * WORD)
            self._text.put(",")
        self._text.close("]")

    def _value(self, kind: Type, address: int, of_state: bool = True) -> None:
        self._text.value(self._memory.loaded(kind, Lit(address), of_state), kind)

    def _var(self, var: VarDecl) -> Callable[[int], None]:
        has_first = var.initial is not None or isinstance(var.type, Opt) or not is_scalar(var.type)
        kind = var.type if has_first else Opt(var.type)
        return lambda address: self._value(kind, address)

    def _zone(self, zone: ZoneDecl) -> Callable[[int], None]:
        if zone.kind == "row":
            return lambda address: self._text.row(Lit(address))
        kind = Bag(MELD) if zone.kind == "melds" else TILES
        return lambda address: self._value(kind, address, of_state=False)
