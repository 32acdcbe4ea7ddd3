"""Random effects of kinds that golpae has read wrongly, or could: rounds that depend on each other, places that change.

Input: a world, what makes expressions, effects and moves; a scope. Output: effects as text; a loop has its effects on
lines of their own.
Guarantee: as for other effects. Each of these is rare where effects are made one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Protocol

from golpae.ir.types import BOOL, INT, SEAT, TILE, TILES, Choice, Opt
from tests.differential.expressions import Expressions
from tests.differential.vocabulary import HIDING_LOOPS, CannotMake, Scope, State, World, Zone, bare

Kind = Literal["play", "before", "deal", "end", "finish"]
NEXT_TO = ("right", "left")


class MakesEffects(Protocol):
    """Makes plain effects."""

    def any(self, scope: Scope, kind: Kind, depth: int = 1) -> str: ...
    def assign_to(self, state: State, scope: Scope, depth: int) -> str: ...
    def move(self, what: str, source: str, scope: Scope) -> str: ...
    def place(self, zone: Zone, scope: Scope, end: bool = False) -> str: ...


class HardEffects:
    """Makes hard effects for one world."""

    def __init__(self, world: World, make: Expressions, plain: MakesEffects) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make
        self.plain = plain

    def some(self, scope: Scope, kind: Kind) -> list[str] | None:
        """Return some of these effects, at times; None the other times."""
        special: tuple[tuple[float, str, Callable[[Scope, Kind], list[str]]], ...] = (
            (0.14, "asked again", self._asked_again),
            (0.06, "seen and hidden", self._seen_and_hidden),
            (0.06, "laid apart", self._laid_apart),
            (0.06, "passed along", self._passed_along),
            (0.06, "handed along", self._handed_along),
            (0.06, "last decides", self._last_decides),
            (0.07, "taken twice", self._taken_twice),
            (0.08, "place that changes", self._place_that_changes),
            (0.05, "grown", self._grown),
            (0.03, "emptied", self._emptied),
            (0.10, "hidden and used", self._hidden_and_used),
        )
        special = tuple(self.rng.sample(special, len(special)))
        for share, name, maker in special:
            if self.world.likely(name, share):
                try:
                    return maker(scope, kind)
                except CannotMake:
                    continue
        return None

    def _asked_again(self, scope: Scope, kind: Kind) -> list[str]:
        """Return effects that ask a definition, change what it reads, and ask it once more."""
        noted = [s for s in self.world.states if not s.each and s.name not in ("turns", *scope.forbidden)]
        asked = [
            (define, state)
            for define in self.world.defines
            for state in noted
            if define.owner != "tile" and define.reads and define.type in (bare(state.type), BOOL, INT)
        ]
        if not asked:
            raise CannotMake
        told = [(d, n) for d, n in asked if d.type == bare(n.type) and d.reads - {n.name}]
        define, note = self.rng.choice(told if told and self.world.chance(0.6) else asked)
        if define.reads & scope.forbidden:
            raise CannotMake
        owners = self.make.seats(scope)
        if define.owner and not owners:
            raise CannotMake
        use = f"{self.rng.choice(owners)}'s {define.name}" if define.owner else define.name
        if define.params:
            use += f"({', '.join(self.make.of(kind_, scope, 0) for _, kind_ in define.params)})"
        read = [s for s in self.world.states if s.name in define.reads and s.name not in ("turns", note.name)]
        changed = scope.changed()
        change = self._changed(self.rng.choice(read), changed) if read else self.plain.any(changed, kind, 0)
        if define.type == bare(note.type):
            return [f"{note.name} := {use}", change, f"{note.name} := {use}"]
        test = use if define.type == BOOL else f"{use} {self.rng.choice(('=', '>'))} {self.rng.randint(0, 2)}"
        after = self.plain.assign_to(note, changed, 0)
        return [f"when {test}: {self.plain.assign_to(note, scope, 0)}", change, f"when {test}: {after}"]

    def _changed(self, state: State, scope: Scope) -> str:
        """Return an assignment to a state, most of the time of another value than it has."""
        owners = self.make.seats(scope)
        if state.name in scope.forbidden or (state.each and not owners) or self.world.chance(0.3):
            return self.plain.assign_to(state, scope, 1)
        place = f"{self.rng.choice(owners)}'s {state.name}" if state.each else state.name
        kind = bare(state.type)
        if kind != state.type:
            some = self.make.leaf(kind, replace(scope, locals=()))
            return f"{place} := if {place} is none then {some} else none"
        if isinstance(kind, Choice):
            one, other = self.rng.sample(kind.words, 2)
            return f"{place} := if {place} = {one} then {other} else {one}"
        others = {
            INT: (f"{place} + 1", f"{place} - 1", f"2 - {place}"),
            BOOL: (f"not {place}",),
            SEAT: (f"{place}'s right",),
            TILES: (f"{place} + {self.make.leaf(TILE, scope)}",),
        }
        if kind not in others:
            return self.plain.assign_to(state, scope, 1)
        return f"{place} := {self.rng.choice(others[kind])}"

    def _seen_and_hidden(self, scope: Scope, kind: Kind) -> list[str]:
        """Return effects that hide a row, put a tile at an end of it, and take one from no particular place."""
        rows = self.world.zones_of("row")
        if not rows:
            raise CannotMake
        row, other = (self.make.zone(self.rng.choice(rows).name, scope) for _ in range(2))
        tile = self.make.of(TILE, scope, 0)
        taken = tile if self.world.chance(0.7) else self.make.of(TILE, scope.changed(), 0)
        source = self.make.zone(self.rng.choice(self.world.zones_of("tiles", "row")).name, scope)
        source = row if self.world.chance(0.5) else source
        put = f"move {tile} from {source} to {self.rng.choice(('front of ', ''))}{row}"
        target = f"{self.rng.choice(('front of ', ''))}{other}"
        return [
            f"shuffle {row}",
            f"when {tile} in {source}: {put}",
            f"when {taken} in {row}: move {taken} from {row} to {target}",
        ]

    def _laid_apart(self, scope: Scope, kind: Kind) -> list[str]:
        """Return effects that put tiles into two rows, and hide the order of these."""
        rows = self.world.zones_of("row")
        if not rows:
            raise CannotMake
        shared = [zone for zone in rows if not zone.each] or rows
        chosen = self.rng.sample(shared, 2) if len(shared) > 1 else [rows[0], rows[-1]]
        source = self.make.zone(self.rng.choice(self.world.zones_of("tiles", "row")).name, scope)
        source = "pool" if self.world.chance(0.6) else source
        out, hide = [], []
        for zone in chosen:
            row, tile = self.make.zone(zone.name, scope), self.make.of(TILE, scope, 0)
            out.append(f"when {tile} in {source}: move {tile} from {source} to {row}")
            hide.append(f"shuffle {row}")
        return [*out, *dict.fromkeys(hide)]

    def _emptied(self, scope: Scope, kind: Kind) -> list[str]:
        """Return effects that take a tile from one end of a short row, and ask for the tile at the other end."""
        rows = [zone for zone in self.world.zones_of("row") if zone.open]
        if not rows:
            raise CannotMake
        row, tile = self.make.zone(self.rng.choice(rows).name, scope), self.make.of(TILE, scope, 0)
        end, other = (f"{side} of {row}" for side in self.rng.sample(("front", "back"), 2))
        out = [f"when {end} is not none: {self.plain.move(end, end, scope.knowing(end))}"]
        if self.world.chance(0.6):
            out.insert(0, f"when {row} is empty and {tile} in pool: move {tile} from pool to {row}")
        if self.world.chance(0.6):
            out.append(f"when {other} is none: {self.plain.any(scope.changed(), kind, 0)}")
        return out

    def _grown(self, scope: Scope, kind: Kind) -> list[str]:
        """Return effects by which a meld comes to lie, and grows."""
        zones = self.world.zones_of("melds")
        if not zones:
            raise CannotMake
        zone = self.make.zone(self.rng.choice(zones).name, scope)
        labels = [f" as {label}" for label in self.world.labels]
        first, second = (self.rng.choice([*labels, ""]) for _ in range(2))
        tile, other = self.make.of(TILE, scope, 0), self.make.of(TILE, scope, 0)
        name = self.world.fresh()
        meld = f"(the {name} in {zone}: {tile} in {name})"
        source = self.rng.choice(("pool", "pool", self.make.zone("hand", scope)))
        grow = (
            f"when {other} in {source} and {meld} is not none: move {other} from {source} to {meld}{second}"
        )
        put = f"when {tile} in pool: move {tile} from pool to {zone}{first}"
        return [grow] if self.world.chance(0.4) else [put, grow]

    def _hidden_and_used(self, scope: Scope, kind: Kind) -> list[str]:
        """Return a loop whose name hides one of the event, and an effect that uses the name of the event again."""
        domains = {SEAT: "players", TILE: "kinds of pool", INT: f"{{{self.rng.randint(0, 1)} to 2}}"}
        found = [(name, over) for name, over in scope.locals if over in domains]
        if not found:
            raise CannotMake
        name, over = self.rng.choice(found)
        inner = scope.changed().having((name, over))
        states = [
            s for s in self.world.states if bare(s.type) == over and s.name not in ("turns", *scope.forbidden)
        ]
        noted = [f"{name}'s {s.name}" if s.each else s.name for s in states if over == SEAT or not s.each]
        uses = [f"{state} := {name}" for state in noted]
        uses += [self._guarded_move("pool", scope, name)] * (over == TILE)
        uses += [f"when {name} > 1: {self.plain.any(scope.changed(), kind, 0)}"] * (over == INT)
        uses += [f"{name} wins"] * (over == SEAT and kind == "play")
        if not uses:
            raise CannotMake
        body = self.rng.choice(noted) + f" := {name}" if noted and self.world.chance(0.4) else ""
        if over == SEAT and self.world.chance(0.5):
            body = self._guarded_move(f"{name}'s {self._own_zone().name}", inner)
        body = body or self.plain.any(inner, kind, 0)
        loop = f"for each {name} in {domains[over]}: {body}"
        if self.world.chance(0.3):
            loop = f"when {self.make.of(BOOL, scope, 0)}: {loop}"
        return [loop, self.rng.choice(uses)]

    # ------------------------------------------------------------------ rounds that depend on each other

    def _passed_along(self, scope: Scope, kind: Kind) -> list[str]:
        """Return a loop over the players whose rounds change what later rounds ask of their own player."""
        own = [s for s in self.world.states if s.each and s.type == INT and s.name not in scope.forbidden]
        if not own:
            raise CannotMake
        asked, name = self.rng.choice(own), self.world.fresh("uvw")
        test = f"{name}'s {asked.name} {self.rng.choice(('=', '<', '/='))} {self.rng.randint(0, 2)}"
        change = f"{self.rng.choice(self._others(name, scope))}'s {asked.name} := {self.rng.randint(0, 2)}"
        return self.loop(name, "players", [f"when {test}: {change}"], scope)

    def _others(self, name: str, scope: Scope) -> list[str]:
        return [f"{seat}'s {side}" for seat in (name, *self.make.seats(scope)) for side in NEXT_TO]

    def _handed_along(self, scope: Scope, kind: Kind) -> list[str]:
        """Return a loop over the players whose rounds move tiles to zones that later rounds ask about."""
        zone = self._own_zone()
        name = self.world.fresh("uvw")
        other = self.rng.choice(self._others(name, scope))
        inner = scope.changed().having((name, SEAT))
        tile = self.make.of(TILE, inner, 0)
        source = self.rng.choice((f"{name}'s {zone.name}", f"{name}'s {zone.name}", "pool"))
        size = (
            f"size of {name}'s {zone.name} {self.rng.choice(('=', '<', '>', '>='))} {self.rng.randint(0, 2)}"
        )
        test = self.rng.choice((f"{tile} in {source}", f"{tile} in {source} and {size}"))
        move = f"when {test}: move {tile} from {source} to {other}'s {zone.name}"
        if self.world.chance(0.3):
            move = f"when {size}: move all from {name}'s {zone.name} to {other}'s {zone.name}"
        return self.loop(name, "players", [move], scope)

    def _own_zone(self) -> Zone:
        return self.rng.choice([z for z in self.world.zones if z.each and z.kind == "tiles"])

    def _last_decides(self, scope: Scope, kind: Kind) -> list[str]:
        """Return a loop over the players of which the last round, in the order of seats, decides a state."""
        name = self.world.fresh("uvw")
        inner = scope.changed().having((name, SEAT))
        own = [
            s.name for s in self.world.states if s.each and s.type == INT and s.name not in scope.forbidden
        ]
        sizes = [f"size of {name}'s {z.name}" for z in self.world.zones if z.each]
        sizes += [f"{name}'s {state}" for state in own]
        seats = [name, name, *(f"{name}'s {side}" for side in NEXT_TO)]
        values = {SEAT: seats, Opt(SEAT): seats, INT: sizes, Opt(INT): sizes}
        states = [s for s in self.world.states if s.type in values and not s.each and s.name != "turns"]
        if not states:
            raise CannotMake
        state = self.rng.choice(states)
        body = f"{state.name} := {self.rng.choice(values[state.type])}"
        if kind == "play" and self.world.chance(0.15):
            body = f"{name} wins"
        form = self.rng.choice(("plain", "own", "any"))
        if form == "own":
            body = f"when {self.rng.choice(sizes)} {self.rng.choice(('=', '>', '<'))} {self.rng.randint(0, 2)}: {body}"
        elif form == "any":
            body = f"when {self.make.of(BOOL, inner, 1)}: {body}"
        return self.loop(name, "players", [body], scope)

    def _taken_twice(self, scope: Scope, kind: Kind) -> list[str]:
        """Return a loop whose rounds take twice from the same zone."""
        source = self.plain.place(self.rng.choice(self.world.zones_of("tiles", "row")), scope)
        over = self.rng.choice((TILE, TILE, TILE, SEAT))
        name = self.world.fresh("uvw")
        inner = scope.changed().having((name, over))
        if over == TILE:
            domain = self.rng.choice((source, f"kinds of {source}", self.make.of(TILES, scope, 1)))
            effects = [self.plain.move(name, source, inner)]
            if domain != source or self.world.chance(0.4):
                effects = [f"when {name} in {source}: {effects[0]}"]
        else:
            domain = "players"
            effects = [self._guarded_move(source, inner)]
        effects.append(self.other_move(source, inner, kind))
        if self.world.chance(0.25):
            effects.reverse()
        return self.loop(name, domain, effects, scope)

    def _guarded_move(self, source: str, scope: Scope, tile: str = "") -> str:
        tile = tile or self.make.of(TILE, scope, 0)
        return f"when {tile} in {source}: {self.plain.move(tile, source, scope)}"

    def other_move(self, source: str, scope: Scope, kind: Kind) -> str:
        """Return a move that takes further tiles from a place; at times one that can be impossible."""
        form = self.rng.choice(("tile", "tile", "all", "loop", "loose"))
        if form == "all":
            return self.plain.move("all", source, scope).split(" as ")[0]
        if form == "loop":
            name = self.world.fresh("uvw")
            inner = scope.having((name, TILE))
            return f"for each {name} in {source}: {self.plain.move(name, source, inner)}"
        if form == "loose" and kind == "play":
            tile = self.make.of(TILE, scope, 0)
            guard = f"when size of {source} > 1: " if self.world.chance(0.6) else ""
            return guard + self.plain.move(tile, source, scope)
        return self._guarded_move(source, scope)

    def loop(self, name: str, domain: str, effects: list[str], scope: Scope) -> list[str]:
        """Return a loop; one with several effects has them on lines of their own."""
        body = "\n".join(effects)
        text = f"for each {name} in {domain}: {body}"
        if len(effects) > 1:
            text = "\n  ".join([f"for each {name} in {domain}", *effects])
        return [self.world.hiding(text, body, scope, name, share=HIDING_LOOPS)]

    # ------------------------------------------------------------------ places that change

    def _place_that_changes(self, scope: Scope, kind: Kind) -> list[str]:
        """Return a move from or to a zone of the player whom a definition names that asks where tiles lie."""
        owners = self.make.asked_owners(scope, zones=True)
        zones = [z for z in self.world.zones if z.each and z.kind in ("tiles", "row")]
        if not owners or not zones:
            raise CannotMake
        asked, plain = (
            f"{self.rng.choice(names)}'s {self.rng.choice(zones).name}"
            for names in (owners, self.make.seats(scope))
        )
        other = self.rng.choice((plain, "pool"))
        source, target = (asked, other) if self.world.chance(0.5) else (other, asked)
        form = self.rng.choice(("all", "tiles", "tiles", "those", "loop"))
        if form == "all":
            return [f"move all from {source} to {target}"]
        if form == "tiles":
            tiles = f"{{{', '.join(self.make.of(TILE, scope, 0) for _ in range(2))}}}"
            listed = next((key for key in scope.keys if self.world.chance(0.5)), tiles)
            return [f"when {listed} in {source}: move {listed} from {source} to {target}"]
        name = self.world.fresh("uvw")
        if form == "loop":
            return self.loop(name, source, [f"move {name} from {source} to {target}"], scope)
        test = self.make.of(BOOL, scope.changed().having((name, TILE)), 1)
        return [f"move (those {name} in {source}: {test}) from {source} to {target}"]
