"""Random words that golpae writes out: kinds in order, orders, cases, names for values, groups, words of tiles.

Input: a world and its expressions. Output: declarations, expressions and lines that use these words.
Guarantee: as for all random texts, the type check accepts most of them; a text that it refuses is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Protocol

from golpae.ir.types import BOOL, INT, MELDS, SEAT, SEATS, TILE, TILES, Bag, Choice, Opt, Type
from tests.differential.vocabulary import CannotMake, Clause, Define, Group, Scope, World, bare

if TYPE_CHECKING:
    from tests.differential.expressions import Expressions
    from tests.differential.hard_effects import Kind

Make = Callable[[], str]
GROUPS = Bag(TILES)
RANKS = (
    "1 to {top}",
    'A "1", 2 to {top}',
    "1 to {low}, {top}",
    '1 to {low}, crown "{top}"',
)  # ways to write the numbers from 1 to a top one
NUMBER = ("0", "1", "2", "3")


class EffectMaker(Protocol):
    """What makes effects."""

    def some(self, scope: Scope, kind: Kind, most: int = 2) -> list[str]: ...


class SaidOnce:
    """Makes such words for one world."""

    def __init__(self, world: World, make: Expressions) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make

    # ------------------------------------------------------------------ declarations

    def worded_tiles(self, letter: str, copies: int, most: int) -> tuple[str, list[str]]:
        """Return a line of tiles that have a word, and the names of these tiles; its words are groups."""
        world, rng = self.world, self.rng
        words = rng.choice((("oak", "ash"), ("iron", "tin"), ("left-hand", "right-hand")))[
            : max(1, min(2, most))
        ]
        top = max(1, most // len(words))
        low = top - 1
        ranks = rng.choice(RANKS if top > 2 else RANKS[:2] if top > 1 else RANKS[:1]).format(top=top, low=low)
        shorts = [word[0] for word in words]
        said = [f'{w} "{s}"' for w, s in zip(words, shorts, strict=True)]
        kinds = []
        for word, short in zip(words, shorts, strict=True):
            own = [f"{n}{letter}{short}" for n in range(1, top + 1)]
            world.groups[word], world.copies[word] = own, copies
            kinds += own
        called = ' called "{rank} of {wood}"' if world.chance(0.4) else ""
        ranges = [f"wood in {', '.join(said)}", f"rank in {ranks}"]
        rng.shuffle(ranges)
        world.words_of_tiles["wood"] = words
        line = f'{copies} of each "{{rank}}{letter}{{wood}}"{called} for {", ".join(ranges)}'
        return line, kinds

    def kind_of(self, words: tuple[str, ...]) -> list[str]:
        """Return the line of a kind of value with these words, or nothing."""
        if not self.world.newer or self.world.chance(0.4):
            return []
        listed = list(words)
        ordered = self.world.chance(0.7)
        self.world.kinds_of_value[words] = ("mood-kind", ordered)
        return [
            f"kind mood-kind{' in order' if ordered else ''}: {'' if ordered else 'one of '}{', '.join(listed)}",
            "",
        ]

    def orders(self) -> list[str]:
        """Return lines of orders and circles of tiles."""
        lines: list[str] = []
        for name, word in (("line-up", "order"), ("ring", "circle")):
            if self.world.newer and self.world.chance(0.4):
                some = self.rng.sample(self.world.kinds, self.rng.randint(1, min(4, len(self.world.kinds))))
                lines.append(f"{word} {name}: {', '.join(some)}")
                self.world.orders.append(name)
        return [*lines, ""] if lines else []

    def long_shapes(self) -> list[str]:
        """Return lines of shapes of several sizes."""
        world, rng = self.world, self.rng
        if not world.newer or world.chance(0.6):
            return []
        sizes = rng.choice(("of 2 or more", "of 2 to 3", "of 1 to 2", "of 3"))
        if world.chance(0.6):
            scope = Scope((("t", TILE), ("next", TILE)), static=True)
            test = rng.choice(("t = next", "t's group = next's group", self.make.truth(scope, 1)))
            line = f"shape chain(t, next) {sizes}: {test}"
        else:
            test = self.make.truth(Scope((("it", TILES),), static=True), 1)
            line = f"shape chain {sizes}: {test}"
        world.shapes["chain"] = 0
        world.long_shapes.append("chain")
        return [line]

    def cases(self) -> list[str]:
        """Return a definition by cases."""
        world, rng = self.world, self.rng
        if not world.newer or world.chance(0.4):
            return []
        name, static = "by-cases", world.chance(0.5)
        choices = [bare(s.type) for s in world.states if isinstance(bare(s.type), Choice)]
        about: Type = rng.choice([INT, INT, TILE, SEAT, Opt(INT), BOOL, *choices])
        if isinstance(about, Choice) and about.words in world.kinds_of_value:
            about = rng.choice((about, Opt(about)))
        scope = Scope((("a1", about),), static=static)
        value: Type = rng.choice((INT, INT, BOOL, TILES, SEATS))
        rows: list[str] = []
        head = f"define {name}(a1: {self.written(about)})"
        if world.chance(0.4) or about == SEAT:
            rows = [
                f"when {self.make.truth(scope, 1)}: {self.make.of(value, scope, 1)}"
                for _ in range(rng.randint(1, 3))
            ]
            rows.append(f"otherwise: {self.make.of(value, scope, 0)}")
        else:
            head += " by a1"
            keys = self._keys(about)
            whole = not keys[1] and world.chance(0.6)
            shuffled = rng.sample(keys[0], len(keys[0]))
            used = shuffled if whole else shuffled[: rng.randint(1, len(shuffled))]
            while used:
                count = rng.choice((1, 1, 2))
                now, used = used[:count], used[count:]
                rows.append(f"{' or '.join(now)}: {self.make.of(value, scope, 1)}")
            if not whole:
                rows.append(f"otherwise: {self.make.of(value, scope, 0)}")
        reads = world.reads_of("\n".join(rows))
        world.defines.append(Define(name, "", (("a1", about),), value, reads))
        return [head, *(f"  {row}" for row in rows), ""]

    def _keys(self, about: Type) -> tuple[list[str], bool]:
        """Return keys of cases, and whether a value may have none of them."""
        kind = bare(about)
        none = ["none"] if isinstance(about, Opt) else []
        if isinstance(kind, Choice):
            return [*kind.words, *none], False
        if kind == BOOL:
            return ["yes", "no", *none], False
        if kind == INT:
            return [self.rng.choice(("0", "0 to 1")), "2", self.rng.choice(("3 to 5", "3")), *none], True
        return [*self.world.kinds, *none][-4:], True

    def written(self, kind: Type) -> str:
        """Return a type as a text writes it, with the name that it may have."""
        from tests.differential.declarations import written

        if isinstance(kind, Opt):
            return f"{self.written(kind.item)} or none"
        if isinstance(kind, Choice) and kind.words in self.world.kinds_of_value:
            return self.world.kinds_of_value[kind.words][0]
        return written(kind)

    # ------------------------------------------------------------------ expressions

    def numbers(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        """Yield what makes a number."""
        if not self.world.newer:
            return
        of, rng = self.make.of, self.rng
        side = rng.choice(("up", "down"))
        yield (
            2,
            lambda: f"({of(INT, scope, depth)} rounded {side} to {rng.choice((*NUMBER, of(INT, scope, 0)))})",
        )
        word = rng.choice(("smaller", "larger"))
        yield 2, lambda: f"(the {word} of {of(INT, scope, depth)} and {of(INT, scope, depth)})"
        if self.world.orders:
            yield 2, lambda: f"(place of {of(TILE, scope, depth)} in {rng.choice(self.world.orders)})"

    def optional_tiles(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        """Yield what makes a tile that may be none."""
        orders, rng = self.world.orders, self.rng
        if orders:
            side = rng.choice(("after", "before"))
            yield 3, lambda: f"(next {side} {self.make.of(TILE, scope, depth)} in {rng.choice(orders)})"
        if "line-up" in orders:
            yield 2, lambda: f"(line-up at {self.make.of(INT, scope, depth)})"

    def tiles(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        """Yield what makes a tile."""
        if "ring" in self.world.orders:
            yield 2, lambda: f"(ring at {self.make.of(INT, scope, max(depth, 0))})"

    def truths(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        """Yield what makes a truth."""
        rng, world = self.rng, self.world
        ordered = [words for words, (_, in_order) in world.kinds_of_value.items() if in_order]
        for words in ordered:
            yield 3, partial(self._compared_words, Choice(words), scope)
        for name, words in world.words_of_tiles.items():
            yield 2, partial(self._word_of_tile, name, words, scope)
        if world.arrangements and world.newer and world.zones_of("melds") and not scope.static:
            negated = rng.choice(("", "not "))
            arrangement = rng.choice(list(world.arrangements))
            yield (
                2,
                lambda: (
                    f"({self.make.of(TILES, scope, depth)} beside {self.make.of(MELDS, scope, 0)} is "
                    f"{negated}{arrangement})"
                ),
            )

    def _compared_words(self, kind: Choice, scope: Scope) -> str:
        sign = self.rng.choice(("<", "<=", ">", ">="))
        return f"({self.make.leaf(kind, scope)} {sign} {self.make.of(kind, scope, 0)})"

    def _word_of_tile(self, name: str, words: tuple[str, ...], scope: Scope) -> str:
        return f"({self._owner(scope)}'s {name} {self.rng.choice(('=', '/='))} {self.rng.choice(words)})"

    def _owner(self, scope: Scope) -> str:
        owners = self.make.tiles(scope)
        if not owners:
            raise CannotMake
        return self.rng.choice(owners)

    def groups_of_tiles(self, scope: Scope, depth: int) -> Iterator[tuple[int, Make]]:
        """Yield what makes a list of groups of tiles."""
        shapes, of = [*self.world.shapes], self.make.of
        if self.world.newer and shapes:
            shape = self.rng.choice(shapes)
            yield 2, lambda: f"({shape}s within {of(TILES, scope, 0)})"
            yield 2, lambda: f"({of(TILES, scope, 0)} without {shape}s)"

    # ------------------------------------------------------------------ names for values

    def named_values(self, scope: Scope) -> tuple[list[str], Scope]:
        """Return lines `where` for the head of a block, and the scope with their names."""
        lines: list[str] = []
        if not self.world.newer or self.world.chance(0.5):
            return lines, scope
        for _ in range(self.rng.choice((1, 1, 2))):
            kind = self.rng.choice((INT, INT, TILES, SEAT, TILE, BOOL, SEATS, GROUPS, Opt(TILE), Opt(SEAT)))
            name = self.world.fresh("w")
            try:
                depth = 0 if isinstance(kind, Opt) else self.rng.choice((0, 1, 1, 2))
                value = (
                    self.make.leaf(kind, scope) if isinstance(kind, Opt) else self.make.of(kind, scope, depth)
                )
            except CannotMake:
                continue
            lines.append(f"where {name} is {value}")
            scope = scope.having((name, kind))
        return lines, scope

    # ------------------------------------------------------------------ groups

    def groups(self, effects: EffectMaker) -> list[str]:
        """Return lines of groups of effects and of conditions."""
        lines: list[str] = []
        if not self.world.newer:
            return lines
        for number in range(self.rng.choice((0, 1, 1, 2))):
            lines += self._effects(f"steps-{number}", effects)
        for number in range(self.rng.choice((0, 1, 1, 2))):
            lines += self._conditions(f"rules-{number}")
        return lines

    def _params(self) -> tuple[tuple[str, Type], ...]:
        kinds: list[Type] = [SEAT, SEAT, TILE, INT, TILES, BOOL, Opt(TILE)]
        kinds += [Choice(words) for words in self.world.kinds_of_value]
        return tuple(
            (self.world.fresh("ab"), kind) for kind in self.rng.sample(kinds, self.rng.randint(0, 2))
        )

    def _head(self, word: str, name: str, params: tuple[tuple[str, Type], ...]) -> str:
        listed = ", ".join(f"{n}: {self.written(kind)}" for n, kind in params)
        return f"{word} {name}({listed})" if params else f"{word} {name}"

    def _effects(self, name: str, effects: EffectMaker) -> list[str]:
        world = self.world
        params = self._params()
        scope = Scope(params)
        kind: Kind = self.rng.choice(("play", "end"))
        try:
            made = effects.some(scope, kind)
            made += effects.some(scope.changed(), kind) if world.chance(0.5) else []
        except CannotMake:
            return []
        lines = [self._head("effects", name, params)]
        clauses = []
        for number, effect in enumerate(made):
            inner = effect.replace("\n", "\n  ")
            if world.chance(0.4) and "\n" not in effect:
                clauses.append(Clause(f"{name}.line-{number}", None, True, scope, effect))
                inner = f"line-{number}: {inner}"
            lines.append(f"  {inner}")
        if any("else" in line.split() for line in lines):  # it might belong to a line above it
            return []
        world.clauses += clauses if kind == "play" else []
        world.effect_groups.append(Group(name, params, kind))
        return [*lines, ""]

    def _conditions(self, name: str) -> list[str]:
        world = self.world
        params = self._params()
        scope = Scope(params)
        lines = [self._head("conditions", name, params)]
        nested = [g for g in world.condition_groups if world.chance(0.3)][:1]
        with_others = []
        for group in nested:
            try:
                with_others.append(f"  requires {self.call(group, scope)}")
            except CannotMake:
                continue
        for number in range(self.rng.randint(1, 2)):
            easy = self.rng.choice(
                ("turns >= 1", "turns <= 1", "turns < 3", "tiles is not empty", "mover in players")
            )
            test = f"{easy} or {self.make.truth(scope, 1)}"
            lines.append(f"  {name}-{number}: {test}")
            world.clauses.append(Clause(f"{name}.{name}-{number}", scope, True))
        names = {g.name for g in nested} if with_others else set[str]()
        lines[1:1] = with_others
        world.condition_groups.append(Group(name, params, "play", frozenset(names)))
        return [*lines, ""]

    def call(self, group: Group, scope: Scope) -> str:
        """Return the use of a group."""
        values = [self._value(kind, scope) for _, kind in group.params]
        if not values:
            return f"{group.name}()"
        if self.world.chance(0.3):
            named = [f"{n}: {v}" for (n, _), v in zip(group.params, values, strict=True)]
            self.rng.shuffle(named)
            values = named
        return f"{group.name}({', '.join(values)})"

    def _value(self, kind: Type, scope: Scope) -> str:
        if isinstance(kind, Opt) and self.world.chance(0.3):
            return "none"
        return self.make.of(kind, scope, self.rng.choice((0, 1, 1)))

    def use(self, scope: Scope, kind: Kind) -> str:
        """Return an effect that uses a group."""
        found = [g for g in self.world.effect_groups if kind == "play" or (kind == "end" and g.kind == "end")]
        if not found or scope.forbidden:
            raise CannotMake
        return self.call(self.rng.choice(found), scope)

    def required(self, scope: Scope) -> list[str]:
        """Return the groups of conditions that an action requires, none of them twice."""
        chosen: list[Group] = []
        for group in self.world.condition_groups:
            taken = {name for g in chosen for name in (g.name, *g.others)}
            if self.world.chance(0.5) and not taken & {group.name, *group.others}:
                chosen.append(group)
        lines = []
        for group in chosen:
            try:
                lines.append(self.call(group, scope))
            except CannotMake:
                continue
        return lines

    # ------------------------------------------------------------------ payments

    def payment(self, scope: Scope) -> str:
        """Return a payment during a hand."""
        amount = self.make.of(INT, scope, self.rng.choice((0, 0, 1)))
        amount = f"1 * {amount}" if amount.startswith("(") else amount  # no value behind a name
        seat = self.make.leaf(SEAT, scope)
        form = self.rng.randrange(5)
        if form == 0:
            return f"each player scores {amount}"
        if form == 1:
            return f"every other player pays {seat} {amount}"
        if form == 2:
            return f"{seat} pays every other player {amount}"
        return (
            f"{seat} scores {amount}" if form == 3 else f"{seat} pays {self.make.leaf(SEAT, scope)} {amount}"
        )

    # ------------------------------------------------------------------ what a variant adds

    def added(self, name: str, counter: int) -> list[str]:
        """Return parts that a variant adds: a state and an action, at times a kind, an order, groups, a definition."""
        scope = Scope((("p", SEAT),))
        lines = []
        test = ""
        if self.world.chance(0.3):
            lines += [f"  kind {name}-kind in order: calm, windy, wild"]
            lines += [
                "  state of the hand",
                f"    {name}-weather: {name}-kind = {self.rng.choice(('calm', 'windy'))}",
            ]
            test += f" or {name}-weather < windy"
        if self.world.chance(0.3):
            some = self.rng.sample(self.world.kinds, min(2, len(self.world.kinds)))
            lines.append(f"  circle {name}-ring: {', '.join(some)}")
            test += f" or {name}-ring at turns in p's hand"
        grouped = self.world.chance(0.3)
        if grouped:
            lines += [
                f"  conditions {name}-rules(s: seat)",
                f"    {name}-rule: {self.make.truth(Scope((('s', SEAT),)), 1)} or turns < 2",
            ]
        if self.world.chance(0.5):
            lines += ["  state of the hand", f"    {name}-count: number = 0"]
            test += f" or {name}-count < 1"
        if self.world.chance(0.4):
            lines.append(f"  define {name}-extra: {self.make.truth(Scope(), 1)}")
            test += f" or {name}-extra"
        lines.append(f"  action {name}-go by p")
        lines.append(f"    turn: p = mover and (turns < 2{test})")
        lines += [f"    requires {name}-rules(p)"] * grouped
        if f"{name}-count: " in "".join(lines):
            lines.append(f"    then {name}-count := {name}-count + 1")
        lines.append(f"    then mover := {self.make.leaf(SEAT, scope)}")
        lines.append("    then turns := turns + 1")
        return [*lines, f"    then when turns >= {counter}: nobody wins"]
