"""A rule set at one table, with what the judge looks up in it.

Input: a rule text; a rule set at a number of players and options, and the stake. Output: a `RuleSet`; a `Table`.
Guarantee: the set is read from the lines of the text, as `tile_set` does. A header is malformed (1.2) if `instantiate`
raises `TableFault`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from golpae.elaborate.instance import Instance
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.ir.expr import Expr
from golpae.ir.ruleset import ArrangementDecl, Definition, RuleSet, ScoreDecl, ShapeDecl, VarDecl, ZoneDecl
from golpae.syntax import tree as t
from tests.judge.faults import Unclear
from tests.judge.tile_set import TileSet, set_of
from tests.judge.values import Bag, Stranger, Value, bag
from tests.judge.words import Judged, as_judged

NO_LIMIT = 10**12
D = TypeVar("D", ZoneDecl, VarDecl, Definition)


@dataclass(frozen=True, slots=True)
class Table:
    """A rule set at one table. `known_shapes` and `numbers` are what it has found out before, `tiles` is its set.

    What needs more than `most` evaluations is too large to be gone through; `spent` counts them.
    """

    instance: Instance
    stake: int = 1
    known_shapes: dict[tuple[str, Bag], bool] = field(default_factory=dict, compare=False, repr=False)
    numbers: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    most: int = NO_LIMIT
    spent: list[int] = field(default_factory=lambda: [0], compare=False, repr=False)
    tiles: TileSet = field(init=False, compare=False, repr=False)
    wild: frozenset[int] = field(init=False, compare=False, repr=False, default=frozenset())
    counted: frozenset[int] = field(init=False, compare=False, repr=False, default=frozenset())

    def __post_init__(self) -> None:
        """Read the set from the text, and take out what is withdrawn (1.5)."""
        rules = self.instance.rule_set
        assert isinstance(rules, Judged)
        lines = next(d for d in rules.written if isinstance(d, t.Tiles))
        tiles = set_of(lines, rules.tiles.attributes, self.instance.options)
        object.__setattr__(self, "tiles", tiles)
        object.__setattr__(self, "instance", replace(self.instance, kinds=tuple(tiles.kinds)))
        if rules.tiles.withdrawn is not None:
            from tests.judge.evaluate import at_the_table

            gone = at_the_table(rules.tiles.withdrawn, self)
            left = [(kind, min(kind.copies, gone.count(number))) for number, kind in enumerate(tiles.kinds)]
            kinds = tuple(replace(kind, copies=kind.copies - n, withdrawn=n) for kind, n in left)
            object.__setattr__(self, "instance", replace(self.instance, kinds=kinds))
        object.__setattr__(self, "wild", self._bag_of(rules.tiles.wild))
        object.__setattr__(self, "counted", self._counted())

    def _bag_of(self, line: Expr | None) -> frozenset[int]:
        """Return the kinds of a line of the set."""
        if line is None:
            return frozenset()
        from tests.judge.evaluate import at_the_table

        return frozenset(number for number in at_the_table(line, self) if isinstance(number, int))

    def _counted(self) -> frozenset[int]:
        """Return what wild tiles may count as (1.14)."""
        said = self.rules.tiles.wild_as
        if said is not None:
            return frozenset(map(self.like, self._bag_of(said)))
        kinds = enumerate(self.instance.kinds)
        own = frozenset(i for i, kind in kinds if kind.copies > 0 and self.like(i) == i)
        return own - self.wild if self.wild else frozenset()

    def spend(self) -> None:
        """Count one evaluation. Raises `Unclear` if that is too many."""
        self.spent[0] += 1
        if self.spent[0] > self.most:
            raise Unclear("too large to be gone through")

    def begin(self) -> None:
        """Count from 0 again."""
        self.spent[0] = 0

    @property
    def rules(self) -> RuleSet:
        return self.instance.rule_set

    @property
    def seats(self) -> range:
        return range(self.instance.players)

    def team(self, seat: int, size: int) -> list[int]:
        """Return the players of a seat's team, in teams of so many."""
        apart = self.instance.players // size
        return [other for other in self.seats if other % apart == seat % apart]

    @property
    def whole(self) -> Bag:
        """Return every tile in play (1.5)."""
        return bag(self.instance.whole)

    def tile(self, name: str) -> Value:
        """Return the tile that a text calls `name`."""
        kind = self.number(name)
        return Stranger(name) if kind is None else kind

    def number(self, name: str) -> int | None:
        """Return the number of a kind of the set, under any of its names."""
        if not self.numbers:
            self.numbers.update(self.instance.numbers())
        return self.numbers.get(name)

    def attribute(self, name: str, tile: Value) -> Value:
        """Return a number of a tile's name, or its group (1.6)."""
        if not isinstance(tile, int):
            raise Unclear(f"the numbers of {tile}, which the set lacks")
        kind = self.instance.kinds[self.like(tile)]
        if name == "group":
            return kind.group
        return kind.attributes[self.rules.tiles.attributes.index(name)]

    def group(self, name: str) -> Bag:
        kinds = enumerate(self.instance.kinds)
        own = [d.name for d in self.rules.tiles.groups if d.name == name and d.likes]
        if own:  # the bag of the kinds of this line
            return bag(i for i, k in kinds if k.line in own and k.copies > 0)
        return bag(i for i, k in kinds if self.instance.kinds[self.like(i)].line == name and k.copies > 0)

    def face(self, tile: int) -> int:
        """Return the face of a tile (2.11): of a wild one the first that is wild (2.13)."""
        return min(self.wild) if self.is_wild(tile) else self.like(tile)

    def is_wild(self, tile: int) -> bool:
        """Return whether a tile is wild, or counts as one that is (1.14)."""
        return tile in self.wild or self.like(tile) in self.wild

    def like(self, tile: int) -> int:
        """Return the tile that a line of the set says a tile is like."""
        like = self.instance.kinds[tile].like
        found = tile if like is None else self.number(like)
        assert found is not None
        return found

    def words_of_tiles(self, name: str) -> dict[int, str] | None:
        """Return the word of each kind for a range of words, None if there is no such range (1.8)."""
        return self.tiles.words.get(name)

    def listed_together(self, name: str) -> Bag | None:
        """Return the kinds in play of a line or a word whose name is no group, None if it is none of these (1.8)."""
        numbers = self.tiles.bags.get(name)
        return None if numbers is None else bag(i for i in numbers if self.instance.kinds[i].copies > 0)

    def kinds(self) -> Bag:
        return bag(i for i, k in enumerate(self.instance.kinds) if k.copies > 0)

    def zone(self, name: str) -> ZoneDecl:
        return _called(name, self.rules.zones)

    def var(self, name: str) -> VarDecl:
        return _called(name, self.rules.vars)

    def definition(self, name: str) -> Definition:
        return _called(name, self.rules.definitions)

    def shape(self, name: str) -> ShapeDecl | None:
        return next((s for s in self.rules.shapes if s.name == name), None)

    def arrangement(self, name: str) -> ArrangementDecl | None:
        return next((a for a in self.rules.arrangements if a.name == name), None)

    def score(self, name: str) -> ScoreDecl:
        return next(s for s in self.rules.scores if s.name == name)

    def owners(self, each_player: bool) -> tuple[int | None, ...]:
        """Return whose a zone or a state can be: each seat's, or nobody's (None)."""
        return tuple(self.seats) if each_player else (None,)


def _called(name: str, things: Sequence[D]) -> D:
    """Return the one that has this name. Raises `Unclear`: golpae's IR has names that no text has."""
    found = [thing for thing in things if thing.name == name]
    if not found:
        raise Unclear(f"{name}, which the text does not declare")
    return found[0]


def rules_of(rule_text: str) -> RuleSet:
    """Return the rule set of a text, as the judge reads it. Raises `SpecError`."""
    name = rule_text.split("game ", 1)[1].split(maxsplit=1)[0]
    with TemporaryDirectory() as folder:
        Path(folder, f"{name}.golpae").write_text(rule_text, encoding="utf-8")
        return as_judged(resolve(name, load(name, [Path(folder)])))
