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
    found = set(levels)
    if len(found) == 1:
        return found.pop()
    return max(KNOWN, max(found, default=KNOWN))


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

    def of(self, expr: ir.Expr, known: Knowledge) -> Level:
        """Return how far the player knows the value of an expression."""
        if expr in known.stated:
            return known.stated[expr]
        if isinstance(expr, ir.Local):
            return known.names.get(expr.name, HIDDEN)
        if isinstance(expr, ir.StateRead):
            return self._state(expr.name, expr.seat, known)
        if isinstance(expr, ir.Builtin):
            return self._word(expr.name, expr.seat, known)
        if isinstance(expr, ir.CallDef):
            return self._call(expr.name, expr.args, known)
        if isinstance(expr, ir.Op):
            return self._operator(expr, known)
        if isinstance(expr, ir.Quant | ir.Fold):
            return self._over_members(expr, known)
        if isinstance(expr, ir.If):
            return self._choice(expr, known)
        if isinstance(expr, ir.Ways | ir.Earlier | ir.Implicit):
            return HIDDEN
        return self._by_parts(expr, known)

    def if_holds(self, test: ir.Expr, known: Knowledge) -> Knowledge:
        """Return the knowledge of the player if a condition holds whose value is known."""
        stated, holds = dict(known.stated), {**known.holds, test: True}
        for part in self._unfolded(test):
            holds[part] = True
            if isinstance(part, ir.Op) and part.op == "eq":
                left, right = part.args
                for one, other in ((left, right), (right, left)):
                    level = self.of(other, known)
                    if level.is_known and not isinstance(one, ir.Const) and self.of(one, known) > level:
                        stated[one] = level
        return replace(known, stated=stated, holds=holds)

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

    def hidden_zones(self, expr: ir.Expr, known: Knowledge, depth: int = 0) -> Iterator[tuple[str, ir.Expr]]:
        """Yield the zones that an expression reads and that the player does not always see, with whose they are: those
        that the names of the action say.
        """
        read = read_by(expr)
        if read is not None and read.kind == "zone" and read.seat is not None:
            if (
                not self.is_seen(read.name, self.of(read.seat, known))
                and free(read.seat) <= known.meant.keys()
            ):
                yield read.name, substituted(read.seat, known.meant)
        for _, child, own in children_by_field(expr):
            yield from self.hidden_zones(child, bound(known, dict.fromkeys(own, HIDDEN)), depth)
        if isinstance(expr, ir.CallDef) and depth < DEEPEST:
            definition = self._definitions[expr.name]
            names = _names(definition, tuple(self.of(arg, known) for arg in expr.args))
            inner = replace(known, names=names, meant=meanings(definition, expr.args, known.meant))
            for case in definition.cases:
                yield from self.hidden_zones(case.expr, inner, depth + 1)

    def if_fails(self, test: ir.Expr, known: Knowledge) -> Knowledge:
        """Return the knowledge of the player if a condition fails."""
        return replace(known, holds={**known.holds, test: False})

    # ------------------------------------------------------------------ what is read

    def _state(self, name: str, seat: ir.Expr | None, known: Knowledge) -> Level:
        level = known.states.get(name, HIDDEN)
        if seat is None:
            if level is HIDDEN and any(known.stated.get(owner) is ME for owner in self._owners(name)):
                return KNOWN
            return level if level != OWN else HIDDEN
        whose = self.of(seat, known)
        if not whose.is_known:
            return HIDDEN
        return KNOWN if level.is_known or (level is OWN and whose is ME) else HIDDEN

    def _owners(self, name: str) -> Iterable[ir.Expr]:
        return (
            ir.StateRead(owner, None, kind) for state, owner in self.owned if state == name for kind in SEATS
        )

    def _zone(self, name: str, seat: ir.Expr | None, known: Knowledge) -> Level:
        whose = KNOWN if seat is None else self.of(seat, known)
        is_seen = whose.is_known and (self.is_seen(name, whose) or self._is_taken_seen(name, seat, known))
        return KNOWN if is_seen and name not in known.unclear else HIDDEN

    @staticmethod
    def _is_taken_seen(name: str, seat: ir.Expr | None, known: Knowledge) -> bool:
        if not known.seen or seat is None or not free(seat) <= known.meant.keys():
            return False
        return (name, substituted(seat, known.meant)) in known.seen

    def is_seen(self, name: str, whose: Level) -> bool:
        """Return whether the player always sees a zone of somebody of whom this much is known."""
        seers = self._zones[name].seen_by
        return seers == EVERYONE or (seers == OWNER and whose is ME) or (seers == OTHERS and whose is OTHER)

    def counts(self, expr: ir.Expr, known: Knowledge) -> bool:
        """Return whether the player knows how many tiles a value is."""
        if not isinstance(expr.type, Bag):
            return not isinstance(expr.type, Opt) or self.of(expr, known).is_known
        if isinstance(expr, ir.ZoneRead):
            whose = KNOWN if expr.seat is None else self.of(expr.seat, known)
            return expr.name not in known.uncounted and whose.is_known
        if isinstance(expr, ir.Local) and expr.name in known.counted:
            return True
        if isinstance(expr, ir.BagOf) or (isinstance(expr, ir.Op) and expr.op == "bag_add"):
            return all(self.counts(part, known) for part in children(expr))
        if isinstance(expr, ir.Op) and expr.op == "bag_sub":
            whole, part = expr.args
            if self.counts(whole, known) and self.counts(part, known) and _is_within(part, whole, known):
                return True
        return self.of(expr, known).is_known

    def _word(self, name: str, seat: ir.Expr | None, known: Knowledge) -> Level:
        if name in WORDS:
            return self._state(name, seat, known)
        if seat is None:
            return KNOWN
        whose = self.of(seat, known)
        return OTHER if whose is ME and self._players > 1 else together((whose,))

    # ------------------------------------------------------------------ what is computed

    def _operator(self, expr: ir.Op, known: Knowledge) -> Level:
        """Return the level of an operator's value: of some, less than all operands is enough."""
        match expr.op, expr.args:
            case "size", (bag,) if isinstance(bag.type, Bag):
                return KNOWN if self.counts(bag, known) else HIDDEN
            case "is_none", (ir.StateRead(name=name, seat=None) as state,):
                is_given = known.states.get(given(name), HIDDEN)
                return KNOWN if is_given.is_known else together((self.of(state, known),))
            case "eq", (left, right):
                levels = self.of(left, known), self.of(right, known)
                return KNOWN if {*levels} == {ME, MINE} else together(levels)
            case (("and" | "implies" | "or"), (left, right)):
                if not self.of(left, known).is_known:
                    return HIDDEN
                after = known if expr.op == "or" else self.if_holds(left, known)
                return together((self.of(right, after),))
            case _:
                return self._by_parts(expr, known)

    def _choice(self, expr: ir.If, known: Knowledge) -> Level:
        if expr.test in known.holds:
            return self.of(expr.yes if known.holds[expr.test] else expr.no, known)
        if not self.of(expr.test, known).is_known:
            return HIDDEN
        yes, no = self.if_holds(expr.test, known), self.if_fails(expr.test, known)
        return join((self.of(expr.yes, yes), self.of(expr.no, no)))

    def _over_members(self, expr: ir.Quant | ir.Fold, known: Knowledge) -> Level:
        """Return the level of what goes through the members of a bag. Players are looked at one by one."""
        domain, names = expr.domain, expr.names
        if isinstance(expr, ir.Fold) and expr.kind == "count" and expr.test is None and expr.size is None:
            return self.of(ir.Op("size", (domain,), expr.type), known)
        if not self.of(domain, known).is_known:
            return HIDDEN
        of_seats = expr.size is None and isinstance(domain.type, Bag) and domain.type.item == Seat()
        choices = product(*((ME, OTHER) if of_seats else (KNOWN,) for _ in names))
        levels = []
        for chosen in choices:
            inner = bound(known, dict(zip(names, chosen, strict=True)))
            levels += [self.of(child, inner if own else known) for _, child, own in children_by_field(expr)]
        return together(levels)

    def _call(self, name: str, args: tuple[ir.Expr, ...], known: Knowledge) -> Level:
        levels = tuple(self.of(arg, known) for arg in args)
        definition = self._definitions[name]
        meant = meanings(definition, args, known.meant) if known.seen else {}
        stated = frozenset((e, level) for e, level in known.stated.items() if not free(e))
        states, more = tuple(known.states.values()), (known.seen, tuple(meant.items()))
        key = name, levels, stated, known.unclear, known.uncounted, states, self.owned, more
        if key not in self._calls:
            self._calls[key] = HIDDEN  # as long as it is under way
            names = _names(definition, levels)
            inner = replace(
                known, names=names, stated=dict(stated), holds={}, counted=frozenset(), meant=meant
            )
            self._calls[key] = self._cases(definition, inner)
        return self._calls[key]

    def _cases(self, definition: Definition, known: Knowledge) -> Level:
        return join(self.of(case.expr, known) for case in definition.cases)

    def _by_parts(self, expr: ir.Expr, known: Knowledge) -> Level:
        """Return the level of any node: known if its parts are, and if it reads nothing that is hidden."""
        read = read_by(expr)
        if read is not None and (read.kind != "zone" or not self._zone(read.name, read.seat, known).is_known):
            return HIDDEN
        if not all(self._part_is_known(part, known) for part in refers_to(expr)):
            return HIDDEN
        levels = []
        for _, child, own in children_by_field(expr):
            levels.append(self.of(child, bound(known, dict.fromkeys(own, KNOWN)) if own else known))
        return together(levels)

    def _part_is_known(self, part: Part, known: Knowledge) -> bool:
        """Return whether a shape or a score reads nothing but states that are known of all players."""
        reached = self._dependencies.reached_through([part])
        read = self._dependencies.reads(e for part in reached for e in self._dependencies.exprs_of(part))
        return all(known.states.get(each, HIDDEN).is_known for each in read)


def _is_within(part: ir.Expr, whole: ir.Expr, known: Knowledge) -> bool:
    """Return whether a condition has stated that some tiles are among others."""
    if isinstance(part, ir.BagOf) and len(part.items) == 1:
        return known.holds.get(ir.Op("member", (part.items[0], whole), BOOL), False)
    return known.holds.get(ir.Op("within", (part, whole), BOOL), False)


def _names(definition: Definition, args: tuple[Level, ...]) -> dict[str, Level]:
    names: dict[str, Level] = {}
    for param, level in zip(definition.params, args, strict=True):
        names[param.name] = level
        names.update(dict.fromkeys(param.parts, level))
    return names


def bound(known: Knowledge, names: Mapping[str, Level]) -> Knowledge:
    """Return the knowledge of the player where these names stand for something else than outside."""
    stated = {e: level for e, level in known.stated.items() if free(e).isdisjoint(names)}
    holds = {e: yes for e, yes in known.holds.items() if free(e).isdisjoint(names)}
    return replace(
        known,
        names={**known.names, **names},
        stated=stated,
        holds=holds,
        counted=known.counted.difference(names),
        meant={name: value for name, value in known.meant.items() if name not in names},
    )


def meanings(
    definition: Definition, args: tuple[ir.Expr, ...], meant: Mapping[str, ir.Expr]
) -> dict[str, ir.Expr]:
    """Return the meanings of the parameters of a definition where it is used, as far as names with a meaning say it."""
    pairs = zip(definition.params, args, strict=True)
    return {p.name: substituted(arg, meant) for p, arg in pairs if free(arg) <= meant.keys()}
