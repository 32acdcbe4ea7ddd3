"""The Python source of one rule set at one table.

In: an `Instance`. Out: a module's source with, for each action `x`: `check_x` (the number of the first
condition that fails, -1 where all hold), `apply_x` (its effects), `step_x` (read an event, check, apply),
and a function for each definition. Nothing here knows a game: it all comes from the IR.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, EffectClause, VarDecl, ZoneDecl
from golpae.ir.traverse import free
from golpae.ir.types import (
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.replay.codegen.expressions import Emitter, local
from golpae.replay.state_layout import copies, mangled, slots, var_slot, zone_slot

LIFECYCLE = """
BEFORE, PLAYING, OVER, ENDED, FINISHED = range(5)
"""
OPEN = {
    "play": "S.at == PLAYING",
    "before": "S.at == BEFORE",
    "deal": "S.at == BEFORE or S.at == ENDED",
    "end": "S.at == PLAYING or S.at == OVER",
    "finish": "S.at == ENDED",
}


def source_of(table: Instance) -> str:
    """The module's source."""
    return _Module(table).source()


def arguments(action: Action) -> list[str]:
    """The names of what an action is taken with, in the order its functions take them."""
    names = [] if action.by is None else [local(action.by)]
    return names + [local(p.name) for p in action.params]


class _Module:
    def __init__(self, table: Instance) -> None:
        self.table = table
        self.rules = table.rule_set
        self.emit = Emitter(table)
        self.lines: list[str] = []

    def source(self) -> str:
        self.lines.append(LIFECYCLE)
        self._constants()
        self._state()
        for definition in self.rules.definitions:
            self._definition(definition.name)
        for action in self.rules.actions:
            self._check(action)
            self._apply(action)
            self._read(action)
            self._step(action)
        self._payout()
        return "\n".join(self.lines) + "\n"

    def _put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    # ------------------------------------------------------------------ constants and state

    def _constants(self) -> None:
        kinds = self.table.kinds
        self._put(0, f"PLAYERS = {tuple(range(self.table.players))!r}")
        self._put(0, f"WHOLE = {tuple(self.table.whole)!r}")
        self._put(0, f"KINDS = {tuple(i for i, k in enumerate(kinds) if k.copies)!r}")
        for i, name in enumerate(self.rules.tiles.attributes):
            self._put(0, f"A_{mangled(name)} = {tuple(k.attributes[i] for k in kinds)!r}")
        self._put(0, f"A_group = {tuple(k.group for k in kinds)!r}")
        for group in self.rules.tiles.groups:
            members = tuple(i for i, k in enumerate(kinds) if k.group == group.name and k.copies)
            self._put(0, f"G_{mangled(group.name)} = {members!r}")
            self._put(0, f"GS_{mangled(group.name)} = frozenset({members!r})")

    def _state(self) -> None:
        zones, vars_ = self.rules.zones, self.rules.vars
        self._put(0, "class State:")
        self._put(1, f"__slots__ = {slots(self.rules)!r}")
        self._put(0, "def new_state(stake):")
        self._put(1, "S = State()")
        self._put(1, "S.at = BEFORE")
        self._put(1, "S.stake = stake")
        self._put(1, "S.winner = None")
        self._put(1, "S.hands_played = 0")
        self._put(1, f"S.total = [0] * {self.table.players}")
        for zone in zones:
            self._put(1, f"S.{zone_slot(zone.name)} = {self._empty(zone, zone.holds_set)}")
        for var in vars_:  # whose first values may ask what lies where
            self._put(1, f"S.{var_slot(var.name)} = {self._first_value(var)}")
        self._put(1, "return S")
        self._put(0, "def new_hand(S):")
        self._put(1, "S.winner = None")
        self._put(1, "S.at = PLAYING")
        for zone in zones:
            self._put(1, f"S.{zone_slot(zone.name)} = {self._empty(zone, zone.holds_set)}")
        for var in vars_:
            if var.scope == "hand":
                self._put(1, f"S.{var_slot(var.name)} = {self._first_value(var)}")
        self._put(0, "def copy_state(S):")
        self._put(1, "C = State()")
        for line in copies(self.rules):
            self._put(1, line)
        self._put(1, "return C")

    def _first_value(self, var: VarDecl) -> str:
        value = "None" if var.initial is None else self.emit.emit(var.initial)
        return f"[{value} for _ in PLAYERS]" if var.each_player else value

    def _empty(self, zone: ZoneDecl, whole: bool) -> str:
        one = "[]"
        if zone.kind == "row":
            one = f"Row([HIDDEN] * {len(self.table.whole)}, WHOLE)" if whole else "Row()"
        elif whole:
            one = "list(WHOLE)"
        return f"[{one} for _ in PLAYERS]" if zone.each_player else one

    # ------------------------------------------------------------------ definitions

    def _definition(self, name: str) -> None:
        definition = self.emit.definitions[name]
        params = [local(p.name) for p in definition.params]
        tests = [self.emit.emit(case.expr) for case in definition.cases] or ["False"]
        self._put(0, f"def d_{mangled(name)}({', '.join(('S', *params))}):")
        self._put(1, f"return {tests[0] if definition.single else ' or '.join(tests)}")
        named = ", ".join(params)
        if self.emit.is_table(definition):
            self._put(
                0,
                f"T_{mangled(name)} = table(lambda {named}: d_{mangled(name)}(None, {named}), {len(params)})",
            )

    # ------------------------------------------------------------------ conditions

    def _check(self, action: Action) -> None:
        self._put(0, f"def check_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        for number, condition in enumerate(action.conditions):
            if isinstance(condition.expr, ir.Implicit):
                test = self._implicit(condition.expr.kind, action)
            else:
                test = f"{self._one_each(action, condition.expr)}({self.emit.emit(condition.expr)})"
            self._put(1, f"if not ({test}): return {number}")
            if condition.expr == _size_condition(action, condition.name):
                self._unpack_one(action, condition.name)
        self._put(1, "return -1")

    def _unpack_one(self, action: Action, name: str) -> None:
        """Name the parts of a `{a, b}` parameter, now that its size is known to be right."""
        for param in action.params:
            if param.name == name and param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(name)}")

    def _one_each(self, action: Action, expr: ir.Expr) -> str:
        """A test that the `each player's` parameters of an expression have a value for each player."""
        names = free(expr)
        asked = [local(p.name) for p in action.params if p.name in names and _is_each(p.type)]
        return "".join(f"({n} is None or len({n}) == {self.table.players}) and " for n in asked)

    def _implicit(self, kind: str, action: Action) -> str:
        n = self.table.players
        match kind:
            case "open":
                return OPEN[action.kind]
            case "hands":
                assert action.dealing is not None
                first, others = self.emit.emit(action.dealing.first), self.emit.emit(action.dealing.others)
                wanted = f"(({first}) if p == l_first else ({others}))"
                return f"len(l_hands) == {n} and all(len(h) == {wanted} for p, h in enumerate(l_hands))"
            case "set":
                return "within([t for h in l_hands for t in h], WHOLE)"
            case "rest":
                return "l_reserve is None or same(l_reserve, minus(WHOLE, [t for h in l_hands for t in h]))"
            case "winner":
                return "l_winner == S.winner"
            case "pay":
                return "l_pay == payout(S)"
            case "totals":
                return "l_totals == S.total"
            case "winners":
                return "sorted(l_winners) == [p for p in PLAYERS if S.total[p] == max(S.total)]"
            case _:
                raise ValueError(kind)

    # ------------------------------------------------------------------ effects

    def _apply(self, action: Action) -> None:
        self._put(0, f"def apply_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        for param in action.params:
            if param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(param.name)}")
        if action.kind == "deal":
            self._deal(action)
        for clause in action.effects:
            self._effects(clause, 1)
        if action.kind == "end":
            self._put(1, "S.total = [a + b for a, b in zip(S.total, l_pay)]")
            self._put(1, "S.hands_played += 1")
            self._put(1, "S.at = ENDED")
        if action.kind == "finish":
            self._put(1, "S.at = FINISHED")
        self._put(1, "return None")

    def _deal(self, action: Action) -> None:
        assert action.dealing is not None
        zone = self.emit.zones[action.dealing.zone]
        source = f"S.{zone_slot(zone.name)}"
        hand = f"S.{zone_slot(action.dealing.hand)}"
        self._put(1, "new_hand(S)")
        holder = next(z for z in self.rules.zones if z.holds_set)
        if holder.name != zone.name:
            self._put(
                1,
                f"{source} = {self._empty(zone, True)}; S.{zone_slot(holder.name)} = {self._empty(holder, False)}",
            )
        self._put(1, f"{hand} = [list(h) for h in l_hands]")
        self._put(1, "dealt = [t for h in l_hands for t in h]")
        if zone.kind == "row":
            self._put(1, "if l_reserve is None:")
            self._put(2, "rest = minus(WHOLE, dealt)")
            self._put(2, f"{source} = Row([HIDDEN] * len(rest), rest)")
            self._put(1, f"else: {source} = Row(l_reserve)")
        else:
            self._put(1, f"{source} = minus(WHOLE, dealt)")

    def _effects(self, clause: EffectClause, depth: int) -> None:
        for effect in clause.effects:
            self._effect(effect, depth)

    def _effect(self, effect: ir.Effect, depth: int) -> None:
        emit = self.emit.emit
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
                if self.emit.zones[zone.zone].kind == "row":
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

    def _block(self, effects: Iterable[ir.Effect], depth: int) -> None:
        empty = True
        for effect in effects:
            self._effect(effect, depth)
            empty = False
        if empty:
            self._put(depth, "pass")

    def _zone(self, place: ir.Place) -> str:
        seat = "" if place.seat is None else f"[{self.emit.emit(place.seat)}]"
        return f"S.{zone_slot(place.zone)}{seat}"

    def _move(self, effect: ir.Move, depth: int) -> None:
        source, target = effect.source, effect.target
        if isinstance(source, ir.MeldPlace):
            assert effect.what is not None
            what = self.emit.emit(effect.what)
            self._put(
                depth, f"moved = {f'[{what}]' if isinstance(effect.what.type, Tile) else f'list({what})'}"
            )
            self._put(depth, f"meld = {self.emit.emit(source.meld)}")
            self._put(depth, "if meld is None or not within(moved, meld): raise Missing")
            self._put(depth, f"change_meld({self._melds()}, meld, minus(meld, moved), None)")
            self._arrive(effect, depth)
            return
        kind = self.emit.zones[source.zone].kind
        if effect.what is None:
            everything = f"{self._zone(source)}.all()" if kind == "row" else self._zone(source)
            if kind == "melds":
                everything = f"[t for m in {everything} for t in m]"
            self._put(depth, f"moved = list({everything})")
            self._put(depth, f"{self._zone(source)}.clear()")
            self._arrive(effect, depth)
            return
        what = self.emit.emit(effect.what)
        if kind == "melds":
            self._put(depth, f"moved = {what}")
            self._put(depth, f"{self._zone(source)}.remove(moved)")
        elif isinstance(effect.what.type, Tile):
            self._put(depth, f"moved = {what}")
            self._put(depth, self._take(source, kind, "moved"))
            if isinstance(target, ir.Place) and self.emit.zones[target.zone].kind != "melds":
                self._put(depth, self._put_down(target, "moved"))
                return
            self._put(depth, "moved = [moved]")
        else:
            self._put(depth, f"moved = list({what})")
            self._put(depth, f"for moving in moved: {self._take(source, kind, 'moving')}")
        self._arrive(effect, depth)

    def _melds(self) -> str:
        """All zones of melds: those of each player, and the shared ones."""
        zones = [z for z in self.rules.zones if z.kind == "melds"]
        owned = "".join(f"S.{zone_slot(z.name)}, " for z in zones if z.each_player)
        shared = "".join(f"S.{zone_slot(z.name)}, " for z in zones if not z.each_player)
        return f"({owned}), ({shared})"

    def _arrive(self, effect: ir.Move, depth: int) -> None:
        target = effect.target
        label = repr(effect.label)
        if isinstance(target, ir.MeldPlace):
            self._put(depth, f"meld = {self.emit.emit(target.meld)}")
            self._put(depth, "if meld is None: raise Missing")
            self._put(depth, f"change_meld({self._melds()}, meld, (*meld, *moved), {label})")
        elif self.emit.zones[target.zone].kind == "melds":
            self._put(depth, f"{self._zone(target)}.append(Meld(moved, {label}))")
        else:
            self._put(depth, f"for moving in moved: {self._put_down(target, 'moving')}")

    def _take(self, place: ir.Place, kind: str, name: str) -> str:
        if kind == "row":
            if place.end is None:
                return f"{self._zone(place)}.take({name})"
            return f"{self._zone(place)}.take_end({name}, {0 if place.end == 'front' else -1})"
        return f"{self._zone(place)}.remove({name})"

    def _put_down(self, place: ir.Place, name: str) -> str:
        if self.emit.zones[place.zone].kind == "row":
            return f"{self._zone(place)}.{'put_front' if place.end == 'front' else 'put_back'}({name})"
        return f"{self._zone(place)}.append({name})"

    def _payout(self) -> None:
        self._put(0, "def payout(S):")
        self._put(1, f"pay = [0] * {self.table.players}")
        for clause in self.rules.payout:
            self._effects(clause, 1)
        self._put(1, "return pay")

    # ------------------------------------------------------------------ events

    def _read(self, action: Action) -> None:
        """`read_x(event)`: the arguments, or a fault's words."""
        params = list(action.params)
        required = [p.name for p in params if not p.optional]
        self._put(0, f"def read_{mangled(action.name)}(event):")
        names = arguments(action)
        keys = [*(["by"] if action.by is not None else []), *required]
        self._put(1, "try:")
        for key in keys:
            self._put(2, f"x_{mangled(key)} = event[{key!r}]")
        self._put(2, "pass")
        self._put(1, f"except KeyError: return misses(event, {keys!r})")
        optional = [p.name for p in params if p.optional]
        known = (*keys, *optional)
        allowed = repr(frozenset((*known, "do", "note", "time")))
        if optional:
            self._put(
                1,
                f"if any(k not in {allowed} for k in event): return extra(event, {known!r})",
            )
        else:
            self._put(
                1,
                f"if len(event) != {len(keys) + 1} and any(k not in {allowed} for k in event): "
                f"return extra(event, {known!r})",
            )
        if action.by is not None:
            self._decode("by", Seat(), local(action.by), 1)
        for param in params:
            if param.optional:
                assert isinstance(param.type, Opt)
                self._put(1, f"if {param.name!r} in event:")
                self._put(2, f"x_{mangled(param.name)} = event[{param.name!r}]")
                self._decode(param.name, param.type.item, local(param.name), 2)
                self._put(1, f"else: {local(param.name)} = None")
            else:
                self._decode(param.name, param.type, local(param.name), 1)
        self._put(1, f"return ({''.join(n + ', ' for n in names)})")

    def _decode(self, key: str, kind: Type, name: str, depth: int) -> None:
        x = f"x_{mangled(key)}"
        n = self.table.players
        match kind:
            case Seat():
                self._put(
                    depth, f"if {x}.__class__ is not int or not 0 <= {x} < {n}: return bad_seat({key!r}, {x})"
                )
                self._put(depth, f"{name} = {x}")
            case Tile():
                self._put(
                    depth,
                    f"if {x}.__class__ is not str or ({name} := NUMBERS.get({x})) is None: "
                    f"return bad_tile({key!r}, {x})",
                )
            case _:
                self._put(depth, f"{name} = decode({decoder(kind)!r}, {key!r}, {x})")
                self._put(depth, f"if {name}.__class__ is Bad: return {name}")

    def _step(self, action: Action) -> None:
        name = mangled(action.name)
        args = arguments(action)
        self._put(0, f"def step_{name}(S, event):")
        self._put(1, f"args = read_{name}(event)")
        self._put(1, "if args.__class__ is Bad: return args")
        if args:
            self._put(1, f"{''.join(a + ', ' for a in args)} = args")
        self._put(1, f"failed = check_{name}({', '.join(('S', *args))})")
        self._put(1, "if failed >= 0: return failed, args")
        self._put(1, f"apply_{name}({', '.join(('S', *args))})")
        self._put(1, "return None")


def _is_each(kind: Type) -> bool:
    return isinstance(kind.item if isinstance(kind, Opt) else kind, Each)


def _size_condition(action: Action, name: str) -> ir.Expr | None:
    """The condition that a `{a, b}` parameter of this name brings, if there is one."""
    for param in action.params:
        if param.parts and param.name == name:
            condition = next(c for c in action.conditions if c.name == name)
            return condition.expr
    return None


def decoder(kind: Type) -> tuple[object, ...]:
    """A type as nested tuples, for the reader of values."""
    match kind:
        case Seat():
            return ("seat",)
        case Tile():
            return ("tile",)
        case Int():
            return ("number",)
        case Bool():
            return ("truth",)
        case Choice(words):
            return ("choice", words)
        case Bag(item) | Each(item):
            return ("list", decoder(item))
        case Opt(item):
            return ("or none", decoder(item))
        case Meld():
            return ("meld",)
        case Patterns():
            return ("patterns",)
        case NoneType() | Points():
            raise ValueError("no trace holds such a value")
        case _:
            assert_never(kind)
