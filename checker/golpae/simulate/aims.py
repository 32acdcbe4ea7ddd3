"""What tiles are good for, by what a rule text says of hands that win.

Input: a machine, and what a seat holds.
Output: the groups that tiles can be part of; how far what a seat holds is from a win.
Guarantee: nothing here knows a game. There are three measures; the first that the text has something for is used:

1. `arrangement`: the actions by which somebody wins ask for an arrangement. The distance is the number of tiles that it
   lacks, as `golpae.simulate.lacking` counts them.
2. `melding`: an action moves tiles from a hand into a meld, and its conditions say which go together. The distance is
   the number of tiles in hand that are left if as many as possible are in such groups.
3. `shedding`: the distance is the number of tiles in hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, nodes_through
from golpae.ir.ruleset import Action
from golpae.ir.scoring import listed_tiles
from golpae.ir.traverse import conjuncts, free
from golpae.ir.types import Bag, Tile
from golpae.lower import statements as st
from golpae.lower.effects import statements_of
from golpae.lower.walk import flat, transfers
from golpae.pieces import Composition, Needed, composition
from golpae.replay.machine import Machine
from golpae.search.shape_distance import LARGEST
from golpae.simulate.lacking import Lacking
from golpae.simulate.sight import Holding, Sight, Tiles

MOST_TRIED = 100_000  # choices of tiles for a meld
MOST_STEPS = 2_000  # of the search for most groups
Group = tuple[tuple[int, int], ...]  # kinds of tiles, and how many of each


class Aims:
    """What the tiles of one machine are good for. `measure` says which measure is used, `names` what of the text it
    reads, `compositions` what the arrangements are made of.
    """

    def __init__(self, sight: Sight) -> None:
        self.machine = machine = sight.machine
        self.compositions: tuple[Composition, ...] = ()
        self.measure = "shedding"
        self.names: tuple[str, ...] = ()
        groups: set[tuple[int, ...]] = set()
        arrangements = _arrangements(machine)
        if arrangements:
            made = [parts for name in arrangements for parts in _made_of(machine, name)]
            groups = {group for parts in made for _, _, shape in parts for group in _groups(machine, shape)}
            self.compositions = tuple(_compositions(machine, made))
        if groups and self.compositions:
            self.measure, self.names = "arrangement", arrangements
            self._lacking = Lacking(self.compositions)
        else:
            melded = {action.name: _melded(sight, action) for action in machine.rules.actions}
            groups = {group for own in melded.values() for group in own}
            if groups:
                self.measure, self.names = "melding", tuple(name for name, own in melded.items() if own)
        self.groups = sorted(groups) if groups else None
        """The tiles that go together, as far as golpae knows; None if any tile can serve."""
        self._groups: list[list[Group]] = [[] for _ in machine.instance.kinds]
        for group in sorted(groups):
            counted = tuple(sorted(Counter(group).items()))
            for tile, _ in counted:
                self._groups[tile].append(counted)
        self._known: dict[tuple[int, ...], int] = {}

    @property
    def note(self) -> str:
        """What the measure is, for people."""
        named = " or ".join(f"`{name}`" for name in self.names)
        match self.measure:
            case "arrangement":
                return f"the distance from a win is how many tiles {named} lacks"
            case "melding":
                return f"the distance from a win is how many tiles in hand cannot all go together for {named}"
            case _:
                return "the distance from a win is how many tiles are in hand"

    def distance(self, holding: Holding) -> int:
        """Return how far a seat is from a win."""
        if self.measure == "arrangement":
            return self._lacking.count(tuple(sorted(holding.whole.elements())))
        loose = tuple(sorted(holding.loose.elements()))
        if self.measure == "shedding":
            return len(loose)
        if loose not in self._known:
            if len(self._known) > MOST_TRIED:
                self._known.clear()
            self._known[loose] = len(loose) - _Packing(self._groups).most(holding.loose)
        return self._known[loose]

    def completes(self, tile: int, holding: Holding) -> bool:
        """Return whether a tile makes a group with others in the same hand; yes if golpae knows no groups."""
        if self.measure == "shedding":
            return True
        return any(all(holding.loose[kind] >= count for kind, count in group) for group in self._groups[tile])

    def support(self, tile: int, holding: Holding, unseen: Sequence[int]) -> int:
        """Return how many tiles can still go together with this one, among those in the same hand and those that
        nobody has shown. If tiles go together in no way that golpae knows, it is 1.
        """
        if self.measure == "shedding":
            return 1
        there: Tiles = Counter(holding.loose)
        partners: Tiles = Counter()
        for group in self._groups[tile]:
            if all(there[kind] + unseen[kind] >= count for kind, count in group):
                for kind, count in group:
                    if kind != tile or count > 1:
                        partners[kind] = there[kind] + unseen[kind] - (kind == tile)
        return partners.total()


class _Packing:
    """The search for most tiles in groups, no two with the same tile. It may miss some if the hand is very large."""

    def __init__(self, groups: Sequence[Sequence[Group]]) -> None:
        self._groups = groups
        self._steps = 0

    def most(self, tiles: Tiles) -> int:
        """Return how many of these tiles can be in groups."""
        self._steps += 1
        first = min((tile for tile, count in tiles.items() if count), default=None)
        if first is None or self._steps > MOST_STEPS:
            return 0
        best = 0
        for group in self._groups[first]:
            if group and all(tiles[kind] >= count for kind, count in group):
                best = max(best, sum(count for _, count in group) + self.most(tiles - Counter(dict(group))))
        return max(best, self.most(tiles - Counter({first: 1})))


def _arrangements(machine: Machine) -> tuple[str, ...]:
    """Return the arrangements and shapes that the actions by which a seat wins ask for."""
    rules = machine.rules
    arrangements: dict[str, None] = {}
    definitions = {definition.name: definition for definition in rules.definitions}
    scores = {score.name: score for score in rules.scores}
    for action in rules.actions:
        statements = flat(statements_of(rules, action))
        if not any(isinstance(s, st.Over) and s.winner is not None for s in statements):
            continue
        for condition in action.conditions:
            for node in nodes_through(condition.expr, definitions):
                if isinstance(node, ir.LayOut):
                    arrangements[node.arrangement] = None
                elif isinstance(node, ir.IsShape) and node.shape in machine.shapes.arrangements:
                    arrangements[node.shape] = None
                elif isinstance(node, ir.CallScore):
                    arrangements.update(dict.fromkeys(scores[node.name].arrangements))
    unions = [name for name in arrangements if machine.shapes.arrangements[name].union]
    inside = {part for name in unions for part in machine.shapes.arrangements[name].union}
    return tuple(name for name in arrangements if name not in inside)


def _made_of(machine: Machine, name: str) -> Iterator[list[tuple[int, bool, str]]]:
    """Yield, for each way to make a shape or an arrangement, how many groups it has of which shape, and whether these
    have to be different.
    """
    if name in machine.shapes.shapes:
        yield [(1, False, name)]
        return
    declared = machine.shapes.arrangements[name]
    for other in declared.union:
        yield from _made_of(machine, other)
    if declared.parts:
        yield [(part.count, part.different, part.shape) for part in declared.parts]


def _compositions(machine: Machine, made: list[list[tuple[int, bool, str]]]) -> Iterator[Composition]:
    """Yield the compositions of the arrangements whose groups can all be listed."""
    for parts in made:
        if all(_is_small(machine, shape) for _, _, shape in parts):
            needed = [
                Needed(count, different, {*_groups(machine, shape)}) for count, different, shape in parts
            ]
            found = composition(needed)
            if found is not None:
                yield found


def _is_small(machine: Machine, shape: str) -> bool:
    """Return whether all groups of a shape can be listed."""
    declared = machine.shapes.shapes[shape]
    if declared.test is None:
        return all(_is_small(machine, member) for member in declared.union)
    return bool(declared.names) and (declared.sizes[-1] <= LARGEST or listed_tiles(declared) is not None)


def _groups(machine: Machine, shape: str) -> Iterator[tuple[int, ...]]:
    """Yield the groups of a shape, those of a union one by one; none of a part that cannot be listed."""
    declared = machine.shapes.shapes[shape]
    if declared.test is None:
        for member in declared.union:
            yield from _groups(machine, member)
    elif _is_small(machine, shape):
        yield from machine.shapes.all_groups(shape)


def _melded(sight: Sight, action: Action) -> set[tuple[int, ...]]:
    """Return the tiles that an action may move from a hand into one meld, as far as conditions about these tiles alone
    tell; nothing if they tell nothing.
    """
    machine = sight.machine
    names: tuple[str, ...] = ()
    for transfer in transfers(statements_of(machine.rules, action)):
        if transfer.what is not None and sight.melds(transfer, action):
            names = tuple(sorted(free(transfer.what)))
            what = transfer.what
            break
    else:
        return set()
    tiles = {param.name for param in action.params if param.type == Tile()}
    tiles |= {part for param in action.params for part in param.parts}
    dependencies = Dependencies(machine.rules)
    listed = {param.name: param.parts for param in action.params if param.parts}
    parts = tuple(part for name in names for part in listed.get(name, (name,)))
    if not parts or not {*parts} <= tiles or len(machine.instance.kinds) ** len(parts) > MOST_TRIED:
        return set()
    tests = [
        machine.function(expr, parts)
        for condition in action.conditions
        for expr in conjuncts(condition.expr)
        if free(expr) and free(expr) <= {*parts} and not dependencies.reads([expr])
    ]
    if not tests:
        return set()
    state = machine.new_state()
    whole = Bag(Tile()) == what.type and not any(name in listed for name in names)
    moved = machine.function(what, parts) if whole else None
    groups = set()
    for chosen in combinations_with_replacement(range(len(machine.instance.kinds)), len(parts)):
        if all(test(state, *chosen) for test in tests):
            groups.add(tuple(sorted(chosen if moved is None else moved(state, *chosen))))
    return groups
