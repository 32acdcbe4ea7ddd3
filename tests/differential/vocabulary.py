"""What a random rule text declares, and which names an expression may use.

Input: none. Output: `World`, which grows while a text is made, and `Scope`.
Guarantee: every name of a world is declared once; no two declarations share a name.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from golpae.ir.types import Opt, Type
from tests.differential.themes import FACTOR, MOST_CHANCE, THEMES

MOVING = {"stake", "hands-played", "over", "winner", "winners", "total", "gains"}
SEAT_NAMES, TILE_NAMES, OTHER_NAMES = "qrs", "tuv", "xyz"
HIDING, HIDING_LOOPS = (
    0.1,
    0.25,
)  # of the names of questions and sums, and of loops, those that hide other names
ANY_GAME = ("players", "tiles", "stake", "winner")  # words that a name can hide
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class CannotMake(Exception):
    """The scope has nothing of which such an expression can be made."""


class Zone(NamedTuple):
    """A zone. `kind` is tiles, row or melds; `open` says that everyone sees it."""

    name: str
    each: bool
    kind: str
    open: bool


class State(NamedTuple):
    """A state. It is `unset` if only the deal gives it a value."""

    name: str
    each: bool
    type: Type
    scope: str
    unset: bool = False


class Define(NamedTuple):
    """A definition. `reads` are the states and zones that it reads; `owner` is tile, player or empty."""

    name: str
    owner: str
    params: tuple[tuple[str, Type], ...]
    type: Type
    reads: frozenset[str]


class Score(NamedTuple):
    """A score: the parameters that a use has to give, the numbers that it counts in, and what it reads of a game."""

    name: str
    params: tuple[tuple[str, Type], ...]
    points: tuple[int, ...]
    patterns: tuple[str, ...]
    parts: tuple[tuple[str, Type], ...]
    numbers: tuple[str, ...] = ()
    reads: frozenset[str] = frozenset()


class Group(NamedTuple):
    """A group of effects or conditions: effects that only an action of a hand may have are of the kind `play`.

    `others` are the groups of conditions that it requires.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    kind: str
    others: frozenset[str] = frozenset()


class Clause(NamedTuple):
    """A clause that a variant may change: a condition if it has a scope, else an effect.

    `after` is the scope of an effect that any other may replace; `text` is the effect, if it is one on a line.
    """

    path: str
    scope: Scope | None
    may_drop: bool
    after: Scope | None = None
    text: str = ""


@dataclass(frozen=True)
class Scope:
    """The names that an expression may use.

    `present` are places that are certainly not none. A `static` scope is not in a game. `forbidden` are states that
    have no value yet. With `event`, `earlier` has a meaning; with `places`, all places of rows may be read.
    `keys` are bags that an event lists.
    """

    locals: tuple[tuple[str, Type], ...] = ()
    present: frozenset[str] = frozenset()
    static: bool = False
    forbidden: frozenset[str] = frozenset()
    event: bool = False
    places: bool = False
    keys: tuple[str, ...] = ()

    def having(self, *names: tuple[str, Type]) -> Scope:
        """Return the scope with more names, which hide others."""
        new = {name for name, _ in names}
        rest = tuple((n, t) for n, t in self.locals if n not in new)
        present = frozenset(p for p in self.present if p.split("'s ")[0] not in new)
        keys = tuple(k for k in self.keys if k not in new)
        return replace(self, locals=(*rest, *names), present=present, keys=keys)

    def knowing(self, *places: str) -> Scope:
        """Return the scope in which these places are not none."""
        return replace(self, present=self.present | set(places))

    def changed(self) -> Scope:
        """Return the scope after an effect: only names of the event are known to be present."""
        mine = {name for name, _ in self.locals}
        return replace(self, present=self.present & mine)

    def earlier(self) -> Scope:
        """Return the scope before the event."""
        return replace(self.changed(), event=False)

    def type_of(self, name: str) -> Type | None:
        return dict(self.locals).get(name)


@dataclass
class World:
    """All that a text has declared so far, and the random generator that makes it."""

    rng: random.Random
    small: bool = False  # whether its games have few positions
    stuck: bool = False  # whether all its events have lists, so that a hand can get stuck
    raises: bool = False  # whether a number grows without a bound before the first deal
    themes: frozenset[str] = frozenset()
    players: tuple[int, int] = (2, 2)
    options: list[tuple[str, int, int]] = field(default_factory=list)
    groups: dict[str, list[str]] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)
    has_likes: bool = False  # whether a tile counts as another one, or is wild
    has_wild: bool = False
    attributes: list[str] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    defines: list[Define] = field(default_factory=list)
    shapes: dict[str, int] = field(default_factory=dict)  # by name, with their size
    unions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    arrangements: dict[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    scores: list[Score] = field(default_factory=list)
    actions: dict[str, Scope] = field(default_factory=dict)  # by name, with what a property may read after it
    clauses: list[Clause] = field(default_factory=list)
    properties: list[str] = field(default_factory=list)
    labels: tuple[str, ...] = ()
    newer: bool = False  # whether it has the words that golpae writes out
    in_teams: bool = False  # whether both players are a team
    words_of_tiles: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by the name of their range
    kinds_of_value: dict[tuple[str, ...], tuple[str, bool]] = field(
        default_factory=dict
    )  # name, and whether in order
    orders: list[str] = field(default_factory=list)
    long_shapes: list[str] = field(default_factory=list)
    effect_groups: list[Group] = field(default_factory=list)
    condition_groups: list[Group] = field(default_factory=list)
    assigned: list[tuple[str, str, str]] = field(default_factory=list)  # action, place and value
    _count: int = 0

    @property
    def kinds(self) -> list[str]:
        return [kind for kinds in self.groups.values() for kind in kinds]

    @property
    def unset(self) -> frozenset[str]:
        return frozenset(s.name for s in self.states if s.unset)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def often(self, name: str) -> float:
        """Return how much more frequent the themes of the text make something."""
        return FACTOR if any(name in THEMES[theme].effects for theme in self.themes) else 1.0

    def likely(self, name: str, share: float) -> bool:
        """Return `chance` for a share that a theme makes larger."""
        return self.chance(max(share, min(MOST_CHANCE, share * self.often(name))))

    def asked_for(self, what: str) -> list[str]:
        """Return the names of the zones, states or forms of definitions that the themes of the text ask for."""
        found = (getattr(THEMES[theme], what) for theme in sorted(self.themes))
        return [n for names in found for n in ((names,) if isinstance(names, str) else names) if n]

    def fresh(self, letters: str = OTHER_NAMES) -> str:
        """Return a name that nothing else has."""
        self._count += 1
        return f"{self.rng.choice(letters)}{self._count}"

    def bound(self, letters: str, scope: Scope, kind: Type) -> str:
        """Return a name for a member of a bag; at times one that hides another name of the same type."""
        hidden = [n for n, t in scope.locals if t == kind and n[0] in letters]
        return self.rng.choice(hidden) if hidden and self.chance(0.08) else self.fresh(letters)

    def hiding(self, text: str, body: str, scope: Scope, *names: str, share: float = HIDING) -> str:
        """Return a text in which the names that it binds may hide other ones, which their `body` does not use.

        The names of the event are those that most effects after it use.
        """
        mine = [name for name, _ in scope.locals]
        known = [s.name for s in self.states] + [d.name for d in self.defines if not d.owner]
        known += [z.name for z in self.zones] + [o for o, _, _ in self.options]
        known += [kind for kind in self.kinds if kind[0].isalpha()] + [*ANY_GAME]
        for name in names:
            used = {*_WORD.findall(body), *names}
            found = [n for n in [*mine * 10, *known] if n not in used]
            if (
                found
                and re.fullmatch(r"[a-z]\d+", name)
                and name not in mine
                and self.likely("hiding", share)
            ):
                new = self.rng.choice(found)
                text, body = (re.sub(rf"(?<![\w-]){name}(?![\w-])", new, part) for part in (text, body))
        return text

    def reads_of(self, text: str) -> frozenset[str]:
        """Return the names of a game in progress that an expression reads, also through definitions."""
        words = set(_WORD.findall(text))
        moving = {s.name for s in self.states} | {z.name for z in self.zones} | MOVING
        through = (d.reads for d in self.defines if d.name in words)
        return frozenset(words & moving).union(*through)

    def zones_of(self, *kinds: str) -> list[Zone]:
        return [z for z in self.zones if z.kind in kinds]


def bare(kind: Type) -> Type:
    """Return the type without `or none`."""
    return kind.item if isinstance(kind, Opt) else kind
