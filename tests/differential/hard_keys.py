"""Random keys of kinds that golpae has listed wrongly, or could: long lists, conditions that guard others.

Input: a world, a draft of an action. Output: the draft with keys, conditions and effects.
Guarantee: as for other keys. A condition that relies on a value comes after one that asks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from golpae.ir.types import INT, SEAT, TILE, Opt, Type
from tests.differential.effects import Effects
from tests.differential.expressions import Expressions
from tests.differential.vocabulary import CannotMake, Scope, World

LONG = ("a", "b", "c", "d", "e", "f")


class Draft(Protocol):
    """An action that is being made."""

    scope: Scope
    by: str | None
    keys: list[str]
    effects: list[str]

    def key(self, name: str, kind: Type, text: str = "", optional: bool = False) -> None: ...
    def ask(self, name: str, truth: str, message: str = "") -> None: ...


class HardKeys:
    """Makes hard keys for one world. `fresh` returns a name that a draft does not have."""

    def __init__(
        self, world: World, make: Expressions, effects: Effects, fresh: Callable[..., str], full: str
    ) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make
        self.effects = effects
        self.fresh = fresh
        self.full = full  # the zone with the most tiles

    def long_list(self, draft: Draft) -> None:
        """Ask for a list of four tiles or more, at times in some order."""
        if any(":" in key and "{" in key for key in draft.keys):
            raise CannotMake
        parts = LONG[: self.rng.choice((4, 6) if self.world.stuck else (4, 4, 4, 5))]
        listed = f"{{{', '.join(parts)}}}"
        draft.keys.append(f"many-pieces: {listed}")
        draft.scope = draft.scope.having(*((part, TILE) for part in parts))
        draft.ask("held-many", f"{listed} in {self.full}")
        if self.world.chance(0.7):
            draft.ask("begin", self.order(parts, draft.scope))
        taken = self.rng.choice(({*parts[:1]}, {*parts[:2]}, {*parts}))
        if len(taken) == len(parts):
            draft.effects.append(self.effects.move(listed, self.full, draft.scope))
        else:
            draft.effects += [self.effects.move(p, self.full, draft.scope) for p in parts if p in taken]
        self.first_order(draft)

    def first_order(self, draft: Draft) -> None:
        """At times, let an effect be impossible for some orders of a list: the first that is allowed counts."""
        if not self.world.chance(0.6 if self.world.stuck else 0.15):
            return
        scope = replace(draft.scope, locals=())
        tile, other = self.make.leaf(TILE, scope), self.make.leaf(TILE, scope)
        zones = [z.name for z in self.world.zones if not z.each and z.kind == "tiles" and z.name != self.full]
        source = self.rng.choice([*zones, self.full])
        draft.effects.append(f"when a = {tile}: move {other} from {source} to {self.full}")

    def added(self, draft: Draft, zone: str) -> None:
        """Ask for a tile that makes a meld of a zone larger."""
        name, member = self.fresh(draft, "tile", "card"), self.world.fresh()
        source = self.effects.place(self.rng.choice(self.world.zones_of("tiles")), draft.scope)
        source = self.full if self.world.chance(0.6) else source
        draft.key(name, TILE, "tile")
        about = self.rng.choice((f"size of {member} = 1", "yes", self.make.truth(draft.scope, 1)))
        meld = f"(the {member} in {zone}: {about})"
        draft.ask(f"held-{name}", f"{name} in {source}")
        draft.ask("grows", f"{meld} is not none")
        label = f" as {self.rng.choice(self.world.labels)}" if self.world.labels else ""
        draft.effects.append(f"move {name} from {source} to {meld}{label * self.world.chance(0.5)}")

    def order(self, parts: tuple[str, ...], scope: Scope) -> str:
        """Return a truth that only some orders of a list meet."""
        first, last = parts[0], parts[-1]
        forms = [f"{first} {self.rng.choice(('=', '/='))} {self.make.leaf(TILE, replace(scope, locals=()))}"]
        forms += [f"{first} = {last} or {self.make.truth(scope, 1)}", self.make.truth(scope, 1)]
        numbers = [s.name for s in self.world.states if s.type == INT and not s.each and not s.unset]
        unsure = f"size of {{1 to {self.rng.choice(numbers)}}} {self.rng.choice(('=', '<'))} {self.rng.randint(0, 4)}"
        forms.append(f"{first} /= {self.make.leaf(TILE, replace(scope, locals=()))} or {unsure}")
        for attribute in self.world.attributes[:1]:
            forms.append(f"{first}'s {attribute} {self.rng.choice(('<=', '<', '='))} {last}'s {attribute}")
        return self.rng.choice(forms)

    def guarded(self, draft: Draft) -> None:
        """Ask about an optional key before what relies on it; the other key is a list or a number."""
        name = self.fresh(draft, "maybe-that", "maybe-too")
        kind, text = self.rng.choice(((TILE, "tile"), (SEAT, "seat"), (INT, "number from 0 to 1")))
        draft.key(name, kind, text, optional=True)
        known = draft.scope.knowing(name)
        there = {TILE: f"{name} in {self.full}", SEAT: f"{name} /= mover", INT: f"{name} > 0"}[kind]
        if self.world.chance(0.5):
            count = self.fresh(draft, "how-many")
            draft.key(count, INT, self.rng.choice(("number", "number from 0 to 2")))
            low = self.rng.choice((f"{count} = 0", f"{count} in {{0 to 1}}"))
            high = self.rng.choice(
                (f"{count} = 1", f"{count} in {{1 to 2}}", f"{count} = size of {self.full}")
            )
            draft.ask("guarded", f"if {name} is none then {low} else {high} and {there}")
        else:
            parts = ("a", "b")
            if any("{" in key for key in draft.keys):
                raise CannotMake
            draft.keys.append("some-pieces: {a, b}")
            draft.scope = draft.scope.having(*((part, TILE) for part in parts))
            known = draft.scope.knowing(name)
            inside = f"{{a, b}} in {self.full}"
            draft.ask("pieces-there", inside)
            rest = there if kind != TILE else self.rng.choice((f"a = {name}", f"{name} in {{a, b}}"))
            form = self.rng.choice(("if", "or"))
            order = self.order(parts, draft.scope)
            truth = f"if {name} is none then {order} else {rest}"
            draft.ask("guarded", truth if form == "if" else f"{name} is none or {rest}")
        if kind == TILE:
            draft.effects.append(
                f"when {name} is not none and {name} in {self.full}: {self.effects.move(name, self.full, known)}"
            )
        else:
            draft.effects.append(f"when {name} is not none: {self.effects.any(known, 'play', 0)}")

    def narrowed(self, draft: Draft) -> None:
        """Ask, together with something about a key, that states are not none, and rely on that."""
        states = [
            s for s in self.world.states if isinstance(s.type, Opt) and not s.each and s.scope == "hand"
        ]
        if not states:
            raise CannotMake
        asked = self.rng.sample(states, min(len(states), self.rng.choice((1, 1, 2))))
        numbers = [n for n, t in draft.scope.locals if t == INT]
        tiles = [n for n, t in draft.scope.locals if t == TILE]
        easy = [f"{n} >= 0" for n in numbers] + [f"{t} in tiles" for t in tiles]
        first = [self.rng.choice(easy)] if easy and self.world.chance(0.7) else []
        tests = [*first, *(f"{state.name} is not none" for state in asked)]
        draft.ask("there", " and ".join(tests), f'"there is no {asked[0].name}"')
        draft.scope = draft.scope.knowing(*(state.name for state in asked))
        state = self.rng.choice(asked)
        kind = state.type.item if isinstance(state.type, Opt) else state.type
        about = {SEAT: f"size of {state.name}'s hand", INT: state.name}.get(kind)
        named = [f"{n} = {about}" for n in numbers if about is not None]
        named += [f"{t} = {state.name}" for t in tiles if kind == TILE]
        named += [f"{t} in {state.name}'s hand" for t in tiles if kind == SEAT]
        if named and self.world.chance(0.6):
            truth = self.rng.choice(named)
        elif about is None:
            truth = self.make.truth(draft.scope, 1)
        else:
            truth = f"{about} {self.rng.choice(('>', '<=', '='))} {self.rng.choice([*numbers, '1', '0'])}"
        draft.ask("relies", truth)

    def end_list(self, scope: Scope) -> tuple[str, list[str], Scope]:
        """Return a list as a key of `end`, with its conditions, and the scope that has it."""
        inner = scope.having(("a", TILE), ("b", TILE))
        zones = [z for z in self.world.zones if not z.each and z.kind == "tiles"]
        zone = self.rng.choice((self.full, *(z.name for z in zones)))
        lines = [f"  there: {{a, b}} in {zone}"]
        if self.world.chance(0.7):
            lines.append(f"  begin: {self.order(('a', 'b'), inner)}")
        target, label = self.effects.target(inner)
        moved = self.rng.choice(("a", "b", "{a, b}"))
        lines.append(f"  then when a in {zone}: move a from {zone} to {target}{label}")
        if moved != "a":
            lines[-1] = f"  then move {moved} from {zone} to {target}{label}"
        states = [s.name for s in self.world.states if s.type in (TILE, Opt(TILE)) and not s.each]
        if states:
            lines.append(f"  then {self.rng.choice(states)} := {self.rng.choice('ab')}")
        return "(pieces: {a, b})", lines, inner
