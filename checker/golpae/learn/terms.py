"""The terms that a text can name, of each type, in a scope.

Input: a rule set with the trees of its text, and the names that are in scope, with their types.
Output: players, tiles, places and numbers as they are written, simple ones first, none twice.
Guarantee: they depend on the text alone. Most are well typed, but some may not be: `check` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from golpae.elaborate.load import Loaded
from golpae.ir import types as ty
from golpae.ir.ruleset import Action, Definition, RuleSet
from golpae.syntax import tree as t
from golpae.syntax.traverse import nodes

Scope = Mapping[str, ty.Type]
"""The names in scope, each with its type."""

MOST_STATES = 3
"""Players that states name, of which a definition is asked where no player is in scope."""

MOST_CALLS = 12
"""Calls of one definition in a scope."""


@dataclass(frozen=True)
class Terms:
    """What a text names, but for conditions."""

    loaded: Loaded
    rules: RuleSet

    # ------------------------------------------------------------------ terms

    def seats(self, scope: Scope) -> list[str]:
        """Return the players that can be named."""
        own = [name for name, kind in scope.items() if kind == ty.SEAT]
        states = [v.name for v in self.rules.vars if not v.each_player and bare(v.type) == ty.SEAT]
        found = [*own, *states, "winner"]
        sides = [f"{seat}'s {side}" for seat in [*own, *states] for side in ("right", "left")]
        return once([*found, *sides, *self._calls(ty.SEAT, scope)])

    def tiles(self, scope: Scope) -> list[str]:
        """Return the single tiles that can be named."""
        own = [name for name, kind in scope.items() if kind == ty.TILE]
        states = [v.name for v in self.rules.vars if not v.each_player and bare(v.type) == ty.TILE]
        rows = [z.name for z in self.rules.zones if z.kind == "row" and not z.each_player]
        ends = [f"{end} of {row}" for row in rows for end in ("top", "front")]
        return once([*own, *states, *ends])

    def places(self, scope: Scope) -> list[str]:
        """Return the places of tiles that can be named: those of all, and those of each player in scope."""
        seats = [name for name, kind in scope.items() if kind == ty.SEAT]
        shared = [z.name for z in self.rules.zones if not z.each_player]
        owned = [f"{seat}'s {z.name}" for seat in seats for z in self.rules.zones if z.each_player]
        return [*shared, *owned]

    def numbers(self, scope: Scope) -> list[str]:
        """Return the numbers that can be named, but for numbers themselves."""
        seats = [name for name, kind in scope.items() if kind == ty.SEAT]
        states = [v.name for v in self.rules.vars if not v.each_player and bare(v.type) == ty.INT]
        owned = [
            f"{seat}'s {v.name}"
            for seat in seats
            for v in self.rules.vars
            if v.each_player and bare(v.type) == ty.INT
        ]
        options = [option.name for option in self.rules.options]
        own = [name for name, kind in scope.items() if kind == ty.INT]
        sizes = [f"size of {place}" for place in self.places(scope)]
        called = self._calls(ty.INT, scope)
        return once([*own, *states, *owned, "hands-played", *options, *called, *sizes, "size of players"])

    def _calls(self, kind: ty.Type, scope: Scope) -> list[str]:
        """Return calls of the definitions of a type, with the names in scope as their values."""
        found = []
        for definition in self.rules.definitions:
            if bare(definition.type) == kind:
                found += self._called(definition, scope)
        return found

    def _called(self, definition: Definition, scope: Scope) -> list[str]:
        choices: list[tuple[str, ...]] = [()]
        for param in definition.params:
            fitting = [name for name, kind in scope.items() if fits(kind, param.type)]
            if param.type == ty.SEAT and not fitting:
                states = (v for v in self.rules.vars if not v.each_player and bare(v.type) == ty.SEAT)
                fitting = [var.name for var in states][:MOST_STATES]
            choices = [(*before, name) for before in choices for name in fitting if name not in before]
            choices = choices[:MOST_CALLS]
        return [self.call(definition.name, values) for values in choices]

    def call(self, name: str, values: tuple[str, ...]) -> str:
        """Return how a definition is called: `f`, `f(a, b)` or `a's f`."""
        if not values:
            return name
        node = self._defines.get(name)
        if node is not None and node.owner is not None:
            rest = f"({', '.join(values[1:])})" if values[1:] else ""
            return f"{values[0]}'s {name}{rest}"
        return f"{name}({', '.join(values)})"

    @cached_property
    def _defines(self) -> dict[str, t.Define]:
        return {d.name.text: d for d in self.loaded.decls if isinstance(d, t.Define)}

    def amounts(self, scope: Scope) -> list[str]:
        """Return numbers that can be paid or counted: those that can be named, and simple ones made of them."""
        named = self.numbers(scope)
        low = [str(n) for n in (*range(11), 12, 15, 16, 20, 25, 30, 50, 100)]
        counted = self._counts(scope)
        found = [*low, *named, *counted]
        found += [
            f"{one} {op} {n}" for one in (*named, *counted) for op in ("+", "-", "*") for n in (1, 2, 3)
        ]
        found += [
            f"{one} {op} {other}"
            for one in named
            for op in ("+", "-", "*")
            for other in named
            if one != other
        ]
        found += [f"2 ^ ({one})" for one in (*named, *counted)]
        return once(found)

    def _counts(self, scope: Scope) -> list[str]:
        """Return how many tiles or melds of a player are so and so."""
        one, two = self._fresh
        found = []
        for seat in (name for name, kind in scope.items() if kind == ty.SEAT):
            for zone in (z for z in self.rules.zones if z.each_player):
                place = f"{seat}'s {zone.name}"
                if zone.kind == "melds":
                    found.append(f"number of {one} in {place}: some {two}, v in {one}: {two} = v")
                    found += [
                        f"number of {one} in {place}: every {two} in {one}: {two} in {group.name}"
                        for group in self.rules.tiles.groups
                    ]
                    continue
                found += [
                    f"number of {one} in {place}: {body}"
                    for body in self._about(one, {**scope, one: ty.TILE})
                ]
        return found

    def _about(self, name: str, scope: Scope) -> Iterator[str]:
        """Yield conditions on a tile of a quantifier."""
        for definition in self.rules.definitions:
            if definition.type == ty.BOOL:
                for call in self._called(definition, scope):
                    if name in names_in(call):
                        yield call
        for group in self.rules.tiles.groups:
            yield f"{name} in {group.name}"
        for other in self.tiles({k: v for k, v in scope.items() if k != name}):
            yield f"{name} = {other}"
            yield f"{name} /= {other}"

    @cached_property
    def _fresh(self) -> tuple[str, str]:
        taken = {w for n in nodes(self.loaded.decls) for w in named_by(n)}
        free = [name for name in ("t", "u", "v", "x", "y", "z", "one", "other") if name not in taken] or [
            "x-1",
            "y-1",
        ]
        return ("t", "u") if not {"t", "u"} & declared(self.rules) else (free[0], free[1])


def scope_of_action(action: Action) -> dict[str, ty.Type]:
    """Return the names that the conditions of an action may use."""
    scope: dict[str, ty.Type] = {} if action.by is None else {action.by: ty.SEAT}
    for param in action.params:
        scope[param.name] = bare(param.type)
        scope.update((part, ty.TILE) for part in param.parts)
    return scope


def without_tiles(scope: Scope) -> dict[str, ty.Type]:
    return {name: kind for name, kind in scope.items() if kind != ty.TILE}


def asks(expr: t.Expr) -> bool:
    """Return whether an expression is surely a condition."""
    match expr:
        case t.Binary(op=op):
            return op in ("and", "or", "implies", "=", "/=", "<", "<=", ">", ">=", "in", "not in")
        case t.Quantified() | t.Is() | t.Unary(op="not"):
            return True
        case _:
            return False


def parts_of(expr: t.Expr) -> Iterator[t.Expr]:
    """Yield a condition, and the parts that `and`, `or` and `implies` join."""
    yield expr
    if isinstance(expr, t.Binary) and expr.op in ("and", "or", "implies"):
        yield from parts_of(expr.left)
        yield from parts_of(expr.right)


def named_by(node: t.Node) -> Iterator[str]:
    match node:
        case t.Name(name=name) | t.Call(name=name) | t.Possessive(name=name) | t.Word(text=name):
            yield name
        case _:
            pass


def words_in(node: t.Node) -> set[str]:
    """Return all names in a node."""
    return {word for inner in nodes((node,)) for word in named_by(inner)}


def free_in(expr: t.Expr) -> set[str]:
    return {word for node in nodes((expr,)) if isinstance(node, t.Name) for word in named_by(node)}


def declared(rules: RuleSet) -> set[str]:
    return {x.name for group in (rules.vars, rules.zones, rules.definitions, rules.options) for x in group}


def with_words(said: str, new: Mapping[str, str]) -> str:
    """Return words in which some names are replaced, all at once."""
    return re.sub(r"(?<![\w-])[A-Za-z][\w-]*", lambda found: new.get(found[0], found[0]), said)


def names_in(said: str) -> set[str]:
    return set(re.findall(r"[A-Za-z][\w-]*", said))


def bare(kind: ty.Type) -> ty.Type:
    return kind.item if isinstance(kind, ty.Opt) else kind


def fits(kind: ty.Type, wanted: ty.Type) -> bool:
    return bare(kind) == bare(wanted)


def once(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))
