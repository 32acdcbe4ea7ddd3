"""The source of effects: of an action, and of the payments at the end of a hand and of a match.

Input: an action or the payout of an instance. Output: the lines of `apply_x`, `payout` and `settled`.
Guarantee: `payout` and `settled` change nothing. `apply_x` changes the state in place, statement by statement. It
raises `Missing` or ValueError if a tile is not where it is moved from; the state is then half changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import assert_never

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import settles
from golpae.ir.lifecycle import LIFECYCLES
from golpae.ir.ruleset import Action, EffectClause
from golpae.ir.traverse import exprs_in, flat
from golpae.ir.types import MELD, Bag, Bool, Choice, Seat, Tile, words_in
from golpae.lower import statements as st
from golpae.lower.checks import DEALT, REST
from golpae.lower.effects import lowered
from golpae.replay.codegen.expressions import Emitter, arguments, copied, is_plain
from golpae.replay.codegen.length import has_rounds
from golpae.replay.codegen.lines import Lines
from golpae.replay.codegen.names import local
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
        self._path = ""  # of the clause that is written
        self._lists: set[str] = (
            set()
        )  # names of tiles that are a list already, in the order in which they move

    def apply(self, action: Action) -> None:
        """Write `apply_x`; of an `end` or a `finish` that pays, `paid_by_x` too, which carries its effects out."""
        if settles(action):
            self._put(0, f"def paid_by_{mangled(action.name)}(S, pay):")
            self._clauses(action.name, action.effects)
            self._put(1, "return pay")
        self._put(0, f"def apply_{mangled(action.name)}({', '.join(('S', *arguments(action)))}):")
        for param in action.params:
            if param.parts:
                self._put(1, f"{''.join(local(p) + ', ' for p in param.parts)} = {local(param.name)}")
        if action.kind == "deal":
            self._deal(action)
        if action.kind == "end" and next(p.optional for p in action.params if p.name == "pay"):
            self._put(1, "l_pay = payout(S) if l_pay is None else l_pay")
        if settles(action):
            self._put(1, f"pay = paid_by_{mangled(action.name)}(S, [0] * {self.instance.players})")
            if action.kind == "finish":
                self._add_to_totals("pay", action)
        else:
            self._clauses(action.name, action.effects)
        if action.kind == "end":
            self._add_to_totals("l_pay", action)
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
        for action in self.rules.actions:
            if action.kind == "end" and settles(action):
                self._put(1, f"ahead(paid_by_{mangled(action.name)}, copy_apart(S), pay)")
        self._put(1, "return kept(pay, 'payout')")

    def settled(self) -> None:
        """Write `settled`: the state with the totals that a `finish` leaves."""
        self._put(0, "def settled(S):")
        for action in self.rules.actions:
            if action.kind == "finish" and settles(action):
                self._put(1, f"pay = [0] * {self.instance.players}")
                self._put(1, f"ahead(paid_by_{mangled(action.name)}, copy_apart(S), pay)")
                self._put(1, "S = copy_apart(S)")
                self._add_to_totals("pay", action)
        self._put(1, "return S")

    def _add_to_totals(self, paid: str, action: Action) -> None:
        self._put(1, f"S.total = kept([a + b for a, b in zip(S.total, {paid})], {action.name!r})")

    def _clauses(self, block: str, clauses: Sequence[EffectClause]) -> None:
        for clause, low in zip(clauses, lowered(self.rules, block, clauses), strict=True):
            effects = [*flat(clause.effects)]
            loops = self._counts_steps and has_rounds(effects)
            if loops or self._counts(exprs_in(effects)):
                self._put(1, f"begin_steps({low.path!r})")
            self._path = low.path
            self._all(low.statements, 1)

    def _deal(self, action: Action) -> None:
        assert action.dealing is not None
        zone = self._zones[action.dealing.zone]
        source = f"S.{zone_slot(zone.name)}"
        hand = f"S.{zone_slot(action.dealing.hand)}"
        self._put(1, "new_hand(S)")
        self._put(1, f"{hand} = [list(h) for h in l_hands]")
        self._put(1, f"{local(DEALT.name)} = [t for h in l_hands for t in h]")
        if zone.kind == "row":
            self._put(1, "if l_reserve is None:")
            self._put(2, f"rest = {self._emit(REST)}")
            self._put(2, f"{source} = Row([HIDDEN] * len(rest), rest)")
            self._put(1, f"else: {source} = Row(l_reserve)")
        else:
            self._put(1, f"{source} = {self._emit(REST)}")

    # ------------------------------------------------------------------ one statement

    def _all(self, statements: Iterable[st.Statement], depth: int) -> None:
        for statement in statements:
            self._statement(statement, depth)

    def _block(self, statements: tuple[st.Statement, ...], depth: int) -> None:
        self._all(statements, depth)
        if not statements:
            self._put(depth, "pass")

    def _statement(self, statement: st.Statement, depth: int) -> None:
        emit, put = self._emit, self._put
        match statement:
            case st.Let(name=name, value=value):
                self._lists.add(name)
                made = self._listed(value) if isinstance(value.type, Bag) else emit(value)
                put(depth, f"{local(name)} = {made}")
            case st.Take(what=what, place=place):
                self._take(what, place, depth)
            case st.TakeAll(name=name, place=place):
                self._lists.add(name)
                put(depth, f"{local(name)} = {self._tiles_in(place)}")
                put(depth, f"{self._zone(place)}.clear()")
            case st.Put(what=what, place=place):
                self._put_down(what, place, depth)
            case st.MoveRow(source=source, target=target):
                put(depth, f"moved = {self._zone(source)}.copy()")
                put(depth, f"{self._zone(source)}.clear()")
                put(depth, f"{self._zone(target)}.put_row(moved, {0 if target.end == 'front' else -1})")
            case st.MoveMelds(source=source, label=label, target=target):
                made = "m" if label is None else f"Meld(m, {label!r})"
                put(depth, f"moved = [{made} for m in {self._zone(source)}]")
                put(depth, f"{self._zone(source)}.clear()")
                put(depth, f"{self._zone(target)}.extend(moved)")
            case st.NewMeld(tiles=tiles, label=label, place=place):
                put(depth, f"new_meld({self._zone(place)}, {emit(tiles)}, {label!r})")
            case st.TakeMeld(meld=meld, place=place):
                put(depth, f"take_meld({self._zone(place)}, {emit(meld)})")
            case st.PutMeld(meld=meld, label=label, place=place):
                labelled = emit(meld) if label is None else f"Meld({emit(meld)}, {label!r})"
                put(depth, f"{self._zone(place)}.append({labelled})")
            case st.AddToMeld(tiles=tiles, meld=meld, label=label, zone=zone):
                put(depth, f"change_meld({emit(zone)}, {self._fitting(meld)}, {emit(tiles)}, (), {label!r})")
            case st.TakeFromMeld(tiles=tiles, meld=meld, zone=zone):
                put(depth, f"change_meld({emit(zone)}, {self._fitting(meld)}, (), {emit(tiles)}, None)")
            case st.Set(name=name, seat=seat, value=value):
                index = "" if seat is None else f"[{emit(seat)}]"
                put(depth, f"S.{var_slot(name)}{index} = {self._held(value)}")
            case st.Credit(seat=seat, amount=amount):
                put(depth, f"pay[{emit(seat)}] += {emit(amount)}")
            case st.Over(winner=winner):
                put(depth, f"S.winners = {'()' if winner is None else f'({emit(winner)},)'}")
                put(depth, "S.at = OVER")
            case st.Shuffle(place=place):
                put(depth, f"{self._zone(place)}.shuffle()")
            case st.Cut(place=place, number=number):
                put(depth, f"{self._zone(place)}.cut({emit(number)})")
            case st.Arrange(tiles=tiles, place=place):
                put(depth, f"{self._zone(place)}.arrange({emit(tiles)})")
            case st.Rotate(zone=zone_name, side=side):
                put(depth, f"rotate(S.{zone_slot(zone_name)}, {side!r})")
            case st.Branch(path=path, test=test, yes=yes, no=no):
                put(depth, f"if {f'tested({path!r}, {emit(test)})' if self._noting else emit(test)}:")
                self._branches(yes, no, depth)
            case st.Ensure(path=path, test=test):
                put(depth, f"if not ({emit(test)}): raise Unmet({path!r})")
            case st.Loop(name=name, domain=domain, body=body):
                self._loop(name, domain, body, depth)
            case _:
                assert_never(statement)

    def _branches(self, yes: tuple[st.Statement, ...], no: tuple[st.Statement, ...], depth: int) -> None:
        self._block(yes, depth + 1)
        if no:
            self._put(depth, "else:")
            self._block(no, depth + 1)

    def _held(self, value: ir.Expr) -> str:
        """Return the source of a value that a state takes, within the limits, and that no later change reaches."""
        made = self._emit(value)
        plain = isinstance(value.type, Bag) and isinstance(value.type.item, Tile | Seat | Bool | Choice)
        if self._limited.is_made(value):
            made = f"{'held' if plain else 'kept'}({made}, {self._path!r})"
        if plain and isinstance(value, ir.BagOf):
            return made  # a new list
        if plain and isinstance(value, ir.Op) and value.op == "bag_add":
            return made
        return copied(value.type, made)

    def _loop(self, name: str, domain: ir.Expr, body: tuple[st.Statement, ...], depth: int) -> None:
        if depth % MOST_LOOPS == 0:  # Python has a greatest depth of loops, for each function
            self._put(depth, "def deeper():")
            self._put(depth + 1, f"for {local(name)} in {self._rounds(domain)}:")
            self._block(body, depth + 2)
            self._put(depth, "deeper()")
        else:
            self._put(depth, f"for {local(name)} in {self._rounds(domain)}:")
            self._block(body, depth + 1)

    def _rounds(self, domain: ir.Expr) -> str:
        """Return the members of a bag in the order of a loop's rounds."""
        if isinstance(domain, ir.Builtin) and domain.name == "players":
            return "counted(PLAYERS)" if self._counts_steps else "PLAYERS"
        if words := words_in(domain.type):
            return f"rounds({self._members(domain)}, {words!r})"
        return f"{'sorted' if is_plain(domain.type) else 'rounds'}({self._members(domain)})"

    # ------------------------------------------------------------------ tiles and places

    def _take(self, what: ir.Expr, place: ir.Place, depth: int) -> None:
        zone = self._zone(place)
        if self._zones[place.zone].kind != "row":
            taken = "remove({})"
        elif place.end is None:
            taken = "take({})"
        elif place.number is not None:
            taken = f"take_place({{}}, {self._emit(place.number)})"
        else:
            taken = f"take_end({{}}, {0 if place.end == 'front' else -1})"
        if isinstance(what.type, Tile):
            self._put(depth, f"{zone}.{taken.format(self._emit(what))}")
        else:
            self._put(depth, f"place = {zone}")
            self._put(depth, f"for moving in {self._listed(what)}: place.{taken.format('moving')}")

    def _put_down(self, what: ir.Expr, place: ir.Place, depth: int) -> None:
        zone, front = self._zone(place), place.end == "front"
        row = self._zones[place.zone].kind == "row"
        if isinstance(what.type, Tile):
            called = f"put_{'front' if front else 'back'}" if row else "append"
        else:
            called = "put_hidden" if row else "extend"
        more = ", 0" if called == "put_hidden" and front else ""
        moved = self._emit(what) if isinstance(what.type, Tile) else self._listed(what)
        self._put(depth, f"{zone}.{called}({moved}{more})")

    def _listed(self, tiles: ir.Expr) -> str:
        """Return tiles in the order in which they move: as they are written, else in the order of the set."""
        is_list = isinstance(tiles, ir.BagOf) or (isinstance(tiles, ir.Local) and tiles.name in self._lists)
        return self._emit(tiles) if is_list else f"sorted({self._emit(tiles)})"

    def _fitting(self, meld: ir.Expr) -> str:
        """Return the melds that fit of `(the m in zone: ...)`, of which there has to be one."""
        assert isinstance(meld, ir.Fold)
        return self._emit(replace(meld, kind="those", type=Bag(MELD)))

    def _tiles_in(self, place: ir.Place) -> str:
        """Return a list of the tiles in a zone."""
        zone = self._zone(place)
        if self._zones[place.zone].kind == "melds":
            return f"[t for m in {zone} for t in m]"
        return f"{zone}.all()" if self._zones[place.zone].kind == "row" else f"{zone}[:]"

    def _zone(self, place: ir.Place) -> str:
        seat = "" if place.seat is None else f"[{self._emit(place.seat)}]"
        return f"S.{zone_slot(place.zone)}{seat}"
