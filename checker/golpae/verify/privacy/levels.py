"""How far a player knows the value of an expression, whatever game this player is in.

Input: an expression, what the player knows of the names and states in it.
Output: a `Level`.
Guarantee: a value that is `KNOWN` is the same in any two games that look the same to the player. A node that is not
named here is known only if all its parts are, and if it reads nothing that is hidden; a new node needs no change.

    size of q's hand      known: everybody sees how many tiles lie there
    tile in q's hand      hidden, unless q is the player
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from itertools import product

from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies, Part, read_by, refers_to
from golpae.ir.ruleset import EVERYONE, OTHERS, OWNER, Definition, RuleSet
from golpae.ir.substitute import substituted
from golpae.ir.traverse import children, children_by_field, conjuncts, free
from golpae.ir.types import BOOL, Bag, Opt, Seat

DEEPEST = 4  # definitions within definitions that are looked at for what a condition states


class Level(IntEnum):
    """What a player knows of a value: that it is this player, that it is another one whom the player knows, the value;
    whether it is this player, and else not who; of a value for each player this player's own alone; nothing.
    """

    ME = 0
    OTHER = 1
    KNOWN = 2
    MINE = 3
    OWN = 4
    HIDDEN = 5

    @property
    def is_known(self) -> bool:
        return self <= Level.KNOWN


ME, OTHER, KNOWN, MINE, OWN, HIDDEN = Level
SEATS = (Seat(), Opt(Seat()))
WORDS = ("over", "winner", "total", "hands-played", "stake")  # words of every game that change


def join(levels: Iterable[Level]) -> Level:
    """Return the level of a value that is one of several."""
    distinct = set(levels)
    if len(distinct) == 1:
        return distinct.pop()
    return max(KNOWN, max(distinct, default=KNOWN))


def together(levels: Iterable[Level]) -> Level:
    """Return the level of a value that is computed from values of these levels."""
    return KNOWN if all(level.is_known for level in levels) else HIDDEN


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a player knows at one moment of an event.

    `states` are states and words, and under `given(NAME)` whether a state is none; `names` are names; `stated` are
    expressions of which a condition has said something. `fixed` are states that have just been set to a value which
    the text writes, and `holds` tests that came out yes or no, on this path. The tiles in the zones `unclear` may be
    in motion and unknown, and in those `uncounted` even their number. `written` are the states that the event has
    set; of the names in `counted`, the number of tiles is known. `seen` are zones, and whose, that the player is taken
    to see now: by the names of the action, which `meant` has for the names at hand. `mine` are states that have been
    set to the one player of whom something is true that every player knows of this player.
    """

    states: Mapping[str, Level]
    names: Mapping[str, Level] = field(default_factory=dict)
    stated: Mapping[ir.Expr, Level] = field(default_factory=dict)
    fixed: Mapping[str, ir.Expr] = field(default_factory=dict)
    holds: Mapping[ir.Expr, bool] = field(default_factory=dict)
    unclear: frozenset[str] = frozenset()
    uncounted: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    meant: Mapping[str, ir.Expr] = field(default_factory=dict)
    seen: frozenset[tuple[str, ir.Expr]] = frozenset()
    mine: Mapping[str, ir.Fold] = field(default_factory=dict)


def given(name: str) -> str:
    """Return under which name it stands whether a state is none."""
    return f"{name}?"


class Levels:
    """The levels of the expressions of one rule set."""

    def __init__(self, rules: RuleSet, players: int) -> None:
        self._rules, self._players = rules, players
        self._zones = {zone.name: zone for zone in rules.zones}
        self._definitions = {d.name: d for d in rules.definitions}
        self._each = {v.name for v in rules.vars if v.each_player}
        self._dependencies = Dependencies(rules)
        self._calls: dict[object, Level] = {}
        self.owned: frozenset[tuple[str, str]] = frozenset()  # states that whoever another state names knows

    def of(self, expr: ir.Expr, knowledge: Knowledge) -> Level:
        """Return how far the player knows the value of an expression."""
        if expr in knowledge.stated:
            return knowledge.stated[expr]
        if isinstance(expr, ir.Local):
            return knowledge.names.get(expr.name, HIDDEN)
        if isinstance(expr, ir.StateRead):
            return self._state(expr.name, expr.seat, knowledge)
        if isinstance(expr, ir.Builtin):
            return self._word(expr.name, expr.seat, knowledge)
        if isinstance(expr, ir.CallDef):
            return self._call(expr.name, expr.args, knowledge)
        if isinstance(expr, ir.Op):
            return self._operator(expr, knowledge)
        if isinstance(expr, ir.Quant | ir.Fold):
            return self._over_members(expr, knowledge)
        if isinstance(expr, ir.If):
            return self._choice(expr, knowledge)
        if isinstance(expr, ir.Ways | ir.Earlier | ir.Implicit):
            return HIDDEN
        return self._by_parts(expr, knowledge)

    def if_holds(self, test: ir.Expr, knowledge: Knowledge) -> Knowledge:
        """Return the knowledge together with what the player learns if a condition holds whose value is known."""
        stated, holds = dict(knowledge.stated), {**knowledge.holds, test: True}
        for part in self._unfolded(test):
            holds[part] = True
            if isinstance(part, ir.Op) and part.op == "eq":
                left, right = part.args
                for one, other in ((left, right), (right, left)):
                    level = self.of(other, knowledge)
                    if level.is_known and not isinstance(one, ir.Const) and self.of(one, knowledge) > level:
                        stated[one] = level
        return replace(knowledge, stated=stated, holds=holds)

    def _unfolded(self, test: ir.Expr, depth: int = 0) -> Iterator[ir.Expr]:
        """Yield the parts of a condition that must all hold, those of its definitions too."""
        for part in conjuncts(test):
            yield part
            if isinstance(part, ir.CallDef) and depth < DEEPEST:
                definition = self._definitions[part.name]
                if len(definition.cases) == 1 and not any(param.parts for param in definition.params):
                    names = (param.name for param in definition.params)
                    values = dict(zip(names, part.args, strict=True))
                    yield from self._unfolded(substituted(definition.cases[0].expr, values), depth + 1)

    def hidden_zones(
        self, expr: ir.Expr, knowledge: Knowledge, depth: int = 0
    ) -> Iterator[tuple[str, ir.Expr]]:
        """Yield the zones that an expression reads and that the player does not always see, with whose they are: those
        that the names of the action say.
        """
        read = read_by(expr)
        if read is not None and read.kind == "zone" and read.seat is not None:
            if (
                not self.is_seen(read.name, self.of(read.seat, knowledge))
                and free(read.seat) <= knowledge.meant.keys()
            ):
                yield read.name, substituted(read.seat, knowledge.meant)
        for _, child, own in children_by_field(expr):
            yield from self.hidden_zones(child, bound(knowledge, dict.fromkeys(own, HIDDEN)), depth)
        if isinstance(expr, ir.CallDef) and depth < DEEPEST:
            definition = self._definitions[expr.name]
            names = _names(definition, tuple(self.of(arg, knowledge) for arg in expr.args))
            inner = replace(knowledge, names=names, meant=meanings(definition, expr.args, knowledge.meant))
            for case in definition.cases:
                yield from self.hidden_zones(case.expr, inner, depth + 1)

    def if_fails(self, test: ir.Expr, knowledge: Knowledge) -> Knowledge:
        """Return the knowledge together with what the player learns if a condition fails."""
        return replace(knowledge, holds={**knowledge.holds, test: False})

    # ------------------------------------------------------------------ what is read

    def _state(self, name: str, seat: ir.Expr | None, knowledge: Knowledge) -> Level:
        level = knowledge.states.get(name, HIDDEN)
        if seat is None:
            if level is HIDDEN and any(knowledge.stated.get(owner) is ME for owner in self._owners(name)):
                return KNOWN
            return level if level != OWN else HIDDEN
        whose = self.of(seat, knowledge)
        if not whose.is_known:
            return HIDDEN
        return KNOWN if level.is_known or (level is OWN and whose is ME) else HIDDEN

    def _owners(self, name: str) -> Iterable[ir.Expr]:
        return (
            ir.StateRead(owner, None, kind) for state, owner in self.owned if state == name for kind in SEATS
        )

    def _zone(self, name: str, seat: ir.Expr | None, knowledge: Knowledge) -> Level:
        whose = KNOWN if seat is None else self.of(seat, knowledge)
        is_seen = whose.is_known and (self.is_seen(name, whose) or self._is_taken_seen(name, seat, knowledge))
        return KNOWN if is_seen and name not in knowledge.unclear else HIDDEN

    @staticmethod
    def _is_taken_seen(name: str, seat: ir.Expr | None, knowledge: Knowledge) -> bool:
        if not knowledge.seen or seat is None or not free(seat) <= knowledge.meant.keys():
            return False
        return (name, substituted(seat, knowledge.meant)) in knowledge.seen

    def is_seen(self, name: str, whose: Level) -> bool:
        """Return whether the player always sees a zone of somebody of whom this much is known."""
        seers = self._zones[name].seen_by
        return seers == EVERYONE or (seers == OWNER and whose is ME) or (seers == OTHERS and whose is OTHER)

    def counts(self, expr: ir.Expr, knowledge: Knowledge) -> bool:
        """Return whether the player knows how many tiles a value is."""
        if not isinstance(expr.type, Bag):
            return not isinstance(expr.type, Opt) or self.of(expr, knowledge).is_known
        if isinstance(expr, ir.ZoneRead):
            whose = KNOWN if expr.seat is None else self.of(expr.seat, knowledge)
            return expr.name not in knowledge.uncounted and whose.is_known
        if isinstance(expr, ir.Local) and expr.name in knowledge.counted:
            return True
        if isinstance(expr, ir.BagOf) or (isinstance(expr, ir.Op) and expr.op == "bag_add"):
            return all(self.counts(part, knowledge) for part in children(expr))
        if isinstance(expr, ir.Op) and expr.op == "bag_sub":
            whole, part = expr.args
            if (
                self.counts(whole, knowledge)
                and self.counts(part, knowledge)
                and _is_within(part, whole, knowledge)
            ):
                return True
        return self.of(expr, knowledge).is_known

    def _word(self, name: str, seat: ir.Expr | None, knowledge: Knowledge) -> Level:
        if name in WORDS:
            return self._state(name, seat, knowledge)
        if seat is None:
            return KNOWN
        whose = self.of(seat, knowledge)
        return OTHER if whose is ME and self._players > 1 else together((whose,))

    # ------------------------------------------------------------------ what is computed

    def _operator(self, expr: ir.Op, knowledge: Knowledge) -> Level:
        """Return the level of an operator's value: of some, less than all operands is enough."""
        match expr.op, expr.args:
            case "size", (bag,) if isinstance(bag.type, Bag):
                return KNOWN if self.counts(bag, knowledge) else HIDDEN
            case "is_none", (ir.StateRead(name=name, seat=None) as state,):
                is_given = knowledge.states.get(given(name), HIDDEN)
                return KNOWN if is_given.is_known else together((self.of(state, knowledge),))
            case "eq", (left, right):
                levels = self.of(left, knowledge), self.of(right, knowledge)
                return KNOWN if {*levels} == {ME, MINE} else together(levels)
            case (("and" | "implies" | "or"), (left, right)):
                if not self.of(left, knowledge).is_known:
                    return HIDDEN
                after = knowledge if expr.op == "or" else self.if_holds(left, knowledge)
                return together((self.of(right, after),))
            case _:
                return self._by_parts(expr, knowledge)

    def _choice(self, expr: ir.If, knowledge: Knowledge) -> Level:
        if expr.test in knowledge.holds:
            return self.of(expr.yes if knowledge.holds[expr.test] else expr.no, knowledge)
        if not self.of(expr.test, knowledge).is_known:
            return HIDDEN
        yes, no = self.if_holds(expr.test, knowledge), self.if_fails(expr.test, knowledge)
        return join((self.of(expr.yes, yes), self.of(expr.no, no)))

    def _over_members(self, expr: ir.Quant | ir.Fold, knowledge: Knowledge) -> Level:
        """Return the level of what goes through the members of a bag. Players are looked at one by one."""
        domain, names = expr.domain, expr.names
        if isinstance(expr, ir.Fold) and expr.kind == "count" and expr.test is None and expr.size is None:
            return self.of(ir.Op("size", (domain,), expr.type), knowledge)
        if not self.of(domain, knowledge).is_known:
            return HIDDEN
        of_seats = expr.size is None and isinstance(domain.type, Bag) and domain.type.item == Seat()
        choices = product(*((ME, OTHER) if of_seats else (KNOWN,) for _ in names))
        levels = []
        for chosen in choices:
            inner = bound(knowledge, dict(zip(names, chosen, strict=True)))
            levels += [
                self.of(child, inner if own else knowledge) for _, child, own in children_by_field(expr)
            ]
        return together(levels)

    def _call(self, name: str, args: tuple[ir.Expr, ...], knowledge: Knowledge) -> Level:
        levels = tuple(self.of(arg, knowledge) for arg in args)
        definition = self._definitions[name]
        meant = meanings(definition, args, knowledge.meant) if knowledge.seen else {}
        stated = frozenset((e, level) for e, level in knowledge.stated.items() if not free(e))
        states, more = tuple(knowledge.states.values()), (knowledge.seen, tuple(meant.items()))
        key = name, levels, stated, knowledge.unclear, knowledge.uncounted, states, self.owned, more
        if key not in self._calls:
            self._calls[key] = HIDDEN  # as long as it is under way
            names = _names(definition, levels)
            inner = replace(
                knowledge, names=names, stated=dict(stated), holds={}, counted=frozenset(), meant=meant
            )
            self._calls[key] = self._cases(definition, inner)
        return self._calls[key]

    def _cases(self, definition: Definition, knowledge: Knowledge) -> Level:
        return join(self.of(case.expr, knowledge) for case in definition.cases)

    def _by_parts(self, expr: ir.Expr, knowledge: Knowledge) -> Level:
        """Return the level of any node: known if its parts are, and if it reads nothing that is hidden."""
        read = read_by(expr)
        if read is not None and (
            read.kind != "zone" or not self._zone(read.name, read.seat, knowledge).is_known
        ):
            return HIDDEN
        if not all(self._part_is_known(part, knowledge) for part in refers_to(expr)):
            return HIDDEN
        levels = []
        for _, child, own in children_by_field(expr):
            levels.append(self.of(child, bound(knowledge, dict.fromkeys(own, KNOWN)) if own else knowledge))
        return together(levels)

    def _part_is_known(self, part: Part, knowledge: Knowledge) -> bool:
        """Return whether a shape or a score reads nothing but states that are known of all players."""
        reached = self._dependencies.reached_through([part])
        read = self._dependencies.reads(e for part in reached for e in self._dependencies.exprs_of(part))
        return all(knowledge.states.get(each, HIDDEN).is_known for each in read)


def _is_within(part: ir.Expr, whole: ir.Expr, knowledge: Knowledge) -> bool:
    """Return whether a condition has stated that some tiles are among others."""
    if isinstance(part, ir.BagOf) and len(part.items) == 1:
        return knowledge.holds.get(ir.Op("member", (part.items[0], whole), BOOL), False)
    return knowledge.holds.get(ir.Op("within", (part, whole), BOOL), False)


def _names(definition: Definition, args: tuple[Level, ...]) -> dict[str, Level]:
    names: dict[str, Level] = {}
    for param, level in zip(definition.params, args, strict=True):
        names[param.name] = level
        names.update(dict.fromkeys(param.parts, level))
    return names


def bound(knowledge: Knowledge, names: Mapping[str, Level]) -> Knowledge:
    """Return the knowledge of the player inside an expression that binds these names; it has nothing about names of the
    same spelling outside.
    """
    stated = {e: level for e, level in knowledge.stated.items() if free(e).isdisjoint(names)}
    holds = {e: yes for e, yes in knowledge.holds.items() if free(e).isdisjoint(names)}
    return replace(
        knowledge,
        names={**knowledge.names, **names},
        stated=stated,
        holds=holds,
        counted=knowledge.counted.difference(names),
        meant={name: value for name, value in knowledge.meant.items() if name not in names},
    )


def meanings(
    definition: Definition, args: tuple[ir.Expr, ...], meant: Mapping[str, ir.Expr]
) -> dict[str, ir.Expr]:
    """Return the expressions that the parameters of a definition stand for where it is used; only parameters whose
    arguments have no names but those in `meant`.
    """
    pairs = zip(definition.params, args, strict=True)
    return {p.name: substituted(arg, meant) for p, arg in pairs if free(arg) <= meant.keys()}
