"""The transition relation of a rule set at one table.

Input: an `Evaluator`. Output: states with unknown values, and for each action its choices, each as a `Step` from a
state: the guard under which the event is legal, and the state after it. Guarantee: replay accepts an event exactly if
its guard holds, and then ends in the state after it, as far as everything about the event is expressed.

The player who acts is seat 0. INVARIANT: rules cannot name a seat by its number, so a table can be turned until the one
who acts sits there, and nothing changes. Only the rounds of a loop over players follow the numbers of the seats: an
action with a loop that depends on this order is tried for every seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from golpae.ir import expr as ir
from golpae.ir.dependencies import settles
from golpae.ir.lifecycle import LIFECYCLES, STAGES, ActionKind, Stage, open_at
from golpae.ir.ruleset import Action, RuleSet
from golpae.ir.traverse import conjuncts, free
from golpae.lower.effects import statements_of
from golpae.lower.move_safety import moves_safely
from golpae.prove.encoding.deals import DealEncoder
from golpae.prove.encoding.effects import EffectRun, Forks, run_clauses
from golpae.prove.encoding.known_states import KnownState, known_states
from golpae.prove.encoding.order_dependence import depends_on_seats
from golpae.prove.encoding.step import MOVES, WHENS, Step
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import (
    BLANK,
    Truth,
    Value,
    all_of,
    plus,
    same,
)
from golpae.workers import tell_event

OnIllegal = Callable[[Action, Mapping[str, Value], str], None]


class TransitionSystem(DealEncoder):
    """States and steps of one rule set at one table.

    Rows are tracked for what `also`, another rule set, reads of them too. With `skip_scores`, conditions that need a
    score are left out, so that more events seem possible. `on_illegal` is called with each choice of values that no
    state allows, and with the condition that is false.
    """

    def __init__(self, evaluator: Evaluator, also: RuleSet | None = None) -> None:
        super().__init__(evaluator, also)
        self.on_illegal: OnIllegal | None = None
        self._of_states: dict[str, list[ir.Expr]] = {}  # by action, what its conditions say of states alone
        self._safe: dict[str, bool] = {}  # by action, whether none of its events fails midway
        self._all_rules = (evaluator.rules, *(() if also is None else (also,)))

    def unknown_state(self, stages: tuple[Stage, ...] = STAGES) -> SymbolicState:
        """Return a state that can be any state; its tiles are all there if `states.conservation` holds."""
        return self.states.unknown(stages)

    def initial_state(self) -> SymbolicState:
        """Return the state before the first event."""
        return self.states.initial()

    # ------------------------------------------------------------------ steps

    def steps(self, action: Action, state: SymbolicState) -> Iterator[Step]:
        """Return the steps of an action, by each of its `actors`, that are not certainly illegal."""
        for seat in self.actors(action):
            yield from self._steps_of(seat, action, state)

    def actors(self, action: Action) -> range:
        """Return the seats that stand for every player who acts: seat 0, or all if the order of the seats matters."""
        if action.by is None and action.kind != "deal":
            return range(1)
        same_name = [(r, a) for r in self._all_rules if (a := r.action(action.name)) is not None]
        turns = not any(self._depends_on_seats(r, a) for r, a in ((self.rules, action), *same_name))
        return range(1 if turns else self.players)

    @cached_property
    def turns(self) -> bool:
        """Whether games are the same at a turned table: the order of the seats matters to no action."""
        return not any(self._depends_on_seats(r, a) for r in self._all_rules for a in r.actions)

    def _depends_on_seats(self, rules: RuleSet, action: Action) -> bool:
        tracked = self.states.tracking.values()
        rows = frozenset(row.name for row in tracked if row.front or row.back or row.places)
        return depends_on_seats(statements_of(rules, action), self._all_rules, rows)

    def _steps_of(self, seat: int, action: Action, state: SymbolicState) -> Iterator[Step]:
        if action.kind == "deal":
            yield from self.deals(action, state, seat)
        else:
            yield from self.steps_by(seat, action, state)

    def specialized_steps(self, action: Action, state: SymbolicState) -> Iterator[Step]:
        """Yield the steps of an action from a state in which the facts are fixed that every event of the action finds
        there.

        That is the stage, the player who acts, and states that conditions say are constants or keys. The event could
        not happen in another state. Guards say that the state is one of these. Most conditions and tests of effects
        that depend on it are constant then.
        """
        known = known_states(action, self.evaluator.definitions)
        for seat in self.actors(action):
            here, where = state.copy(), list[tuple[str, Truth]]()
            stages = open_at(action.kind)
            if len(stages) == 1:
                (here.at,) = stages
                where.append(("where", same(state.at, here.at)))
            if action.kind == "deal":
                steps: Iterator[Step] = self.deals(action, here, seat)
            else:
                names = {} if action.by is None else {action.by: seat}
                rest = self._fix(known, action.by, names, here, where)
                steps = self._steps_from(seat, action, here, rest)
            for step in steps:
                yield replace(step, guards=(*step.guards, *where))

    def _steps_from(
        self, seat: int, action: Action, here: SymbolicState, known: Sequence[KnownState]
    ) -> Iterator[Step]:
        """Return the steps of an action by a seat, each from a state in which is fixed what its keys say of it."""
        if not known:
            yield from self.steps_by(seat, action, here)
            return
        begin = len(self.symbols.facts)
        choices = list(self.choices(action, here, seat))
        parameter_facts = tuple(self.symbols.facts[begin:])
        for names in choices:
            if (refusing := self._refuses_values(action, names)) is not None:
                self._note_illegal(action, names, ((refusing, False),))
                continue
            state, where = here.copy(), list[tuple[str, Truth]]()
            self._fix(known, action.by, names, state, where)
            for step in self.paths(action, names, state):
                guards = (*step.guards, *where)
                yield replace(step, facts=(*parameter_facts, *step.facts), guards=guards)

    def _fix(
        self,
        known: Sequence[KnownState],
        by: str | None,
        names: Mapping[str, Value],
        state: SymbolicState,
        where: list[tuple[str, Truth]],
    ) -> list[KnownState]:
        """Fix the states of which the values are known by these names, and note where the state is so.

        Return the others.
        """
        rest: list[KnownState] = []
        for one in known:
            if isinstance(one.value, ir.Local) and one.value.name not in names:
                rest.append(one)
                continue
            key = one.value.name if isinstance(one.value, ir.Local) else None
            value = self.evaluator.value(one.value, None, {}) if key is None else names[key]
            if not (value is None or isinstance(value, int | str)):
                continue
            seat = names[by] if one.own and by is not None else None
            old = state.vars[one.name] if seat is None else state.vars[one.name][seat]
            if old is BLANK or (holds := same(old, value)) is False:
                continue
            if seat is None:
                state.vars[one.name] = value
            else:
                state.vars[one.name][seat] = value
            if holds is not True:
                where.append(("where", holds))
        return rest

    def steps_by(
        self, seat: int, action: Action, state: SymbolicState, exhaustive: bool = False
    ) -> Iterator[Step]:
        """Return the steps of an action by a seat that are not certainly illegal.

        If `exhaustive`, every parameter is filled in, so that the steps are all that the seat can do. They are for
        questions about their guards alone: what no guard depends on is left out of the state after them.
        """
        if exhaustive and self._refuses_every(action, seat, state):
            return
        begin = len(self.symbols.facts)
        choices = list(self.choices(action, state, seat, exhaustive))
        parameter_facts = tuple(self.symbols.facts[begin:])
        for names in choices:
            for step in self.paths(action, names, state, exhaustive=exhaustive):
                yield replace(step, facts=(*parameter_facts, *step.facts)) if parameter_facts else step

    def _refuses_every(self, action: Action, seat: int, state: SymbolicState) -> bool:
        """Return whether a state refuses every event of an action by a seat, whatever its keys are.

        Only what conditions say of states alone is asked: this is quick, and there may be many choices of keys.
        """
        if action.name not in self._of_states:
            states = {var.name for var in self.rules.vars}
            reads = self.evaluator.context.dependencies.reads
            parts = [part for c in action.of_text for part in conjuncts(c.expr)]
            parts = [part for part in parts if free(part) <= {action.by} and reads([part]) <= states]
            self._of_states[action.name] = parts
        names = {} if action.by is None else {action.by: seat}
        for part in self._of_states[action.name]:
            with suppress(Unsupported):
                if self.evaluator.truth(part, state, names) is False:
                    return True
        return False

    def choices(
        self, action: Action, state: SymbolicState, seat: int = 0, exhaustive: bool = False
    ) -> Iterator[dict[str, Value]]:
        """Return the choices of values for the names of an action."""
        return self.parameter_choices.of(action, state, seat, exhaustive)

    def paths(
        self,
        action: Action,
        names: Mapping[str, Value],
        state: SymbolicState,
        stuck: bool = False,
        exhaustive: bool = False,
    ) -> Iterator[Step]:
        """Return the steps of one event, one for each way that its effects can go at their tests.

        Each step is a sequence of plain moves, which a solver decides faster than one step of all ways. With `stuck`,
        steps that certainly move a tile from where it does not lie are included.
        """
        tell_event(action.name)
        if (refusing := self._refuses_values(action, names)) is not None:
            self._note_illegal(action, names, ((refusing, False),))
            return
        begin = len(self.symbols.facts)
        names = dict(names)
        guards = self._conditions(action, names, state, exhaustive, unsure=not exhaustive)
        if not any(truth is False for _, truth in guards):
            guards = (*guards, *self._no_order_before(action, names, state, exhaustive))
        certain = tuple(self.symbols.facts[begin:])
        if any(truth is False for _, truth in guards):
            self._note_illegal(action, names, guards)
            return
        if exhaustive and self._moves_safely(action):  # its conditions alone say whether it is legal
            yield Step(action, names, guards, certain, state, state)
            return
        forks: Forks | None = Forks()
        while forks is not None:
            run = EffectRun(self.evaluator, self.states, exhaustive, forks, action, state)
            step = self._outcome(action, names, state, guards, certain, run)
            if step.guard is not False or (
                stuck and all(t is not False for n, t in step.guards if n != MOVES)
            ):
                yield step
            else:
                self._note_illegal(action, names, step.guards)
            forks = forks.next()

    def _moves_safely(self, action: Action) -> bool:
        """Return whether the conditions of an action state where all tiles are that it moves."""
        if action.name not in self._safe:
            self._safe[action.name] = moves_safely(self.rules, action)
        return self._safe[action.name]

    def _note_illegal(
        self, action: Action, names: Mapping[str, Value], guards: tuple[tuple[str, Truth], ...]
    ) -> None:
        if self.on_illegal is not None:
            self.on_illegal(action, names, next(name for name, truth in guards if truth is False))

    def step(self, action: Action, names: Mapping[str, Value], state: SymbolicState) -> Step:
        """Return one event as one step. Raises `Unsupported` if a solver cannot express its effects."""
        begin = len(self.symbols.facts)
        names = dict(names)
        guards = self._conditions(action, names, state, exhaustive=False)
        if any(truth is False for _, truth in guards):
            return Step(action, names, guards, (), state, state)
        run = EffectRun(self.evaluator, self.states, exhaustive=False, action=action)
        return self._outcome(action, names, state, guards, tuple(self.symbols.facts[begin:]), run)

    def _outcome(
        self,
        action: Action,
        names: Mapping[str, Value],
        state: SymbolicState,
        conditions: tuple[tuple[str, Truth], ...],
        certain: tuple[Truth, ...],
        run: EffectRun,
    ) -> Step:
        """Return an event under its conditions, with the facts that are `certain` of the symbols in them."""
        begin, deferred = len(self.symbols.facts), len(self.symbols.deferred)
        after = state.deferring() if run.exhaustive else state.copy()
        ends = action.kind == "end" and not run.exhaustive
        pay: list[Value] = self._of_payout(state) if ends else [0] * self.players
        run.paid = pay
        run_clauses(run, self._lowered(action.name, action.effects), after, names)
        if ends or (settles(action) and not run.exhaustive):
            after.total = [plus(a, b) for a, b in zip(after.total, pay, strict=True)]
        if ends:
            after.hands_played = plus(after.hands_played, 1)
        leads_to = LIFECYCLES[action.kind].leads_to
        if leads_to is not None:
            after.at = leads_to
        for fault in run.approximated:
            self.approximated.setdefault(action.name, fault)
        whens = [(WHENS, w) for w in run.whens]
        guards = (*conditions, *whens, (MOVES, all_of(run.needs)))
        after.memo = {}
        certain = (*certain, *self.symbols.facts[begin:])
        definitions = (*run.definitions, *self.symbols.deferred[deferred:])
        return Step(action, names, guards, certain, state, after, definitions)

    def paid_at(self, kind: ActionKind, state: SymbolicState) -> list[Value]:
        """Return the gain of each player at an `end`, which `payout` and its effects give, or at a `finish`."""
        pay: list[Value] = self._of_payout(state) if kind == "end" else [0] * self.players
        for action in self.rules.actions:
            if action.kind == kind and settles(action):
                run = EffectRun(self.evaluator, self.states, exhaustive=False)
                run.paid = pay
                run_clauses(run, self._lowered(action.name, action.effects), state.copy(), {})
        return pay

    def _of_payout(self, state: SymbolicState) -> list[Value]:
        """Return the gain of each player by `payout`."""
        pay: list[Value] = [0] * self.players
        run = EffectRun(self.evaluator, self.states, exhaustive=False)
        run_clauses(run, self._lowered("payout", self.rules.payout), state, {}, pay)
        for fault in run.approximated:
            for action in self.rules.actions:
                if action.kind == "end":
                    self.approximated.setdefault(action.name, fault)
        return pay

    def after(self, expr: ir.Expr, step: Step) -> Truth:
        """Return whether an expression holds right after an event; it may read the state before it."""
        return self.evaluator.truth_after(expr, step.before, step.after, step.names)
