"""States of a rule set with unknown values, and the initial state.

Input: an `Evaluator`. Output: a state that stands for every state there can be, the state before any event, and what
else depends on how zones and variables are declared. Guarantee: every state of a real game is an instance of the
unknown one, and `conservation` holds in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any, assert_never

from golpae.elaborate.instance import Setting
from golpae.ir import expr as ir
from golpae.ir.dependencies import read_by
from golpae.ir.lifecycle import BEFORE, STAGES, Stage
from golpae.ir.ruleset import TABLE, RuleSet, VarDecl, ZoneDecl
from golpae.ir.traverse import nodes
from golpae.ir.types import (
    INT,
    SEAT,
    TILES,
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
from golpae.ir.types import Bag as BagType
from golpae.lower import statements as st
from golpae.lower.effects import all_statements
from golpae.lower.walk import exprs_of, flat, transfers
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.moved_rows import RowMove, RowPart, all_read
from golpae.prove.symbolic.parts import parts_within
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    BLANK,
    EMPTY,
    Bag,
    MeldValue,
    Truth,
    Value,
    all_of,
    any_of,
    cases,
    equal,
    how_many_tiles,
    negate,
    of_size,
    tiles_of,
    total_of,
)
from golpae.prove.symbolic.zones import HIDDEN, Tracking, Zone, empty_row, hidden_places, row_of

MOST_MEMBERS = 60  # that a state of melds, numbers or lists can have


class StateEncoder:
    """States of one rule set at one table.

    Rows are tracked for what `also`, another rule set, reads of them too, so that both can evaluate the same states.
    `groups` are the groups that can lie in each zone of melds, and the members that states of melds, numbers and lists
    can have; `groups_complete` says that there are no others. If the encoder `follows_one_game`, melds of unknown tiles
    are listed for each event, which is too much for proofs about all states. `at_table` are the symbols of the states
    of the table.
    """

    def __init__(self, evaluator: Evaluator, also: RuleSet | None) -> None:
        self._evaluator = evaluator
        self.lenient = also is None  # what has no encoding may be taken for anything
        self._symbols = evaluator.symbols
        self._readers = (evaluator.rules, *(() if also is None else (also,)))
        self._statements = [s for rules in self._readers for s in all_statements(rules)]
        self.rules = evaluator.rules
        self.players = evaluator.players
        self.zone_decls = {z.name: z for z in self.rules.zones}
        self.groups: dict[str, list[Any]] = {z.name: [] for z in self.rules.zones if z.kind == "melds"}
        self.groups |= {v.name: [] for v in self.rules.vars if has_members(v.type)}
        self.groups_complete = False
        self.follows_one_game = False
        self.most_tiles: dict[str, int] = {}  # of one player, in some zones of melds, at any position
        self.blank: set[str] = set()  # states of which nothing is said
        self.conservation: list[
            Truth
        ] = []  # of the last unknown state: no tile is lost, each lies in one place
        self.at_table = {v.name: self._symbols.truth(v.name) for v in self.rules.vars if v.scope == TABLE}
        evaluator.context.at_table = self.at_table

    # ------------------------------------------------------------------ what the rules read of rows

    @cached_property
    def tracking(self) -> dict[str, Tracking]:
        """Return for each row what the rules read of it."""
        read: set[RowPart] = set()
        moved: list[RowMove] = []

        rows = {z.name for r in self._readers for z in r.zones if z.kind == "row"}
        hides = {z.name for z in self.rules.zones if z.holds_set}
        for node in self._all_nodes():
            access = read_by(node)
            if access is not None and access.part is not None:
                read.add((access.name, access.part))
        hides |= {s.place.zone for s in flat(self._statements) if isinstance(s, st.Shuffle)}
        single = self._single_keys()
        for what, source, target in transfers(self._statements):
            if isinstance(source, ir.Place) and source.end is not None:
                read.add((source.zone, source.end))
            if isinstance(target, ir.Place):
                if what is None and isinstance(source, ir.Place) and source.zone in rows:
                    moved.append((source.zone, target.zone, target.end))
                elif what is None or not (isinstance(what.type, Tile) or what in single):
                    hides.add(target.zone)  # several tiles have no order
        hides |= {a.dealing.zone for r in self._readers for a in r.actions if a.dealing is not None}
        while more := {target for source, target, _ in moved if source in hides} - hides:
            hides |= more
        read = all_read(moved, read)

        def of(name: str) -> Tracking:
            front, back, places = ((name, what) in read for what in ("front", "back", "places"))
            return Tracking(name, front, back, name in hides, places)

        return {z.name: of(z.name) for z in self.rules.zones if z.kind == "row"}

    def _single_keys(self) -> list[ir.Expr]:
        """Return the keys of deals for the one tile that goes to a zone, if their names mean that in all actions."""
        sizes: dict[str, list[ir.Expr | None]] = {}
        for action in (action for rules in self._readers for action in rules.actions):
            to_zones = {} if action.dealing is None else {d.zone: d.size for d in action.dealing.table}
            for param in action.params:
                sizes.setdefault(param.name, []).append(to_zones.get(param.name))
        one = ir.Const(1, INT)
        return [ir.Local(name, TILES) for name, known in sizes.items() if all(size == one for size in known)]

    def _all_nodes(self) -> Iterator[ir.Expr]:
        exprs = [e for statement in flat(self._statements) for e in exprs_of(statement)]
        for rules in self._readers:
            exprs += [v.initial for v in rules.vars if v.initial is not None]
            exprs += [c.expr for d in rules.definitions for c in d.cases]
            exprs += [c.expr for a in rules.actions for c in a.conditions]
            exprs += [p.expr for p in rules.properties]
        for expr in exprs:
            yield from nodes(expr)

    # ------------------------------------------------------------------ states

    def unknown(self, stages: tuple[Stage, ...] = STAGES) -> SymbolicState:
        """Return a state that can be any state; its tiles are all there if `conservation` holds."""
        symbols = self._symbols
        begin = len(symbols.deferred)
        seats: list[Any] = [*range(self.players)]
        state = SymbolicState(
            symbols.of("at", list(stages)),
            symbols.number("stake", 1),
            symbols.of("winner", [*seats, None], SEAT),
            symbols.number("hands-played", 0),
            [symbols.number("total") for _ in seats],
            {},
            {},
        )
        self._note_settings()
        for var in self.rules.vars:
            one = [self.unknown_value(var) for _ in (seats if var.each_player else [0])]
            state.vars[var.name] = one if var.each_player else one[0]
        for zone in self.rules.zones:
            state.zones[zone.name] = self.unknown_zones(zone.name)
        copies = self._evaluator.copies
        lying = self._lying(state)
        self.conservation = [equal(total_of([b.count(k) for b in lying]), c) for k, c in copies.items()]
        symbols.fact(equal(total_of(how_many_tiles(b) for b in self._zones_of(state)), sum(copies.values())))
        self.conservation += symbols.deferred[begin:]
        return state

    def unknown_value(self, var: VarDecl) -> Value:
        """Return an unknown value of a state, one player's if each has one; BLANK if it has no encoding."""
        if var.name in self.blank:
            return BLANK
        if var.scope == TABLE:
            return self.at_table[var.name]
        try:
            return self._evaluator.unknown(var.name, self.type_of(var), self.groups.get(var.name, ()))
        except Unsupported:
            self.blank.add(var.name)
            return BLANK

    def unknown_zones(self, name: str) -> Any:
        """Return an unknown zone, or the list of each player's."""
        zone = self.zone_decls[name]
        return (
            [self._unknown_zone(zone) for _ in range(self.players)]
            if zone.each_player
            else self._unknown_zone(zone)
        )

    def _unknown_zone(self, zone: ZoneDecl) -> Zone:
        if zone.kind == "melds":
            most = dict.fromkeys(self.groups[zone.name])
            return Zone(self._symbols.bag(zone.name, most))
        symbols, copies = self._symbols, self._evaluator.copies
        counted = symbols.number(f"size of {zone.name}", 0, sum(copies.values()))
        bag, is_size = of_size(symbols.bag(zone.name, dict(copies)), counted)
        if is_size is not True:
            symbols.deferred.append(is_size)
        if zone.kind != "row":
            return Zone(bag)
        return Zone(bag, row_of(bag, self._symbols, self.tracking[zone.name]))

    def initial(self) -> SymbolicState:
        """Return the state before the first event."""
        stake = self._symbols.number("stake", 1)
        state = SymbolicState(BEFORE, stake, None, 0, [0] * self.players, {}, {})
        self._note_settings()
        for zone in self.rules.zones:
            state.zones[zone.name] = self.first_zone(zone, zone.holds_set)
        for var in self.rules.vars:
            state.vars[var.name] = self.first_value(var, state)
        return state

    def first_value(self, var: VarDecl, state: SymbolicState) -> Any:
        """Return the value of a variable before a match, or before a hand; a list by seat if each player has one.
        Raises `Unsupported`.
        """

        def one() -> Value:
            if var.scope == TABLE:
                return self.at_table[var.name]
            if var.initial is None:
                return None
            try:
                with parts_within():
                    value = self._evaluator.value(var.initial, state, {})
            except Unsupported as fault:
                if not self.lenient:
                    fault.at(f"state.{var.name}")
                    raise
                return self.unknown_value(var)
            self.note_members(var.name, value)
            return value

        return [one() for _ in range(self.players)] if var.each_player else one()

    def first_zone(self, zone: ZoneDecl, whole: bool) -> Any:
        """Return a zone before a match, or before a hand: the whole set, or nothing."""
        bag = Bag(dict(self._evaluator.copies)) if whole else EMPTY
        made = Zone(bag)
        if zone.kind == "row":
            track = self.tracking[zone.name]
            row = empty_row(track)
            if whole:
                hidden = row_of(bag, self._symbols, track, HIDDEN, HIDDEN, bag, hidden_places(bag))
                row = replace(hidden, free=True)
            made = Zone(bag, row)
        return [made for _ in range(self.players)] if zone.each_player else made

    def settled(self, settings: Iterable[Setting]) -> Truth:
        """Return whether the states of the table have the values of one of these settings."""
        at_table = self.at_table
        return any_of(
            all_of((*(at_table[n] for n in on), *(negate(at_table[n]) for n in off))) for on, off in settings
        )

    def _note_settings(self) -> None:
        """Note which values the states of the table can have."""
        settings = self._evaluator.instance.settings
        if settings:
            self._symbols.fact(self.settled(settings))

    # ------------------------------------------------------------------ zones and variables

    def type_of(self, var: VarDecl) -> Type:
        """Return the type of a variable; it can be none if it starts as none."""
        if var.initial is None and not isinstance(var.type, Opt):
            return Opt(var.type)
        return var.type

    def count_copies(self, state: SymbolicState, kind: int) -> Value:
        """Return how many tiles of a kind lie in all zones together."""
        return total_of([bag.count(kind) for bag in self._lying(state)])

    def _lying(self, state: SymbolicState) -> list[Bag]:
        """Return the tiles of each zone."""
        return [tiles_of(bag) for bag in self._zones_of(state)]

    def _zones_of(self, state: SymbolicState) -> list[Bag]:
        """Return the tiles in each zone as bags; a zone of each player has one for each seat."""
        lying: list[Bag] = []
        for decl in self.rules.zones:
            zone = state.zones[decl.name]
            lying += [one.bag for one in (zone if decl.each_player else [zone])]
        return lying

    def note_groups(self, zone: str, groups: Iterable[Any]) -> None:
        """Note groups that can lie in a zone of melds."""
        most, noted = self.most_tiles.get(zone, inf), {*self.groups[zone]}
        for group in groups:
            new = isinstance(group, MeldValue) and group not in noted
            if new and len(group.tiles) <= most and self._evaluator.in_set(group.tiles):
                self.groups[zone].append(group)
                noted.add(group)

    def note_members(self, name: str, value: Value) -> None:
        """Note what a state of melds, numbers or lists can have; nothing is said of it if that is too much."""
        if name not in self.groups or name in self.blank:
            return
        for member in _members(value):
            if not isinstance(member, int | MeldValue):
                self.blank.add(name)
            elif member not in self.groups[name]:
                self.groups[name].append(member)
        if len(self.groups[name]) > MOST_MEMBERS:
            self.blank.add(name)


def _members(value: Value) -> Iterator[Any]:
    """Yield the members of a value: those of a bag, or the meld that it is."""
    for _, plain in cases(value):
        if isinstance(plain, Bag):
            yield from (key for key, _ in plain.items())
        elif isinstance(plain, list):
            for one in plain:
                yield from _members(one)
        elif plain is not None:
            yield plain


def has_members(kind: Type) -> bool:
    """Return whether values of a type are melds, or bags whose members are found by looking at all steps."""
    match kind:
        case Meld() | BagType(Int() | Meld() | BagType()):
            return True
        case Opt(item) | Each(item):
            return has_members(item)
        case Bool() | Int() | Seat() | Tile() | Choice() | BagType() | NoneType() | Points() | Patterns():
            return False
        case _:
            assert_never(kind)
