"""The source of a state: its class, how a match and a hand begin, how it is copied.

Input: an `Instance`. Output: the lines of `State`, `new_state`, `new_hand` and `copy_state`, and of the constants that
the rest of the module uses.
Guarantee: all slots are those of `state_layout`; `at` is the number of a stage. `winners` is the bag of the seats that
have won the hand; `winner`, which nothing can set, is the one seat in it, or None.
"""

from __future__ import annotations

from golpae.elaborate.instance import Instance
from golpae.ir.lifecycle import LIFECYCLES, STAGES, Stage
from golpae.ir.ruleset import VarDecl, ZoneDecl
from golpae.replay.codegen.expressions import Emitter, copied
from golpae.replay.codegen.lines import Lines
from golpae.replay.state_layout import copies, mangled, slots, var_slot, zone_slot


def stage_constant(stage: Stage) -> str:
    """Return the constant of the generated module that is the number of a stage."""
    return stage.upper()


def empty_zone(instance: Instance, zone: ZoneDecl, whole: bool) -> str:
    """Return the expression for a zone, or each player's, that is empty or has the whole set."""
    one = "[]"
    if zone.kind == "row":
        one = f"Row([HIDDEN] * {len(instance.whole)}, WHOLE)" if whole else "Row()"
    elif whole:
        one = "list(WHOLE)"
    return f"[{one} for _ in PLAYERS]" if zone.each_player else one


class StateEmitter:
    """Writes the constants and the state of one instance."""

    def __init__(self, instance: Instance, expressions: Emitter, lines: Lines) -> None:
        self.instance = instance
        self.rules = instance.rule_set
        self._expressions = expressions
        self._put = lines.put

    def constants(self) -> None:
        """Write the stages, the set and its attributes."""
        kinds = self.instance.kinds
        self._put(0, f"{', '.join(map(stage_constant, STAGES))} = range({len(STAGES)})")
        self._put(0, f"PLAYERS = {tuple(range(self.instance.players))!r}")
        self._put(0, f"WHOLE = {tuple(self.instance.whole)!r}")
        self._put(0, f"KINDS = {tuple(i for i, k in enumerate(kinds) if k.copies)!r}")
        for i, name in enumerate(self.rules.tiles.attributes):
            self._put(0, f"A_{mangled(name)} = {tuple(k.attributes[i] for k in kinds)!r}")
        if self.instance.has_likes:
            self._put(0, f"FACES = {self.instance.faces!r}")
        self._put(0, f"A_group = {tuple(k.group for k in kinds)!r}")
        for group in self.rules.tiles.groups:
            members = tuple(i for i, k in enumerate(kinds) if k.is_in(group.name) and k.copies)
            self._put(0, f"G_{mangled(group.name)} = {members!r}")
            self._put(0, f"GS_{mangled(group.name)} = frozenset({members!r})")

    def state(self) -> None:
        """Write the class of states and the functions that make one."""
        self._put(0, "class State:")
        self._put(1, f"__slots__ = {slots(self.rules)!r}")
        self._put(1, "winner = property(lambda S: the(S.winners))")
        self._new_state()
        self._new_hand()
        self._put(0, "def copy_state(S):")
        self._put(1, "C = State()")
        for line in copies(self.rules):
            self._put(1, line)
        self._put(1, "return C")

    def _new_state(self) -> None:
        self._put(0, "def new_state(stake):")
        self._put(1, "S = State()")
        self._put(1, f"S.at = {stage_constant(STAGES[0])}")
        self._put(1, "S.stake = stake")
        self._put(1, "S.winners = ()")
        self._put(1, "S.hands_played = 0")
        self._put(1, f"S.total = [0] * {self.instance.players}")
        self._empty_zones(next(z.name for z in self.rules.zones if z.holds_set))
        for var in self.rules.vars:  # after the zones, which first values may read
            self._first_value(var)
        self._put(1, "return S")

    def _new_hand(self) -> None:
        dealt = LIFECYCLES["deal"].leads_to
        assert dealt is not None
        self._put(0, "def new_hand(S):")
        self._put(1, "S.winners = ()")
        self._put(1, f"S.at = {stage_constant(dealt)}")
        self._empty_zones(next(a.dealing.zone for a in self.rules.actions if a.dealing is not None))
        for var in self.rules.vars:
            if var.scope == "hand":
                self._first_value(var)

    def _empty_zones(self, whole: str) -> None:
        """Write that the whole set lies in one zone, and nothing in the others."""
        for zone in self.rules.zones:
            self._put(1, f"S.{zone_slot(zone.name)} = {empty_zone(self.instance, zone, zone.name == whole)}")

    def _first_value(self, var: VarDecl) -> None:
        value = "None"
        if var.initial is not None:
            if self._expressions.counts([var.initial]):
                self._put(1, f"begin_steps({f'state.{var.name}'!r})")
            made = self._expressions.limited.is_made(var.initial)
            first = self._expressions.emit(var.initial)
            value = copied(var.initial.type, f"kept({first}, {f'state.{var.name}'!r})" if made else first)
        first = f"[{value} for _ in PLAYERS]" if var.each_player else value
        self._put(1, f"S.{var_slot(var.name)} = {first}")
