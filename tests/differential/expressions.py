"""Random expressions of a given type.

Input: a world, a type, a scope and a depth. Output: an expression as text.
Guarantee: the type check accepts it in that scope. Compound expressions are in brackets, so that they can stand
anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    MELDS,
    NUMBERS,
    SEAT,
    SEATS,
    TILE,
    TILES,
    Bag,
    Choice,
    Each,
    Opt,
    Type,
)
from tests.differential.said_once import SaidOnce
from tests.differential.vocabulary import (
    OTHER_NAMES,
    SEAT_NAMES,
    TILE_NAMES,
    CannotMake,
    Scope,
    State,
    World,
    bare,
)

Make = Callable[[], str]
GROUPS = Bag(TILES)
DOMAINS: tuple[tuple[Type, int], ...] = ((SEATS, 5), (TILES, 6), (NUMBERS, 2), (MELDS, 2), (GROUPS, 1))


class Leaf(NamedTuple):
    """A name with its type, and the state or zone that it reads."""

    text: str
    type: Type
    reads: str = ""


class Expressions:
    """Makes expressions for one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rng = world.rng
        self.newer = SaidOnce(world, self)

    def of(self, kind: Type, scope: Scope, depth: int) -> str:
        """Return an expression of this type. Raises `CannotMake`."""
        makers = list(self._makers(kind, scope, depth))
        while makers:
            at = self.rng.choices(range(len(makers)), [weight for weight, _ in makers])[0]
            _, make = makers.pop(at)
            try:
                return make()
            except CannotMake:
                continue
        raise CannotMake

    def truth(self, scope: Scope, depth: int = 2) -> str:
        return self.of(BOOL, scope, depth)

    # ------------------------------------------------------------------ names

    def leaves(self, scope: Scope) -> Iterator[Leaf]:
        """Yield every name that a scope has, and every name that belongs to a player or tile of it."""
        world = self.world
        for name, kind in scope.locals:
            yield Leaf(name, kind)
        owners = self.seats(scope)
        local = {name for name, _ in scope.locals}
        for name, _, _ in world.options:
            yield Leaf(name, INT)
        for name in world.groups:
            yield Leaf(name, TILES)
        for tile in world.kinds:
            yield Leaf(tile, TILE)
        for name in world.orders:
            yield Leaf(name, TILES)
        if world.in_teams:
            yield Leaf("teams", SEATS)
            yield from (Leaf(f"{o}'s team", SEATS) for o in owners)
            yield from (Leaf(f"{o}'s partner", SEAT) for o in owners)
        for name, kind in (("players", SEATS), ("tiles", TILES), ("kinds", TILES)):
            yield Leaf(name, kind)
        for owner in self.tiles(scope):
            for attribute in world.attributes:
                yield Leaf(f"{owner}'s {attribute}", INT)
            for define in world.defines:
                if define.owner == "tile":
                    yield Leaf(f"{owner}'s {define.name}", define.type)
        for owner in owners:
            for side in ("right", "left"):
                yield Leaf(f"{owner}'s {side}", SEAT)
            for name, kind in scope.locals:
                if isinstance(kind, Each):
                    yield Leaf(f"{owner}'s {name}", kind.item)
        if not scope.static:
            yield from (
                Leaf(f"{o}'s {s.name}", s.type, s.name) for s in world.states if s.each for o in owners
            )
            yield from (
                Leaf(s.name, s.type, s.name) for s in world.states if not s.each and s.name not in local
            )
            yield Leaf("stake", INT, "stake")
            yield Leaf("hands-played", INT, "hands-played")
            yield Leaf("over", BOOL, "over")
            yield Leaf("winner", Opt(SEAT), "winner")
            if world.newer:
                yield Leaf("winners", SEATS, "winners")
                yield from (Leaf(f"{o}'s gains", INT, "gains") for o in owners)
            for zone in world.zones:
                kind = MELDS if zone.kind == "melds" else TILES
                yield from (
                    Leaf(n, kind, zone.name)
                    for n in ([f"{o}'s {zone.name}" for o in owners] if zone.each else [zone.name])
                )
            yield from (Leaf(f"{o}'s total", INT, "total") for o in owners)
        for define in world.defines:
            if (scope.static and define.reads) or define.reads & scope.forbidden:
                continue
            if define.owner == "player":
                yield from (Leaf(f"{o}'s {define.name}", define.type) for o in owners)
            elif not define.params and not define.owner:
                yield Leaf(define.name, define.type)

    def seats(self, scope: Scope) -> list[str]:
        """Return names of players that can own something."""
        out = [n for n, t in scope.locals if t == SEAT or (t == Opt(SEAT) and n in scope.present)]
        if not scope.static:
            for state in self.world.states:
                known = state.type == SEAT or (state.type == Opt(SEAT) and state.name in scope.present)
                if not state.each and known and state.name not in scope.forbidden:
                    out.append(state.name)
            if "winner" in scope.present:
                out.append("winner")
        if out and self.world.chance(0.25):
            out.append(f"{self.rng.choice(out)}'s {self.rng.choice(('right', 'left'))}")
        return out

    def tiles(self, scope: Scope) -> list[str]:
        """Return names of tiles that can own something."""
        out = [n for n, t in scope.locals if t == TILE or (t == Opt(TILE) and n in scope.present)]
        out += [k for k in self.world.kinds if k[0].isalpha()][:1]
        if not scope.static:
            out += [s.name for s in self.world.states if not s.each and s.type == TILE]
        return [n for n in out if n not in scope.forbidden]

    def leaf(self, kind: Type, scope: Scope) -> str:
        """Return a name of this type."""
        mine = dict(scope.locals)
        found: list[tuple[float, Leaf]] = []
        for leaf in self.leaves(scope):
            is_hidden = leaf.text in mine and (leaf.reads or mine[leaf.text] != leaf.type)
            if leaf.reads in scope.forbidden or is_hidden:
                continue
            given = leaf.type
            if isinstance(given, Opt) and leaf.text in scope.present:
                given = given.item
            if given == kind or (given == MELD and kind == TILES and self.world.chance(0.5)):
                found.append((_weight(leaf, mine), leaf))
        if not found:
            raise CannotMake
        return self.rng.choices([leaf.text for _, leaf in found], [weight for weight, _ in found])[0]

    def row(self, scope: Scope, seen: bool = True) -> str:
        """Return a row; with `seen`, one that everyone sees."""
        rows = [z for z in self.world.zones_of("row") if z.open or not seen]
        if scope.static or not rows:
            raise CannotMake
        return self.zone(self.rng.choice(rows).name, scope)

    def zone(self, name: str, scope: Scope) -> str:
        """Return a zone, of some player if each has one."""
        zone = next(z for z in self.world.zones if z.name == name)
        if zone.name in scope.forbidden:
            raise CannotMake
        if not zone.each:
            return name
        owners = self.seats(scope)
        asked = self.asked_owners(scope) if self.world.chance(0.3) else []
        if not owners:
            raise CannotMake
        return f"{self.rng.choice(asked or owners)}'s {name}"

    def asked_owners(self, scope: Scope, zones: bool = False) -> list[str]:
        """Return the players whom definitions name; with `zones`, those that ask where tiles lie."""
        lying = {zone.name for zone in self.world.zones}
        found = [
            d.name
            for d in self.world.defines
            if d.owner == "player" and d.type == SEAT and not d.reads & scope.forbidden
            if not (scope.static and d.reads) and (d.reads & lying or not zones)
        ]
        return [f"{owner}'s {name}" for owner in self.seats(scope) for name in found]

    # ------------------------------------------------------------------ what can be made

    def _makers(self, kind: Type, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        yield 6 if depth > 0 else 20, lambda: self.leaf(kind, scope)
        if isinstance(kind, Choice):
            yield 4, lambda: self.rng.choice(kind.words)
        if kind == INT:
            yield 3, lambda: str(self.rng.randint(0, 3))
        if kind == BOOL:
            yield (1 if depth > 0 else 3), lambda: self.rng.choice(("yes", "no"))
        if isinstance(kind, Opt):
            yield 2, lambda: "none"
            yield 5, lambda: self.of(kind.item, scope, depth)
            yield 2, lambda: self._the(kind, scope, depth - 1)
            if kind.item == TILE:
                yield 3, lambda: self._row_tile(scope, depth - 1)
                yield from self.newer.optional_tiles(scope, depth - 1)
        if isinstance(kind, Bag) and depth <= 0:
            yield 2, lambda: self._braces(kind, scope, 0)
        if kind in (SEAT, TILE):
            yield 1, lambda: self._otherwise(kind, scope, max(depth, 1))
        if kind == TILE:
            yield from self.newer.tiles(scope, depth - 1)
        if depth <= 0:
            return
        yield 1, lambda: self._if(kind, scope, depth - 1)
        yield 2, lambda: self._call(kind, scope, depth - 1)
        if scope.event:
            yield 2, lambda: f"earlier({self.of(kind, scope.earlier(), depth - 1)})"
        if kind == BOOL:
            yield from self._truths(scope, depth - 1)
            yield from self.newer.truths(scope, depth - 1)
        elif kind == INT:
            yield from self._numbers(scope, depth - 1)
            yield from self.newer.numbers(scope, depth - 1)
        elif isinstance(kind, Bag):
            yield from self._bags(kind, scope, depth - 1)
            if kind == GROUPS:
                yield from self.newer.groups_of_tiles(scope, depth - 1)

    # ------------------------------------------------------------------ any type

    def _if(self, kind: Type, scope: Scope, depth: int) -> str:
        test, yes, no = self.of(BOOL, scope, depth), self.of(kind, scope, depth), self.of(kind, scope, depth)
        if isinstance(kind, Opt) and yes == no == "none":
            raise CannotMake
        return f"(if {test} then {yes} else {no})"

    def _call(self, kind: Type, scope: Scope, depth: int) -> str:
        fitting = [
            d
            for d in self.world.defines
            if d.params and not d.owner and d.type == kind and not d.reads & scope.forbidden
        ]
        if not fitting or (scope.static and any(d.reads for d in fitting)):
            raise CannotMake
        define = self.rng.choice(fitting)
        values = [self.of(t, scope, depth) for _, t in define.params]
        if self.world.chance(0.3):
            named = [f"{n}: {v}" for (n, _), v in zip(define.params, values, strict=True)]
            self.rng.shuffle(named)
            values = named
        return f"{define.name}({', '.join(values)})"

    def _the(self, kind: Opt, scope: Scope, depth: int) -> str:
        member = kind.item
        if member not in (SEAT, TILE, INT, MELD):
            raise CannotMake
        seats = self.seats(scope) if member == SEAT else []
        if seats and self.world.chance(0.4):
            return self._next(self.rng.choice(seats), scope, depth)
        name, domain, inner = self._members(Bag(member), scope, depth)
        about = self._about(name, member, inner, depth)
        return self.world.hiding(f"(the {name} in {domain}: {about})", about, scope, name)

    def _next(self, seat: str, scope: Scope, depth: int) -> str:
        name = self.world.fresh("qrs")
        about = self._about(name, SEAT, scope.having((name, SEAT)), depth)
        side = self.rng.choice((f"the next {name} after", f"the last {name} before"))
        return self.world.hiding(f"({side} {seat}: {about})", about, scope, name)

    def _otherwise(self, kind: Type, scope: Scope, depth: int) -> str:
        first = self.rng.choice((self._opt_leaf, self._the))(Opt(kind), scope, depth - 1)
        return f"({first} otherwise {self.leaf(kind, scope)})"

    def _opt_leaf(self, kind: Opt, scope: Scope, depth: int) -> str:
        return self.leaf(kind, scope)

    def _row_tile(self, scope: Scope, depth: int) -> str:
        if self.world.chance(0.5):
            return f"{self.rng.choice(('front', 'back', 'top'))} of {self.row(scope)}"
        row = self.row(scope, seen=not scope.places)
        return f"({row} at {self.rng.choice(('1', '2', '3', self.of(INT, scope, depth)))})"

    def _members(self, kind: Bag, scope: Scope, depth: int) -> tuple[str, str, Scope]:
        """Return a name for a member of some bag, the bag, and the scope with the name."""
        letters = SEAT_NAMES if kind.item == SEAT else TILE_NAMES if kind.item == TILE else OTHER_NAMES
        domain = "players" if kind == SEATS and self.world.chance(0.7) else self.of(kind, scope, depth)
        name = self.world.bound(letters, scope, kind.item)
        return name, domain, scope.having((name, kind.item))

    def _about(self, name: str, kind: Type, scope: Scope, depth: int) -> str:
        """Return a truth that is likely to be about one name."""
        if self.world.chance(0.35):
            return self.of(BOOL, scope, depth)
        near: list[Make] = []
        if kind == SEAT:
            near.append(lambda: f"{name} {self._same()} {self.of(SEAT, scope, depth)}")
            owned = [s for s in self.world.states if s.each and s.name not in scope.forbidden]
            if owned and not scope.static:
                near.append(lambda: self._compared(f"{name}'s", self.rng.choice(owned), scope, depth))
            zones = [z for z in self.world.zones if z.each and not scope.static]
            if zones:
                near.append(
                    lambda: (
                        f"size of {name}'s {self.rng.choice(zones).name} {self._order()} "
                        f"{self.of(INT, scope, depth)}"
                    )
                )
        elif kind == TILE:
            near.append(lambda: f"{name} {self._same()} {self.of(TILE, scope, depth)}")
            near.append(lambda: f"{name} {self._in()} {self.of(TILES, scope, depth)}")
            near.append(lambda: f"{name}'s group {self._same()} {self.rng.choice(list(self.world.groups))}")
            if self.world.attributes:
                attribute = self.rng.choice(self.world.attributes)
                near.append(lambda: f"{name}'s {attribute} {self._order()} {self.of(INT, scope, depth)}")
        elif kind == INT:
            near.append(lambda: f"{name} {self._order()} {self.of(INT, scope, depth)}")
        elif kind in (MELD, TILES):
            near.append(lambda: f"{self.of(TILE, scope, depth)} {self._in()} {name}")
            near.append(lambda: f"size of {name} {self._order()} {self.rng.randint(1, 3)}")
            near += [lambda: f"{name} {self._same()} {self.leaf(MELD, scope)}"] * (kind == MELD)
            if self.world.shapes:
                near.append(lambda: f"{name} is {self.rng.choice(('', 'not '))}{self._shape()}")
        if not near:
            return self.of(BOOL, scope, depth)
        return f"({self.rng.choice(near)()})"

    def _compared(self, owner: str, state: State, scope: Scope, depth: int) -> str:
        if isinstance(state.type, Opt) and self.world.chance(0.4):
            return f"{owner} {state.name} is {self.rng.choice(('', 'not '))}none"
        kind = bare(state.type)
        if isinstance(state.type, Opt) and isinstance(kind, Bag):
            return f"{owner} {state.name} is not none"
        return f"{owner} {state.name} {self._same()} {self.of(kind, scope, depth)}"

    def _same(self) -> str:
        return self.rng.choice(("=", "=", "/="))

    def _order(self) -> str:
        return self.rng.choice(("=", "/=", "<", "<=", ">", ">="))

    def _in(self) -> str:
        return self.rng.choice(("in", "in", "not in"))

    def _shape(self) -> str:
        names = [*self.world.shapes, *self.world.arrangements, *self.world.labels]
        if not names:
            raise CannotMake
        return self.rng.choice(names)

    # ------------------------------------------------------------------ truths

    def _truths(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        rng, of = self.rng, self.of

        def both(kind: Type, sign: Callable[[], str]) -> Make:
            def make() -> str:
                left, right = of(kind, scope, depth), of(kind, scope, depth)
                right = of(kind, scope, depth) if left == right else right
                return f"({left} {sign()} {right})"

            return make

        yield 4, both(BOOL, lambda: rng.choice(("and", "or", "or", "implies")))
        yield 1, lambda: f"(not {of(BOOL, scope, depth)})"
        yield 4, both(INT, self._order)
        yield 3, both(SEAT, self._same)
        yield 2, both(TILE, self._same)
        yield 1, both(BOOL, self._same)
        yield 2, both(TILES, self._same)
        yield 1, both(SEATS, self._same)
        yield 1, both(NUMBERS, self._same)
        yield 2, lambda: self._opt_equal(scope, depth)
        yield 4, lambda: self._choice(scope, depth)
        yield 5, lambda: self._quantified(scope, depth)
        yield 3, lambda: f"({of(TILE, scope, depth)} {self._in()} {of(TILES, scope, depth)})"
        yield 1, lambda: f"({of(SEAT, scope, depth)} {self._in()} {of(SEATS, scope, depth)})"
        yield 1, lambda: f"({of(INT, scope, depth)} {self._in()} {of(NUMBERS, scope, depth)})"
        yield 1, lambda: f"({of(NUMBERS, scope, depth)} {self._in()} {of(NUMBERS, scope, depth)})"
        yield 2, lambda: f"({of(TILES, scope, depth)} {self._in()} {of(TILES, scope, depth)})"
        yield 1, lambda: f"({of(SEATS, scope, depth)} {self._in()} {of(SEATS, scope, depth)})"
        yield (
            1,
            lambda: (
                f"({of(TILES, scope, depth)} {self._in()} {of(rng.choice((GROUPS, MELDS)), scope, depth)})"
            ),
        )
        yield 1, lambda: f"({self.leaf(Opt(TILE), scope)} {self._in()} {of(TILES, scope, depth)})"
        yield (
            2,
            lambda: self._is(of(rng.choice((TILES, TILES, SEATS, NUMBERS, MELDS)), scope, depth), "empty"),
        )
        yield 2, lambda: self._asked(scope, depth)
        if self.world.shapes:
            yield 2, lambda: f"({of(TILES, scope, depth)} is {rng.choice(('', 'not '))}{self._shape()})"
        if self.world.arrangements:
            yield 2, lambda: self._laid_out(scope, depth)
        if self.world.zones_of("melds") and not scope.static:
            yield 2, lambda: self._melds_compared(scope, depth)
        if self.world.zones_of("row") and not scope.static:
            yield 2, lambda: self._fits(scope, depth)
            if scope.keys:
                yield 3, lambda: f"({rng.choice(scope.keys)} fits {self.row(scope, seen=False)})"
        if self.world.scores:
            yield 1, lambda: f"({self.score(scope, depth)} is {rng.choice(('', 'not '))}none)"
            yield 1, lambda: f"({self.score(scope, depth)} = {rng.randint(0, 4)})"
            if numbers := self.world.scores[0].numbers:
                number = rng.choice(numbers)
                yield 1, lambda: f"({self.score(scope, depth)}'s {number} is {rng.choice(('', 'not '))}none)"

    def _is(self, what: str, word: str) -> str:
        return f"({what} is {self.rng.choice(('', 'not '))}{word})"

    def _laid_out(self, scope: Scope, depth: int) -> str:
        groups, tiles = self.of(GROUPS, scope, depth), self.of(TILES, scope, depth)
        return f"({groups} lay out {tiles} as {self.rng.choice(list(self.world.arrangements))})"

    def _fits(self, scope: Scope, depth: int) -> str:
        row, tile = self.row(scope, seen=False), self.of(TILE, scope, depth)
        if self.world.chance(0.3):
            number = self.rng.choice(("1", "2", "3", self.of(INT, scope, 0)))
            return f"({tile} fits {row} at {number}{self.rng.choice(('', ' from the back'))})"
        return f"({tile} fits {self.rng.choice(('front', 'back', 'top'))} of {row})"

    def _opt_equal(self, scope: Scope, depth: int) -> str:
        kind = self.rng.choice((SEAT, TILE, INT))
        return f"({self.of(Opt(kind), scope, 0)} {self._same()} {self.of(kind, scope, depth)})"

    def _choice(self, scope: Scope, depth: int) -> str:
        """Return a truth about a word of a choice."""
        kinds = [bare(s.type) for s in self.world.states] + [bare(t) for _, t in scope.locals]
        groups = tuple(sorted(self.world.groups))
        choices = [k for k in kinds if isinstance(k, Choice)]
        tiles = self.tiles(scope)
        if tiles and (not choices or self.world.chance(0.2)):
            return f"({self.rng.choice(tiles)}'s group {self._same()} {self.rng.choice(groups)})"
        if not choices:
            raise CannotMake
        kind = self.rng.choice(choices)
        left = self.leaf(kind if self.world.chance(0.7) else Opt(kind), scope)
        if self.world.chance(0.3) and len(kind.words) > 1:
            return f"({left} {self._in()} {{{', '.join(self.rng.sample(kind.words, 2))}}})"
        return f"({left} {self._same()} {self.of(kind, scope, depth)})"

    def _quantified(self, scope: Scope, depth: int) -> str:
        kind = self.rng.choices([k for k, _ in DOMAINS], [w for _, w in DOMAINS])[0]
        assert isinstance(kind, Bag)
        word = self.rng.choice(("some", "every", "no"))
        form, hiding = self.rng.random(), self.world.hiding
        name, domain, inner = self._members(kind, scope, min(depth, 1))
        if form < 0.15 and kind in (TILES, SEATS, NUMBERS):
            size = self.rng.choice(("1", "2", "2", self.of(INT, scope, 0)))
            chosen = self.world.fresh()
            inner = scope.having((chosen, kind))
            about = self._about(chosen, kind, inner, depth)
            return hiding(f"({word} {chosen} of {size} in {domain}: {about})", about, scope, chosen)
        if form < 0.3:
            other = self.world.fresh()
            inner = inner.having((other, kind.item))
            about = self._about(name, kind.item, inner, depth)
            return hiding(f"({word} {name}, {other} in {domain}: {about})", about, scope, name, other)
        about = self._about(name, kind.item, inner, depth)
        return hiding(f"({word} {name} in {domain}: {about})", about, scope, name)

    def _asked(self, scope: Scope, depth: int) -> str:
        """Return a truth about a place that may be none, which relies on what was asked."""
        kind = self.rng.choice((SEAT, TILE, INT))
        place = self.leaf(Opt(kind), scope)
        inner = self.of(BOOL, scope.knowing(place), depth)
        form = self.rng.choice(("is not none and", "is none or", "is not none implies", "if", "plain"))
        if form == "if":
            return f"(if {place} is none then {self.of(BOOL, scope, depth)} else {inner})"
        if form == "plain":
            return f"({place} is {self.rng.choice(('', 'not '))}none)"
        return f"({place} {form} {inner})"

    def _melds_compared(self, scope: Scope, depth: int) -> str:
        melds = self.of(MELDS, scope, 0)
        form = self.rng.randrange(4)
        try:
            meld = self.leaf(MELD, scope)
        except CannotMake:
            form = self.rng.randrange(2)
            meld = ""
        if form == 0:
            return f"({melds} = {self.of(MELDS, scope, 0)})"
        if form == 1:
            name = self.world.fresh()
            inner = scope.having((name, MELD))
            about = self._about(name, MELD, inner, depth)
            return self.world.hiding(f"(some {name} in {melds}: {about})", about, scope, name)
        if form == 2:
            return f"({meld} {self._in()} {melds})"
        return f"({meld} {self._same()} {self.rng.choice((meld, self.of(TILES, scope, depth)))})"

    # ------------------------------------------------------------------ numbers

    def _numbers(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        of, rng = self.of, self.rng

        def size() -> str:
            kind = rng.choice((TILES, TILES, TILES, SEATS, NUMBERS, MELDS, GROUPS))
            return f"(size of {of(kind, scope, depth)})"

        yield 4, size
        yield (
            3,
            lambda: f"({of(INT, scope, depth)} {rng.choice(('+', '-', '-', '*'))} {of(INT, scope, depth)})",
        )
        often = int(self.world.often("division"))
        yield (
            2 * often,
            lambda: f"({of(INT, scope, depth)} {rng.choice(('div', 'mod'))} {of(INT, scope, depth)})",
        )
        yield often, lambda: f"({of(INT, scope, depth)} {rng.choice(('div', 'mod'))} -{rng.randint(1, 3)})"
        yield 1, lambda: f"({rng.choice(('2', of(INT, scope, 0)))} ^ {of(INT, scope, 0)})"
        yield 1, lambda: f"(-{of(INT, scope, 0)})"
        yield 4, lambda: self._folded(scope, depth)
        yield 1, lambda: f"({self._opt_leaf(Opt(INT), scope, 0)} otherwise {of(INT, scope, 0)})"
        yield 1, lambda: f"({self._the(Opt(INT), scope, depth)} otherwise {of(INT, scope, 0)})"
        if self.world.scores:
            yield 1, lambda: f"({self.score(scope, depth)} otherwise {rng.randint(0, 1)})"
            if numbers := self.world.scores[0].numbers:
                number = rng.choice(numbers)
                yield 1, lambda: f"({self.score(scope, depth)}'s {number} otherwise {rng.randint(0, 1)})"

    def _folded(self, scope: Scope, depth: int) -> str:
        kind = self.rng.choices([k for k, _ in DOMAINS], [w for _, w in DOMAINS])[0]
        assert isinstance(kind, Bag)
        hiding = self.world.hiding
        name, domain, inner = self._members(kind, scope, min(depth, 1))
        if self.world.chance(0.12) and kind in (TILES, SEATS):
            size = self.rng.choice(("1", "2", self.of(INT, scope, 0)))
            inner = scope.having((name, kind))
            about = self._about(name, kind, inner, depth)
            made = self.rng.choice(
                ("(number of {} of {} in {}: {})", "(size of {{{0} for {0} of {1} in {2}: {3}}})")
            )
            return hiding(made.format(name, size, domain, about), about, scope, name)
        word = self.rng.choice(("number of", "sum of", "sum of", "most of", "least of"))
        if word == "number of":
            about = self._about(name, kind.item, inner, depth)
            return hiding(f"(number of {name} in {domain}: {about})", about, scope, name)
        item = self.of(INT, inner, max(depth, 1))
        test = f": {self._about(name, kind.item, inner, depth)}" if self.world.chance(0.3) else ""
        return hiding(f"({word} {item} for {name} in {domain}{test})", item + test, scope, name)

    def score(self, scope: Scope, depth: int) -> str:
        """Return the use of a score."""
        if not self.world.scores:
            raise CannotMake
        score = self.rng.choice(self.world.scores)
        if score.reads and (scope.static or score.reads & scope.forbidden):
            raise CannotMake
        named = [f"{name}: {self.of(kind, scope, min(depth, 1))}" for name, kind in score.params]
        return f"{score.name}({', '.join(named)})"

    # ------------------------------------------------------------------ bags

    def _braces(self, kind: Bag, scope: Scope, depth: int) -> str:
        if kind.item in (MELD, BOOL) or isinstance(kind.item, Opt | Choice):
            raise CannotMake
        count = self.rng.choice((1, 2, 2, 3)) if kind.item != TILES else self.rng.choice((1, 2))
        return f"{{{', '.join(self.of(kind.item, scope, depth) for _ in range(count))}}}"

    def _bags(self, kind: Bag, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        of, rng = self.of, self.rng
        item = kind.item
        yield 3, lambda: self._braces(kind, scope, depth)
        if item != MELD:
            yield 3, lambda: f"({of(kind, scope, depth)} {rng.choice('+-')} {of(kind, scope, depth)})"
            yield 2, lambda: f"({of(kind, scope, depth)} {rng.choice('+-')} {of(item, scope, depth)})"
        yield 2, lambda: f"(kinds of {of(kind, scope, depth)})"
        if self.world.has_likes and kind in (TILES, MELDS):
            yield 2, lambda: f"(faces of {of(kind, scope, depth)})"
        yield 3, lambda: self._those(kind, scope, depth)
        if item != MELD:
            yield 2, lambda: self._each(kind, scope, depth)
        if kind == NUMBERS:
            yield 3, lambda: f"{{{rng.randint(0, 2)} to {of(INT, scope, depth)}}}"
        if kind == TILES:
            yield 2, lambda: self._gathered(scope, depth)

    def _those(self, kind: Bag, scope: Scope, depth: int) -> str:
        name, domain, inner = self._members(kind, scope, depth)
        about = self._about(name, kind.item, inner, depth)
        return self.world.hiding(f"(those {name} in {domain}: {about})", about, scope, name)

    def _each(self, kind: Bag, scope: Scope, depth: int) -> str:
        over = self.rng.choice(
            (SEATS, TILES, TILES, NUMBERS) if kind.item != TILES else (SEATS, TILES, MELDS)
        )
        assert isinstance(over, Bag)
        name, domain, inner = self._members(over, scope, min(depth, 1))
        value = self.of(kind.item, inner, depth)
        test = f": {self._about(name, over.item, inner, 0)}" if self.world.chance(0.4) else ""
        return self.world.hiding(f"{{{value} for {name} in {domain}{test}}}", value + test, scope, name)

    def _gathered(self, scope: Scope, depth: int) -> str:
        over = self.rng.choice((SEATS, SEATS, MELDS, GROUPS))
        assert isinstance(over, Bag)
        name, domain, inner = self._members(over, scope, min(depth, 1))
        value = name if over in (MELDS, GROUPS) else self.of(TILES, inner, depth)
        return self.world.hiding(f"(sum of {value} for {name} in {domain})", value, scope, name)


def _weight(leaf: Leaf, mine: Collection[str]) -> float:
    """Return how often a name is used, compared with others of its type."""
    if leaf.text in mine:
        return 6
    if leaf.reads in ("over", "stake", "hands-played", "total", "winners"):
        return 0.4
    return 3 if leaf.reads else 1
