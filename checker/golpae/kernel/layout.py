"""Where the parts of a game lie in the memory of a module.

Input: an `Instance`. Output: addresses of states, zones and keys of events, and how values of each type are kept.
Guarantee: no two parts overlap; the same instance gives the same addresses.

A truth, number, player, tile or word of a choice is one number of 64 bits: truths 0 and 1, tiles by their place in the
set, words by their place in the choice. `none` is NONE, of numbers NO_NUMBER. A bag of tiles, players, words or truths
is kept in planes: bit k of plane j says that more than j copies of member k are in it. A plane has a word of 64 bits
for every 64 members that there can be. Any other bag is a list: its length, then its members. Lists of keys lie as they
are written, all others sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from golpae.elaborate.instance import Instance
from golpae.ir.lifecycle import OVER, STAGES, Stage
from golpae.ir.ruleset import TABLE, Action, ParamDecl, VarDecl, ZoneDecl
from golpae.ir.scoring import given_labels, most_wild
from golpae.ir.types import (
    INT,
    NUMBERS,
    SEAT,
    TILES,
    Bag,
    Bool,
    Choice,
    Each,
    Int,
    Meld,
    NoneType,
    Opt,
    Patterns,
    Points,
    Seat,
    Tile,
    Type,
)
from golpae.kernel.unsupported import NotCompiled
from golpae.lower.event_plan import asks_order

WORD = 8  # bytes
FIRST = 64  # the first address: 0 belongs to nothing, and the words of `limits` are before it
BITS = 64
NONE = -1
NO_NUMBER = -(1 << 63)
HIDDEN = 0xFFFF  # the place of a row whose tile nobody can know
MOST_COPIES = 8  # of one member of a bag
KEPT_COPIES = 4  # of one member of a bag that a state keeps, if the set has no more
MOST_NUMBERS = 128  # in a list of these, or of other values that are one number
MOST_AT_TABLE = 62  # states of the table: each has a bit of a word
MOST_LISTED = 32  # bags or melds in a list, if there are no more players
SCALARS = (Bool, Int, Seat, Tile, Choice, NoneType)


def is_scalar(kind: Type) -> bool:
    """Return whether a value is one number, or none."""
    return isinstance(kind.item if isinstance(kind, Opt) else kind, SCALARS)


def is_planar(item: Type) -> bool:
    """Return whether a bag of such members is kept in planes."""
    return isinstance(item, Tile | Seat | Choice | Bool)


def holds_list(kind: Type) -> bool:
    """Return whether a value has a list, or one value for each player."""
    match kind:
        case Opt(item):
            return holds_list(item)
        case Each():
            return True
        case Bag(item):
            return not is_planar(item) and not isinstance(item, NoneType)
        case _:
            return False


def is_number(kind: Type) -> bool:
    """Return whether a value is a number or a score, or none instead of a number."""
    return isinstance(kind.item if isinstance(kind, Opt) else kind, Int | Points)


def none_of(kind: Type) -> int:
    """Return the number that stands for none among values of a type."""
    return NO_NUMBER if is_number(kind) else NONE


@dataclass(frozen=True, slots=True)
class Arg:
    """A key of an event, and where its value lies.

    `parts` is the number of tiles of a key written `{a, b}`, else 0; these lie one after the other, as they are listed.
    An `optional` key may be left out and is none then; a `nullable` one may be null. A list of bags or numbers is its
    length, then these. Tiles whose order matters are there once more as they are listed: at `listed` their number, then
    two bytes for each.
    """

    key: str
    kind: Type
    parts: int
    optional: bool
    nullable: bool
    address: int
    listed: int = 0

    @property
    def value(self) -> int:
        """Where a value that is no scalar lies: behind the word that says whether it is there, if one does."""
        return self.address + WORD * (self.optional or self.nullable)


@dataclass(frozen=True, slots=True)
class RowPlaces:
    """A row: how many tiles it has, how many of them are hidden, the place of its front in the ring `slots`, all its
    tiles, the hidden ones, and the ring, of two bytes for each place.
    """

    size: int
    hidden: int
    front: int
    tiles: int
    hidden_tiles: int
    slots: int


class Layout:
    """The memory of one instance, from the address `first` on. A bag of tiles can have `spare` copies more of a kind
    than are in play. With `tells`, the state has a word that says whether scores are told as they are asked for: it
    falls back with the state if the module stops.
    """

    def __init__(self, instance: Instance, spare: int = 0, first: int = FIRST, tells: bool = False) -> None:
        self.instance, self._spare = instance, spare
        self.data: dict[int, bytes] = {}
        self._top = first
        rules, players = instance.rule_set, instance.players
        self.at, self.winners = self.allocate(1), self.allocate(self.words(SEAT))
        self.stake, self.hands_played = self.allocate(1), self.allocate(1)
        self.pay, self.totals = self.allocate(players), self.allocate(players)
        self._vars = {v.name: self.allocate(self._each(v) * self.slots(v.type, True)) for v in self._kept()}
        self._zones = {z.name: self.allocate(self._each(z) * self.zone_slots(z)) for z in rules.zones}
        self.telling = self.allocate(1) if tells else 0
        self.state_end = self._top
        self.at_table = [v.name for v in rules.vars if v.scope == TABLE]  # each with a bit of `asked`
        if len(self.at_table) > MOST_AT_TABLE:
            raise NotCompiled(f"more than {MOST_AT_TABLE} states of the table")
        self.asked = self.allocate(1) if self.at_table else 0  # which of these somebody has asked for
        self._args = {a.name: tuple(self._arg(p, a) for p in a.params) for a in rules.actions}
        self.by = self.allocate(1)

    # ------------------------------------------------------------------ the set

    def stage(self, stage: Stage) -> int:
        """Return the number of a stage."""
        return STAGES.index(stage)

    @property
    def over(self) -> int:
        """The stage at which a hand is won."""
        return self.stage(OVER)

    @property
    def players(self) -> int:
        return self.instance.players

    @cached_property
    def whole(self) -> Sequence[int]:
        """Every tile in play, by kind."""
        return self.instance.whole

    @cached_property
    def copies(self) -> int:
        """The most copies of one kind of tile that a bag can have. Raises `NotCompiled` if more are in play."""
        most = max((kind.copies for kind in self.instance.kinds), default=0)
        if most > MOST_COPIES:
            raise NotCompiled(f"more than {MOST_COPIES} copies of one tile")
        if self.instance.has_likes:  # a bag of faces has more, and a group may count more than there are
            faces = self.instance.by_face()
            wild = faces[self.instance.wild[0]] if self.instance.wild else 0
            shapes = self.instance.rule_set.shapes
            counted = most + max((most_wild(shape, wild) for shape in shapes), default=0)
            most = min(max(*faces, counted), MOST_COPIES)
        return max(most, min(max(most, 1) + self._spare, MOST_COPIES))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """All labels of melds; a meld has the number of its label, NONE without one."""
        rules = self.instance.rule_set
        return tuple(sorted(given_labels(rules) | {s.name for s in rules.shapes}))

    @cached_property
    def patterns(self) -> dict[str, int]:
        """The patterns of all scores, each with a number."""
        names = [p.name for score in self.instance.rule_set.scores for p in score.patterns]
        return {name: number for number, name in enumerate(dict.fromkeys(names))}

    def members(self, kind: Type) -> int:
        """Return how many different members a bag of such items can have. Raises `NotCompiled`."""
        match kind:
            case Tile():
                return len(self.instance.kinds)
            case Seat():
                return self.players
            case Choice(words):
                return len(words)
            case Bool():
                return 2
            case Int() | Meld() | Bag() | Each() | Opt() | NoneType() | Points() | Patterns():
                raise NotCompiled(
                    "a bag of numbers, bags or melds where one of tiles, players or words is needed"
                )

    def words(self, kind: Type) -> int:
        """Return how many words a plane of a bag of such items has. Raises `NotCompiled`."""
        return -(-self.members(kind) // BITS) or 1

    def planes(self, kind: Type, of_state: bool = False) -> int:
        """Return how many planes a bag of such items is kept in. Raises `NotCompiled`."""
        if isinstance(kind, Tile):
            return max(self.copies, KEPT_COPIES) if of_state else self.copies
        self.members(kind)
        return KEPT_COPIES

    # ------------------------------------------------------------------ addresses

    def allocate(self, slots: int) -> int:
        """Return the address of so many words that nothing else uses."""
        address = self._top
        self._top += slots * WORD
        return address

    def hold(self, data: bytes) -> int:
        """Return the address of bytes that the memory holds from the beginning."""
        address = self.allocate(-(-len(data) // WORD))
        self.data[address] = data
        return address

    @property
    def end(self) -> int:
        """The first address behind everything."""
        return self._top

    def slots(self, kind: Type, of_state: bool = False) -> int:
        """Return how many words a value of a type takes. Raises `NotCompiled`."""
        if is_scalar(kind):
            return 1
        match kind:
            case Bag(item) if not is_planar(item):
                return 1 + self.room(item) * self.slots(item, of_state)
            case Patterns() if not of_state:  # a key: the points of each, NO_NUMBER without
                return max(len(self.patterns), 1)
            case Bag(item):
                return self.planes(item, of_state) * self.words(item)
            case Meld():
                return 1 + self.slots(TILES, of_state)
            case Each(item):
                return self.players * self.slots(item, of_state)
            case Opt(item):
                return 1 + self.slots(item, of_state)
            case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
                raise NotCompiled("a score in a state or a key")

    def room(self, item: Type) -> int:
        """Return how many members a list can have."""
        return max(self.players, MOST_NUMBERS if is_scalar(item) else MOST_LISTED)

    def _kept(self) -> Iterator[VarDecl]:
        """Yield the states that can be kept."""
        for var in self.instance.rule_set.vars:
            try:
                self.slots(var.type, True)
            except NotCompiled:
                continue
            yield var

    def _each(self, part: VarDecl | ZoneDecl) -> int:
        return self.players if part.each_player else 1

    def var(self, name: str) -> int:
        """Return the address of a state, or of the first player's. Raises `NotCompiled`."""
        if name not in self._vars:
            raise NotCompiled(f"the state `{name}`, whose values are not kept")
        return self._vars[name]

    def zone(self, name: str) -> int:
        """Return the address of a zone, or of the first player's."""
        return self._zones[name]

    def zone_slots(self, zone: ZoneDecl) -> int:
        """Return how many words a zone takes, of one player if each has one."""
        tiles = self.slots(TILES)
        if zone.kind == "row":
            return self.row_slots
        if zone.kind == "melds":
            return 1 + len(self.whole) * self.slots(Meld())
        return tiles

    @cached_property
    def row_slots(self) -> int:
        """How many words a row takes."""
        return 3 + 2 * self.slots(TILES) + -(-2 * self.ring // WORD)

    @cached_property
    def ring(self) -> int:
        """How many places the ring of a row has: a power of two, enough for every tile."""
        return 1 << max(len(self.whole), 4).bit_length()

    def row(self, address: int) -> RowPlaces:
        """Return the parts of a row at an address, or, with 0, how far behind its address they lie."""
        tiles = self.slots(TILES) * WORD
        first = address + 3 * WORD
        return RowPlaces(
            size=address,
            hidden=address + WORD,
            front=address + 2 * WORD,
            tiles=first,
            hidden_tiles=first + tiles,
            slots=first + 2 * tiles,
        )

    # ------------------------------------------------------------------ keys

    def args(self, action: Action) -> tuple[Arg, ...]:
        """Return where the keys of an event lie. The seat that acts lies at `by`."""
        return self._args[action.name]

    def _arg(self, param: ParamDecl, action: Action) -> Arg:
        kind = param.type.item if param.optional and isinstance(param.type, Opt) else param.type
        nullable = isinstance(kind, Opt)
        kind = kind.item if isinstance(kind, Opt) else kind
        if kind == NUMBERS and action.kind in (
            "end",
            "finish",
        ):  # one for each player, or the event is illegal
            kind = Each(INT)
        try:
            slots = len(param.parts) or self.slots(Opt(kind) if param.optional or nullable else kind)
        except NotCompiled:
            slots = 1  # whether the key is there
        address = self.allocate(slots)
        room = 1 + -(-2 * len(self.whole) // WORD)
        listed = self.allocate(room) if kind == TILES and self._asks_order(param.name, action) else 0
        return Arg(param.name, kind, len(param.parts), param.optional, nullable, address, listed)

    def given(self, param: ParamDecl) -> Arg:
        """Return where the value of a parameter of a score lies if it is given. Raises `NotCompiled`."""
        kind = param.type.item if isinstance(param.type, Opt) else param.type
        address = self.allocate(self.slots(param.type))
        return Arg(param.name, kind, 0, optional=False, nullable=kind != param.type, address=address)

    def _asks_order(self, key: str, action: Action) -> bool:
        """Return whether the order in which the tiles of a key are listed matters."""
        rules, dealing = self.instance.rule_set, action.dealing
        if key == "reserve" and dealing is not None:
            return rules.zone(dealing.zone).kind == "row"
        return asks_order(rules, action, key)
