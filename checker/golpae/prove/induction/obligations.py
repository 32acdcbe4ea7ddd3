"""The obligations of proofs by induction: every question whose answer a proof rests on, none left out.

Input: an `Induction` without invariants, invariants by which something was proved, and what was proved.
Output: obligations for the invariants (at the start, after each event, or as consequences of the others), and for what
follows from them. Guarantee: if all of them are met, the invariants hold in every reachable state and what is claimed
follows. The same call makes the same obligations; nothing depends on what a solver answers.

A goal that golpae's evaluator makes true stands in its obligation all the same, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.ruleset import Action
from golpae.ir.types import Opt, Tile
from golpae.prove.encoding.step import Step
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.conservation import changed_tiles
from golpae.prove.induction.deadlock import case_split, steps_by
from golpae.prove.induction.induction import Induction
from golpae.prove.induction.ranking import falls
from golpae.prove.solving.obligation import Goal, Hypothesis, Obligation, Role
from golpae.prove.symbolic.state import THE_GAME, SymbolicState
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.symbolic.values import Truth, Value, at_least, equal, negate

Axioms = Literal["none", "weak", "exact"]
NO_AXIOMS: Axioms = "none"
WEAK: Axioms = "weak"
EXACT: Axioms = "exact"  # axioms about scores that a question has
START, STEP, ILLEGAL, CONSEQUENCE = "start", "step", "illegal", "consequence"
Illegal = tuple[Action, Mapping[str, Value], str]  # a choice of values, and the condition that it breaks
GOAL, AFTER, RANKING, BOUND = "goal", "after", "ranking", "bound"
CONSERVATION, LEGAL = "conservation", "legal"
UNTOUCHED = "the event changes nothing that it reads"
UNCHANGED = "the same formula as before the event"
Ask = Callable[[Axioms], Obligation]  # an obligation with these axioms about scores
TRUE = "golpae evaluates it to true"


@dataclass(frozen=True, slots=True)
class _Held:
    """An invariant: its value in the initial state and in the unknown state, and the parts of a state that it reads."""

    candidate: Candidate
    first: Truth
    here: Truth
    reads: frozenset[str]


class InductionObligations:
    """The obligations of one table for one set of invariants.

    Each obligation is made when it is asked for, with the axioms about scores that it is to have. It has symbols in a
    scope of its own, so that it depends on nothing that others evaluate. Raises `Unsupported`, as every obligation may,
    if something has no encoding.
    """

    def __init__(self, induction: Induction, scope: str, invariants: Sequence[Candidate]) -> None:
        self.induction = induction
        self.system = induction.system
        self._symbols = self.system.symbols
        self._scope = scope
        self._symbols.begin_anew(scope)
        self._symbols.scope = f"{scope}: "
        begin, late = len(self._symbols.facts), len(self._symbols.deferred)
        first = self.system.initial_state()
        self._held = [self._evaluated(c, first) for c in invariants]
        values = self._symbols.facts[begin:], self._symbols.deferred[late:]
        self._values = tuple(_facts("of the values of invariants", values))
        self._restore = induction.saved()
        premises = (*self._facts_of_state(), *self._values, *(_premise(held) for held in self._held))
        self.premises = tuple(h for h in premises if h.truth is not True)

    def _evaluated(self, candidate: Candidate, first: SymbolicState) -> _Held:
        recorder = self.induction.state.recording_reads()
        candidate.predicate(recorder)
        return _Held(
            candidate,
            candidate.predicate(first),
            candidate.predicate(self.induction.state),
            frozenset(recorder.read) | {THE_GAME},
        )

    @contextmanager
    def _block(self, name: str) -> Iterator[Callable[[], Iterator[Hypothesis]]]:
        """Evaluate within the block as if nothing but the invariants had been evaluated before it.

        The function yields what is certain of the symbols that were made in the block.
        """
        symbols = self._symbols
        self._restore()
        symbols.scope = f"{self._scope}, {name}: "
        symbols.begin_anew(symbols.scope)
        begin, late = len(symbols.facts), len(symbols.deferred)
        yield lambda: _facts("of what is asked", (symbols.facts[begin:], symbols.deferred[late:]))

    # ------------------------------------------------------------------ the invariants

    def start(self, inductive: Collection[str]) -> Obligation:
        """Return the obligation that these invariants hold before the first event."""
        goals = (_goal(h.candidate.name, h.first) for h in self._held if h.candidate.name in inductive)
        return _obligation(START, "the invariants hold before the first event", self._values, goals)

    def steps(self) -> list[Callable[[Collection[str]], Obligation]]:
        """Return for each kind of event the obligation that it preserves some invariants."""
        return [partial(self._kept_by, number) for number in range(len(self.induction.steps))]

    def _kept_by(self, number: int, inductive: Collection[str]) -> Obligation:
        step = self.induction.steps[number]
        with self._block(f"step {number + 1}") as new:
            goals = [*self._goals_after(step, inductive)]
            about = f"{self._words(step)} keeps the invariants"
            return self._obligation(STEP, about, (*of_step(step), *new()), goals)

    def _goals_after(self, step: Step, inductive: Collection[str]) -> Iterator[Goal]:
        changes = step.before.differing_parts(step.after)
        for invariant in self._held:
            name = invariant.candidate.name
            if invariant.reads.isdisjoint(changes):
                if name in inductive:
                    yield Goal(name, True, UNTOUCHED)
                continue
            try:
                after = invariant.candidate.predicate(
                    step.after
                )  # of all, so that symbols do not depend on which count
            except Unsupported:
                after = False
            if name not in inductive:
                continue
            if (
                not isinstance(after, bool)
                and not isinstance(invariant.here, bool)
                and after.eq(invariant.here)
            ):
                yield Goal(name, after, UNCHANGED)
            else:
                yield _goal(name, after)

    def illegal(self, choices: Sequence[Illegal]) -> Obligation:
        """Return the obligation that no state allows choices of values for which there is no step.

        golpae's evaluator makes a condition false for each, so the obligation is trivial.
        """
        instance = self.system.evaluator.instance
        goals = [
            Goal(
                f"{in_words(instance, action, names)} is illegal",
                True,
                f"`{action.name}.{condition}` is false",
            )
            for action, names, condition in choices
        ]
        return _obligation(ILLEGAL, f"{choices[0][0].name}: values that no state allows", (), goals)

    def consequence(self, name: str, inductive: Collection[str], axioms: Axioms) -> Obligation:
        """Return the obligation that an invariant follows from the inductive ones and from those before it."""
        known = [*self._facts_of_state(), *self._values]
        known += [_premise(invariant) for invariant in self._held if invariant.candidate.name in inductive]
        for invariant in self._held:
            if invariant.candidate.name == name:
                break
            if invariant.candidate.name not in inductive:
                known.append(_premise(invariant))
        goal = next(_goal(name, h.here) for h in self._held if h.candidate.name == name)
        with self._block(name) as new:
            about = self.system.evaluator.abstraction.exact_axioms()[0] if axioms == EXACT else []
            known += [Hypothesis("what a score is", axiom, Role.LATE) for axiom in about]
            return _obligation(CONSEQUENCE, f"{name} follows from others", (*known, *new()), (goal,))

    # ------------------------------------------------------------------ what follows from them

    def _facts_of_state(self) -> Iterator[Hypothesis]:
        for fact in self.induction.quick_facts:
            yield Hypothesis("of any state: what its symbols can be", fact, Role.FACT)
        for fact in self.induction.facts[len(self.induction.quick_facts) :]:
            yield Hypothesis("of any state: each tile lies in one place", fact, Role.LATE)

    def holds(self, name: str, truth: Callable[[SymbolicState], Truth]) -> list[Ask]:
        """Return the obligation that the invariants imply something of every state."""

        def ask(axioms: Axioms) -> Obligation:
            with self._block(name) as new:
                goal = _goal(name, truth(self.induction.state))
                about = f"{name} holds wherever the invariants hold"
                return self._obligation(GOAL, about, new(), (goal,))

        return [ask]

    def after(self, name: str, action: str, postcondition: Callable[[Step], Truth]) -> list[Ask]:
        """Return the obligations that something holds after every event of an action."""

        def ask(number: int, axioms: Axioms) -> Obligation:
            step = self.induction.steps[number]
            with self._block(f"step {number + 1}") as new:
                goal = _goal(name, postcondition(step))
                about = f"{name} holds after {self._words(step)}"
                return self._obligation(AFTER, about, (*of_step(step), *new()), (goal,))

        return [partial(ask, n) for n, s in enumerate(self.induction.steps) if s.action.name == action]

    def ranking(self, name: str, measure: ir.Expr, action: str | None, bound: int | None) -> list[Ask]:
        """Return the obligations that a number falls with each event, and is at most `bound` after a deal."""
        evaluator = self.system.evaluator

        def fall(number: int, axioms: Axioms) -> Obligation:
            step = self.induction.steps[number]
            with self._block(f"step {number + 1}") as new:
                before = evaluator.number(measure, self.induction.state, {})
                goal = _goal(
                    f"{name}: the number falls", falls(self.induction, before, measure, action, step)
                )
                about = f"{name}: what {self._words(step)} does to the number"
                return self._obligation(RANKING, about, (*of_step(step), *new()), (goal,))

        def begin(number: int, axioms: Axioms) -> Obligation:
            step = self.induction.steps[number]
            assert bound is not None
            with self._block(f"step {number + 1}") as new:
                start = evaluator.number(measure, step.after, {})
                goal = _goal(f"{name}: the number is at most {bound}", negate(at_least(start, bound + 1)))
                about = f"{name}: the number after {self._words(step)}"
                return self._obligation(BOUND, about, (*of_step(step), *new()), (goal,))

        asks: list[Ask] = []
        for number, step in enumerate(self.induction.steps):
            if step.action.kind == "play":
                asks.append(partial(fall, number))
            elif step.action.kind == "deal" and bound is not None:
                asks.append(partial(begin, number))
        return asks

    def conservation(self) -> list[Ask]:
        """Return the obligations that each event leaves as many tiles of each kind."""
        kinds = self.system.evaluator.instance.kinds

        def ask(number: int, axioms: Axioms) -> Obligation:
            step = self.induction.steps[number]
            with self._block(f"step {number + 1}") as new:
                old, later = changed_tiles(self.induction.state, step.after)
                goals = (
                    _goal(f"as many {kinds[k].name} as before", equal(old.count(k), later.count(k)))
                    for k in dict.fromkeys([*old.counts, *later.counts])
                )
                about = f"{self._words(step)} keeps the tiles"
                return _obligation(CONSERVATION, about, (*of_step(step), *new()), [*goals])

        # a deal gathers all tiles first, and deals them
        return [partial(ask, n) for n, s in enumerate(self.induction.steps) if s.action.kind != "deal"]

    def legal(self) -> list[Ask]:
        """Return the obligations that some event is legal in each state of a hand that is not over."""
        system = self.system
        with self._block("cases"):
            cases = list(case_split(self.induction))

        def ask(number: int, axioms: Axioms) -> Obligation:
            state, case = cases[number]
            with self._block(f"case {number + 1}") as new:
                state.memo = {}
                hypotheses = [Hypothesis("the case", t, Role.CASE) for t in case]
                for few in (True, False):
                    for step in steps_by(system, range(system.players), state, few):
                        words = self._words(step)
                        made = (*step.facts, *step.definitions)
                        hypotheses += [Hypothesis(f"of the symbols of {words}", t, Role.FACT) for t in made]
                        role = Role.PREMISE if few else Role.LATE
                        hypotheses.append(Hypothesis(f"{words} is illegal", negate(step.guard), role))
                hypotheses += new()
                if axioms != NO_AXIOMS:
                    formulas = [h.truth for h in (*self.premises, *hypotheses)]
                    abstraction = system.evaluator.abstraction
                    scores = abstraction.axioms_for(formulas, exact=False)
                    scores += abstraction.axioms_for(formulas, exact=True) if axioms == EXACT else []
                    hypotheses += [Hypothesis("what a score is", axiom, Role.LATE) for axiom in scores]
                about = f"some event is legal in case {number + 1} of {len(cases)}"
                return self._obligation(LEGAL, about, hypotheses, (Goal("some event is legal", False),))

        return [partial(ask, number) for number in range(len(cases))]

    def _obligation(
        self, kind: str, about: str, hypotheses: Iterable[Hypothesis], goals: Iterable[Goal]
    ) -> Obligation:
        """Return an obligation that has the premises and these hypotheses."""
        one = _obligation(kind, about, (*self.premises, *hypotheses), goals)
        return replace(one, shared=len(self.premises))

    def _words(self, step: Step) -> str:
        return in_words(self.system.evaluator.instance, step.action, step.names)


def of_step(step: Step) -> Iterator[Hypothesis]:
    """Yield the hypotheses of an event: facts about its symbols, its guards, and the definitions of its symbols."""
    for truth in step.facts:
        yield Hypothesis("of the symbols of the event", truth, Role.FACT)
    for name, truth in step.guards:
        yield Hypothesis(f"{step.action.name}.{name}", truth, Role.CASE)
    for truth in step.definitions:
        yield Hypothesis("what a symbol of the event stands for", truth, Role.LATE)


def in_words(instance: Instance, action: Action, names: Mapping[str, Value]) -> str:
    """Return an event in words: its action and what is fixed of its values."""
    types = {p.name: p.type for p in action.params}
    known = []
    for name, value in names.items():
        if name == action.by or (action.kind == "deal" and name == "first"):
            known.append(f"{name} = seat {value}")
        elif isinstance(value, bool | str) or value is None:
            known.append(f"{name} = {_plain(value)}")
        elif isinstance(value, int):
            kind = types.get(name)
            kind = kind.item if isinstance(kind, Opt) else kind
            is_tile = isinstance(kind, Tile) or any(name in p.parts for p in action.params)
            known.append(f"{name} = {instance.kinds[value].name if is_tile else value}")
    return f"{action.name} ({', '.join(known)})" if known else action.name


def _plain(value: bool | str | None) -> str:
    return value if isinstance(value, str) else "none" if value is None else "yes" if value else "no"


def _goal(words: str, truth: Truth) -> Goal:
    return Goal(words, truth, TRUE if truth is True else None)


def _premise(held: _Held) -> Hypothesis:
    return Hypothesis(f"invariant: {held.candidate.name}", held.here, Role.PREMISE)


def _facts(words: str, made: tuple[Iterable[Truth], Iterable[Truth]]) -> Iterator[Hypothesis]:
    for truths, role in zip(made, (Role.FACT, Role.LATE), strict=True):
        for truth in truths:
            yield Hypothesis(f"{words}: what its symbols can be", truth, role)


def _obligation(kind: str, about: str, hypotheses: Iterable[Hypothesis], goals: Iterable[Goal]) -> Obligation:
    """Return an obligation; what is true anyway is no hypothesis of it."""
    return Obligation(kind, about, tuple(h for h in hypotheses if h.truth is not True), tuple(goals))
