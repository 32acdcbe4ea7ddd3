"""Random actions, the deal, the end of a hand, payments, the end of a match.

Input: a world with its declarations. Output: the lines of the text.
Guarantee: every action of a hand counts a turn, and the hand is over after a few of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace

from golpae.ir.types import (
    BOOL,
    INT,
    MELD,
    MELDS,
    NUMBERS,
    PATTERNS,
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
from tests.differential.before_the_deal import behind, said_before, saying, wanted
from tests.differential.declarations import Declarations, written
from tests.differential.effects import Effects
from tests.differential.expressions import Expressions
from tests.differential.hard_effects import Kind
from tests.differential.hard_keys import HardKeys
from tests.differential.vocabulary import CannotMake, Clause, Scope, World, bare

NAMES = ("play", "draw", "show", "call", "swap-tile", "tell", "lay", "grow", "mark", "guess", "join")


@dataclass
class Draft:
    """An action that is being made: its keys, conditions and effects, and the scope after its conditions."""

    scope: Scope
    by: str | None = None
    keys: list[str] = field(default_factory=list)
    conditions: list[tuple[str, str, str]] = field(default_factory=list)  # name, truth, message
    effects: list[str] = field(default_factory=list)
    wheres: list[str] = field(default_factory=list)

    def key(self, name: str, kind: Type, text: str = "", optional: bool = False) -> None:
        """Add a key."""
        type_ = text or written(kind)
        plain = f"{name}" if name == type_ else f"{name}: {type_}"
        self.keys.append(f"optional {plain}" if optional else plain)
        self.scope = self.scope.having((name, Opt(kind) if optional else kind))
        self.scope = replace(
            self.scope, keys=(*self.scope.keys, *((name,) if kind == TILES and not optional else ()))
        )

    def ask(self, name: str, truth: str, message: str = "") -> None:
        self.conditions.append((name, truth, message))


class Actions:
    """Makes the actions of one world."""

    def __init__(self, world: World, make: Expressions, declared: Declarations) -> None:
        self.world = world
        self.rng = world.rng
        self.make = make
        self.effects = Effects(world, make)
        self.hard = HardKeys(world, make, self.effects, self._fresh, declared.source)
        self.declared = declared
        self.counter = self.rng.randint(1, 2) if world.small else self.rng.randint(2, 4)
        self._changeable: list[Clause] = []  # clauses of the action that is being made
        self.growing: set[str] = set()  # zones of melds that a key makes larger
        shared = [z.name for z in world.zones if z.name != "hand" and z.name != declared.source]
        filled = shared if world.zones_of("melds", "row") else []
        self.filled = {
            declared.source,
            *self.rng.sample(filled, min(len(filled), self.rng.choice((0, 1, 1, 2)))),
            *(z for z in world.asked_for("zones") if z in filled and world.chance(0.4)),
        }

    # ------------------------------------------------------------------ actions of a hand

    def all(self) -> list[str]:
        """Return the lines of every action."""
        lines: list[str] = self.make.newer.groups(self.effects)
        names = self.rng.sample(NAMES, self.rng.choice((1, 1, 2) if self.world.small else (1, 2, 2, 3, 3)))
        for name in names:
            lines += [*self._action(name), ""]
        if not self.world.stuck and self.world.chance(0.6 if self.world.small else 0.85):
            lines += [*self._waiting(), ""]
        if self.world.raises:
            lines += [
                "action raise(n: number) before the deal",
                "  more: n > raised",
                "  then raised := n",
                "",
            ]
        elif said_before(self.world):
            lines += [*saying(self.world), ""]
        elif self.world.chance(0.25):
            lines += [*self._before(), ""]
        lines += [*self._deal(), "", *self._end(), ""]
        if self.world.chance(0.8) or self.world.often("totals") > 1:
            lines += [*self._payout(), ""]
        if self.world.chance(0.4):
            lines += [*self._finish(), ""]
        return lines

    def _action(self, name: str) -> list[str]:
        for _ in range(20):
            try:
                return self._try(name)
            except CannotMake:
                continue
        raise CannotMake

    def _try(self, name: str) -> list[str]:
        draft = Draft(Scope())
        self._changeable = []
        if self.world.chance(0.5 if self.world.stuck else 0.9):
            draft.by = "p"
            draft.scope = draft.scope.having(("p", SEAT))
            turn = self.rng.choices(
                ("p = mover", "p /= mover", "p in {mover, mover's right}", ""), (6, 1, 1, 3)
            )[0]
            if turn:
                draft.ask("turn", turn, '"it is not {p}\'s turn"')
        for _ in range(self.rng.choices((1, 2), (6, 1))[0]):
            self._keys(draft)
        for call in self.make.newer.required(draft.scope):
            draft.ask("requires", call)
        known = {name for name, _ in draft.scope.locals}
        draft.wheres, draft.scope = self.make.newer.named_values(draft.scope)
        if self.world.chance(0.3):
            extra = self.make.truth(draft.scope, 1)
            form = self.rng.random()
            if form < 0.1:
                extra = f"{extra} or {self.make.truth(draft.scope, 1)}"
            elif form < 0.95:
                easy = self.rng.choice(
                    ("turns >= 1", "turns <= 1", "turns < 3", "tiles is not empty", "p in players")
                )
                easy = easy if draft.by else easy.replace("p in", "mover in")
                extra = f"{easy} or {extra}"
            draft.ask("extra", extra, self._message(draft.scope))
        self._narrowing(draft)
        after = draft.scope
        draft.effects = [f"then {line}" for line in draft.effects]
        scope = draft.scope.changed()
        for number in range(self.rng.choice((1, 2, 2) if self.world.themes else (0, 1, 1, 2))):
            draft.effects.append(self._clause(name, f"more-{number}", scope, "play"))
        if self.world.chance(0.6):
            draft.effects.append(f"then mover := {self.make.of(SEAT, scope, 0)}")
        if self.world.chance(0.15):
            asked = f"{self.rng.choice(('turns <= 2', 'turns /= 1'))} or {self.make.truth(scope, 1)}"
            draft.effects.append(f"later: afterwards {asked} {self._message(draft.scope)}".rstrip())
        draft.effects.append("then turns := turns + 1")
        draft.effects.append(f"then last: when turns >= {self.counter}: {self._winner(scope)}")
        keys_alone = tuple((n, t) for n, t in after.locals if n in known)
        self.world.actions[name] = replace(after, locals=keys_alone).changed()
        self._record(name, draft)
        draft.keys.sort(key=lambda key: "one of" in key)  # its words would swallow what follows
        if sum("one of" in key for key in draft.keys) > 1:
            raise CannotMake
        keys = f"({', '.join(draft.keys)})" if draft.keys else ""
        by = f" by {draft.by}" if draft.by else ""
        title = f' "{name} something"' if self.world.chance(0.3) else ""
        return [f"action {name}{keys}{by}{title}", *_lines(draft)]

    def _waiting(self) -> list[str]:
        """Return an action that can nearly always happen, so that a hand does not get stuck."""
        scope = Scope((("p", SEAT),))
        self.world.actions["wait"] = scope
        self.world.clauses.append(Clause("wait.last", None, False))
        return [
            "action wait by p",
            f"  turn: {self.rng.choice(('p = mover', 'p = mover', 'p /= mover', 'yes'))}",
            f"  then mover := {self.rng.choice(('p', 'mover'))}'s {self.rng.choice(('right', 'left'))}",
            "  then turns := turns + 1",
            f"  then last: when turns >= {self.counter}: {self._winner(scope)}",
        ]

    def _winner(self, scope: Scope) -> str:
        if self.world.chance(0.5):
            return "nobody wins"
        return f"{self.make.leaf(SEAT, scope)} wins"

    def _narrowing(self, draft: Draft) -> None:
        """At times ask that a state is not none, and rely on it from then on."""
        counts = any(kind == INT for _, kind in draft.scope.locals)
        if not self.world.chance(0.4 if counts else 0.12):
            return
        with suppress(CannotMake):
            self.hard.narrowed(draft)

    def _message(self, scope: Scope) -> str:
        if self.world.chance(0.5):
            return ""
        holes = [n for n, t in scope.locals if t in (SEAT, TILE, INT)]
        if holes and self.world.chance(0.7):
            return f'"{{{self.rng.choice(holes)}}} cannot do this"'
        return '"this cannot be done with {size of tiles} tiles"'

    def _clause(self, action: str, name: str, scope: Scope, kind: Kind) -> str:
        """Return one clause of effects, on a line or in a block; at times, effects in clauses of their own."""
        effects = self.effects.some(scope, kind)
        form = self.rng.choice(("plain", "plain", "named", "block", "when"))
        if any("\n" in effect for effect in effects):
            form = self.rng.choice(("block", "when"))
        elif self.world.likely("variant", 0.1):
            names = [f"{name}{'' if n == 0 else f'-{n}'}" for n in range(len(effects))]
            for own, effect in zip(names, effects, strict=True):
                self._changeable.append(Clause(f"{action}.{own}", None, True, scope, effect))
            return "\n".join(f"then {own}: {effect}" for own, effect in zip(names, effects, strict=True))
        if form in ("named", "block"):
            self._changeable.append(Clause(f"{action}.{name}", None, True, scope))
        if form == "plain" or (form == "named" and len(effects) == 1):
            said = "; ".join(effects[:1]) if ":" in effects[0] else "; ".join(effects)
            if form == "named":
                return f"then {name}: {said}"
            return f"then {said}"
        inner = ["    " + e.replace("\n", "\n    ") for e in effects]
        if form == "when":
            test = self.make.of(BOOL, scope, 1)
            other = (
                ["else", "    " + self.effects.any(scope, kind).replace("\n", "\n    ")]
                if self.world.chance(0.4)
                else []
            )
            return "\n".join([f"then when ({test})", *inner, *other])
        return "\n".join([f"then {name}", *inner])

    def _record(self, action: str, draft: Draft) -> None:
        """Note which clauses a variant may change."""
        scope = Scope((("p", SEAT),) if draft.by else ())
        self.world.clauses += self._changeable
        for name, _, _ in draft.conditions:
            if name in ("turn", "extra"):
                self.world.clauses.append(Clause(f"{action}.{name}", scope, True))
        self.world.clauses.append(Clause(f"{action}.last", None, False))

    def _assigned(self, action: str, draft: Draft) -> None:
        """Note the values that an action always gives to states, for properties."""
        for line in draft.effects:
            found = re.fullmatch(r"then ([\w'\- ]+) := ([^;:]+)", line)
            if found is None or found[1] == "turns":
                continue
            kind = next(s.type for s in self.world.states if s.name == found[1].split("'s ")[-1])
            comparable = not isinstance(bare(kind), Each) and not (
                kind != bare(kind) and isinstance(bare(kind), Bag)
            )
            if comparable and found[2] != "none":
                self.world.assigned.append((action, found[1], found[2]))

    # ------------------------------------------------------------------ keys

    def _keys(self, draft: Draft) -> None:
        makers: list[tuple[float, Callable[[Draft], None]]] = [
            (6, self._hand_tile), (5, self._pair), (2, self._tiles), (3, self._lay_out), (4, self._seat),
            (3, self._choice), (4, self._number), (3, self._optional), (1, self._meld), (1, self._melds),
            (3, self._drawn), (2, self._told), (1, self._each), (1, self._bags), (2, self._truth), (2, self._guess),
            (5, self._nothing), (2, self._patterns), (2, self._top), (1, self._groups),
            (2, self.hard.long_list), (4, self.hard.guarded), (2 * self.world.often("grown"), self._added),
        ]  # fmt: skip
        if self.world.stuck:
            makers = [(3, self._pair), (3, self._lay_out), (4, self.hard.long_list), (2, self.hard.guarded)]
        while makers:
            at = self.rng.choices(range(len(makers)), [w for w, _ in makers])[0]
            _, maker = makers.pop(at)
            before = (draft.scope, list(draft.keys), list(draft.conditions), list(draft.effects))
            try:
                maker(draft)
                return
            except CannotMake:
                draft.scope, draft.keys, draft.conditions, draft.effects = before
        raise CannotMake

    def _fresh(self, draft: Draft, *names: str) -> str:
        taken = {n for n, _ in draft.scope.locals}
        name = next((n for n in names if n not in taken), None)
        if name is None:
            raise CannotMake
        return name

    def _holder(self, draft: Draft) -> str:
        """Return a zone of tiles that a key can come from."""
        if draft.by and self.world.chance(0.75):
            return "p's hand"
        if self.world.chance(0.5):
            return "pool"
        zones = self.world.zones_of("tiles", "row")
        return self.effects.place(self.rng.choice(zones), draft.scope)

    def _hand_tile(self, draft: Draft) -> None:
        name = self._fresh(draft, "tile", "card")
        zone = self._holder(draft)
        draft.key(name, TILE, "tile")
        if self.world.chance(0.95):
            draft.ask(f"held-{name}", f"{name} in {zone}", f'"{{{name}}} is not there"')
        draft.effects.append(self.effects.move(name, zone, draft.scope))

    def _pair(self, draft: Draft) -> None:
        name = "pieces"
        if any(name in key for key in draft.keys):
            raise CannotMake
        zone = self._holder(draft)
        parts = ("a", "b") if self.world.chance(0.8) else ("a",)
        if zone == "p's hand" and max(self.declared.dealt) < 2 and len(parts) == 2 and self.world.chance(0.9):
            zone = "pool"
        optional = "optional " if self.world.chance(0.02) else ""  # then the text is refused
        draft.keys.append(f"{optional}{name}: {{{', '.join(parts)}}}")
        draft.scope = draft.scope.having(*((part, TILE) for part in parts))
        listed = f"{{{', '.join(parts)}}}"
        if self.world.chance(0.95):
            draft.ask("held-pieces", f"{listed} in {zone}")
        if len(parts) == 2 and self.world.chance(0.3):
            form = self.rng.choice(("shape", "order", "any"))
            truth = f"a = b or {self.make.truth(draft.scope, 1)}"
            if form == "shape" and self.world.shapes:
                truth = f"{listed} is {self.rng.choice(list(self.world.shapes))}"
            elif form == "order" and self.world.attributes:
                truth = f"a's {self.world.attributes[0]} <= b's {self.world.attributes[0]}"
            draft.ask("fit-pieces", truth)
        if self.world.chance(0.25):  # each on its own way
            draft.effects += [self.effects.move(part, zone, draft.scope) for part in parts]
        else:
            draft.effects.append(self.effects.move(listed, zone, draft.scope))
        if len(parts) == 2:
            self.hard.first_order(draft)

    def _tiles(self, draft: Draft) -> None:
        name = self._fresh(draft, "some-tiles")
        zone = self._holder(draft)
        draft.key(name, TILES)
        draft.ask("held-tiles", f"{name} in {zone}")
        size = self.rng.choice(("1", "1", "1", self.make.of(INT, replace(draft.scope, locals=()), 1)))
        draft.ask("many", f"size of {name} = {size}")
        draft.effects.append(self.effects.move(name, zone, draft.scope))

    def _lay_out(self, draft: Draft) -> None:
        if not self.world.arrangements:
            raise CannotMake
        name = self._fresh(draft, "sets")
        zone = self._holder(draft)
        draft.key(name, Bag(TILES))
        draft.ask("whole-hand", f"{name} lay out {zone} as {self.rng.choice(list(self.world.arrangements))}")
        if self.world.chance(0.25):
            draft.ask("as-well", f"{name} lay out {zone} as {self.rng.choice(list(self.world.arrangements))}")
        melds = ["melds"] if self.world.zones_of("melds") else []
        if not melds and self.world.chance(0.5):
            return
        group = self.world.fresh()
        inner = draft.scope.having((group, TILES))
        target, label = self.effects.target(inner, *melds)
        moves = [f"move {group} from {zone} to {target}{label}"]
        if self.world.chance(0.3):  # a round takes more than its group
            moves.append(self.effects.hard.other_move(zone, inner, "play"))
        draft.effects += self.effects.hard.loop(group, name, moves, draft.scope)

    def _groups(self, draft: Draft) -> None:
        name = self._fresh(draft, "two-groups")
        draft.key(name, Bag(TILES))
        draft.ask("these-groups", f"{name} = {self.make.of(Bag(TILES), replace(draft.scope, locals=()), 1)}")

    def _seat(self, draft: Draft) -> None:
        name = self._fresh(draft, "other", "third")
        draft.key(name, SEAT)
        if draft.by and self.world.chance(0.6):
            draft.ask(f"another-{name}", f"{name} /= p", f'"{{p}} cannot name {{{name}}}"')
        if self.world.chance(0.6):
            draft.effects.append(self.effects.any(draft.scope, "play", 0))

    def _choice(self, draft: Draft) -> None:
        found = self.effects.choice_states()
        name = self._fresh(draft, "what")
        if not found:
            draft.key(name, Choice(("here", "there")))
            draft.effects.append(f"when {name} = here: {self.effects.any(draft.scope, 'play', 0)}")
            return
        state, kind = self.rng.choice(found)
        draft.key(name, kind)
        place = f"{self.rng.choice(self._owners(draft))}'s {state.name}" if state.each else state.name
        if self.world.chance(0.4):
            draft.ask("new-word", f"{name} /= {place}")
        draft.effects.append(f"{place} := {name}")

    def _owners(self, draft: Draft) -> list[str]:
        owners = self.make.seats(draft.scope)
        if not owners:
            raise CannotMake
        return owners

    def _number(self, draft: Draft) -> None:
        name = self._fresh(draft, "count", "other-count")
        low = self.rng.randint(0, 1)
        high = self.rng.choice((str(low + self.rng.randint(0, 2)), "size of players"))
        form = self.rng.choice(("bounded", "bounded", "member", "equal"))
        draft.key(name, INT, f"number from {low} to {high}" if form == "bounded" else "number")
        if form == "member":
            draft.ask(f"some-{name}", f"{name} in {{{low} to {high}}}")
        elif form == "equal":
            draft.ask(f"right-{name}", f"{name} = {self.make.of(INT, replace(draft.scope, locals=()), 1)}")
        if self.world.chance(0.6):
            draft.effects.append(self.effects.any(draft.scope, "play", 1))

    def _optional(self, draft: Draft) -> None:
        form = self.rng.choice(("tile", "seat", "number", "choice", "tiles", "truth"))
        name = self._fresh(draft, "maybe-one")
        kinds: dict[str, tuple[Type, str]] = {
            "tile": (TILE, "tile"), "seat": (SEAT, "seat"), "number": (INT, "number from 0 to 1"),
            "choice": (Choice(("here", "there")), "one of here, there"), "tiles": (TILES, "tiles"),
            "truth": (BOOL, "yes or no"),
        }  # fmt: skip
        kind, text = kinds[form]
        draft.key(name, kind, text, optional=True)
        zone = self._holder(draft)
        inner = draft.scope.knowing(name)
        if form == "tile":
            draft.ask("held-maybe", f"{name} is none or {name} in {zone}")
            draft.effects.append(f"when {name} is not none: {self.effects.move(name, zone, inner)}")
        elif form == "tiles":
            draft.ask("held-maybe", f"{name} is none or {name} = {zone}")
        else:
            draft.effects.append(f"when {name} is not none: {self.effects.any(inner, 'play', 0)}")

    def _melds_zone(self, draft: Draft) -> str:
        zones = self.world.zones_of("melds")
        if not zones:
            raise CannotMake
        zones = [z for z in zones if z.name in self.filled] or zones
        return self.effects.place(self.rng.choice(zones), draft.scope)

    def _added(self, draft: Draft) -> None:
        """Ask for a tile that makes a meld larger, in a zone that the deal fills."""
        zones = self.world.zones_of("melds")
        if not zones:
            raise CannotMake
        zone = self.rng.choice([z for z in zones if z.name in self.filled] or zones)
        self.hard.added(draft, self.effects.place(zone, draft.scope))
        self.filled.add(zone.name)
        self.growing.add(zone.name)

    def _meld(self, draft: Draft) -> None:
        zone = self._melds_zone(draft)
        name = self._fresh(draft, "group")
        draft.key(name, MELD)
        draft.ask("lies", f"{name} in {zone}")
        draft.effects.append(self.effects.move(name, zone, draft.scope))

    def _melds(self, draft: Draft) -> None:
        zone = self._melds_zone(draft)
        name = self._fresh(draft, "all-groups")
        draft.key(name, MELDS)
        draft.ask("all-lie", f"{name} = {zone}")
        draft.effects.append(f"move all from {zone} to {self.effects.target(draft.scope)[0]}")

    def _drawn(self, draft: Draft) -> None:
        row = self._row(draft)
        end = self.rng.choice(("front", "front", "back", "top"))
        name = self._fresh(draft, "tile", "card")
        draft.key(name, TILE, "tile")
        draft.ask(f"comes-{name}", f"{name} fits {end} of {row}")
        draft.effects.append(self.effects.move(name, f"{end} of {row}", draft.scope))

    def _row(self, draft: Draft) -> str:
        """Return a row, if possible one that is dealt from or filled."""
        rows = self.world.zones_of("row")
        if not rows:
            raise CannotMake
        filled = [z for z in rows if z.name in self.filled]
        return self.effects.place(self.rng.choice(filled or rows), draft.scope)

    def _top(self, draft: Draft) -> None:
        rows = [z for z in self.world.zones_of("row") if z.open]
        if not rows:
            raise CannotMake
        filled = [z for z in rows if z.name in self.filled]
        row = self.effects.place(self.rng.choice(filled or rows), draft.scope)
        end = self.rng.choice(("front", "back", "top"))
        name = self._fresh(draft, "tile", "card")
        draft.key(name, TILE, "tile")
        where = f"{end} of {row}" if self.world.chance(0.7) else f"({row} at {self.rng.randint(1, 2)})"
        draft.ask(f"is-{name}", f"{name} = {where}")
        source = f"{end} of {row}" if where.startswith(end) else row
        draft.effects.append(self.effects.move(name, source, draft.scope))

    def _told(self, draft: Draft) -> None:
        row = self._row(draft)
        name = self._fresh(draft, "order")
        draft.key(name, TILES)
        if self.world.chance(0.8):
            draft.ask("lies-like-this", f"{name} fits {row}")
        else:
            draft.ask("same-tiles", f"{name} in {row} and size of {name} = size of {row}")
        draft.effects.append(f"arrange {row} as {name}")

    def _each(self, draft: Draft) -> None:
        name = self._fresh(draft, "each-one")
        draft.key(name, Each(INT))
        player = self.world.fresh("qrs")
        value = self.make.of(INT, Scope((*draft.scope.locals[:1], (player, SEAT))), 1)
        draft.ask("each-right", f"every {player} in players: {player}'s {name} = {value}")

    def _bags(self, draft: Draft) -> None:
        kind = self.rng.choice((SEATS, NUMBERS))
        name = self._fresh(draft, "the-bag")
        draft.key(name, kind)
        draft.ask("this-bag", f"{name} = {self.make.of(kind, replace(draft.scope, locals=()), 1)}")

    def _truth(self, draft: Draft) -> None:
        name = self._fresh(draft, "loud")
        draft.key(name, BOOL)
        if self.world.chance(0.5):
            draft.effects.append(f"when {name}: {self.effects.any(draft.scope, 'play', 0)}")

    def _guess(self, draft: Draft) -> None:
        name = self._fresh(draft, "tile", "card")
        draft.key(name, TILE, "tile")
        draft.ask(f"guess-{name}", f"{name} in {self.make.of(TILES, draft.scope, 1)}")
        draft.effects.append(self.effects.assign(draft.scope))

    def _nothing(self, draft: Draft) -> None:
        draft.effects.append(self.effects.any(draft.scope, "play", 1))

    def _patterns(self, draft: Draft) -> None:
        if not self.world.scores:
            raise CannotMake
        name = self._fresh(draft, "patterns")
        optional = self.world.chance(0.7)
        value = self.make.score(replace(draft.scope, locals=(("p", SEAT),) if draft.by else ()), 1)
        points = self._fresh(draft, "points")
        draft.key(points, INT, "number")
        draft.key(name, PATTERNS, "patterns", optional=optional)
        worth = value if self.world.chance(0.3) else f"({value} otherwise {self.rng.randint(0, 2)})"
        draft.ask("worth-it", f"{points} = {worth}")
        given = f"{name} is none or " if optional else ""
        draft.ask("these-patterns", f"{given}{name} fits {value}")

    # ------------------------------------------------------------------ deal, end, payout, finish

    def _before(self) -> list[str]:
        scope = Scope((("p", SEAT),), forbidden=self.world.unset)
        lines = ["action lots by p before the deal"]
        if self.world.chance(0.5):
            lines = ["action lots(tile) by p before the deal", "  in-pool: tile in pool"]
            scope = scope.having(("tile", TILE))
            zones = [z for z in self.world.zones if z.each]
            lines.append("  once: p's hand is empty")
            lines.append(f"  then move tile from pool to p's {self.rng.choice(zones).name}")
        elif self.world.chance(0.5):
            easy = self.rng.choice(("", "hands-played = 0 or ", "p in players or "))
            lines.append(f"  once: {easy}{self.make.truth(scope, 1)}")
        lines.append(f"  then {self.effects.any(scope, 'before', 1)}")
        self.world.actions["lots"] = replace(scope.changed(), forbidden=self.world.unset)
        return lines

    def _deal(self) -> list[str]:
        world, rng = self.world, self.rng
        source = self.declared.source
        scope = Scope((("first", SEAT),), forbidden=world.unset)
        keys = ""
        lines = []
        if world.chance(0.25):
            form = rng.choice(("number", "optional", "tile", "optional-tile", "list", "list"))
            keys = {"number": "(round: number)", "optional": "(optional round: number)", "list": "(shown-too: {a, b})",
                    "tile": "(turned: tile)", "optional-tile": "(optional turned: tile)"}[form]  # fmt: skip
            if form == "list":
                scope = scope.having(("a", TILE), ("b", TILE))
                lines.append(f"  begin: {self.hard.order(('a', 'b'), replace(scope, forbidden=world.unset))}")
            elif "round" in keys:
                given = "round is none or " if "optional" in form else ""
                lines.append(f"  round: {given}round = hands-played + 1")
                kind: Type = INT
                scope = scope.having(("round", Opt(INT) if given else kind))
            else:
                scope = scope.having(("turned", Opt(TILE) if "optional" in form else TILE))
        if world.small:
            lines.append(f"  once-more: hands-played < {2 if world.often('totals') > 1 else 1}")
        elif world.chance(0.4):
            lines.append(f"  once-more: hands-played < {rng.randint(1, 2)}")
        wheres, scope = self.make.newer.named_values(scope)
        lines[:0] = [f"  {line}" for line in wheres]
        if world.chance(0.12):
            lines.append(f"  may: hands-played = 0 or {self.make.truth(scope, 1)}")
        lines += [*wanted(world), *behind(world)]
        self._changeable = []
        first, others = self.declared.dealt
        sizes = f"{first} for everyone" if first == others else f"{first} for first, {others} for the others"
        if world.chance(0.1) and first == others:
            test = rng.choice(("size of players = 2", "hands-played = 0", "first's total > 0"))
            sizes = f"(if {test} then {first} else {min(first, 1)}) for everyone"
        lines.append(f"  hands: {sizes}")
        table = [z.name for z in world.zones if not z.each and z.kind != "melds" and z.name != source]
        if world.newer and table and self.declared.left > 0 and world.chance(0.2 if world.small else 0.4):
            lines.append(f"  {rng.choice(table)}: 1")
        for state in world.states:
            if state.unset and not state.each:
                value = "first" if state.name == "mover" else ""
                lines.append(f"  then {state.name} := {value or self.make.of(state.type, scope, 1)}")
                scope = replace(scope, forbidden=scope.forbidden - {state.name})
            elif state.unset:
                value = self.make.of(state.type, scope.having(("s", SEAT)), 0)
                lines.append(f"  then for each s in players: s's {state.name} := {value}")
                scope = replace(scope, forbidden=scope.forbidden - {state.name})
        if scope.type_of("a") == TILE:  # the names of a list
            taking = [s.name for s in world.states if s.type in (TILE, Opt(TILE)) and not s.each]
            put = [z.name for z in world.zones if not z.each and z.kind == "tiles" and z.name != source]
            lines += [f"  then {state} := a" for state in taking]
            lines += [f"  then when b in {source}: move b from {source} to {zone}" for zone in put[:1]]
        for zone in [z for z in world.zones if z.name in self.filled and z.name != source]:
            label = f" as {rng.choice(world.labels)}" if zone.kind == "melds" and world.chance(0.8) else ""
            place = f"{rng.choice(('first', 'mover'))}'s {zone.name}" if zone.each else zone.name
            some = f"those t in {source}: t in {rng.choice(list(world.groups))}"
            tiles = rng.choices((f"kinds of {source}", source, some), (4, 1, 2))[0]
            if zone.kind == "melds" and world.chance(0.7 if zone.name in self.growing else 0.3):  # one meld
                tile = rng.choice(world.kinds)
                alone = f"when {tile} in {source}: move {tile} from {source}"
                some = rng.choice((f"move {tiles} from {source}", alone, alone))
                lines.append(f"  then {some} to {place}{label}")
                continue
            lines.append(f"  then for each t in {tiles}: move t from {source} to {place}{label}")
        if world.chance(0.6 if world.themes else 0.4):
            lines += ["  " + self._clause("deal", "more", scope.changed(), "deal").replace("\n", "\n  ")]
        world.clauses += self._changeable
        world.actions["deal"] = Scope(scope.locals)
        return [f"deal{keys} from {source}", *lines]

    def _end(self) -> list[str]:
        world, rng = self.world, self.rng
        scope = Scope()
        keys = ""
        lines = ["  due: over" + (f" or {self.make.truth(scope, 1)}" if world.chance(0.15) else "")]
        if world.small and world.chance(0.15):
            lines = [f"  due: over and {self.make.truth(scope, 1)}"]
        if world.chance(0.25):
            form = rng.choice(("number", "choice", "optional", "each", "list"))
            if form == "list":
                keys, asked, scope = self.hard.end_list(scope)
                lines += asked
            elif form == "each":
                player = world.fresh("qrs")
                keys = "(optional shares: each player's number)"
                value = self.make.of(INT, Scope(((player, SEAT),)), 1)
                lines.append(
                    f"  shares: shares is none or every {player} in players: {player}'s shares = {value}"
                )
            else:
                keys = {"number": "(kind: number from 1 to 2)", "choice": "(kind: one of short, long)",
                        "optional": "(optional kind: number from 0 to 1)"}[form]  # fmt: skip
                kind = Choice(("short", "long")) if form == "choice" else INT
                scope = scope.having(("kind", Opt(kind) if form == "optional" else kind))
        self._changeable = []
        wheres, scope = self.make.newer.named_values(scope)
        lines += [f"  {line}" for line in wheres]
        if world.chance(0.7 if world.themes else 0.5):
            lines.append("  " + self._clause("end", "next", scope, "end").replace("\n", "\n  "))
        elif world.newer and world.chance(0.4):  # what pays reads no keys
            lines.append(f"  then {self.make.newer.payment(Scope())}")
        world.clauses += self._changeable
        world.actions["end"] = Scope(scope.locals)
        return [f"end{keys}", *lines]

    def _payout(self) -> list[str]:
        world, rng = self.world, self.rng
        lines = ["payout"]
        wheres, scope = self.make.newer.named_values(Scope())
        lines += [f"  {line}" for line in wheres]
        scope = scope.having(("q", SEAT))
        amount = self.make.of(INT, scope, rng.choice((0, 1)))
        form = rng.choice(("pays", "scores", "both"))
        if form != "scores":
            known = scope.knowing("winner")
            amount = self.make.of(INT, known, rng.choice((0, 1)))
            amount = f"1 * {amount}" if amount.startswith("(") else amount
            lines.append(
                f"  won: when winner is not none: for each q in players - winner: q pays winner {amount}"
            )
        if form != "pays":
            test = f"when {self.make.truth(scope, 1)}: " if world.chance(0.4) else ""
            lines.append(
                f"  points: for each q in players: {test}q scores {amount if form == 'scores' else 1}"
            )
        world.clauses.append(Clause("payout.won" if form != "scores" else "payout.points", None, True))
        return lines

    def _finish(self) -> list[str]:
        lines = ["finish", f"  enough: hands-played >= {self.rng.randint(1, 2)}"]
        if self.world.chance(0.3):
            lines.append(f"  may: {self.make.truth(Scope(), 1)}")
        if self.world.chance(0.4):
            lines.append(f"  then {self.effects.any(Scope(), 'finish', 0)}")
        elif self.world.newer and self.world.chance(0.4):
            lines.append(f"  then {self.make.newer.payment(Scope())}")
        return lines


def _lines(draft: Draft) -> list[str]:
    """Return the lines of an action under its head."""
    conditions = [
        f"  {name}{' ' if name == 'requires' else ': '}{truth}{' ' + message if message else ''}"
        for name, truth, message in draft.conditions
    ]
    conditions[:0] = [f"  {line}" for line in draft.wheres]
    effects = ["  " + line.replace("\n", "\n  ") for line in draft.effects]
    return [*conditions, *effects]
