"""Whether an action can happen, and which of its conditions can refuse an event: in one rule set, or in many.

Input: the invariants of one table, and an action.
Output: where something in the action is vacuous, and where that is unknown, as `VacuousRegions`.
Guarantee: something is vacuous only if it is vacuous in every reachable state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from golpae.families.region import Region
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action, Condition
from golpae.ir.traverse import names_in, nodes
from golpae.ir.types import Bag as BagType
from golpae.ir.types import Tile
from golpae.lint.notes import Key
from golpae.lint.possible import Possible, VacuousRegions
from golpae.prove.evaluation.evaluator import OPAQUE
from golpae.prove.symbolic.values import Truth, Value, bag_of, conj, negate

MOST_EXTRA = 2_000  # events that only break a condition with tiles that nobody has, or in another order
NO_ANSWER = "the solver gave no answer"
NEVER_REFUSES = "never refuses, because it holds whenever the conditions before it hold"


@dataclass(frozen=True, slots=True)
class _Event:
    """One choice of an action's values: the truth of each condition, up to one that is certainly false."""

    guards: tuple[Truth, ...]
    facts: tuple[Truth, ...]


class ConditionCheck:
    """Checks one action at one table."""

    def __init__(self, possible: Possible, action: Action) -> None:
        self.possible = possible
        self.induction = possible.induction
        self.system = self.induction.system
        self.action = action
        self.facts: tuple[Truth, ...] = ()
        self._events: list[_Event] | None = None
        self._names: list[dict[str, Value]] = []

    def run(self, wanted: Mapping[Key, Region], vacuous_regions: VacuousRegions) -> None:
        """Note where the action cannot happen, and where its conditions cannot refuse, of what is wanted.

        Raises `Unsupported`.
        """
        action = self.action
        key = ("action", action.name)
        dead = self.possible.region.space.nothing
        if key in wanted:
            steps = [conj(*s.path_condition) for s in self.induction.steps if s.action.name == action.name]
            can, unsure = self._where(f"{action.name} can happen", steps, wanted[key])
            dead = wanted[key].difference(can).difference(unsure)
            vacuous_regions.note(key, unsure, NO_ANSWER, unknown=True)
            for region, why in self._why_dead(dead):
                vacuous_regions.note(key, region, why)
        for number, condition in enumerate(action.conditions):
            key = ("condition", f"{action.name}.{condition.name}")
            if key not in wanted:
                continue
            region = wanted[key].difference(dead).difference(self._fixing(condition))
            if not region:
                continue
            opaque = self._opaque_name(condition)
            if opaque is not None:
                vacuous_regions.note(key, region, f"the prover does not support `{opaque}`", unknown=True)
                continue
            can, unsure = self._refuses(number, condition, region)
            vacuous_regions.note(key, unsure, NO_ANSWER, unknown=True)
            vacuous_regions.note(key, region.difference(can).difference(unsure), NEVER_REFUSES)

    # ------------------------------------------------------------------ conditions

    def _fixing(self, condition: Condition) -> Region:
        """Return the rule sets in which a condition says what a parameter is, so that it refuses any other value."""
        out = self.possible.region.space.nothing
        for region, expr in self.possible.settled(condition.expr):
            if self._fixes_parameter(expr):
                out = out.union(region)
        return out

    def _fixes_parameter(self, expr: ir.Expr) -> bool:
        names = {p.name for p in self.action.params}
        if isinstance(expr, ir.Op) and expr.op == "eq" and isinstance(expr.args[0], ir.Local):
            return expr.args[0].name in names
        return any(isinstance(n, ir.LayOut) and names_in(n.groups) & names for n in nodes(expr))

    def _opaque_name(self, condition: Condition) -> str | None:
        """Return a name in a condition whose values the prover does not enumerate, or None."""
        grouped = {p.name for p in self.action.params if p.type == BagType(BagType(Tile()))}
        given = {"winner"} if self.action.kind == "end" else set()
        values = self.names[0] if self.names else {}
        return next(
            (
                name
                for name in sorted(names_in(condition.expr))
                if name in grouped | given or values.get(name) is OPAQUE
            ),
            None,
        )

    def _refuses(self, number: int, condition: Condition, region: Region) -> tuple[Region, Region]:
        """Return where a condition can refuse an event that the conditions before it let through, and where nobody
        knows.
        """
        about = f"{self.action.name}.{condition.name} refuses"
        can, unsure = self._where(about, list(_stopped(self.events, number)), region)
        left = region.difference(can).difference(unsure)
        if not left:
            return can, unsure
        extra = self._extra()
        if extra is None:
            return can, unsure.union(left)
        more, more_unsure = self._where(about, list(_stopped(extra, number)), left)
        left = left.difference(more).difference(more_unsure)
        # if no event gets as far as this condition, the ones before it are at fault
        reached, unknown = self._where(about, list(_passed(self.events, number)), left)
        unreached = left.difference(reached).difference(unknown)
        return can.union(more).union(unreached), unsure.union(more_unsure).union(unknown)

    def _why_dead(self, region: Region) -> Iterator[tuple[Region, str]]:
        """Yield why the action can never happen, for each part of a region."""
        left = region
        for number, condition in enumerate(self.action.conditions):
            about = f"{self.action.name}.{condition.name} lets through"
            lets, unsure = self._where(about, list(_passed(self.events, number + 1)), left)
            here = left.difference(lets).difference(unsure)
            left = left.difference(here)
            yield (
                here,
                f"never happens, because `{condition.name}` never holds when the conditions before it hold",
            )
        yield left, "never happens, because its effects are impossible when its conditions hold"

    # ------------------------------------------------------------------ events

    @property
    def names(self) -> list[dict[str, Value]]:
        """The choices of the action's values."""
        _ = self.events
        return self._names

    @property
    def events(self) -> list[_Event]:
        """All events of the action."""
        if self._events is None:
            symbols = self.system.symbols
            begin = len(symbols.facts)
            if self.action.kind == "deal":
                steps = self.system.steps(replace(self.action, effects=()), self.induction.state)
                made = [(dict(s.names), tuple(g for _, g in s.guards), s.facts) for s in steps]
                self._names = [names for names, _, _ in made]
                self._events = [
                    _Event(guards[: len(self.action.conditions)], facts) for _, guards, facts in made
                ]
            else:
                self._names = [dict(n) for n in self.system.choices(self.action, self.induction.state)]
                if not any(p.type == BagType(Tile()) and not p.parts for p in self.action.params):
                    self.facts = tuple(symbols.facts[begin:])  # an event may name more tiles than there are
                self._events = [self._event(names) for names in self._names]
        return self._events

    def _event(self, names: Mapping[str, Value]) -> _Event:
        symbols = self.system.symbols
        begin = len(symbols.facts)
        step = self.system.step(replace(self.action, effects=()), names, self.induction.state)
        guards = tuple(g for _, g in step.guards[: len(self.action.conditions)])
        return _Event(guards, tuple(symbols.facts[begin:]))

    def _extra(self) -> list[_Event] | None:
        """Return events that name their tiles in another order, or more of a kind than there are; None if too many."""
        extra: list[_Event] = []
        for param in self.action.params:
            if not param.parts:
                continue
            listed = {tuple(n[p] for p in param.parts) for n in self.names}
            kinds = self.system.evaluator.kinds
            first = {id(n[param.name]): n for n in self.names}
            others = [n for n in self.names if n[param.name] is next(iter(first.values()))[param.name]]
            if len(kinds) ** len(param.parts) * len(others) > MOST_EXTRA:
                return None
            for tiles in product(kinds, repeat=len(param.parts)):
                if tiles not in listed:
                    values = {param.name: bag_of(tiles), **dict(zip(param.parts, tiles, strict=True))}
                    extra += [self._event({**n, **values}) for n in others]
        return extra

    # ------------------------------------------------------------------ questions

    def _where(self, about: str, formulas: Sequence[Truth], region: Region) -> tuple[Region, Region]:
        """Return where one of these can be true in a reachable state, and where the solver had no answer."""
        return self.possible.of(about, formulas, self.facts, region)


def _stopped(events: Sequence[_Event], number: int) -> Iterator[Truth]:
    """Yield for each event that it gets as far as a condition, and no further."""
    for event in events:
        if len(event.guards) > number:
            yield conj(*event.facts, *event.guards[:number], negate(event.guards[number]))


def _passed(events: Sequence[_Event], number: int) -> Iterator[Truth]:
    """Yield for each event that it passes so many conditions."""
    for event in events:
        if len(event.guards) >= number:
            yield conj(*event.facts, *event.guards[:number])
