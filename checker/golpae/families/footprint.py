"""Find the switches that can change the answer to an event: through its conditions, its effects, and what these use.

Input: a game's rule set with no switch on, and with each switch alone.
Output: a `Footprint`: sets of switches, as numbers with a bit for each.
Guarantee: two rule sets that agree on the switches listed for a part give that part the same meaning. Switches that
matter only through a definition are left out if the definition itself reports each call (`reported`): most events
call few of the definitions that they might call.

    a variant that replaces `draw.place`       changes the condition `place` of `draw`
    one that replaces the definition `fold`    changes it, and all that may call it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import SET, closure, contents_of, parts_in
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.scoring import given_labels
from golpae.ir.traverse import exprs_in, nodes
from golpae.ir.types import (
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

Part = tuple[str, ...]  # the name of a part of a rule set, its kind first
PAYOUT, DEALING, LABELS = ("payout", ""), ("dealing", ""), ("labels", "")
CACHED_KINDS = (
    "definition",
    "shape",
    "score",
)  # parts whose values a machine may compute once for many events


@dataclass(frozen=True, slots=True)
class ActionFootprint:
    """The switches that matter to an action.

    `every` can change anything of it, `effects` its effects, `explaining` the message of a refusal. The other fields
    leave out the switches of definitions that report their calls: `decoding` for the keys, `checking` for all
    conditions, `checking_until` for the conditions up to the named one, `applying` for the effects.
    """

    every: int
    effects: int
    explaining: int
    decoding: int
    checking: int
    checking_until: dict[str, int]
    applying: int


@dataclass(frozen=True, slots=True)
class Footprint:
    """The switches that matter.

    `start` are those that change tiles, players, options or how a match starts. `reported` has, for each definition
    that reports its calls, the switches that matter then.
    """

    start: int
    actions: dict[str, ActionFootprint]
    reported: dict[str, int]


def footprint_of(base: RuleSet, singles: Sequence[RuleSet | None]) -> Footprint:
    """Return the parts that each switch changes. `singles` has the rule set of each switch alone, None if its text is
    faulty.
    """
    return _Switches(base, singles).footprint()


class _Switches:
    """The parts of all rule sets: the switches that change each part, and the parts that it uses under any rule set."""

    def __init__(self, base: RuleSet, singles: Sequence[RuleSet | None]) -> None:
        self.base, self.singles = base, singles
        self.sets = [base, *(s for s in singles if s is not None)]
        self.direct: dict[Part, int] = {}
        self.uses: dict[Part, frozenset[Part]] = {}
        plain = dict(_parts(base))
        self._add_uses(plain)
        for number, rules in enumerate(singles):
            if rules is not None:
                parts = dict(_parts(rules))
                self._add_uses(parts)
                for part in plain.keys() | parts.keys():
                    if plain.get(part) != parts.get(part):
                        self.direct[part] = self.direct.get(part, 0) | 1 << number
        self.reporting = {
            ("definition", d.name)
            for d in base.definitions
            if not (1 <= len(d.params) <= 2 and all(isinstance(p.type, Tile) for p in d.params))
        }

    def _add_uses(self, parts: dict[Part, _Part]) -> None:
        for name, part in parts.items():
            self.uses[name] = self.uses.get(name, frozenset()) | part.uses

    def footprint(self) -> Footprint:
        states = {v.name: None for rules in self.sets for v in rules.vars}
        start = self._all([SET, *(("state", name) for name in states)]) | self._keeping()
        reported = {
            name: mask for _, name in self.reporting if (mask := self._silent([("definition", name)]))
        }
        actions = {a.name: a for rules in reversed(self.sets) for a in rules.actions}
        return Footprint(start, {a.name: self._action(a, start) for a in actions.values()}, reported)

    def _keeping(self) -> int:
        """Return the switches that may keep a state which another switch removes: those of parts that use it. What has
        been paid is a state as long as something pays before the end, or asks for it.
        """
        kept = {v.name for v in self.base.vars}
        removed = {name for rules in self.sets for name in kept - {v.name for v in rules.vars}}
        if not removed:
            return 0
        plain = dict(_parts(self.base))
        mask = 0
        for number, rules in enumerate(self.singles):
            parts = plain if rules is None else dict(_parts(rules))
            changed = [part for name, part in parts.items() if plain.get(name) != part]
            if any(not removed.isdisjoint(_states_in(part.meaning)) for part in changed):
                mask |= 1 << number
        return mask

    def _action(self, action: Action, start: int) -> ActionFootprint:
        conditions = self._own("condition", action.name)
        effects = self._own("effect", action.name)
        decoding = start | self._mask([("action", action.name)])
        if any(_has_melds(p.type) for p in action.params):
            shapes = [("shape", s.name) for rules in self.sets for s in rules.shapes]
            decoding |= self._all([LABELS, *shapes])
        if action.kind == "deal":
            effects.append(DEALING)
        checking_until = {
            condition.name: self._silent(self._checked_until(action.name, condition.name)) | decoding
            for condition in action.conditions
        }
        messages = self._own("message", action.name)
        return ActionFootprint(
            every=self._all([*conditions, *effects]) | decoding,
            effects=self._all(effects) | decoding,
            explaining=self._all([*conditions, *effects, *messages]) | decoding,
            decoding=decoding,
            checking=self._silent(conditions) | decoding,
            checking_until=checking_until,
            applying=self._silent(effects) | decoding,
        )

    def _own(self, kind: str, action: str) -> list[Part]:
        return [part for part in self.uses if part[:2] == (kind, action)]

    def _checked_until(self, action: str, last: str) -> set[Part]:
        """Return the conditions that some rule set checks before one, and that one."""
        parts: set[Part] = set()
        for rules in self.sets:
            declared = rules.action(action)
            names = [] if declared is None else [c.name for c in declared.conditions]
            if last in names:
                parts |= {("condition", action, name) for name in names[: names.index(last) + 1]}
        return parts

    def _all(self, parts: Iterable[Part]) -> int:
        """Return the switches of these parts and of everything that they use."""
        return self._mask(closure(parts, lambda part: self.uses.get(part, ())))

    def _silent(self, parts: Iterable[Part]) -> int:
        """Return the switches of these parts and of everything that they use without a report."""
        start = set(parts)
        reached = closure(start, lambda part: self.uses.get(part, frozenset()) - self.reporting)
        # a value that is computed once for many events reports no call: a score, a shape, a definition of tiles alone
        cached = [part for part in reached if part not in start and part[0] in CACHED_KINDS]
        return self._mask(reached) | self._all(cached)

    def _mask(self, parts: Iterable[Part]) -> int:
        mask = 0
        for part in parts:
            mask |= self.direct.get(part, 0)
        return mask


@dataclass(frozen=True, slots=True)
class _Part:
    """The meaning of a part of a rule set, for comparison, and the parts that it uses."""

    meaning: Any
    uses: frozenset[Part]


def _parts(rules: RuleSet) -> Iterator[tuple[Part, _Part]]:
    """Yield the parts of a rule set. The words of messages and the numbers of rules count in messages only."""

    def part(meaning: Any, names: Iterable[Part] = ()) -> _Part:
        uses = {*names, *(used for expr in _exprs_in(meaning) for used in parts_in(expr))}
        return _Part(meaning, frozenset(SET if kind == "option" else (kind, name) for kind, name in uses))

    for name, content in contents_of(rules).items():
        yield name, part(content.meaning, content.names)
    options = tuple((o.name, o.low, o.high, o.normally) for o in rules.options)
    yield SET, part((rules.low, rules.high, options, rules.tiles, rules.zones))
    for var in rules.vars:
        yield ("state", var.name), part(var)
    for action in rules.actions:
        yield ("action", action.name), part(True)  # a switch may add it
        for condition in action.conditions:
            yield ("condition", action.name, condition.name), part(condition.expr)
            values = tuple(value for value in condition.message if isinstance(value, ir.Expr))
            yield ("message", action.name, condition.name), part((values, tuple(map(str, condition.message))))
        for number, clause in enumerate(action.effects):
            yield ("effect", action.name, clause.name, str(number)), part(clause.effects)
    yield LABELS, part(tuple(sorted(given_labels(rules))))
    yield DEALING, part(tuple(a.dealing for a in rules.actions if a.dealing is not None))
    yield PAYOUT, part(tuple((clause.name, clause.effects) for clause in rules.payout))


def _exprs_in(value: Any) -> Iterator[ir.Expr]:
    """Yield the outermost expressions in data of a rule set."""
    if isinstance(value, ir.Expr):
        yield value
    elif isinstance(value, ir.Effect):
        yield from exprs_in((value,))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _exprs_in(item)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _exprs_in(getattr(value, name))


def _states_in(value: Any) -> set[str]:
    """Return the states that expressions in data of a rule set read."""
    return {node.name for expr in _exprs_in(value) for node in nodes(expr) if isinstance(node, ir.StateRead)}


def _has_melds(kind: Type) -> bool:
    """Return whether values of a type have melds in them, whose shapes are read with them."""
    match kind:
        case Meld():
            return True
        case Bag(item) | Each(item) | Opt(item):
            return _has_melds(item)
        case Bool() | Int() | Seat() | Tile() | Choice() | NoneType() | Points() | Patterns():
            return False
        case _:
            assert_never(kind)
