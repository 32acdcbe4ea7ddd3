"""Which switches can change what an event meets: a condition, an effect, a definition that one of them uses.

In: a game's rule set with no switch on, and with each switch alone. Out: `Touched`, sets of switches as numbers with
a bit for each. Guarantees: two rule sets that agree on the switches named for a part give that part the same meaning.
What definitions bring in is left out where a definition can say itself that it was asked (`told`): most events ask
few of the definitions that they might have asked.

    a variant that replaces `draw.place`       touches the condition `place` of `draw`
    one that replaces the definition `fold`    touches it, and all that may ask it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Definition, EffectClause, RuleSet
from golpae.ir.traverse import exprs_in, nodes
from golpae.ir.types import Bag, Each, Meld, Opt, Tile, Type

Part = tuple[str, ...]  # the name of a part of a rule set, its kind first
BY_NAME = ("define", "shape", "arrangement", "score")


@dataclass(frozen=True, slots=True)
class ActionTouched:
    """The switches that matter to an action.

    `reach` are all that can change anything of it. The others leave out those of definitions that say themselves
    when they are asked: `reading` the keys, `asking` all conditions, `until` those up to one by its name, `doing`
    the effects; `done` are all that can change the effects, `saying` all that can change what a refusal says.
    """

    reach: int
    reading: int
    asking: int
    until: dict[str, int]
    doing: int
    done: int
    saying: int


@dataclass(frozen=True, slots=True)
class Touched:
    """The switches that matter. `table` are those that change tiles, players, options or how a match starts."""

    table: int
    actions: dict[str, ActionTouched]
    told: dict[str, int]
    """For each definition that says when it is asked: the switches that matter then."""


def touched(base: RuleSet, singles: Sequence[RuleSet | None]) -> Touched:
    """What each switch touches. `singles` has the rule set of each switch alone, None where there is none."""
    return _Touched(base, singles).found()


class _Touched:
    def __init__(self, base: RuleSet, singles: Sequence[RuleSet | None]) -> None:
        self.base = base
        self.sets = [base, *(s for s in singles if s is not None)]
        plain = dict(_parts(base))
        self.direct: dict[Part, int] = {}
        self.exprs: dict[Part, list[Any]] = {}
        for number, rule_set in enumerate((None, *singles)):
            if rule_set is None and number:
                continue
            parts = plain if rule_set is None else dict(_parts(rule_set))
            for part in plain.keys() | parts.keys():
                if rule_set is not None and plain.get(part) != parts.get(part):
                    self.direct[part] = self.direct.get(part, 0) | 1 << (number - 1)
                if part in parts:
                    self.exprs.setdefault(part, []).append(parts[part])
        self.told_by = {
            d.name
            for d in base.definitions
            if not (1 <= len(d.params) <= 2 and all(isinstance(p.type, Tile) for p in d.params))
        }
        self.uses = {part: self._uses(values) for part, values in self.exprs.items()}

    def found(self) -> Touched:
        table = self._reach([("table",), *(("state", v.name) for v in self.base.vars)])
        told = {}
        for name in self.told_by:
            mask = self._near([("define", name)])
            if mask:
                told[name] = mask
        return Touched(table, {a.name: self._action(a, table) for a in self.base.actions}, told)

    def _action(self, action: Action, table: int) -> ActionTouched:
        asked = self._own("condition", action.name)
        done = self._own("effect", action.name)
        shapes = [p for p in self.exprs if p[0] == "shape"]
        reading = self._reach(shapes) if any(_holds_melds(p.type) for p in action.params) else 0
        reading |= table
        if action.kind == "deal":
            done.append(("dealing", action.name))
        until = {
            condition.name: self._near(self._asked_until(action.name, condition.name)) | reading
            for condition in action.conditions
        }
        return ActionTouched(
            reach=self._reach([*asked, *done]) | reading,
            reading=reading,
            asking=self._near(asked) | reading,
            until=until,
            doing=self._near(done) | reading,
            done=self._reach(done) | reading,
            saying=self._reach([*asked, *done, *self._own("message", action.name)]) | reading,
        )

    def _own(self, kind: str, action: str) -> list[Part]:
        return [part for part in self.exprs if part[:2] == (kind, action)]

    def _asked_until(self, action: str, last: str) -> set[Part]:
        """The conditions that some rule set asks before one, and that one."""
        parts: set[Part] = set()
        for rules in self.sets:
            found = rules.action(action)
            names = [] if found is None else [c.name for c in found.conditions]
            if last in names:
                parts |= {("condition", action, name) for name in names[: names.index(last) + 1]}
        return parts

    def _near(self, parts: Iterable[Part]) -> int:
        """The switches of these parts and of all that they use, without the definitions that tell."""
        return self._closure(parts, self.told_by)

    def _reach(self, parts: Iterable[Part]) -> int:
        return self._closure(parts, set())

    def _closure(self, parts: Iterable[Part], without: set[str]) -> int:
        started = set(parts)
        waiting, seen = list(started), set(started)
        mask = 0
        while waiting:
            part = waiting.pop()
            mask |= self.direct.get(part, 0)
            for used in self.uses.get(part, ()):
                if used not in seen and not (used[0] == "define" and used[1] in without):
                    seen.add(used)
                    waiting.append(used)
        # what is worked out once for many events does not tell: a score, a shape, a definition of tiles alone
        if without:
            kinds = ("score", "shape", "arrangement", "define")
            fixed = [p for p in seen - started if p[0] in kinds]
            mask |= self._closure(fixed, set()) if fixed else 0
        return mask

    def _uses(self, values: Iterable[Any]) -> set[Part]:
        used: set[Part] = set()
        for value in values:
            for node in _nodes(value):
                match node:
                    case ir.Const() | ir.Local() | ir.StateRead() | ir.ZoneRead() | ir.Builtin():
                        pass
                    case ir.CallDef(name=name):
                        used.add(("define", name))
                    case ir.Implicit(kind="pay"):
                        used.add(("payout",))
                    case ir.Implicit(kind="hands"):
                        used |= {("dealing", a.name) for a in self.base.actions if a.dealing is not None}
                    case str():  # a shape or arrangement by its name
                        used |= {(kind, node) for kind in BY_NAME}
                    case _:  # whatever else speaks of a shape, an arrangement or a score does so by its name
                        names = (getattr(node, name) for name in node.__dataclass_fields__)
                        used |= {(kind, n) for n in names if isinstance(n, str) for kind in BY_NAME}
        return {part for part in used if part in self.exprs}


def _parts(rules: RuleSet) -> Iterator[tuple[Part, Any]]:
    """What a rule set is made of, by name. Words that a refusal says, and numbers of rules, make no difference."""
    options = tuple((o.name, o.low, o.high, o.normally) for o in rules.options)
    yield ("table",), (rules.low, rules.high, options, rules.tiles, rules.zones)
    for var in rules.vars:
        yield ("state", var.name), var
    for definition in rules.definitions:
        yield ("define", definition.name), _cases(definition)
    for shape in rules.shapes:
        yield ("shape", shape.name), (shape.names, shape.test, shape.union, shape.size)
    for arrangement in rules.arrangements:
        parts = tuple((p.count, p.different, p.shape, p.word) for p in arrangement.parts)
        yield ("arrangement", arrangement.name), (parts, arrangement.union)
    for score in rules.scores:
        yield ("score", score.name), score
    for action in rules.actions:
        for condition in action.conditions:
            yield ("condition", action.name, condition.name), condition.expr
            words = tuple(part for part in condition.message if isinstance(part, ir.Expr))
            yield ("message", action.name, condition.name), (*words, tuple(map(str, condition.message)))
        for number, clause in enumerate(action.effects):
            yield ("effect", action.name, clause.name, str(number)), clause.effects
        if action.dealing is not None:
            yield ("dealing", action.name), action.dealing
    yield ("payout",), tuple(_effects(rules.payout))


def _cases(definition: Definition) -> tuple[Any, ...]:
    return (definition.params, definition.type, tuple((c.name, c.expr) for c in definition.cases))


def _effects(clauses: Iterable[EffectClause]) -> Iterator[tuple[str, tuple[ir.Effect, ...]]]:
    for clause in clauses:
        yield clause.name, clause.effects


def _nodes(value: Any) -> Iterator[Any]:
    """All expressions within a part, and the names of shapes that it is made of."""
    if isinstance(value, ir.Expr):
        yield from nodes(value)
    elif isinstance(value, ir.Effect):
        for expr in exprs_in((value,)):
            yield from nodes(expr)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)
    elif hasattr(value, "__dataclass_fields__"):
        for name in value.__dataclass_fields__:
            yield from _nodes(getattr(value, name))


def _holds_melds(kind: Type) -> bool:
    match kind:
        case Meld():
            return True
        case Bag(item) | Each(item) | Opt(item):
            return _holds_melds(item)
        case _:
            return False
