"""The source of effects: of an action, and of the payment at the end of a hand.

Input: an action or the payout of an instance. Output: the lines of `apply_x` and `payout`.
Guarantee: `apply_x` changes the state in place, effect by effect in the order of the text. It raises `Missing` or
ValueError if a tile is not where it is moved from; the state is then half changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.lifecycle import LIFECYCLES
from golpae.ir.ruleset import Action, EffectClause, paths_of, when_path
from golpae.ir.traverse import exprs_in, flat
from golpae.ir.types import MELD, Bag, Choice, Tile
from golpae.ir.wellformed_expr import item_of
from golpae.replay.codegen.expressions import Emitter, arguments, copied, is_plain, local
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.state import stage_constant
from golpae.replay.state_layout import mangled, var_slot, zone_slot

MOST_LOOPS = 15  # inside one another in a function of the generated code


class EffectEmitter:
    """Writes the effects of one instance."""

    def __init__(self, instance: Instance, expressions: Emitter, lines: Lines) -> None:
        self.instance = instance
        self.rules = instance.rule_set
        self._zones = expressions.zones
        self._emit = expressions.emit
        self._members = expressions.members
        self._counts_steps = expressions.counts_steps
        self._counts = expressions.counts
        self._limited = expressions.limited
        self._noting = expressions.noting
        self._put = lines.put
        self._path, self._tests = "", 0  # the clause that is written, and how many tests it has so far

    def apply(self, action: Action) -> None:
        """Write `apply_x`."""
        self._put(0, f"def apply_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        for param in action.params:
            if param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(param.name)}")
        if action.kind == "deal":
            self._deal(action)
        self._clauses(action.name, action.effects)
        if action.kind == "end":
            self._put(1, f"S.total = kept([a + b for a, b in zip(S.total, l_pay)], {action.name!r})")
            self._put(1, "S.hands_played += 1")
        stage = LIFECYCLES[action.kind].leads_to
        if action.kind != "deal" and stage is not None:  # `new_hand` does it for a deal
            self._put(1, f"S.at = {stage_constant(stage)}")
        self._put(1, "return None")

    def payout(self) -> None:
        """Write `payout`."""
        self._put(0, "def payout(S):")
        self._put(1, f"pay = [0] * {self.instance.players}")
        self._clauses("payout", self.rules.payout)
        self._put(1, "return kept(pay, 'payout')")

    def _clauses(self, block: str, clauses: Sequence[EffectClause]) -> None:
        for path, clause in zip(paths_of(block, [c.name for c in clauses]), clauses, strict=True):
            if self._counts(exprs_in([*flat(clause.effects)])):
                self._put(1, f"begin_steps({path!r})")
            self._path, self._tests = path, 0
            self._all(clause.effects, 1)

    def _deal(self, action: Action) -> None:
        assert action.dealing is not None
        zone = self._zones[action.dealing.zone]
        source = f"S.{zone_slot(zone.name)}"
        hand = f"S.{zone_slot(action.dealing.hand)}"
        self._put(1, "new_hand(S)")
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
                kept = f"kept({emit(value)}, {self._path!r})" if self._limited.is_made(value) else emit(value)
                self._put(depth, f"S.{var_slot(name)}{index} = {copied(value.type, kept)}")
            case ir.Win(seat=seat):
                self._put(depth, f"S.winner = {'None' if seat is None else emit(seat)}")
                self._put(depth, "S.at = OVER")
            case ir.Pay(payer=payer, payee=payee, amount=amount):
                self._put(depth, f"amount = {emit(amount)}")
                self._put(depth, f"pay[{emit(payer)}] -= amount; pay[{emit(payee)}] += amount")
            case ir.Gain(seat=seat, amount=amount):
                self._put(depth, f"pay[{emit(seat)}] += {emit(amount)}")
            case ir.Shuffle(zone=zone):
                shuffled = self._zones[zone.zone].kind == "row"
                self._put(depth, f"{self._zone(zone)}.shuffle()" if shuffled else "pass")
            case ir.Arrange(zone=zone, tiles=tiles):
                self._put(depth, f"{self._zone(zone)}.arrange({emit(tiles)})")
            case ir.PassOn(zone=zone_name, side=side):
                self._put(depth, f"rotate(S.{zone_slot(zone_name)}, {side!r})")
            case ir.When(test=test, effects=inner):
                self._put(depth, f"if {self._tested(test)}:")
                self._block(inner, depth + 1)
            case ir.ForEach(name=name, domain=domain, effects=inner):
                if depth % MOST_LOOPS == 0:  # Python has a greatest depth of loops, for each function
                    self._put(depth, "def deeper():")
                    self._put(depth + 1, f"for {local(name)} in {self._rounds(domain)}:")
                    self._block(inner, depth + 2)
                    self._put(depth, "deeper()")
                else:
                    self._put(depth, f"for {local(name)} in {self._rounds(domain)}:")
                    self._block(inner, depth + 1)
            case _:
                assert_never(effect)

    def _tested(self, test: ir.Expr) -> str:
        """Return the test of a `when`. What is noted is which way it went, by its number in the clause."""
        self._tests += 1
        source = self._emit(test)
        if not self._noting:
            return source
        return f"tested({when_path(self._path, self._tests)!r}, {source})"

    def _rounds(self, domain: ir.Expr) -> str:
        """Return the members of a bag in the order of a loop's rounds."""
        if isinstance(domain, ir.Builtin) and domain.name == "players":
            return "counted(PLAYERS)" if self._counts_steps else "PLAYERS"
        item = item_of(domain.type)
        if isinstance(item, Choice):
            return f"rounds({self._members(domain)}, {item.words!r})"
        return f"{'sorted' if is_plain(domain.type) else 'rounds'}({self._members(domain)})"

    # ------------------------------------------------------------------ moves

    def _move(self, effect: ir.Move, depth: int) -> None:
        """Write a move: what leaves is bound to `moved`, then the place that it goes to is evaluated, both once."""
        source = effect.source
        if isinstance(source, ir.MeldPlace):
            self._put(depth, f"moved = {self._tiles(effect)}")
            self._put(depth, f"change_meld({self._meld_of(source)}, (), moved, None)")
        elif self._zones[source.zone].kind == "melds":
            self._leave_melds(effect, source, depth)
            if self._is_melds(effect.target):
                return
        elif effect.what is None:
            row = self._zones[source.zone].kind == "row"
            whole = (
                row and isinstance(effect.target, ir.Place) and self._zones[effect.target.zone].kind == "row"
            )
            everything = self._zone(source) + (".copy()" if whole else ".all()" if row else "[:]")
            self._put(depth, f"moved = {everything}")
            self._put(depth, f"{self._zone(source)}.clear()")
            if whole:
                assert isinstance(effect.target, ir.Place)
                at = 0 if effect.target.end == "front" else -1
                self._put(depth, f"{self._zone(effect.target)}.put_row(moved, {at})")
                return
        elif isinstance(effect.what.type, Tile):
            self._put(depth, f"moved = {self._emit(effect.what)}")
            self._put(depth, self._take(source, "moved"))
            if isinstance(effect.target, ir.Place) and self._zones[effect.target.zone].kind != "melds":
                self._put(depth, self._put_down(effect.target, "moved"))
                return
            self._put(depth, "moved = [moved]")
        else:
            self._put(depth, f"moved = {self._tiles(effect)}")
            self._put(depth, f"place = {self._zone(source)}")
            self._put(depth, f"for moving in moved: {self._take(source, 'moving', 'place')}")
        self._arrive(effect, depth)

    def _leave_melds(self, effect: ir.Move, source: ir.Place, depth: int) -> None:
        """Write how melds leave a zone of melds, and arrive in another one if they go there."""
        if effect.what is None:
            self._put(depth, f"leaving = {self._zone(source)}[:]")
            self._put(depth, f"{self._zone(source)}.clear()")
        else:
            self._put(depth, f"leaving = [{self._emit(effect.what)}]")
            self._put(depth, f"take_meld({self._zone(source)}, leaving[0])")
        if self._is_melds(effect.target):
            assert isinstance(effect.target, ir.Place)
            label = "m.label" if effect.label is None else repr(effect.label)
            self._put(depth, f"{self._zone(effect.target)}.extend(Meld(m, {label}) for m in leaving)")
        else:
            self._put(depth, "moved = [t for m in leaving for t in m]")

    def _is_melds(self, place: ir.Place | ir.MeldPlace) -> bool:
        return isinstance(place, ir.Place) and self._zones[place.zone].kind == "melds"

    def _tiles(self, effect: ir.Move) -> str:
        """Return the tiles that are moved one after the other: as they are written, else in the order of the set."""
        assert effect.what is not None
        what = self._emit(effect.what)
        if isinstance(effect.what.type, Tile):
            return f"[{what}]"
        return what if isinstance(effect.what, ir.BagOf) else f"sorted({what})"

    def _arrive(self, effect: ir.Move, depth: int) -> None:
        target = effect.target
        label = repr(effect.label)
        if isinstance(target, ir.MeldPlace):
            self._put(depth, f"change_meld({self._meld_of(target)}, moved, (), {label})")
        elif self._zones[target.zone].kind == "melds":
            self._put(depth, f"if moved: {self._zone(target)}.append(Meld(moved, {label}))")
        elif self._zones[target.zone].kind == "row" and not isinstance(effect.what, ir.BagOf):
            self._put(
                depth, f"{self._zone(target)}.put_hidden(moved{', 0' if target.end == 'front' else ''})"
            )
        else:
            self._put(depth, f"place = {self._zone(target)}")
            self._put(depth, f"for moving in moved: {self._put_down(target, 'moving', 'place')}")

    def _meld_of(self, place: ir.MeldPlace) -> str:
        """Return the zone and the melds that fit of `(the m in zone: ...)`."""
        assert isinstance(place.meld, ir.Fold)
        fitting = replace(place.meld, kind="those", type=Bag(MELD))
        return f"{self._emit(place.meld.domain)}, {self._emit(fitting)}"

    def _zone(self, place: ir.Place) -> str:
        seat = "" if place.seat is None else f"[{self._emit(place.seat)}]"
        return f"S.{zone_slot(place.zone)}{seat}"

    def _take(self, place: ir.Place, name: str, zone: str = "") -> str:
        """Return how a tile leaves a place; `zone` is the name that the place has in the code, if it has one."""
        zone = zone or self._zone(place)
        if self._zones[place.zone].kind == "row":
            if place.end is None:
                return f"{zone}.take({name})"
            return f"{zone}.take_end({name}, {0 if place.end == 'front' else -1})"
        return f"{zone}.remove({name})"

    def _put_down(self, place: ir.Place, name: str, zone: str = "") -> str:
        """Return how a tile arrives at a place; `zone` is the name that the place has in the code, if it has one."""
        zone = zone or self._zone(place)
        if self._zones[place.zone].kind == "row":
            return f"{zone}.{'put_front' if place.end == 'front' else 'put_back'}({name})"
        return f"{zone}.append({name})"
