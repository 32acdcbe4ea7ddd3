"""Steps of the prover held against single events of replay.

Input: a machine, states and events of its games, whether replay accepts them. Output: findings and counts.
Guarantee: none of the prover's solvers decides here whether something always holds; a step is compared with one event.
From a concrete state, and at times from an unknown one that is fixed to it, a step has to allow what replay accepts and
lead to replay's state, and must not allow what replay refuses. A table that the prover turns may be turned.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through, reads_unset, written_by
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, PropertyDecl, effects_of
from golpae.ir.traverse import flat
from golpae.ir.types import BOOL, Bag, Opt
from golpae.prove.encoding.step import MOVES, Step
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, equal, negate
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.runtime import HIDDEN, Missing, orders
from golpae.replay.state_layout import zones_in
from golpae.replay_bridge import symbolic_state
from golpae.search import witness
from tests.differential.against_judge import Say
from tests.differential.parts import NO_VALUE, Part, meets_none, parts_of
from tests.prove.encoding.steps import assert_turns
from tests.prove.shared import Both, assert_allowed, differences, left_open, possible, replayed, step_of

UNKNOWN = (
    0.2  # share of the steps that start from an unknown state too, besides those with a meld that is new
)
DEALS = 0.4  # share of the first deals of games that are compared
PARTS = 8  # parts of the text whose values are compared after a step
MOST_MELDS = 40  # groups that can lie in a zone, above which no unknown state is made


class Steps:
    """The prover's steps at one table."""

    def __init__(self, machine: Machine, rng: random.Random, say: Say, counts: Counter[str]) -> None:
        self.machine = machine
        self.rng = rng
        self.say = say
        self.counts = counts
        self.met: set[Any] = set()  # melds of states that steps from an unknown state began in

    @cached_property
    def both(self) -> Both:
        return Both(self.machine)

    @cached_property
    def parts(self) -> list[Part]:
        return parts_of(self.machine.rules)

    @cached_property
    def can_be_compared(self) -> bool:
        """Return whether the prover has values for all states of the rules."""
        kinds = [v.type.item if isinstance(v.type, Opt) else v.type for v in self.machine.rules.vars]
        return not any(isinstance(kind, Bag) and isinstance(kind.item, Bag) for kind in kinds)

    @cached_property
    def can_be_unknown(self) -> bool:
        """Return whether the prover supports an unknown state of this table, and it is a small one."""
        try:
            self.both.unknown  # noqa: B018  # is made once, when it is first needed
        except Unsupported:
            return False
        return all(len(groups) <= MOST_MELDS for groups in self.both.system.states.groups.values())

    def compare(self, state: State, line: Mapping[str, Any], trace: list[dict[str, Any]]) -> None:
        """Compare an event in a state."""
        event = self._event(state, line) if self.can_be_compared else None
        if event is None:
            return
        action = self.machine.actions[event.action]
        after = replayed(self.machine, state, event)
        if action.kind == "deal" and isinstance(after, str):
            return  # the prover's deals are legal ones
        if action.kind == "deal" and not state.hands_played and self.rng.random() > DEALS:
            return
        self.counts["steps compared"] += 1
        self._one("step", state, event, after, symbolic_state(self.machine, state), [], trace)
        if not isinstance(after, str):
            self._turned(action, state, event, trace)
        lying = self._melds(state)
        if (not lying <= self.met or self.rng.random() < UNKNOWN) and self.can_be_unknown:
            self.met |= lying
            self.counts["steps compared from an unknown state"] += 1
            start = self.both.unknown.state
            try:
                fixed = [*differences(self.both, start, symbolic_state(self.machine, state))]
            except Unsupported as fault:
                self.counts[f"steps not supported: {fault}"] += 1
                return
            given = [*self.both.unknown.facts, *(truth for _, truth in fixed)]
            self._one("step-unknown", state, event, after, start, given, trace)

    def _melds(self, state: State) -> set[Any]:
        """Return the melds that lie in a state, each with its zone."""
        zones = [z for z in self.machine.rules.zones if z.kind == "melds"]
        return {
            (z.name, m.label, tuple(sorted(m))) for z in zones for lying in zones_in(state, z) for m in lying
        }

    def _event(self, state: State, line: Mapping[str, Any]) -> Event | None:
        """Return an event with the order of its lists that replay takes; None if it is malformed."""
        name = str(line["do"])
        args = self.machine.read(name, line)
        if isinstance(args, Bad):
            return None
        action = self.machine.actions[name]
        first = 0 if action.by is None else 1
        listed = tuple((first + i, len(p.parts), True) for i, p in enumerate(action.params) if p.parts)
        if any(len(args[at]) != size for at, size, _ in listed):
            return None  # the names of the tiles have no values
        if listed:
            for ordered in orders(args, listed):
                if self.machine.check(name, state, ordered) < 0:
                    return Event(name, ordered)
            args = next(orders(args, listed))
        return Event(name, args)

    def _one(
        self,
        kind: str,
        state: State,
        event: Event,
        after: State | str,
        start: SymbolicState,
        given: list[Truth],
        trace: list[dict[str, Any]],
    ) -> None:
        try:
            if self.machine.actions[event.action].kind == "deal":
                self._assert_deal(event, start, after, given)
                return
            step = step_of(self.both, event, start)
            if isinstance(after, str):
                self._assert_refused(step, state, event, after, given)
            else:
                assert_allowed(self.both, step, after, given)
                self._assert_values(step, state, event, after, given)
        except Unsupported as fault:
            self.counts[f"steps not supported: {fault}"] += 1
        except AssertionError as fault:
            self.say(kind, f"{event.action}: {str(fault)[:200]}", trace)

    def _assert_refused(
        self, step: Step, state: State, event: Event, condition: str, given: list[Truth]
    ) -> None:
        """Check that a step does not allow an event that breaks a condition, unless the prover leaves that open."""
        if condition == MOVES and self._order_decides(state, event):
            self.counts["refused events that the prover leaves to the order of a row"] += 1
            return
        if condition != MOVES and step.action.name in self.both.system.approximated:
            self.counts["refused events of actions that the prover approximates"] += 1
            return
        if condition != MOVES and left_open(self.both, step, condition, is_concrete=not given):
            return
        allowed = [*given, *step.facts, *step.definitions, *(truth for _, truth in step.guards)]
        if possible(allowed):
            axioms, _ = self.both.system.evaluator.abstraction.exact_axioms()
            assert not possible([*allowed, *axioms]), f"allowed in spite of {condition}"

    def _order_decides(self, state: State, event: Event) -> bool:
        """Return whether an event may be refused for the order alone in which its tiles are to lie in a row."""
        effects = [*flat(effects_of(self.machine.actions[event.action].effects))]
        written = Counter(
            name for e in effects if not isinstance(e, ir.When | ir.ForEach) for name in written_by([e])
        )
        arranged = {e.zone.zone for e in effects if isinstance(e, ir.Arrange)}
        if any(written[zone] > 1 for zone in arranged):
            return True
        hidden = self.machine.copy(state)
        for zone in self.machine.rules.zones:
            for row in zones_in(hidden, zone) if zone.name in arranged else ():
                row.hidden = row.all()
                row.slots = [HIDDEN] * len(row.slots)
        try:
            self.machine.apply(event.action, hidden, event.args)
        except (Missing, ValueError):
            return False
        return bool(arranged)

    def _assert_values(
        self, step: Step, state: State, event: Event, after: State, given: list[Truth]
    ) -> None:
        """Check that properties have the value after a step that they have in replay."""
        action = self.machine.actions[event.action]
        names = dict(zip(witness.names_of(action), witness.bound(action, event.args), strict=True))
        real = symbolic_state(self.machine, after)
        so_far = [*given, *step.facts, *step.definitions, *(t for _, t in step.guards)]
        so_far += [t for _, t in differences(self.both, step.after, real)]
        asked: list[tuple[str, list[Truth]]] = []  # what has a value, and that it can have this one
        for prop in self._asked(event.action):
            try:
                value = bool(self.machine.value(prop.expr, after, {} if prop.after is None else names, state))
            except TooManySteps:  # golpae cannot go on there (7.10)
                continue
            begin = len(self.both.system.symbols.facts)
            try:
                truth = self.both.system.after(prop.expr, step)
            except Unsupported:
                continue
            self.counts["values of the prover compared"] += 1
            facts = self.both.system.symbols.facts[begin:]
            asked.append((f"{prop.name} is {value}", [*facts, truth if value else negate(truth)]))
        for part in self.rng.sample(self.parts, min(len(self.parts), PARTS)):
            asked += self._of_part(part, step, after)
        if possible([*so_far, *(truth for _, truths in asked for truth in truths)]):
            return
        alone = [about for about, truths in asked if not possible([*so_far, *truths])]
        raise AssertionError(", ".join(alone or ["not all together"]))

    def _of_part(self, part: Part, step: Step, after: State) -> list[tuple[str, list[Truth]]]:
        """Return that a part of the text has the value after a step that it has in replay, if it can be asked."""
        names = {} if part.by is None else {part.by: self.rng.randrange(self.machine.instance.players)}
        if self.machine.stage(after) == "before" and reads_unset(part.expr, self.machine.rules):
            return []
        try:
            value = self.machine.value(part.expr, after, names)
        except NO_VALUE:
            return []
        if value is None or meets_none(
            self.machine, part.expr, after, names
        ):  # the text asks first if it is none
            return []
        evaluator, begin = self.both.system.evaluator, len(self.both.system.symbols.facts)
        try:
            if part.expr.type == BOOL:
                truth = evaluator.truth(part.expr, step.after, names)
                alike = truth if value else negate(truth)
            else:
                number = evaluator.number(part.expr, step.after, names)
                if number is None:  # what guards the part in its clause is not asked here
                    return []
                alike = equal(number, value)
        except Unsupported:
            return []
        self.counts["parts of the prover compared"] += 1
        return [(f"{part.expr!r:.300} is {value}", [*self.both.system.symbols.facts[begin:], alike])]

    def _asked(self, action: str) -> list[PropertyDecl]:
        """Return the properties whose value after an event can be asked."""
        rules = self.machine.rules
        definitions = {d.name: d for d in rules.definitions}
        beyond = ir.Ways | ir.FitsOrder | ir.FitsScore
        return [
            p
            for p in rules.properties
            if p.after in (None, action)
            and p.kind != "ends"
            and self.machine.actions[action].kind in ("play", "end")
            and not any(isinstance(n, beyond) for n in nodes_through(p.expr, definitions))
        ]

    def _assert_deal(
        self, event: Event, start: SymbolicState, after: State | str, given: list[Truth]
    ) -> None:
        """Check that one of the deals of a player, who gets the first hand, is this one."""
        assert not isinstance(after, str)
        faults = []
        for step in self.both.system.deals(self.machine.actions[event.action], start, event.args[0]):
            try:
                assert_allowed(self.both, step, after, given)
            except AssertionError as fault:
                faults.append(fault)
            else:
                return
        raise faults[0] if faults else AssertionError("no deal is possible")

    def _turned(self, action: Action, state: State, event: Event, trace: list[dict[str, Any]]) -> None:
        """Turn the table, if the prover lets one seat stand for all."""
        players = self.machine.instance.players
        if (
            players < 2
            or action.kind in ("deal", "finish", "before")
            or self.machine.stage(state) == "before"
        ):
            return
        system = self.both.system
        if system.turns if action.by is None else len(system.actors(action)) == 1:
            try:
                assert_turns(self.both, state, event, self.rng.randrange(1, players))
            except AssertionError as fault:
                self.say("step-turned", f"{event.action}: {str(fault)[:200]}", trace)
