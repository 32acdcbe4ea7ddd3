"""Random properties and variants.

Input: a world with its declarations and actions. Output: the lines of the text.
Guarantee: the type check accepts them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from golpae.ir.types import BOOL, INT, SEAT, TILES, Opt
from tests.differential.actions import Actions
from tests.differential.expressions import Expressions
from tests.differential.hard_effects import Kind
from tests.differential.vocabulary import CannotMake, Clause, Scope, World

VARIANTS = ("twist", "turn-about", "old-way", "short-way")  # what they are called


class Properties:
    """Makes the properties and variants of one world."""

    def __init__(self, world: World, make: Expressions, actions: Actions) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make
        self.counter = actions.counter
        self.effects = actions.effects

    def all(self) -> list[str]:
        """Return the lines of a few properties."""
        lines = []
        for number in range(self.rng.randint(1, 2) if self.world.small else self.rng.randint(2, 4)):
            try:
                lines.append(self._one(f"prop-{number}"))
            except CannotMake:
                continue
            self.world.properties.append(f"prop-{number}")
        if self.world.chance(0.3 if self.world.small else 0.4):
            slow = self.rng.choice(("{}", "{}", "({}) div 2"))
            lines.append("ends hand-ends: " + slow.format(f"{self.counter} - turns"))
        return lines

    def _one(self, name: str) -> str:
        rng, of, world = self.rng, self.make.of, self.world
        kind = rng.choices(
            (
                "theorem",
                "claim",
                "always",
                "never",
                "reachable",
                "after",
                "likely",
                "ends",
                "ends-after",
                "ways",
            ),
            (3, 2, 3, 2, 3, 4, 8, 1, 1, 3),
        )[0]
        static, during = Scope(static=True), Scope(places=True)
        extra = " expected refuted" if world.chance(0.05) else ""
        if kind == "theorem":
            body = self._sets() if world.chance(0.3) else of(BOOL, static, 3)
            return f"theorem {name}{extra}: {body}"
        if kind == "claim":
            return f"claim {name}{extra}: {of(BOOL, rng.choice((static, during)), 2)}"
        if kind in ("always", "never", "reachable"):
            body = of(BOOL, during, rng.choice((1, 2, 2)))
            if world.chance(0.35):
                player = world.fresh("qrs")
                inner = during.having((player, SEAT))
                body = f"{rng.choice(('some', 'every', 'no'))} {player} in players: {of(BOOL, inner, 2)}"
            within = " within 3 events" if world.chance(0.2 if kind == "never" else 0.1) else ""
            return f"{kind} {name}{extra}{within}: {body}"
        if kind == "likely":
            return self._likely(name)
        if kind == "after":
            action, scope = rng.choice(list(world.actions.items()))
            scope = replace(scope, event=True, places=True, keys=())
            if action in ("lots", "deal"):
                scope = replace(scope, event=False)
            word = rng.choice(("always", "always", "never", "reachable"))
            body = of(BOOL, scope, rng.choice((1, 2)))
            if scope.event and world.chance(0.4):
                number = of(INT, replace(scope, event=False), 1)
                body = f"{number} {rng.choice(('=', '>=', '<='))} earlier({number}){rng.choice(('', ' + 1', ' - 1'))}"
            return f"{word} {name} after {action}{extra}: {body}"
        if kind in ("ends", "ends-after"):
            action = rng.choice([a for a in world.actions if a not in ("lots", "deal", "end")])
            after = f" after {action}" if kind == "ends-after" else ""
            number = rng.choice((f"{self.counter} - turns", "size of pool", of(INT, during, 1)))
            return f"ends {name}{after}{extra}: {number}"
        if not world.scores:
            raise CannotMake
        score = rng.choice(world.scores)
        if score.reads:
            raise CannotMake
        plain = tuple((n, t) for n, t in score.parts if n in ("tiles-held", "last-tile", "lucky"))
        scope = Scope(
            (*plain, *((p, BOOL) for p in score.patterns), ("points", INT), ("kept", BOOL)), static=True
        )
        body = rng.choice(
            ("kept implies points >= 0", f"{score.patterns[0]} implies kept", of(BOOL, scope, 1))
        )
        head = f"{rng.choice(('theorem', 'claim'))} {name}: {rng.choice(('every', 'some', 'no'))} way of"
        return f"{head} {score.name}: {body}"

    def _sets(self) -> str:
        """Return a truth about sets of tiles and sets of their tiles."""
        rng, world = self.rng, self.world
        word = rng.choice(("every", "some", "no"))
        inner = "some" if word == "no" else word
        one, other, tile = world.fresh("uvw"), world.fresh("uvw"), world.fresh("t")
        many, few = rng.choice((2, 2, 3)), rng.choice((1, 1, 2))
        forms = [
            f"{other} {rng.choice(('in', 'not in'))} {one}",
            f"size of ({one} - {other}) {rng.choice(('=', '<', '>'))} {rng.randint(0, many)}",
            f"some {tile} in {other}: {tile} in {one}",
            self.make.of(BOOL, Scope(((one, TILES), (other, TILES)), static=True), 1),
            *(f"{other} is {shape}" for shape in world.shapes),
        ]
        return f"{word} {one} of {many} in tiles: {inner} {other} of {few} in {one}: {rng.choice(forms)}"

    def _likely(self, name: str) -> str:
        """Return a property that is likely to hold, or nearly so."""
        rng, world = self.rng, self.world
        if world.assigned and world.chance(0.5):
            action, place, value = rng.choice(world.assigned)
            return f"always {name} after {action}: {place} = earlier({value})"
        zone = rng.choice(world.zones)
        if world.chance(0.4):
            actions = [a for a in world.actions if a not in ("lots", "deal", "end")]
            place = f"mover's {zone.name}" if zone.each else zone.name
            limit = rng.choice(
                ("= earlier(size of {0})", "<= earlier(size of {0}) + 1", ">= earlier(size of {0}) - 1")
            )
            return f"always {name} after {rng.choice(actions)}: size of {place} {limit.format(place)}"
        if world.chance(0.25):
            return f"always {name}: turns <= {self.counter}"
        if world.chance(0.4):
            return self._order_of_seats(name)
        most = rng.randint(0, 3)
        if zone.each:
            return f"never {name}: some q in players: size of q's {zone.name} > {most}"
        holds = rng.choice(("always", "never", "reachable"))
        return f"{holds} {name}: size of {zone.name} {rng.choice(('<=', '>', '='))} {most}"

    def _order_of_seats(self, name: str) -> str:
        """Return a property that compares players with those beside them, or the player who acts with the others."""
        rng, world = self.rng, self.world
        beside = "{}'s " + rng.choice(("right", "left"))
        owned = [s.name for s in world.states if s.each and s.type == INT]
        counts = [f"size of {{}}'s {z.name}" for z in world.zones if z.each] + [f"{{}}'s {s}" for s in owned]
        count, sign = rng.choice(counts), rng.choice(("<=", "=", ">="))
        seats = [s.name for s in world.states if not s.each and s.type in (SEAT, Opt(SEAT)) and not s.unset]
        actions = [a for a, scope in world.actions.items() if ("p", SEAT) in scope.locals and a != "lots"]
        if actions and world.chance(0.6):
            near = rng.choice(("p", beside.format("p")))
            tests = [f"{count.format('p')} {sign} {count.format(beside.format('p'))}"]
            tests += [f"{seat} = {near}" for seat in (*seats, "mover", "winner")]
            return (
                f"{rng.choice(('always', 'never'))} {name} after {rng.choice(actions)}: {rng.choice(tests)}"
            )
        test = f"{count.format('q')} {sign} {count.format(beside.format('q'))}"
        if world.chance(0.5):
            return f"never {name}{rng.choice(('', ' within 4 events'))}: some q in players: {test}"
        return f"always {name}: every q in players: {test}"

    # ------------------------------------------------------------------ variants

    def variants(self, count: int | None = None) -> list[str]:
        """Return the lines of a few variants and readings, at most `count`, each named after what it is."""
        if not self.world.clauses:
            return []
        if count is not None:
            return [line for name in VARIANTS[:count] for line in self._variant(name)]
        weights = (90, 10, 0, 0) if self.world.small else (60, 25, 10, 5)
        weights = (10, 60, 30, 0) if self.world.often("variant") > 1 else weights
        count = self.rng.choices((0, 1, 2, 3), weights)[0]
        return [line for name in VARIANTS[:count] for line in self._variant(name)]

    def _variant(self, name: str) -> list[str]:
        world, rng = self.world, self.rng
        lines = [f'{rng.choice(("variant", "reading"))} {name} "as some play it"']
        clauses = world.clauses
        effects = [clause for clause in clauses if clause.after is not None]
        if effects and world.likely("variant", 0.1):
            clauses = effects
        for clause in rng.sample(clauses, min(len(clauses), rng.randint(1, 2))):
            if clause.after is not None:
                known = {_path(line) for line in lines}
                lines += [
                    line for line in self._another(clause, clause.after, name) if _path(line) not in known
                ]
            elif clause.scope is None:
                lines += self._other_effect(clause)
            elif clause.may_drop and world.chance(0.4):
                lines.append(f"  drop {clause.path}")
            elif world.chance(0.5):
                lines.append(f"  replace {clause.path}: {self.make.truth(clause.scope, 1)}")
            else:
                path = f"{clause.path.split('.')[0]}.{name}-too"
                if not any(path in line for line in lines):
                    lines.append(f'  add {path}: {self.make.truth(clause.scope, 1)} "not here"')
        for define in world.defines:
            has_cases = define.type == BOOL and define.params
            if not define.owner and not has_cases and world.chance(0.4):
                value = self.make.of(define.type, Scope(define.params, static=True), 0)
                if value != "none" and not any(d.name in value for d in world.defines):
                    lines.append(f"  replace {define.name}: {value}")
        if world.newer and world.chance(0.3):
            lines += self.make.newer.added(name, self.counter)
        if world.properties and world.chance(0.2):
            lines.append(f"  expect {rng.choice(world.properties)} refuted")
        if world.chance(0.2):
            lines.append(f"  always in-{name}: {self.make.truth(Scope(places=True), 1)}")
        return [*lines, ""] if len(lines) > 1 else []

    def _another(self, clause: Clause, scope: Scope, name: str) -> list[str]:
        """Return what a variant does with a clause that may have any effects."""
        action = clause.path.split(".")[0]
        kinds: dict[str, Kind] = {"deal": "deal", "end": "end"}
        kind = kinds.get(action, "play")
        form = self.rng.choice(("drop", "add", "other", "other", "exchange", "exchange", "exchange"))
        try:
            if form == "exchange" and (changed := self._exchanged(action)):
                return changed
            if form == "drop":
                return [f"  drop {clause.path}"]
            effect = self.effects.any(scope, kind)
        except CannotMake:
            return []
        if form == "add":
            return [f"  add {action}.{name}-then: {effect}"]
        return [f"  replace {clause.path}: {effect}"]

    def _exchanged(self, action: str) -> list[str]:
        """Return the clauses of an action in which two words have changed places, wherever one of them stands."""
        clauses = [c for c in self.world.clauses if c.text and c.path.split(".")[0] == action]
        zones, states = self.world.zones, self.world.states
        pairs = [("right", "left"), ("front", "back")]
        pairs += [(a.name, b.name) for a in zones for b in zones if a.name < b.name and a[1:3] == b[1:3]]
        pairs += [(a.name, b.name) for a in states for b in states if a.name < b.name and a[1:3] == b[1:3]]
        kinds = self.world.kinds
        pairs += [(a, b) for a in kinds for b in kinds if a < b and a.isalpha() == b.isalpha()]
        found = []
        for pair in pairs:
            texts = [_with_exchanged(clause.text, *pair) for clause in clauses]
            lines = [
                f"  replace {clause.path}: {text}"
                for clause, text in zip(clauses, texts, strict=True)
                if text != clause.text
            ]
            both = all(any(re.search(_alone(word), c.text) for c in clauses) for word in pair)
            found += [lines] * (8 if both else len(lines) > 0)
        return self.rng.choice(found) if found else []

    def _other_effect(self, clause: Clause) -> list[str]:
        """Return what a variant does with a clause of effects, if anything."""
        if clause.may_drop and self.world.chance(0.5):
            return [f"  drop {clause.path}"]
        if clause.path.endswith(".last"):
            wins = self.rng.choice(("nobody wins", "mover wins"))
            return [f"  replace {clause.path}: when turns >= {max(1, self.counter - 1)}: {wins}"]
        return [f"  replace {clause.path}: for each q in players: q scores 2"] * self.world.chance(0.9)


def _path(line: str) -> str:
    """Return the clause that a line of a variant changes."""
    return line.split()[1].rstrip(":")


def _with_exchanged(text: str, one: str, other: str) -> str:
    """Return a text in which two words have changed places."""
    either = f"{_alone(one)}|{_alone(other)}"
    return re.sub(either, lambda found: other if found[0] == one else one, text)


def _alone(word: str) -> str:
    """Return a pattern of a word that is no part of another one."""
    return rf"(?<![\w-]){re.escape(word)}(?![\w-])"
