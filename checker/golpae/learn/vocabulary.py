"""What a text can name: terms of each type, and conditions, in a scope.

Input: a rule set with the trees of its text, and the names that are in scope, with their types.
Output: terms and conditions as they are written, simple ones first, none twice.
Guarantee: they depend on the text alone. Most are well typed, but some may not be: `check` says.

    names {p: a player, tile: a tile} of a game with melds
    terms of type player:      p, mover, discarder, winner, p's right, ...
    conditions about them:     p = mover, p /= discarder, tile in p's hand, some u in p's hand: pair(tile, u), ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from golpae.ir import types as ty
from golpae.learn.terms import (
    Scope,
    Terms,
    asks,
    bare,
    fits,
    free_in,
    once,
    parts_of,
    scope_of_action,
    with_words,
    without_tiles,
)
from golpae.syntax import tree as t
from golpae.syntax.format import format_expression
from golpae.syntax.traverse import nodes, uncommented

SMALL = (0, 1, 2, 3)
"""Numbers that a number is compared with."""


@dataclass(frozen=True)
class Vocabulary(Terms):
    """What a text names, and the conditions that it can ask."""

    # ------------------------------------------------------------------ conditions

    def conditions(self, scope: Scope, quantified: bool = True) -> list[str]:
        """Return conditions about the names in scope, the simple ones first."""
        found = [
            *self._of_states(scope),
            *self._of_seats(scope),
            *self._of_places(scope),
            *self._of_tiles(scope, self.tiles(scope)),
            *self._of_calls(scope),
            *self._of_numbers(scope),
            *self._borrowed(scope),
        ]
        if quantified:
            found += self._over_tiles(scope)
        return once(found)

    def _of_states(self, scope: Scope) -> Iterator[str]:
        for var in self.rules.vars:
            names = [var.name]
            if var.each_player:
                names = [f"{s}'s {var.name}" for s, kind in scope.items() if kind == ty.SEAT]
            kind = var.type
            for name in names:
                if isinstance(kind, ty.Opt):
                    yield f"{name} is none"
                    yield f"{name} is not none"
                match bare(kind):
                    case ty.Bool():
                        yield name
                        yield f"not {name}"
                    case ty.Choice(words):
                        yield from (f"{name} = {word}" for word in words)
                        yield from (f"{name} /= {word}" for word in words)
                    case _:
                        pass

    def _of_seats(self, scope: Scope) -> Iterator[str]:
        own = [name for name, kind in scope.items() if kind == ty.SEAT]
        others = self.seats(scope)
        for name in own:
            for other in others:
                if other != name and name not in other.split("'"):
                    yield f"{name} = {other}"
                    yield f"{name} /= {other}"
        for other in others:
            if other not in own:
                state = next((v for v in self.rules.vars if v.name == other), None)
                if other == "winner" or (state is not None and isinstance(state.type, ty.Opt)):
                    for name in own:
                        for place in (other, f"{other}'s right", f"{other}'s left"):
                            yield f"{other} is none or {name} = {place}"

    def _of_places(self, scope: Scope) -> Iterator[str]:
        for place in self.places(scope):
            yield f"{place} is empty"
            yield f"{place} is not empty"

    def _of_tiles(self, scope: Scope, tiles: Iterable[str]) -> Iterator[str]:
        own = [name for name, kind in scope.items() if kind == ty.TILE]
        for name in own:
            for other in tiles:
                if other != name:
                    yield f"{name} = {other}"
                    yield f"{name} /= {other}"
            for group in self.rules.tiles.groups:
                yield f"{name} in {group.name}"
                yield f"{name} not in {group.name}"
            for place in self.places(scope):
                yield f"{name} in {place}"
                yield f"{name} not in {place}"
            for row in (z.name for z in self.rules.zones if z.kind == "row" and not z.each_player):
                for end in ("front", "back", "top"):
                    yield f"{name} fits {end} of {row}"
            for kind in self._single_tiles:
                yield f"{name} = {kind}"
                yield f"{name} /= {kind}"

    @cached_property
    def _single_tiles(self) -> list[str]:
        """The tiles that the text names by themselves."""
        names: dict[str, None] = {}
        kinds = {name for group in self.rules.tiles.groups for name, _ in group.names}
        for decl in self.loaded.decls:
            if isinstance(decl, t.Define | t.Action | t.Group):
                for node in nodes((decl,)):
                    # one that looks like a word is a name in the tree
                    if isinstance(node, t.TileName) or (isinstance(node, t.Name) and node.name in kinds):
                        names[node.name] = None
        return list(names)[:8]

    def _of_calls(self, scope: Scope) -> Iterator[str]:
        for definition in self.rules.definitions:
            if definition.type == ty.BOOL:
                for call in self._called(definition, scope):
                    yield call
                    yield f"not {call}"

    def _of_numbers(self, scope: Scope) -> Iterator[str]:
        for number in self.numbers(scope):
            for bound in SMALL:
                yield f"{number} > {bound}"
                yield f"{number} <= {bound}"
            yield f"{number} = 1"
            yield f"{number} /= 1"

    def _over_tiles(self, scope: Scope) -> Iterator[str]:
        one, two = self._fresh
        seats = [name for name, kind in scope.items() if kind == ty.SEAT]
        hands = [
            f"{s}'s {z.name}" for s in seats for z in self.rules.zones if z.each_player and z.kind != "melds"
        ]
        for place in hands:
            inner = {**scope, one: ty.TILE}
            for body in self._about(one, inner):
                yield f"some {one} in {place}: {body}"
                yield f"no {one} in {place}: {body}"
                yield f"every {one} in {place}: {body}"
            for other in self._absent:
                for body in self._about(one, {**without_tiles(inner), one: ty.TILE, other: ty.TILE}):
                    if other in body:
                        yield f"{other} is none or (some {one} in {place}: {body})"
                        yield f"{other} is none or (no {one} in {place}: {body})"
                        yield f"{other} is not none and (no {one} in {place}: {body})"
            both = {**without_tiles(inner), one: ty.TILE, two: ty.TILE}
            for definition in self.rules.definitions:
                if definition.type == ty.BOOL and sum(p.type == ty.TILE for p in definition.params) == 2:
                    for call in self._called(definition, both):
                        if call.index(one) < call.index(two):
                            yield f"some {one}, {two} in {place}: {call}"
                            yield f"no {one}, {two} in {place}: {call}"

    @cached_property
    def _absent(self) -> list[str]:
        """The tiles that can be named, and may be none."""
        states = [v.name for v in self.rules.vars if not v.each_player and v.type == ty.Opt(ty.TILE)]
        rows = [z.name for z in self.rules.zones if z.kind == "row" and not z.each_player]
        return [*states, *(f"{end} of {row}" for row in rows for end in ("top", "front"))]

    def _borrowed(self, scope: Scope) -> Iterator[str]:
        """Yield conditions that stand somewhere in the text, with the names that are in scope here."""
        for decl in self.loaded.decls:
            if not isinstance(decl, t.Action | t.Group | t.Define):
                continue
            theirs = self._scope_of(decl)
            for clause in decl.clauses:
                if not isinstance(clause.body, t.Condition):
                    continue
                if isinstance(decl, t.Define) and not decl.cases and not asks(clause.body.expr):
                    continue
                for part in parts_of(clause.body.expr):
                    said = self._renamed(part, theirs, scope)
                    if said is not None:
                        yield said
                        yield f"not ({said})"

    def _scope_of(self, decl: t.Decl) -> dict[str, ty.Type]:
        name = decl.name.text if isinstance(decl, t.Action | t.Group | t.Define) else ""
        for definition in self.rules.definitions:
            if definition.name == name:
                return {p.name: p.type for p in definition.params}
        for action in self.rules.actions:
            if action.name == name:
                return scope_of_action(action)
        return {}

    def _renamed(self, expr: t.Expr, theirs: Scope, ours: Scope) -> str | None:
        """Return an expression with each name of its scope that ours lacks replaced by the only one of this type."""
        new: dict[str, str] = {}
        for name in sorted(free_in(expr) & theirs.keys()):
            if name in ours and fits(ours[name], theirs[name]):
                continue
            fitting = [other for other, kind in ours.items() if fits(kind, theirs[name])]
            if len(fitting) != 1:
                return None
            new[name] = fitting[0]
        return with_words(format_expression(uncommented(expr)), new)
