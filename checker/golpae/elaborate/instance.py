"""A rule set for one table: a number of players and values of options, with all tiles of the set listed.

Input: a `RuleSet`, a number of players and options. Output: an `Instance` with every kind of tile, its names,
copies, group and attributes; or a `TableFault`, whose message is for the player.
Guarantee: kinds are in the order of the text; the numbers of kinds and of tiles are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from golpae.diagnostics.amounts import many
from golpae.elaborate.constant import (
    NotConstant,
    StaticValues,
    as_list,
    constant,
    constant_int,
    constant_or_none,
)
from golpae.ir.ruleset import GroupDecl, ParamDecl, RuleSet, TileSet
from golpae.ir.types import TILES, Opt
from golpae.records import dataclass

if TYPE_CHECKING:
    from golpae.lower import event_plan as plans

MAX_KINDS = 5_000
MAX_TILES = 100_000
MOST_LISTED = 10_000  # numbers between two bounds
A_FEW = 5  # numbers of a key that has no bounds
MOST_DIGITS = 9  # of a number in a tile's name
HOLE = re.compile(r"\{([a-z][a-z0-9_-]*)\}")


class TableFault(ValueError):
    """The rules do not allow this number of players, or these options."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of tile. `copies` counts those in play, `withdrawn` those taken out beforehand.

    A kind that counts as another one is `like` it: its group and attributes are those of that kind. `line` is the name
    of its own line of the text.
    """

    name: str
    spoken: str
    group: str
    copies: int
    withdrawn: int
    attributes: tuple[int, ...]
    aliases: tuple[str, ...]
    line: str
    like: str | None = None

    def is_in(self, group: str) -> bool:
        """Return whether a group of the set has this kind."""
        return group in (self.group, self.line)


Setting = tuple[tuple[str, ...], tuple[str, ...]]  # states that are true, and states that are false


@dataclass(frozen=True, slots=True)
class Instance:
    """A rule set at one table. Kinds are numbered in the order of the text.

    `settings` are the values that states of the scope `table` can have: in each of them, some are true and some are
    false. A rule set that has no such states has no settings. `alternatives` are instances of which one says what
    shapes and scores are: the one with whose setting the table agrees. They differ in nothing else that a game asks.
    `wild` are the kinds that may count as any of `wild_as` in shapes; all of them have the first one as their face.
    """

    rule_set: RuleSet
    players: int
    options: Mapping[str, int]
    kinds: tuple[Kind, ...]
    static: StaticValues
    settings: tuple[Setting, ...] = ()
    alternatives: tuple[tuple[Setting, Instance], ...] = ()
    wild: tuple[int, ...] = ()
    wild_as: tuple[int, ...] = ()

    @property
    def whole(self) -> list[int]:
        """Return every tile in play, by kind."""
        return [i for i, kind in enumerate(self.kinds) for _ in range(kind.copies)]

    @property
    def faces(self) -> tuple[int, ...]:
        """Return the face of each kind: the kind that it counts as, most often itself; of wild ones the first one."""
        faces = _likes(self.kinds)
        if not self.wild:
            return faces
        return tuple(self.wild[0] if {i, face} & {*self.wild} else face for i, face in enumerate(faces))

    @property
    def has_likes(self) -> bool:
        """Return whether a kind counts as another one, or may be wild."""
        return self.rule_set.tiles.wild is not None or any(kind.like is not None for kind in self.kinds)

    def by_face(self, withdrawn: bool = False) -> list[int]:
        """Return how many tiles in play have each kind as their face; with `withdrawn`, those taken out count too.

        A kind that itself counts as another one has as many as it has copies.
        """
        out = [kind.copies + (kind.withdrawn if withdrawn else 0) for kind in self.kinds]
        for i, face in enumerate(self.faces):
            if face != i:
                out[face] += out[i]
        return out

    def number(self, name: str) -> int | None:
        """Return the kind of this name, whichever way round it is written; None if there is none."""
        return self.numbers().get(name)

    def numbers(self) -> dict[str, int]:
        """Return the kind of every name, in each way to write it."""
        return _numbers(self.kinds)


def _numbers(kinds: tuple[Kind, ...]) -> dict[str, int]:
    out: dict[str, int] = {}
    for i, kind in enumerate(kinds):
        for alias in (kind.name, *kind.aliases):
            out.setdefault(alias, i)
    return out


def _likes(kinds: tuple[Kind, ...]) -> tuple[int, ...]:
    """Return for each kind the one that it is like, most often itself."""
    numbers = _numbers(kinds) if any(kind.like is not None for kind in kinds) else {}
    return tuple(i if kind.like is None else numbers[kind.like] for i, kind in enumerate(kinds))


def options_of(rule_set: RuleSet, given: Mapping[str, int]) -> dict[str, int]:
    """Return all options; one that is not given has its usual value. Raises `TableFault`."""
    definitions = {d.name: d for d in rule_set.definitions}
    static = StaticValues(None, {}, (), definitions)
    out: dict[str, int] = {}
    names = [o.name for o in rule_set.options]
    for name in given:
        if name not in names:
            have = f"they have {', '.join(f'`{n}`' for n in names)}" if names else "they have none"
            raise TableFault(f"the rules `{rule_set.rules}` have no option `{name}`: {have}")
    for option in rule_set.options:
        low, high = constant_int(option.low, static), constant_int(option.high, static)
        value = given.get(option.name, constant_int(option.normally, static))
        if not low <= value <= high:
            raise TableFault(f"`{option.name}` must be a number from {low} to {high}, not {value}")
        out[option.name] = value
    return out


def values_of(rule_set: RuleSet, name: str) -> range:
    """Return all values that an option can have. Raises `TableFault` if the rules have no such option."""
    options_of(rule_set, {})
    for option in rule_set.options:
        if option.name == name:
            static = StaticValues(None, {}, (), {d.name: d for d in rule_set.definitions})
            return range(constant_int(option.low, static), constant_int(option.high, static) + 1)
    options_of(rule_set, {name: 0})
    raise AssertionError("an option that is missed is a fault")


def bounds(rule_set: RuleSet, options: Mapping[str, int]) -> tuple[int, int]:
    """Return the least and the greatest number of players. Raises `TableFault`."""
    definitions = {d.name: d for d in rule_set.definitions}
    return _bounds(rule_set, options, spell_out(rule_set.tiles, options, definitions))


def _bounds(rule_set: RuleSet, options: Mapping[str, int], kinds: tuple[Kind, ...]) -> tuple[int, int]:
    tiles = [k.name for k in kinds for _ in range(k.copies)]
    static = StaticValues(None, options, tiles, {d.name: d for d in rule_set.definitions})
    try:
        return constant_int(rule_set.low, static), constant_int(rule_set.high, static)
    except NotConstant:
        raise TableFault("the number of players is not a fixed number") from None


def wrong_number(rules: str, low: int, high: int, players: int) -> str:
    """Return in words that rules are not for a number of players: `low` to `high` are possible."""
    allowed = many(low, "player") if low == high else f"{low} to {many(high, 'player')}"
    return f"`{rules}` is for {allowed}, not for {players}"


def instantiate(rule_set: RuleSet, players: int, given: Mapping[str, int]) -> Instance:
    """Return the rule set for a number of players and these options. Raises `TableFault`."""
    options = options_of(rule_set, given)
    definitions = {d.name: d for d in rule_set.definitions}
    kinds = spell_out(rule_set.tiles, options, definitions)
    low, high = _bounds(rule_set, options, kinds)
    if not low <= players <= high:
        raise TableFault(wrong_number(rule_set.rules, low, high, players))
    whole = [k.name for k in kinds for _ in range(k.copies)]
    static = StaticValues(players, options, whole, definitions)
    if rule_set.tiles.withdrawn is not None:
        gone = constant(rule_set.tiles.withdrawn, replace(static, groups=groups_of(kinds)))
        assert isinstance(gone, list)
        kinds = tuple(
            replace(
                k,
                copies=k.copies - min(k.copies, gone.count(k.name)),
                withdrawn=min(k.copies, gone.count(k.name)),
            )
            for k in kinds
        )
        static = StaticValues(players, options, [k.name for k in kinds for _ in range(k.copies)], definitions)
    wild, wild_as = _wild(rule_set.tiles, kinds, static)
    return Instance(rule_set, players, options, kinds, static, wild=wild, wild_as=wild_as)


def _wild(
    tiles: TileSet, kinds: tuple[Kind, ...], static: StaticValues
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the kinds that are wild, and those that they may count as. Raises `NotConstant` and `TableFault`."""
    if tiles.wild is None:
        return (), ()
    numbers, faces = _numbers(kinds), _likes(kinds)
    static = replace(static, groups=groups_of(kinds))
    wild = {numbers[str(name)] for name in as_list(constant(tiles.wild, static))}
    if tiles.wild_as is not None:
        counted = {faces[numbers[str(name)]] for name in as_list(constant(tiles.wild_as, static))}
    else:
        plain = {i for i, kind in enumerate(kinds) if kind.copies and faces[i] == i}
        counted = plain - wild
    if wild & counted and any(kind.like is not None for kind in kinds):
        raise TableFault("a wild tile may count as a wild one, in a set with tiles that are `like` others")
    return tuple(sorted(wild)), tuple(sorted(counted))


def groups_of(kinds: tuple[Kind, ...]) -> dict[str, list[str]]:
    """Return the kinds of each group of a set, also those that are withdrawn."""
    groups: dict[str, list[str]] = {}
    for kind in kinds:
        for group in dict.fromkeys((kind.group, kind.line)):
            groups.setdefault(group, []).append(kind.name)
    return groups


def spell_out(
    tiles: TileSet, options: Mapping[str, int], definitions: Mapping[str, object]
) -> tuple[Kind, ...]:
    """Return every kind of the set, none withdrawn yet. Raises `TableFault` for a set that is too large."""
    kinds: list[Kind] = []
    for group in tiles.groups:
        likes = dict(zip((name for name, _ in group.names), group.likes, strict=False))
        for name, spoken, values in _names(group, tiles, options):
            attributes = tuple(values.get(a, 0) for a in tiles.attributes)
            aliases = tuple(
                dict.fromkeys(a for p in tiles.written if (a := _filled(p, values)) not in (None, name))
            )
            own = (name, spoken, group.name, group.copies, 0, attributes, tuple(a for a in aliases if a))
            kinds.append(Kind(*own, group.name, likes.get(name)))
            if len(kinds) > MAX_KINDS:
                raise TableFault(f"this set has more than {MAX_KINDS} kinds of tiles")
        if sum(k.copies for k in kinds) > MAX_TILES:
            raise TableFault(f"this set has more than {MAX_TILES} tiles")
    return tuple(kinds) if all(kind.like is None for kind in kinds) else _with_faces(kinds)


def _with_faces(kinds: list[Kind]) -> tuple[Kind, ...]:
    """Return the kinds, each that counts as another one with the group and the attributes of that."""
    named = {name: kind for kind in kinds for name in (kind.name, *kind.aliases)}
    out: list[Kind] = []
    for kind in kinds:
        if kind.like is not None:
            face = named.get(kind.like)
            if face is None:
                raise TableFault(f"`{kind.name}` counts as `{kind.like}`, which this set does not have")
            kind = replace(kind, group=face.group, attributes=face.attributes)
        out.append(kind)
    return tuple(out)


def _names(
    group: GroupDecl, tiles: TileSet, options: Mapping[str, int]
) -> Iterator[tuple[str, str, dict[str, int]]]:
    for at, (name, spoken) in enumerate(group.names):
        yield name, spoken, dict(group.numbers[at]) if group.numbers else read_attributes(name, tiles.written)
    if group.pattern is None:
        return
    rows: list[dict[str, int]] = [{}]
    for bound in group.ranges:
        grown: list[dict[str, int]] = []
        for row in rows:
            static = StaticValues(None, options, (), {})
            try:
                low, high = constant_int(bound.low, static, row), constant_int(bound.high, static, row)
            except NotConstant:
                raise TableFault(f"the bounds of `{bound.name}` are not fixed numbers") from None
            if high - low > MAX_KINDS or len(grown) > MAX_KINDS:
                raise TableFault(f"this set has more than {MAX_KINDS} kinds of tiles")
            grown.extend({**row, bound.name: value} for value in range(low, high + 1))
        rows = grown
    for row in rows:
        name = _filled(group.pattern, row) or ""
        yield name, (_filled(group.spoken, row) if group.spoken else None) or name, row


def read_attributes(name: str, written: tuple[str, ...]) -> dict[str, int]:
    """Return the numbers in a tile's name, by the first pattern that it follows.

    Of several ways to read it, the one counts in which the first number is longest, then the second, and so on.
    """
    for pattern in written:
        parts = HOLE.split(pattern)
        digits_of = _Reading(name, parts).numbers(0, 0, {})
        if digits_of is not None:
            return {hole: int(digits) for hole, digits in digits_of.items()}
    return {}


class _Reading:
    """Reads one name by one pattern, whose `parts` are words and holes in turn."""

    def __init__(self, name: str, parts: list[str]) -> None:
        self._name = name
        self._parts = parts
        self._failed: set[tuple[int, int, tuple[str, ...]]] = set()

    def numbers(self, part: int, at: int, read: dict[str, str]) -> dict[str, str] | None:
        """Return the digits of all holes, if the rest of the name from `at` follows the pattern from `part` on."""
        if part == len(self._parts):
            return read if at == len(self._name) else None
        words = self._parts[part]
        if part % 2 == 0 or words in read:
            words = read.get(words, "") if part % 2 else words
            return self.numbers(part + 1, at + len(words), read) if self._name.startswith(words, at) else None
        again = {*self._parts[part + 2 :: 2]}
        state = (part, at, tuple(digits for hole, digits in read.items() if hole in again))
        if state in self._failed:
            return None
        length = 0
        while length < MOST_DIGITS and self._name[at + length : at + length + 1].isdecimal():
            length += 1
        for end in range(at + length, at, -1):
            rest_read = self.numbers(part + 1, end, {**read, words: self._name[at:end]})
            if rest_read is not None:
                return rest_read
        self._failed.add(state)
        return None


def can_list(instance: Instance, param: ParamDecl, source: plans.Source) -> bool:
    """Return whether the values that a key can come from are few enough to list as legal events."""
    from golpae.lower import event_plan as plans  # which a check of legal games never needs

    match source:
        case plans.AnyBag(ordered=ordered):
            bare = param.type.item if isinstance(param.type, Opt) else param.type
            whole = instance.whole
            return bare == TILES and plans.all_bags(whole, ordered) is not None
        case plans.Between(low=low, high=high):
            static = instance.static
            try:
                return constant_int(high, static) - constant_int(low, static) < MOST_LISTED
            except NotConstant:
                return True
        case (
            plans.Single()
            | plans.Nothing()
            | plans.Only()
            | plans.Members()
            | plans.Layouts()
            | plans.RowEnd()
            | plans.Either()
            | plans.Selected()
            | plans.Parts()
            | plans.GroupsWithin()
            | plans.AnyList()
            | plans.AnyValue()
        ):
            return True
        case _:
            assert_never(source)


def likely_bounds(instance: Instance, param: ParamDecl) -> tuple[int, int]:
    """Return the bounds of a number; a few small numbers if nothing fixes them before a game."""
    try:
        low = 0 if param.low is None else constant_int(param.low, instance.static)
        high = low + A_FEW if param.high is None else constant_int(param.high, instance.static)
    except NotConstant:
        return 0, A_FEW
    return low, high


def holes(pattern: str) -> list[str]:
    """Return the names between braces in a pattern."""
    return HOLE.findall(pattern)


def _filled(pattern: str | None, values: Mapping[str, int]) -> str | None:
    if pattern is None or any(hole not in values for hole in holes(pattern)):
        return None
    return HOLE.sub(lambda m: str(values[m[1]]), pattern)


# ---------------------------------------------------------------- deals

LARGER, NEGATIVE = (
    "G002",
    "G007",
)  # the codes of a deal larger than the set, and of a hand of less than no tiles


def undealable(instance: Instance, options: str = "") -> tuple[str, str] | None:
    """Return why the hands cannot be dealt; `options` are those that the message names: `with top 1`."""
    dealing = next(a for a in instance.rule_set.actions if a.kind == "deal").dealing
    if dealing is None:
        return None
    try:
        first = constant_int(dealing.first, instance.static)
        others = constant_int(dealing.others, instance.static)
    except NotConstant:
        return None
    table = [constant_or_none(dealt.size, instance.static) or 0 for dealt in dealing.table]
    seated = (first, *[others] * (instance.players - 1), *table)
    if min(seated) < 0:
        return NEGATIVE, " ".join(filter(None, (options, f"a hand cannot have {min(seated)} tiles")))
    dealt, whole = sum(seated), sum(kind.copies for kind in instance.kinds)
    if dealt <= whole:
        return None
    but = " ".join(filter(None, ("but", options, f"the set has {whole}")))
    return LARGER, f"{many(instance.players, 'player')} need {many(dealt, 'tile')}, {but}"
