"""What always holds, by induction over events.

In: the `Rules` of one table, and candidates: truths about a table that may always hold. Out: those that do, as far
as induction shows it: they hold at the start, and every event that is legal where all of them hold leads to where
all of them hold. A candidate that fails is given up and the rest is tried again, so what is left holds together
(Houdini: Flanagan and Leino, FME 2001).

Where nothing can be said of an action in a solver's terms, nothing is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from golpae.ir import expr as ir
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.algebra import Truth, Unsupported, all_of, any_of, equal, negate
from golpae.prove.encode import Rules, Step
from golpae.prove.solve import SAT, UNKNOWN, UNSAT, Solver
from golpae.prove.state import Table

Ask = Callable[[Table], Truth]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A truth that may always hold. `stated` is the property of the text that says so."""

    name: str
    ask: Ask
    stated: PropertyDecl | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a candidate was given up: at the start, or at an event; `reason` where the solver had no answer."""

    where: str
    reason: str = ""


class Induction:
    """The invariants of one table."""

    def __init__(self, rules: Rules, solver: Solver) -> None:
        self.rules = rules
        self.solver = solver
        self.table = rules.unknown()
        self.facts = tuple(rules.fresh.facts)
        self.steps: list[Step] = []
        for action in rules.rules.actions:
            self.steps += rules.steps(action, self.table)
        self.held: list[Candidate] = []
        self.failures: dict[str, Failure] = {}
        self.stuck_at: Any = None
        self._assumed: tuple[int, Truth] | None = None  # all that is alive, for so many candidates

    # ------------------------------------------------------------------ invariants

    def run(self, candidates: Iterable[Candidate]) -> None:
        """Find the candidates that always hold: `held`, and why others do not: `failures`."""
        rules = self.rules
        begin = len(rules.fresh.facts)
        first = rules.first()
        facts = rules.fresh.facts[begin:]
        alive: dict[str, Candidate] = {}
        before: dict[str, Truth] = {}
        for candidate in candidates:
            try:
                start = candidate.ask(first)
                before[candidate.name] = candidate.ask(self.table)
            except Unsupported as fault:
                self.failures[candidate.name] = Failure("", str(fault))
                continue
            reply = self.solver.ask(f"{candidate.name} at the start", [*facts, negate(start)])
            if reply.said != UNSAT:
                del before[candidate.name]
            if reply.said == SAT:
                self.failures[candidate.name] = Failure("the start")
            elif reply.said == UNKNOWN:
                self.failures[candidate.name] = Failure("the start", reply.reason)
            else:
                alive[candidate.name] = candidate
        after: dict[tuple[int, str], Truth] = {}
        # a step is sure as long as nothing is given up after it was looked at
        unsure = len(self.steps)
        number = 0
        while unsure and self.steps:
            if self._keeps(number, alive, before, after):
                unsure -= 1
            else:
                unsure = len(self.steps) - 1
            number = (number + 1) % len(self.steps)
        self.held = [*alive.values()]

    def _keeps(
        self,
        number: int,
        alive: dict[str, Candidate],
        before: dict[str, Truth],
        after: dict[tuple[int, str], Truth],
    ) -> bool:
        """Whether a step leads to where all that is alive holds; what does not is given up."""
        step = self.steps[number]
        goals: dict[str, Truth] = {}
        begin = len(self.rules.fresh.facts)
        for name, candidate in alive.items():
            if (number, name) not in after:
                found = candidate.ask(step.after)
                # what the step does not touch stays as it was
                unchanged = found is before[name] or (
                    not isinstance(found, bool)
                    and not isinstance(before[name], bool)
                    and found.eq(before[name])
                )
                after[number, name] = True if unchanged else found
            goals[name] = after[number, name]
        goals = {n: g for n, g in goals.items() if g is not True}
        if not goals:
            return True
        said = f"{step.action.name} keeps {', '.join(goals)}"
        if self._assumed is None or self._assumed[0] != len(alive):
            self._assumed = len(alive), all_of([*self.facts, *before.values()])
        known = self._assumed[1]
        asked = [known, *step.facts, *self.rules.fresh.facts[begin:], step.guard]
        kept = True
        while goals:
            reply = self.solver.ask(said, [*asked, any_of(negate(g) for g in goals.values())])
            if reply.said not in (SAT, UNKNOWN):
                break
            kept = False
            lost = [*goals]
            if reply.said == SAT:
                lost = [n for n, g in goals.items() if g is False or _fails(reply.model, g)] or lost
            for name in lost:
                self.failures[name] = Failure(step.action.name, reply.reason)
                del goals[name], alive[name], before[name]
        return kept

    def keeps_tiles(self) -> Failure | None:
        """Whether every event leaves as many tiles of each kind as there were, whatever else holds."""
        rules = self.rules
        before = {k: rules.everywhere(self.table, k) for k in rules.eval.copies}
        for step in self.steps:
            kept, lost = [], []
            for kind, copies in rules.eval.copies.items():
                later = rules.everywhere(step.after, kind)
                if later is copies or (not isinstance(later, int) and later.eq(before[kind])):
                    continue
                kept.append(equal(before[kind], copies))
                lost.append(negate(equal(later, copies)))
            reply = self.solver.ask(f"{step.action.name} keeps the tiles", [*kept, any_of(lost)])
            if reply.said in (SAT, UNKNOWN):
                return Failure(step.action.name, reply.reason)
        return None

    # ------------------------------------------------------------------ what follows from them

    @property
    def known(self) -> list[Truth]:
        """All that is certain of the unknown table."""
        return [*self.facts, *(c.ask(self.table) for c in self.held)]

    def after_events(self, action: str, ask: Callable[[Step], Truth]) -> Failure | None:
        """Whether something holds after every event of an action; None where it does."""
        known = self.known
        for step in self.steps:
            if step.action.name != action:
                continue
            begin = len(self.rules.fresh.facts)
            goal = ask(step)
            asked = [*known, *step.facts, *self.rules.fresh.facts[begin:], step.guard, negate(goal)]
            reply = self.solver.ask(f"after {action}", asked)
            if reply.said in (SAT, UNKNOWN):
                return Failure(action, reply.reason)
        return None

    def some_event(self) -> Failure | None:
        """Whether some event is legal wherever a hand is not over yet; None where it is."""
        from golpae.prove.state import OVER, PLAYING

        known = self.known
        evaluator = self.rules.eval
        turned = [s for s in self._all_seats() if s.action.kind in ("play", "end")]
        going = any_of(evaluator_same(self.table.at, at) for at in (PLAYING, OVER))
        asked = [*known, *(f for s in turned for f in s.facts), going]
        asked += [negate(s.guard) for s in turned]
        reply = self.solver.ask("some event is legal", asked)
        if reply.said == SAT and evaluator.exactly:
            reply = self.solver.ask("some event is legal", [*asked, *(e() for e in evaluator.exactly)])
        if reply.said in (SAT, UNKNOWN):
            self.stuck_at = reply.model
            return Failure("", reply.reason)
        return None

    def _all_seats(self) -> list[Step]:
        """The steps by every seat, from the same table."""
        out = list(self.steps)
        for action in self.rules.rules.actions:
            if action.kind == "play" and action.by is not None:
                for seat in range(1, self.rules.players):
                    out += self.rules.steps_by(seat, action, self.table)
        return out

    def ranks(self, rank: ir.Expr, action: str | None) -> Failure | None:
        """Whether a rank never is below 0 in a hand, and goes down at every event.

        With an action: at every event of that action, and never up at others.
        """
        known = self.known
        number = self.rules.eval.number(rank, self.table, {})
        for step in self.steps:
            if step.action.kind != "play":
                continue
            begin = len(self.rules.fresh.facts)
            later = self.rules.eval.number(rank, step.after, {})
            down = 1 if action in (None, step.action.name) else 0
            from golpae.prove.algebra import at_least, minus

            goal = all_of([at_least(minus(number, down), later), at_least(later, 0)])
            facts = self.rules.fresh.facts[begin:]
            reply = self.solver.ask(
                f"rank after {step.action.name}", [*known, *step.facts, *facts, step.guard, negate(goal)]
            )
            if reply.said in (SAT, UNKNOWN):
                return Failure(step.action.name, reply.reason)
        return None

    def most_after_deal(self, rank: ir.Expr) -> int | None:
        """The highest rank that a hand can start with; None where it has no highest."""
        from golpae.prove.algebra import at_least

        best: int | None = None
        for step in self.steps:
            if step.action.kind != "deal":
                continue
            begin = len(self.rules.fresh.facts)
            start = self.rules.eval.number(rank, step.after, {})
            if isinstance(start, int):
                best = start if best is None else max(best, start)
                continue
            asked = [*self.known, *step.facts, *self.rules.fresh.facts[begin:], step.guard]
            low = best
            for _ in range(10_000):
                goal = True if low is None else at_least(start, low + 1)
                reply = self.solver.ask("highest rank", [*asked, goal])
                if reply.said == UNKNOWN:
                    return None
                if reply.said != SAT:
                    break
                low = reply.model.eval(start, model_completion=True).as_long()
            else:
                return None
            best = low
        return best


def evaluator_same(a: object, b: object) -> Truth:
    from golpae.prove.algebra import same

    return same(a, b)


def _fails(model: object, truth: Truth) -> bool:
    found = model.eval(truth, model_completion=True)  # type: ignore[attr-defined]
    return str(found) != "True"
