"""What always holds, by induction over events.

In: the `Rules` of one table, and candidates: truths about a table that may always hold. Out: those that do, as far
as induction shows it: they hold at the start, and every event that is legal where all of them hold leads to where
all of them hold. A candidate that fails is given up and the rest is tried again, so what is left holds together
(Houdini: Flanagan and Leino, FME 2001).

Where nothing can be said of an action in a solver's terms, nothing is proved.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

import z3

from golpae.ir import expr as ir
from golpae.ir.dependencies import nodes_through
from golpae.ir.ruleset import PropertyDecl
from golpae.ir.types import Choice, Opt, Seat, Type
from golpae.prove.encoding.transition_system import Step, TransitionSystem
from golpae.prove.solving.solver import SAT, UNKNOWN, UNSAT, Reply, Session, Solver
from golpae.prove.symbolic.state import OVER, PLAYING, SymbolicState
from golpae.prove.symbolic.values import (
    Bag,
    Truth,
    Unsupported,
    Value,
    all_of,
    any_of,
    at_least,
    cases,
    conj,
    equal,
    implies,
    joined,
    minus,
    negate,
    same,
    tiles_of,
)

QUICK = 700  # milliseconds for a question that can be asked in parts, or whose answer can be done without
MOST_SEATS = 3  # states of which one is taken for the seat that stands for all
PATIENT = 5_000  # for one that is asked in full where this gives no answer
THOROUGH = 15_000  # milliseconds for what may follow from all that is known
Ask = Callable[[SymbolicState], Truth]


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


@dataclass(frozen=True, slots=True)
class _Trial:
    """Candidates that are tried together: those not given up yet, what each says before an event and after the
    step of a number, its mark, and what it reads of a table.
    """

    alive: dict[str, Candidate]
    before: dict[str, Truth]
    marks: dict[str, Truth]
    sessions: tuple[Session, Session]
    read: dict[str, frozenset[str]]
    after: dict[tuple[int, str], Truth] = field(default_factory=dict)


class Induction:
    """The invariants of one table."""

    def __init__(self, rules: TransitionSystem, solver: Solver) -> None:
        self.rules = rules
        self.solver = solver
        begin = len(rules.symbols.facts)
        self.table = rules.unknown_state()
        self.light = tuple(rules.symbols.facts[begin:])  # certain, and soon asked
        self.facts = (*self.light, *rules.conservation)  # certain
        self.steps: list[Step] = []
        for action in rules.rules.actions:
            self.steps += rules.specialized_steps(action, self.table)
        self.held: list[Candidate] = []
        self.failures: dict[str, Failure] = {}
        self._session: Session | None = None
        self._changes: dict[int, frozenset[str]] = {}

    # ------------------------------------------------------------------ invariants

    def run(self, candidates: Iterable[Candidate], seconds: float | None = None) -> bool:
        """Find the candidates that always hold, by themselves or with what is `held`; `failures` tells why others
        do not. Gives up after so many seconds, with nothing found: False.
        """
        end = None if seconds is None else self.solver.clock + seconds
        rules = self.rules
        known = all_of(self.known)
        begin = len(rules.symbols.facts)
        first = rules.initial_state()
        start_facts = rules.symbols.facts[begin:]
        alive: dict[str, Candidate] = {}
        before: dict[str, Truth] = {}
        last: list[tuple[Candidate, list[Truth]]] = []  # asked last of all, where the candidate is given up
        more = bool(self.held)
        asked: set[int] = set()
        for candidate in candidates:
            if any(candidate.name == c.name for c in self.held):
                continue
            begin = len(rules.symbols.facts)
            try:
                start, here = candidate.ask(first), candidate.ask(self.table)
            except Unsupported as fault:
                self.failures[candidate.name] = Failure("", str(fault))
                continue
            facts = rules.symbols.facts[begin:]
            if candidate.stated is not None:
                wrong = [known, *facts, negate(here)]
                if here is True or (not more and self._never(candidate.name, wrong, QUICK)):
                    self.held.append(candidate)
                    known = conj(known, *facts, here)
                    continue
            elif here is True or (not facts and here.get_id() in asked):
                continue  # it says nothing, or what another says
            if not facts and isinstance(here, z3.ExprRef):
                asked.add(here.get_id())
            reply = self.solver.ask(f"{candidate.name} at the start", [*start_facts, *facts, negate(start)])
            if reply.said == SAT:
                self.failures[candidate.name] = Failure("the start")
            elif reply.said == UNKNOWN:
                self.failures[candidate.name] = Failure("the start", reply.reason)
            else:
                alive[candidate.name] = candidate
                before[candidate.name] = conj(here, *facts)
                if more and candidate.stated is not None:
                    last.append((candidate, [*facts, negate(here)]))
        if alive and not self._keep(alive, before, end):
            return False
        for candidate, wrong in last:  # what does not keep itself may follow from the rest
            if candidate.name not in alive and self._never(candidate.name, [*self.known, *wrong], THOROUGH):
                self.held.append(candidate)
                self._session = None
        return True

    def _keep(self, alive: dict[str, Candidate], before: dict[str, Truth], end: float | None) -> bool:
        """Give up candidates until every event keeps the rest, which are `held` then. False when the time is up."""
        marks = {name: z3.Bool(f"candidate {name}") for name in alive}
        assumed = [implies(marks[n], before[n]) for n in alive]
        held = [c.ask(self.table) for c in self.held]
        # most questions need not know where every tile lies, and are answered sooner without
        light = self.solver.session([*self.light, *held, *assumed])
        session = self.solver.session([*self.facts, *held, *assumed])
        trial = _Trial(
            alive, before, marks, (light, session), {n: _read(c, self.table) for n, c in alive.items()}
        )
        used: dict[int, frozenset[str]] = {}  # the candidates that each step was shown with
        waiting = deque(range(len(self.steps)))
        while waiting:
            if end is not None and self.solver.clock > end:
                return False
            number = waiting.popleft()
            lost, used[number] = self._keeps(number, trial)
            waiting += (n for n, names in used.items() if names & lost and n not in waiting)
        self.held += alive.values()
        self._session = None
        return True

    def _never(self, name: str, goal: list[Truth], most: int) -> bool:
        """Whether these cannot hold together, as far as is seen in so many milliseconds."""
        if any(truth is False for truth in goal):
            return True
        reply = self.solver.ask(f"{name} follows", goal, most)
        if reply.said == SAT and self.rules.evaluator.axioms:
            reply = self.solver.ask(f"{name} follows", [*goal, *self.rules.evaluator.exact_axioms()[0]], most)
        return reply.said == UNSAT

    def _keeps(self, number: int, trial: _Trial) -> tuple[frozenset[str], frozenset[str]]:
        """The candidates that a step does not keep, which are given up; and those that it was shown with."""
        step, alive = self.steps[number], trial.alive
        changed = self._differs(number)
        for name, candidate in alive.items():
            if (number, name) not in trial.after:
                # what the step does not touch stays as it was
                if trial.read[name].isdisjoint(changed):
                    trial.after[number, name] = True
                    continue
                found = candidate.ask(step.after)
                trial.after[number, name] = True if _alike(found, trial.before[name]) else found
        after = {c: truth for c in alive if (truth := trial.after[number, c]) is not True}
        todo = [list(after)]
        about = f"{step.action.name} keeps what always holds"
        given_up: set[str] = set()
        used: set[str] = set()
        while todo:
            goals = [c for c in todo.pop() if c in alive]
            if not goals:
                continue
            marks = {c: trial.marks[c] for c in alive}
            wrong = [*step.facts, step.guard, any_of(negate(after[c]) for c in goals)]
            sure = len(goals) == 1 and alive[goals[0]].stated is not None
            limit = None if sure else QUICK
            light, session = trial.sessions
            reply = light.ask(about, wrong, limit, marks)
            if reply.said != UNSAT:
                reply = session.ask(about, [*wrong, *step.definitions], limit, marks)
            if reply.said == UNSAT:
                used |= reply.used
                continue
            if reply.said == UNKNOWN and len(goals) > 1:
                todo += [[c] for c in goals]  # too much at once
                continue
            lost = {c for c in goals if reply.said == UNKNOWN or _fails(reply.model, after[c])} or set(goals)
            for name in lost:
                self.failures[name] = Failure(step.action.name, reply.reason)
                del alive[name]
            given_up |= lost
            todo.append(goals)
        return frozenset(given_up), frozenset(used)

    def _differs(self, number: int) -> frozenset[str]:
        """What a step may change."""
        if number not in self._changes:
            step = self.steps[number]
            self._changes[number] = step.before.differs(step.after)
        return self._changes[number]

    def keeps_tiles(self) -> Failure | None:
        """Whether every event leaves as many tiles of each kind as there were, whatever else holds."""
        for step in self.steps:
            if step.action.kind == "deal":
                continue  # a deal gathers all tiles first, and deals them
            old, new = self._changed(step.after)
            lost = [
                negate(equal(old.count(k), new.count(k))) for k in dict.fromkeys([*old.counts, *new.counts])
            ]
            moves = dict(step.guards)["moves"]
            about = f"{step.action.name} keeps the tiles"
            wrong = [moves, *step.definitions, any_of(lost)]
            reply = self.solver.ask(about, wrong, QUICK)
            if reply.said != UNSAT:
                reply = self.session.ask(about, [*step.facts, *wrong])
            if reply.said != UNSAT:
                return Failure(step.action.name, reply.reason)
        return None

    def _changed(self, after: SymbolicState) -> tuple[Bag, Bag]:
        """The tiles of all zones that a step changed, before and after it, but for what there are as many of."""
        old: list[Bag] = []
        new: list[Bag] = []
        for name, here in self.table.zones.items():
            there = after.zones[name]
            pairs = zip(here, there, strict=True) if isinstance(here, list) else [(here, there)]
            for one, other in pairs:
                if one is other:
                    continue
                keys = dict.fromkeys([*one.bag.counts, *other.bag.counts])
                moved = [k for k in keys if equal(one.bag.count(k), other.bag.count(k)) is not True]
                old.append(tiles_of(Bag({k: one.bag.count(k) for k in moved})))
                new.append(tiles_of(Bag({k: other.bag.count(k) for k in moved})))
        return joined(*old), joined(*new)

    # ------------------------------------------------------------------ what follows from them

    @property
    def known(self) -> list[Truth]:
        """All that is certain of the unknown table."""
        return [*self.facts, *(c.ask(self.table) for c in self.held)]

    @property
    def session(self) -> Session:
        """Questions that start from all that is certain of the unknown table."""
        if self._session is None:
            self._session = self.solver.session(self.known)
        return self._session

    def after_events(self, action: str, ask: Callable[[Step], Truth]) -> Failure | None:
        """Whether something holds after every event of an action; None where it does."""
        wrong = []
        for step in self.steps:
            if step.action.name != action:
                continue
            begin = len(self.rules.symbols.facts)
            goal = ask(step)
            facts = self.rules.symbols.facts[begin:]
            wrong.append(conj(*step.path_condition, *facts, negate(goal)))
        return self._none(f"after {action}", action, wrong)

    def _none(self, about: str, action: str, wrong: list[Truth]) -> Failure | None:
        """None where none of these can be, with all that is known."""
        # most often it need not be known where every tile lies
        light = self.solver.session([*self.light, *(c.ask(self.table) for c in self.held)], broad=True)
        for truth in wrong:
            reply = light.ask(about, [truth], PATIENT)
            if reply.said != UNSAT:
                reply = self.session.ask(about, [truth])
            if reply.said != UNSAT:
                return Failure(action, reply.reason)
        return None

    def some_event(self) -> Failure | None:
        """Whether some event is legal wherever a hand is not over yet; None where it is."""
        broad = self.solver.session(self.known, broad=True)
        for table, case in self._standing():
            if self.session.ask("some event is legal", case, QUICK).said != UNSAT:
                reply = self._stuck(table, case, broad)
                if reply.said != UNSAT:
                    return Failure("", reply.reason)
        return None

    def _stuck(self, table: SymbolicState, case: list[Truth], session: Session) -> Reply:
        """Whether nobody can do anything at a table, of which something more is known."""
        evaluator, about = self.rules.evaluator, "some event is legal"
        reply = Reply(UNKNOWN)
        for seats in ([0], range(self.rules.players)):  # most often it is the one whose turn it is
            asked = list(case)
            for few in (True, False):  # and most often he can do something that can be done in few ways
                steps = self._all_by(seats, table, few)
                asked += [f for s in steps for f in (*s.facts, *s.definitions)]
                asked += [negate(s.guard) for s in steps]
                said = [] if few else evaluator.axioms_for(asked, exact=False)
                reply = session.ask(about, [*asked, *said], QUICK if few else None)
                if reply.said == UNSAT:
                    return reply
            said = evaluator.axioms_for(asked, exact=True) if reply.said == SAT else []
            if said:
                reply = session.ask(about, [*asked, *said])
            if reply.said == UNSAT:
                break
        return reply

    def _standing(self) -> Iterator[tuple[SymbolicState, list[Truth]]]:
        """Tables that stand for all of a hand that is not over yet, each with what makes the unknown table it.

        With a seat and a word known that most events ask for, little is left of what they say. One seat stands for
        all: whoever it is, the table may be turned until he sits there.
        """
        seats, words = self._asked(Seat)[:MOST_SEATS], self._asked(Choice)[:1]
        rows: list[list[tuple[str, Value]]] = [[(name, None) for name in seats]]
        rows += [[*((s, None) for s in seats[:i]), (name, 0)] for i, name in enumerate(seats)]
        every = [[(name, v) for _, v in cases(self.table.vars[name])] for name in words]
        for at, who, what in product((PLAYING, OVER), rows, product(*every)):
            table = self.table.copy()
            table.at = at
            case = [same(self.table.at, at)]
            for name, value in (*who, *what):
                table.vars[name] = value
                case.append(same(self.table.vars[name], value))
            yield table, case

    def _asked(self, kind: type) -> list[str]:
        """The shared states of a type, those first that the conditions of most actions read."""
        rules = self.rules.rules
        shared = {v.name for v in rules.vars if not v.each_player and isinstance(_item(v.type), kind)}
        read: Counter[str] = Counter()
        for action in rules.actions:
            if action.kind == "play":
                asked = [
                    n
                    for c in action.conditions
                    for n in nodes_through(c.expr, self.rules.evaluator.definitions)
                ]
                read.update({n.name for n in asked if isinstance(n, ir.StateRead)} & shared)
        return sorted(read, key=lambda name: (-read[name], name))

    def _all_by(self, seats: Iterable[int], table: SymbolicState, few: bool) -> list[Step]:
        """The steps by some seats that may be legal while a hand is played, each with all its tiles filled in: those
        of actions that can be done in few ways, or those of the others.
        """
        rules = self.rules
        rules.exhaustive = True
        try:
            return [
                step
                for action in rules.rules.actions
                if action.kind in ("play", "end")
                and (rules.ways(action) <= len(rules.evaluator.kinds)) is few
                for seat in (seats if action.by is not None else [0])
                for step in rules.steps_by(seat, action, table)
            ]
        finally:
            rules.exhaustive = False

    def falls(self, measure: ir.Expr, action: str | None) -> Failure | None:
        """Whether a number never is below 0 in a hand, and goes down at every event.

        With an action: at every event of that action, and never up at others.
        """
        number = self.rules.evaluator.number(measure, self.table, {})
        wrong: dict[str, list[Truth]] = {}
        for step in self.steps:
            if step.action.kind == "play":
                begin = len(self.rules.symbols.facts)
                later = self.rules.evaluator.number(measure, step.after, {})
                down = 1 if action in (None, step.action.name) else 0
                goal = conj(at_least(minus(number, down), later), at_least(later, 0))
                facts = self.rules.symbols.facts[begin:]
                found = conj(*step.path_condition, *facts, negate(goal))
                wrong.setdefault(step.action.name, []).append(found)
        for name, many in wrong.items():
            failure = self._none(f"what is left to do, after {name}", name, many)
            if failure is not None:
                return failure
        return None

    def most_after_deal(self, measure: ir.Expr) -> int | None:
        """The highest number that a hand can start with; None where it has no highest."""
        best: int | None = None
        for step in self.steps:
            if step.action.kind != "deal":
                continue
            begin = len(self.rules.symbols.facts)
            start = self.rules.evaluator.number(measure, step.after, {})
            if isinstance(start, int):
                best = start if best is None else max(best, start)
                continue
            asked = [*step.facts, *self.rules.symbols.facts[begin:], step.guard]
            low = best
            for _ in range(10_000):
                goal = True if low is None else at_least(start, low + 1)
                reply = self.session.ask("highest number", [*asked, goal])
                if reply.said == UNKNOWN:
                    return None
                if reply.said != SAT:
                    break
                low = reply.model.eval(start, model_completion=True).as_long()
            else:
                return None
            best = low
        return best


def _item(kind: Type) -> Type:
    return kind.item if isinstance(kind, Opt) else kind


def _read(candidate: Candidate, table: SymbolicState) -> frozenset[str]:
    """What a candidate reads of a table."""
    noting = table.noting()
    candidate.ask(noting)
    return frozenset(noting.read)


def _alike(one: Truth, other: Truth) -> bool:
    """Whether two truths are the same term."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one.eq(other))


def _fails(model: object, truth: Truth) -> bool:
    if isinstance(truth, bool):
        return not truth
    found = model.eval(truth, model_completion=True)  # type: ignore[attr-defined]
    return str(found) != "True"
