"""Random effects.

Input: a world, a scope and the kind of action. Output: effects as text, each on one line.
Guarantee: the type check accepts them in that scope. Most moves are made so that the tiles are where they are taken
from; a few are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from golpae.ir.types import BOOL, INT, MELD, MELDS, NUMBERS, SEAT, TILE, Bag, Choice, Opt
from tests.differential.expressions import Expressions
from tests.differential.hard_effects import HardEffects, Kind
from tests.differential.vocabulary import HIDING_LOOPS, CannotMake, Scope, State, World, Zone, bare

WHEN = re.compile(r"\bwhen\b")


class Effects:
    """Makes effects for one world."""

    def __init__(self, world: World, make: Expressions) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make
        self.hard = HardEffects(world, make, self)

    def any(self, scope: Scope, kind: Kind, depth: int = 1) -> str:
        """Return an effect that can always be carried out, most of the time."""
        makers: list[tuple[int, Callable[[], str]]] = [
            (8, lambda: self.assign(scope)),
            (5, lambda: self.safe_move(scope)),
            (2, lambda: self.move_all(scope)),
            (2, self.pass_on),
            (1, lambda: self.shuffle_or_cut(scope)),
            (1 if kind == "play" and depth and self.world.chance(0.5) else 0, lambda: self.loose_move(scope)),
            (4, lambda: self.meld_move(scope)),
        ]
        if depth > 0:
            makers.append((4, lambda: self.when(scope, kind, depth - 1)))
            makers.append((5, lambda: self.for_each(scope, kind, depth - 1)))
        newer = self.make.newer
        makers.append((4 if self.world.effect_groups else 0, lambda: newer.use(scope, kind)))
        if self.world.newer and kind in ("play", "deal", "end", "finish") and self.world.chance(0.5):
            makers.append((2, lambda: newer.payment(scope)))
        if kind == "play" or (kind == "deal" and self.world.chance(0.1)):
            makers.append((1 if depth else 2, lambda: self.win(scope)))
        makers = [(weight, maker) for weight, maker in makers if weight]
        while makers:
            at = self.rng.choices(range(len(makers)), [w for w, _ in makers])[0]
            try:
                return makers.pop(at)[1]()
            except CannotMake:
                continue
        raise CannotMake

    def some(self, scope: Scope, kind: Kind, most: int = 2) -> list[str]:
        """Return a few effects; each sees what those before it change."""
        hard = self.hard.some(scope, kind)
        if hard is not None:
            return hard
        out = []
        for _ in range(self.rng.randint(1, most)):
            out.append(self.any(scope, kind))
            scope = scope.changed()
        return out

    # ------------------------------------------------------------------ states

    def assign(self, scope: Scope) -> str:
        """Return an assignment to some state."""
        states = [s for s in self.world.states if s.name != "turns"]
        state = self.rng.choice(states)
        return self.assign_to(state, scope, self.rng.choice((0, 1, 1, 2)))

    def assign_to(self, state: State, scope: Scope, depth: int) -> str:
        place = state.name
        if state.each:
            owners = self.make.seats(scope)
            if not owners:
                raise CannotMake
            place = f"{self.rng.choice(owners)}'s {state.name}"
        if state.type == INT and self.world.chance(0.5) and state.name not in scope.forbidden:
            return f"{place} := {place} {self.rng.choice('+-')} 1"
        return f"{place} := {self.make.of(state.type, scope, depth)}"

    # ------------------------------------------------------------------ moves

    def place(self, zone: Zone, scope: Scope, end: bool = False) -> str:
        """Return a zone as a place to move from or to; with `end`, at times an end of a row."""
        text = self.make.zone(zone.name, scope)
        if zone.kind == "row" and end and self.world.chance(0.75):
            return f"{self.rng.choice(('front', 'back', 'top'))} of {text}"
        return text

    def target(self, scope: Scope, *kinds: str) -> tuple[str, str]:
        """Return a place to move tiles to, and the label of what arrives."""
        zone = self.rng.choice(self.world.zones_of(*(kinds or ("tiles", "row", "melds"))))
        label = ""
        if zone.kind == "melds" and self.world.labels and self.world.chance(0.6):
            label = f" as {self.rng.choice(self.world.labels)}"
        return self.place(zone, scope, end=True), label

    def move(self, what: str, source: str, scope: Scope) -> str:
        """Return a move of these tiles from a place to some other one."""
        target, label = self.target(scope)
        return f"move {what} from {source} to {target}{label}"

    def safe_move(self, scope: Scope) -> str:
        """Return a move of tiles that lie where they are taken from."""
        rows = self.world.zones_of("row") if self.world.chance(0.4) else []
        zone = self.rng.choice(rows or self.world.zones_of("tiles", "row"))
        source = self.place(zone, scope)
        form = self.rng.choice((0, 0, 1, 2, 2, 3, 4)) if rows else self.rng.randrange(5)
        if form == 4:  # all but some
            return self.move(f"({source} - {self.make.of(TILE, scope, 0)})", source, scope)
        if form == 0 and zone.kind == "row" and zone.open:
            end = self.rng.choice(("front", "back", "top"))
            inner = scope.knowing(f"{end} of {source}")
            return (
                f"when {end} of {source} is not none: "
                + self.move(f"{end} of {source}", f"{end} of {source}", inner)
            )  # fmt: skip
        if form == 1:
            return self.move(source, source, scope)
        if form == 2 and zone.kind == "row":
            tile = self.world.fresh("tuv")
            ends = [f"{end} of {source}" for end in ("front", "back", "top")]
            ends += [f"{source} at {self.rng.randint(1, 3)}{side}" for side in ("", " from the back")]
            end = self.rng.choice((source, *ends))
            if end == source and self.world.chance(0.4):  # past the tiles that lie visible before it
                side = self.rng.choice(("front", "front", "back"))
                return f"for each {tile} in {source}: move {tile} from {source} to {side} of {source}"
            test = f"when {tile} fits {end}: " if end != source else ""
            return f"for each {tile} in {source}: {test}{self.move(tile, end, scope.having((tile, TILE)))}"
        if form == 2:
            tile = self.world.fresh("tuv")
            return f"for each {tile} in {source}: {self.move(tile, source, scope.having((tile, TILE)))}"
        tile = self.make.of(TILE, scope, 0)
        return f"when {tile} in {source}: {self.move(tile, source, scope)}"

    def loose_move(self, scope: Scope) -> str:
        """Return a move of tiles that need not lie where they are taken from."""
        zone = self.rng.choice(self.world.zones_of("tiles", "row"))
        source = self.place(zone, scope, end=True)
        what = self.make.of(TILE, scope, 1) if self.world.chance(0.6) else self.make.of(Bag(TILE), scope, 1)
        plain = source.split(" of ")[-1]
        guard = f"when {what} in {plain}: " if self.world.chance(0.75) else ""
        return guard + self.move(what, source, scope)

    def move_all(self, scope: Scope) -> str:
        rows = self.world.zones_of("row")
        if rows and self.world.chance(0.3):  # a row with its order, turned over at the front
            source, target = (self.make.zone(self.rng.choice(rows).name, scope) for _ in range(2))
            return f"move all from {source} to {self.rng.choice(('front of ', 'front of ', ''))}{target}"
        source = self.place(self.rng.choice(self.world.zones), scope)
        target, _ = self.target(scope)
        return f"move all from {source} to {target}"

    def meld_move(self, scope: Scope) -> str:
        """Return a move of melds, or of tiles from or to a meld."""
        zones = self.world.zones_of("melds")
        if not zones:
            raise CannotMake
        zone = self.place(self.rng.choice(zones), scope)
        meld = self.world.fresh()
        inner = scope.having((meld, MELD))
        about = self.make.of(BOOL, inner, 1)
        if self.world.labels and self.world.chance(0.3):
            about = f"({meld} is {self.rng.choice(self.world.labels)})"
        found = f"(the {meld} in {zone}: {about})"
        form = self.rng.choice((0, 1, 2, 2, 3, 4, 5, 6, 6))
        if form == 5:  # all melds of a zone join one
            other = self.place(self.rng.choice(zones), scope)
            return f"when {found} is not none and {other} is not empty: move all from {other} to {found}"
        if form == 6:  # from an end of a row
            rows = [z for z in self.world.zones_of("row") if z.open]
            if not rows:
                raise CannotMake
            row = f"{self.rng.choice(('front', 'back', 'top'))} of {self.place(self.rng.choice(rows), scope)}"
            return f"when {found} is not none and {row} is not none: move {row} from {row} to {found}"
        if form == 0:
            return f"for each {meld} in {zone}: {self.move(meld, zone, inner)}"
        if form == 1:  # grow
            source = self.place(self.rng.choice(self.world.zones_of("tiles", "row")), scope)
            tile = self.world.fresh("tuv")
            label = f" as {self.rng.choice(self.world.labels)}" if self.world.labels else ""
            label = label if self.world.chance(0.5) else ""
            move = f"move {tile} from {source} to {found}{label}"
            return f"for each {tile} in {source}: when {found} is not none: {move}"
        if form == 2:  # take out
            tile = self.world.fresh("tuv")
            lies = f"(the {meld} in {zone}: {tile} in {meld})"
            to_row = ["row"] if self.world.zones_of("row") and self.world.chance(0.5) else []
            target, label = self.target(scope.having((tile, TILE)), *to_row)
            tiles = self.make.of(Bag(TILE), scope, 1)
            return f"for each {tile} in {tiles}: when {lies} is not none: move {tile} from {lies} to {target}{label}"
        if form == 3:  # from one meld to another
            tile, other = self.world.fresh("tuv"), self.world.fresh()
            lies = f"(the {meld} in {zone}: {tile} in {meld})"
            grown = f"(the {other} in {zone}: {tile} not in {other})"
            return (
                f"for each {tile} in kinds of tiles: when {lies} is not none and {grown} is not none: "
                f"move {tile} from {lies} to {grown}"
            )
        name = next((n for n, t in scope.locals if t == MELD), None)
        if name is None:
            raise CannotMake
        return f"when {name} in {zone}: {self.move(name, zone, scope)}"

    def pass_on(self) -> str:
        zone = self.rng.choice([z for z in self.world.zones if z.each])
        return f"pass each player's {zone.name} to the {self.rng.choice(('right', 'left'))}"

    def shuffle_or_cut(self, scope: Scope) -> str:
        rows = self.world.zones_of("row") or self.world.zones
        zone = self.rng.choice(rows if self.world.chance(0.6) else self.world.zones)
        lying = self.make.zone(zone.name, scope)
        if zone.kind == "row" and self.world.chance(0.4):
            return (
                f"cut {lying} at {self.rng.choice(('1', '0', f'size of {lying} div 2', f'size of {lying}'))}"
            )
        return f"shuffle {lying}"

    # ------------------------------------------------------------------ the rest

    def win(self, scope: Scope) -> str:
        if self.world.chance(0.3):
            return self.rng.choice(("nobody wins", "nobody wins", "the hand is over"))
        if self.world.chance(0.05):
            return "each player wins"
        return f"{self.make.of(SEAT, scope, self.rng.choice((0, 0, 1)))} wins"

    def when(self, scope: Scope, kind: Kind, depth: int) -> str:
        known = [(n, t) for n, t in self._optional(scope)]
        if known and self.world.chance(0.5):
            name, _ = self.rng.choice(known)
            inner = self.any(scope.knowing(name), kind, depth)
            first = self.any(scope, kind, 0) if self.world.chance(0.3) else ""
            if first and WHEN.search(first) is None:  # an `else` would belong to a `when` in it
                return f"when {name} is none: {first} else: {inner}"
            return f"when {name} is not none: {inner}{self._else(scope, kind, depth)}"
        inner = self.any(scope, kind, depth)
        return f"when {self.make.of(BOOL, scope, 1)}: {inner}{self._else(scope, kind, depth)}"

    def _else(self, scope: Scope, kind: Kind, depth: int) -> str:
        """Return nothing, or an `else` on the same line; it belongs to the innermost `when`."""
        if self.world.chance(0.6):
            return ""
        if self.world.chance(0.6):
            return f" else: {self.any(scope, kind, depth)}"
        test, inner = self.make.of(BOOL, scope, 0), self.any(scope, kind, depth)
        return f" else when {test}: {inner}{self._else(scope, kind, depth)}"

    def _optional(self, scope: Scope) -> list[tuple[str, Opt]]:
        found = [(n, t) for n, t in scope.locals if isinstance(t, Opt) and n not in scope.present]
        found += [
            (s.name, s.type)
            for s in self.world.states
            if not s.each and isinstance(s.type, Opt) and s.name not in scope.forbidden
        ]
        return found

    def for_each(self, scope: Scope, kind: Kind, depth: int) -> str:
        scope = scope.changed()
        over = self.rng.choices((SEAT, TILE, INT, BOOL, MELD, Bag(TILE), Choice(())), (8, 4, 3, 1, 1, 1, 1))[
            0
        ]
        if isinstance(over, Choice):
            return self._for_each_word(scope, kind, depth)
        if over == INT and self.world.chance(0.5):
            return self._repeat(scope, kind, depth)
        if over == BOOL:
            name = self.world.fresh()
            inner = self.any(scope.having((name, BOOL)), kind, depth)
            return self.world.hiding(
                f"for each {name} in {{yes, no}}: {inner}", inner, scope, name, share=HIDING_LOOPS
            )
        if over == SEAT:
            name = self.world.fresh("qrs")
            seats = [n for n in self.make.seats(scope) if n not in scope.forbidden]
            domain = self.rng.choice(("players", "players", self.make.of(Bag(SEAT), scope, 1)))
            if len(seats) > 1 and self.world.chance(0.2):
                domain = f"{{{', '.join(self.rng.choices(seats, k=2))}}}"
        else:
            bags = {TILE: Bag(TILE), INT: NUMBERS, MELD: MELDS, Bag(TILE): Bag(Bag(TILE))}
            name = self.world.fresh("tuv" if over == TILE else "xyz")
            domain = self.make.of(bags[over], scope, 1)
        inner = self.any(scope.having((name, over)), kind, depth)
        return self.world.hiding(
            f"for each {name} in {domain}: {inner}", inner, scope, name, share=HIDING_LOOPS
        )

    def _repeat(self, scope: Scope, kind: Kind, depth: int) -> str:
        inner = self.any(scope, kind, depth)
        times = self.rng.choice(("0", "1", "2", "2", "3", "size of players", "(1 - 2)"))
        rounds = self.rng.choice(("", "until", "until", "while"))
        if not rounds:
            return f"repeat {times} times: {inner}"
        return f"repeat at most {times} times {rounds} {self.make.of(BOOL, scope, 1)}: {inner}"

    def _for_each_word(self, scope: Scope, kind: Kind, depth: int) -> str:
        states = [s for s, _ in self.choice_states() if s.name not in scope.forbidden]
        if not states:
            raise CannotMake
        state, name, player = self.rng.choice(states), self.world.fresh(), self.world.fresh("qrs")
        words = (
            f"{player}'s {state.name} for {player} in players"
            if state.each
            else f"{state.name}, {state.name}"
        )
        inner = self.any(scope.having((name, state.type)), kind, depth)
        return self.world.hiding(
            f"for each {name} in {{{words}}}: {inner}", inner, scope, name, share=HIDING_LOOPS
        )

    def choice_states(self) -> list[tuple[State, Choice]]:
        return [(s, bare(s.type)) for s in self.world.states if isinstance(bare(s.type), Choice)]  # type: ignore[misc]
