"""The source of effects: of an action, and of the payment at the end of a hand.

Input: an action or the payout of an instance. Output: the lines of `apply_x` and `payout`.
Guarantee: `apply_x` changes the state in place, effect by effect in the order of the text. It raises `Missing` or
ValueError if a tile is not where it is moved from; the state is then half changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.lifecycle import LIFECYCLES
from golpae.ir.ruleset import Action
from golpae.ir.types import Tile
from golpae.replay.codegen.expressions import Emitter, arguments, local
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.state import empty_zone, stage_constant
from golpae.replay.state_layout import mangled, var_slot, zone_slot


class EffectEmitter:
    """Writes the effects of one instance."""

    def __init__(self, instance: Instance, expressions: Emitter, lines: Lines) -> None:
        self.instance = instance
        self.rules = instance.rule_set
        self._zones = expressions.zones
        self._emit = expressions.emit
        self._put = lines.put

    def apply(self, action: Action) -> None:
        """Write `apply_x`."""
        self._put(0, f"def apply_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        for param in action.params:
            if param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(param.name)}")
        if action.kind == "deal":
            self._deal(action)
        for clause in action.effects:
            self._all(clause.effects, 1)
        if action.kind == "end":
            self._put(1, "S.total = [a + b for a, b in zip(S.total, l_pay)]")
            self._put(1, "S.hands_played += 1")
        stage = LIFECYCLES[action.kind].leads_to
        if action.kind != "deal" and stage is not None:  # `new_hand` does it for a deal
            self._put(1, f"S.at = {stage_constant(stage)}")
        self._put(1, "return None")

    def payout(self) -> None:
        """Write `payout`."""
        self._put(0, "def payout(S):")
        self._put(1, f"pay = [0] * {self.instance.players}")
        for clause in self.rules.payout:
            self._all(clause.effects, 1)
        self._put(1, "return pay")

    def _deal(self, action: Action) -> None:
        assert action.dealing is not None
        zone = self._zones[action.dealing.zone]
        source = f"S.{zone_slot(zone.name)}"
        hand = f"S.{zone_slot(action.dealing.hand)}"
        self._put(1, "new_hand(S)")
        holder = next(z for z in self.rules.zones if z.holds_set)
        if holder.name != zone.name:
            full, none = empty_zone(self.instance, zone, True), empty_zone(self.instance, holder, False)
            self._put(1, f"{source} = {full}; S.{zone_slot(holder.name)} = {none}")
        self._put(1, f"{hand} = [list(h) for h in l_hands]")
        self._put(1, "dealt = [t for h in l_hands for t in h]")
        if zone.kind == "row":
            self._put(1, "if l_reserve is None:")
            self._put(2, "rest = minus(WHOLE, dealt)")
            self._put(2, f"{source} = Row([HIDDEN] * len(rest), rest)")
            self._put(1, f"else: {source} = Row(l_reserve)")
        else:
            self._put(1, f"{source} = minus(WHOLE, dealt)")

    # ------------------------------------------------------------------ one effect

    def _all(self, effects: Iterable[ir.Effect], depth: int) -> None:
        for effect in effects:
            self._effect(effect, depth)

    def _block(self, effects: tuple[ir.Effect, ...], depth: int) -> None:
        self._all(effects, depth)
        if not effects:
            self._put(depth, "pass")

    def _effect(self, effect: ir.Effect, depth: int) -> None:
        emit = self._emit
        match effect:
            case ir.Move():
                self._move(effect, depth)
            case ir.SetState(name=name, seat=seat, value=value):
                index = "" if seat is None else f"[{emit(seat)}]"
                self._put(depth, f"S.{var_slot(name)}{index} = {emit(value)}")
            case ir.Win(seat=seat):
                self._put(depth, f"S.winner = {'None' if seat is None else emit(seat)}")
                self._put(depth, "S.at = OVER")
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                self._put(depth, f"amount = {emit(amount)}")
                self._put(depth, f"pay[{emit(payer)}] -= amount; pay[{emit(payee)}] += amount")
            case ir.Gain(seat=seat, amount=amount):
                self._put(depth, f"pay[{emit(seat)}] += {emit(amount)}")
            case ir.Shuffle(zone=zone):
                if self._zones[zone.zone].kind == "row":
                    self._put(depth, f"{self._zone(zone)}.shuffle()")
            case ir.Arrange(zone=zone, tiles=tiles):
                self._put(depth, f"{self._zone(zone)}.arrange({emit(tiles)})")
            case ir.PassOn(zone=zone_name, side=side):
                self._put(depth, f"rotate(S.{zone_slot(zone_name)}, {side!r})")
            case ir.When(test=test, effects=inner):
                self._put(depth, f"if {emit(test)}:")
                self._block(inner, depth + 1)
            case ir.ForEach(name=name, domain=domain, effects=inner):
                self._put(depth, f"for {local(name)} in list({emit(domain)}):")
                self._block(inner, depth + 1)
            case _:
                assert_never(effect)

    # ------------------------------------------------------------------ moves

    def _move(self, effect: ir.Move, depth: int) -> None:
        source, target = effect.source, effect.target
        if isinstance(source, ir.MeldPlace):
            assert effect.what is not None
            what = self._emit(effect.what)
            moved = f"[{what}]" if isinstance(effect.what.type, Tile) else f"list({what})"
            self._put(depth, f"moved = {moved}")
            self._put(depth, f"meld = {self._emit(source.meld)}")
            self._put(depth, "if meld is None or not within(moved, meld): raise Missing")
            self._put(depth, f"change_meld({self._melds()}, meld, minus(meld, moved), None)")
            self._arrive(effect, depth)
            return
        kind = self._zones[source.zone].kind
        if effect.what is None:
            everything = f"{self._zone(source)}.all()" if kind == "row" else self._zone(source)
            if kind == "melds":
                everything = f"[t for m in {everything} for t in m]"
            self._put(depth, f"moved = list({everything})")
            self._put(depth, f"{self._zone(source)}.clear()")
            self._arrive(effect, depth)
            return
        what = self._emit(effect.what)
        if kind == "melds":
            self._put(depth, f"moved = {what}")
            self._put(depth, f"{self._zone(source)}.remove(moved)")
        elif isinstance(effect.what.type, Tile):
            self._put(depth, f"moved = {what}")
            self._put(depth, self._take(source, kind, "moved"))
            if isinstance(target, ir.Place) and self._zones[target.zone].kind != "melds":
                self._put(depth, self._put_down(target, "moved"))
                return
            self._put(depth, "moved = [moved]")
        else:
            self._put(depth, f"moved = list({what})")
            self._put(depth, f"for moving in moved: {self._take(source, kind, 'moving')}")
        self._arrive(effect, depth)

    def _arrive(self, effect: ir.Move, depth: int) -> None:
        target = effect.target
        label = repr(effect.label)
        if isinstance(target, ir.MeldPlace):
            self._put(depth, f"meld = {self._emit(target.meld)}")
            self._put(depth, "if meld is None: raise Missing")
            self._put(depth, f"change_meld({self._melds()}, meld, (*meld, *moved), {label})")
        elif self._zones[target.zone].kind == "melds":
            self._put(depth, f"{self._zone(target)}.append(Meld(moved, {label}))")
        else:
            self._put(depth, f"for moving in moved: {self._put_down(target, 'moving')}")

    def _zone(self, place: ir.Place) -> str:
        seat = "" if place.seat is None else f"[{self._emit(place.seat)}]"
        return f"S.{zone_slot(place.zone)}{seat}"

    def _melds(self) -> str:
        """Return all zones of melds: those of each player, and the shared ones."""
        zones = [z for z in self.rules.zones if z.kind == "melds"]
        owned = "".join(f"S.{zone_slot(z.name)}, " for z in zones if z.each_player)
        shared = "".join(f"S.{zone_slot(z.name)}, " for z in zones if not z.each_player)
        return f"({owned}), ({shared})"

    def _take(self, place: ir.Place, kind: str, name: str) -> str:
        if kind == "row":
            if place.end is None:
                return f"{self._zone(place)}.take({name})"
            return f"{self._zone(place)}.take_end({name}, {0 if place.end == 'front' else -1})"
        return f"{self._zone(place)}.remove({name})"

    def _put_down(self, place: ir.Place, name: str) -> str:
        if self._zones[place.zone].kind == "row":
            return f"{self._zone(place)}.{'put_front' if place.end == 'front' else 'put_back'}({name})"
        return f"{self._zone(place)}.append({name})"
