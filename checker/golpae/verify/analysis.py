"""The analyses of one rule set at one table, each made once, when it is first needed.

Input: an instance and the settings.
Output: its machine, its theorem prover and its invariants.
Guarantee: every invariant holds in every reachable state. If the prover does not support the rules, asking for
invariants raises `Unsupported` each time. What is decided `apart` finds no trace of what was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.prove.encoding.tiles_of_players import most_tiles
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction import invariant_templates as templates
from golpae.prove.induction.candidate import Candidate, Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import MILLION, QUESTION, LimitReached, Limits, Solver
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.terms import Unsupported
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.replay.steps import MOST_IN_ALL
from golpae.replay_bridge import ReplayShapes
from golpae.search.all_games import AllGames, all_games
from golpae.verify.confirmation import confirm
from golpae.verify.kept_proofs import SEPARATOR, KeptResult, KeptTable
from golpae.verify.lemmas import KeptInvariants
from golpae.verify.options import GAMES, INVARIANTS, MORE_INVARIANTS, Settings
from golpae.verify.sample_states import PlayedGames, sample_states
from golpae.verify.sharing.steps import StepProofs, has_long_steps, pays
from golpae.verify.stated import stated_candidates
from golpae.workers import tell_part

STRENGTHENED = 400 * MILLION  # units of the solver that the search for more invariants may cost
SECOND = 4 * MILLION  # units for a question of a second opinion
T = TypeVar("T")
Search = Callable[
    [str, Callable[[], "AllGames | None"]], "AllGames | None"
]  # of what is said to be looked for


class NotKept(Exception):
    """What is kept beside the text does not decide a property, so that something would have to be looked for."""


@dataclass(frozen=True, slots=True)
class _Cost:
    """What questions took, as in `InvariantSearch`."""

    queries: int
    units: int
    confirmed: int
    fullest: tuple[float, str]
    unconfirmed: list[str]


@dataclass(slots=True)
class InvariantSearch:
    """Invariants, and what they took: questions, units, those `confirmed` by another solver, `unconfirmed` ones.

    `fullest` is the largest part of its units that one of them used. `restore` makes the induction forget what was
    evaluated since they were found. `more` says that some of them were suggested by games or kept. `as_said` says that
    they are those that are kept, and that each needs no others than it is said to; otherwise `needs` are those that
    each one needs, with what it took, as far as somebody asked.
    """

    induction: Induction
    restore: Callable[[], None]
    queries: int
    units: int
    confirmed: int
    fullest: tuple[float, str]
    unconfirmed: list[str] = field(default_factory=list)
    more: bool = False
    as_said: bool = False
    needs: dict[str, tuple[frozenset[str], _Cost]] = field(default_factory=dict)

    def closed(self, names: Iterable[str], solver: Solver) -> set[str]:
        """Return the names of these further invariants and of all that they need. It counts for whoever asks."""
        further = self.induction.further
        out: set[str] = set()
        waiting = sorted(name for name in names if name in further)
        while waiting:
            name = waiting.pop()
            if name not in out:
                out.add(name)
                waiting += sorted(self.need(name, solver))
        return out

    def need(self, name: str, solver: Solver) -> frozenset[str]:
        """Return the names of the further invariants that one needs. It counts for whoever asks."""
        if name not in self.needs:
            old = _Cost(solver.queries, solver.spent, solver.confirmed, solver.fullest, solver.unconfirmed)
            solver.queries, solver.spent, solver.confirmed = 0, 0, 0
            solver.fullest, solver.unconfirmed = (0.0, ""), []
            try:
                needed = self.induction.need_of(name)
                cost = _Cost(
                    solver.queries, solver.spent, solver.confirmed, solver.fullest, solver.unconfirmed
                )
                self.needs[name] = needed, cost
            finally:
                solver.queries, solver.spent, solver.confirmed = old.queries, old.units, old.confirmed
                solver.fullest, solver.unconfirmed = old.fullest, old.unconfirmed
        needed, cost = self.needs[name]
        solver.queries += cost.queries
        solver.spent += cost.units
        solver.confirmed += cost.confirmed
        solver.unconfirmed += cost.unconfirmed
        solver.fullest = max(solver.fullest, cost.fullest)
        return needed


@dataclass(frozen=True, slots=True)
class Suggested:
    """States of games that were played at random, and what holds in all of them."""

    states: Sequence[SymbolicState]
    candidates: Sequence[Candidate]


class _Walks:
    """All games of a machine, gone through once for each set of expressions that tell positions apart."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.known: dict[tuple[ir.Expr, ...], AllGames | Exception | None] = {}

    def reads_forgotten(self, games: AllGames, expr: ir.Expr) -> bool:
        """Return whether an expression reads a state of the text that the positions of some games do not tell apart."""
        rules = self.machine.rules
        read = Dependencies(rules).reads([expr])
        return bool({v.name for v in rules.vars} & games.forgotten & read)

    def told_apart(self, also: tuple[ir.Expr, ...], searched: Search) -> AllGames | None:
        """Return all games, told apart by what these expressions read too, as far as they can be gone through."""
        if also not in self.known:
            try:
                self.known[also] = searched(GAMES, lambda: all_games(self.machine, also=also))
            except TooManySteps:  # by a rule; what else asks for it says so
                self.known[also] = None
            except Exception as fault:
                self.known[also] = fault
        self.machine.limit_steps(MOST_IN_ALL)  # again, for the property that asks
        games = self.known[also]
        if isinstance(games, Exception):
            raise games
        return games


class Analysis:
    """The analyses of one instance.

    If formulas of two instances meet in one question, `mark` tells their symbols apart, and `also` is the other
    rule set. `on_search` is called with what is looked for that properties share, and with None when it is found.
    """

    def __init__(
        self,
        instance: Instance,
        settings: Settings,
        mark: str = "",
        also: RuleSet | None = None,
        on_search: Callable[[str | None], None] | None = None,
    ) -> None:
        self.instance = instance
        self.mark = mark
        self.also = also
        self.settings = settings
        self.machine = self.made(instance)
        self.machine.limit_steps(MOST_IN_ALL)
        self.shapes = self.shapes_of(self.machine)
        limits = Limits(settings.effort, settings.megabytes, settings.most or QUESTION, settings.solver_seed)
        options = "".join(f"{name}={value}-" for name, value in sorted(instance.options.items()))
        prefix = f"{instance.rule_set.rules}-{instance.players}p-{options}"
        self.solver = Solver(limits, settings.smt2, settings.crosscheck, prefix)
        self.theorems = Theorems(instance, self.shapes_of(self.machine), self.solver)
        self.on_search = on_search
        self.played = PlayedGames(self.machine, settings.seed)
        self._invariants = KeptInvariants(instance, self.played, bool(instance.settings or also or mark))
        self._scope = ""
        self._level: InvariantSearch | None = None  # the invariants at hand
        self._found: dict[str, InvariantSearch | Exception] = {}
        self._walks = _Walks(self.machine)
        self.by_action: StepProofs | None = None  # candidates are checked action by action

    def made(self, instance: Instance) -> Machine:
        """Return the machine that plays games."""
        return Machine(instance)

    def shapes_of(self, machine: Machine) -> ReplayShapes:
        """Return the oracle of shapes and scores, which replay answers."""
        return ReplayShapes(machine)

    def is_static(self, expr: ir.Expr) -> bool:
        """Return whether an expression reads no state of a game."""
        return not Dependencies(self.instance.rule_set).reads([expr])

    @property
    def games(self) -> AllGames | None:
        """All games, as far as they can be gone through; None if they cannot."""
        return self._walks.told_apart((), self._searched)

    def games_for(self, expr: ir.Expr) -> AllGames | None:
        """Return all games, with positions told apart by what an expression reads of the states of the text too."""
        games = self.games
        more = games is not None and self._walks.reads_forgotten(games, expr)
        return self._walks.told_apart((expr,), self._searched) if more else games

    @cached_property
    def second(self) -> Analysis:
        """An analysis that takes less effort: what it does not answer changes no verdict."""
        second = Analysis(self.instance, replace(self.settings, kept=None))
        second.solver.limits = replace(second.solver.limits, most=SECOND)
        return second

    def kept(self, prop: PropertyDecl) -> KeptResult | None:
        """Return the stored result of a property, which is checked again; None if none is stored for this run."""
        return None if self.settings.kept is None else self.settings.kept.result(prop.name)

    def search(self) -> None:
        """Called before a search for games. Raises `NotKept` if what is kept is checked, not looked for."""
        if self.settings.kept is not None:
            raise NotKept

    def anew(self) -> Analysis:
        """Return a fresh analysis without invariants, which a fault may have left half made; it holds the faults."""
        fresh = Analysis(self.instance, self.settings, self.mark, self.also, self.on_search)
        fresh.solver = self.solver
        fresh.theorems = Theorems(fresh.instance, fresh.shapes_of(fresh.machine), fresh.solver)
        fresh._walks.known = self._walks.known
        fresh._found = {what: e for what, e in self._found.items() if isinstance(e, Exception)}
        return fresh

    # ------------------------------------------------------------------ invariants

    @contextmanager
    def apart(self, name: str) -> Iterator[None]:
        """Decide something within the block as if nothing had been decided before it, and leave nothing behind.

        Without this, what is evaluated is remembered, and invariants that were found once are used from then on.
        """
        level, scope = self._level, self._scope
        self._level, self._scope = None, f"{name}: "
        self.theorems.scoring.forget(self._scope)
        try:
            yield
        finally:
            self._level, self._scope = level, scope
            if level is not None:
                self._forget(level)

    @property
    def induction(self) -> Induction:
        """The invariants of this instance. Raises `Unsupported`."""
        if self._level is None:
            self._enter(INVARIANTS, self._induct)
        assert self._level is not None
        return self._level.induction

    def strengthen(self) -> bool:
        """Add the invariants that games played at random suggest. Return whether there may be more than before."""
        base = self.induction
        assert self._level is not None
        if self._level.more:
            return False
        self._enter(MORE_INVARIANTS, lambda: self._strengthened(base))
        return True

    def _enter(self, what: str, find: Callable[[], Induction]) -> None:
        """Go on with these invariants, which are looked for once. They count for whoever uses them."""
        solver = self.solver
        if what not in self._found:
            queries, confirmed, spent = solver.queries, solver.confirmed, solver.spent
            fullest, solver.fullest = solver.fullest, (0.0, "")
            unconfirmed, solver.unconfirmed = solver.unconfirmed, []
            try:
                with parts_apart():
                    induction = self._searched(what, find)
                    restore = induction.saved()
                search = InvariantSearch(
                    induction,
                    restore,
                    solver.queries - queries,
                    solver.spent - spent,
                    solver.confirmed - confirmed,
                    solver.fullest,
                )
                search.unconfirmed = solver.unconfirmed
                search.more, search.as_said = what == MORE_INVARIANTS, induction.is_as_said
                self._found[what] = search
            except Exception as fault:  # it would fail again for the next property
                self._found[what] = fault
            finally:
                solver.queries, solver.confirmed, solver.unconfirmed = queries, confirmed, unconfirmed
                solver.fullest, solver.spent = fullest, spent
        self.machine.limit_steps(MOST_IN_ALL)  # again, for the property that asks
        entered = self._found[what]
        if isinstance(entered, Exception):
            raise entered
        solver.queries += entered.queries
        solver.spent += entered.units
        solver.confirmed += entered.confirmed
        solver.unconfirmed += entered.unconfirmed
        solver.fullest = max(solver.fullest, entered.fullest)
        self._forget(entered)
        self._level = entered

    @property
    def unaided(self) -> frozenset[str]:
        """The names of the invariants that need no more than the text; none if nobody has asked for them."""
        search = self._found.get(INVARIANTS)
        invariants = search.induction.invariants if isinstance(search, InvariantSearch) else []
        return frozenset(candidate.name for candidate in invariants)

    def _forget(self, search: InvariantSearch) -> None:
        search.restore()
        search.induction.system.symbols.scope = self._scope

    def _searched(self, what: str, find: Callable[[], T]) -> T:
        """Look for what properties share, and tell so. Raises `LimitReached` if another process got no further."""
        self.machine.limit_steps(MOST_IN_ALL)
        for lost, limit in self.settings.lost:
            if lost == what:
                raise LimitReached(limit)
        if self.on_search is None:
            return find()
        self.on_search(what)
        try:
            return find()
        finally:
            self.on_search(None)

    def _induct(self) -> Induction:
        system = new_system(self)
        self.by_action = _by_action(self, system)
        induction = Induction(system, self.solver, self.by_action)
        first = [*stated_candidates(self.instance.rule_set, system.evaluator), *templates.basics(system)]
        known, stored = self._invariants, self.settings.kept
        first = list(known.possible(first) if stored is None else known.still(first, stored.stated))
        induction.add_invariants(first)
        confirm(self.played, induction)
        return induction

    def _strengthened(self, base: Induction) -> Induction:
        """Return an induction that has more invariants than another one, which it leaves as it is."""
        if self._level is not None and self._scope:
            self._level.restore()
        system = base.system
        system.symbols.scope = f"{MORE_INVARIANTS}: "
        induction = base.extended()
        stored = self.settings.kept
        if stored is not None and self._as_said(induction, stored):
            confirm(self.played, induction)
            return induction
        if stored is None:
            suggested = self._add_suggested(induction)
            induction.add_invariants(self._invariants.possible(_unproved(induction, self.instance)))
            self._add_together(induction, suggested)
        else:
            induction.add_invariants(self._invariants.lemmas(system, stored), STRENGTHENED)
            induction.add_invariants(
                self._invariants.still(_unproved(induction, self.instance), stored.further)
            )
        confirm(self.played, induction)
        return induction

    def _add_suggested(self, induction: Induction) -> Suggested:
        """Add the invariants that games played at random suggest. Return all that these suggest."""
        tell_part("playing games by chance")
        states: list[SymbolicState] = []
        with suppress(TooManySteps):  # by a rule: there are as many states as it lets games have
            states.extend(sample_states(self.played))
        suggested = templates.candidates(induction.system, states)
        induction.add_invariants(suggested, STRENGTHENED)
        return Suggested(states, suggested)

    def _add_together(self, induction: Induction, suggested: Suggested) -> None:
        """Add what the text states and games suggest, if it holds only together; not what fails in some game."""
        unproved = [c for c in _unproved(induction, self.instance) if c.stated is not None]
        unproved = [c for c in unproved if all(_may_hold(c, state) for state in suggested.states)]
        if unproved:
            induction.add_invariants([*unproved, *suggested.candidates], STRENGTHENED)

    def _as_said(self, induction: Induction, stored: KeptTable) -> bool:
        """Add the invariants that are kept if each needs only those that proofs are said to need with it."""
        names = {c.name for c in induction.invariants}
        made = list(stated_candidates(self.instance.rule_set, induction.system.evaluator))
        stated = [c for c in made if c.name not in names]
        further = [c for c in stated if c.name in stored.further]
        lemmas = [c for c in self._invariants.lemmas(induction.system, stored) if c.name not in names]
        together = [*lemmas, *further]
        if not induction.add_as_said(together, stored.needs({c.name for c in together})):
            return False
        others = [c for c in stated if c.stated is None and c.name not in stored.further]
        induction.add_invariants(self._invariants.still(others, ()))
        return True

    def first_failure(
        self, check: Callable[[], Failure | None], stored: KeptResult | None = None
    ) -> Failure | None:
        """Return why a check fails, even with more invariants, or None if it succeeds.

        If more of them are needed, only those that the check needs are left after it. `stored` says whether they
        are, and which ones. What the prover does not support among them is a reason to fail: a game may still decide.
        """
        if stored is None or not stored.more:
            failure = check()
            if failure is None:
                return None
        else:
            failure = None
        try:
            if not self.strengthen():
                return failure or check()
            return self._failure_with_more(check, stored)
        except Unsupported as lack:
            return Failure("", unsupported=lack)

    def _failure_with_more(
        self, check: Callable[[], Failure | None], stored: KeptResult | None
    ) -> Failure | None:
        level = self._level
        assert level is not None
        if not level.as_said:
            return self._reduced(check, level)
        if stored is not None:
            vacuous = (n for n in level.induction.further if n.startswith(f"{stored.name}{SEPARATOR}"))
            self._level = replace(level, induction=level.induction.restricted({*stored.needs, *vacuous}))
        return check()

    def _reduced(self, check: Callable[[], Failure | None], level: InvariantSearch) -> Failure | None:
        """Return why a check fails, or None. Then go on with the invariants that it needs."""
        noting = level.induction.noting()
        self._level = replace(level, induction=noting)
        try:
            failure = check()
        except Unsupported:
            self._level = level
            raise
        if failure is None:
            assert noting.needed is not None
            needed = level.closed(noting.needed, self.solver)
            self._level = replace(level, induction=level.induction.restricted(needed))
            return None
        self._level = level
        if failure.reason:  # the solver gave no answer; perhaps it does if nothing is noted
            self._forget(level)
            return check()
        return failure


def _unproved(induction: Induction, instance: Instance) -> list[Candidate]:
    """Return the candidates that the text states and that are no invariants."""
    proved = [c.stated for c in induction.invariants]
    made = stated_candidates(instance.rule_set, induction.system.evaluator)
    return [c for c in made if c.stated is None or c.stated not in proved]


def new_system(analysis: Analysis) -> TransitionSystem:
    """Return a new transition system of what is analysed."""
    evaluator = Evaluator(analysis.instance, analysis.shapes, SymbolFactory(analysis.mark))
    system = TransitionSystem(evaluator, analysis.also)
    system.states.most_tiles = most_tiles(evaluator)
    return system


def _by_action(analysis: Analysis, system: TransitionSystem) -> StepProofs | None:
    """Complete the groups of a system. Return who checks candidates action by action, if that pays."""
    instance, settings = analysis.instance, analysis.settings
    several = instance.settings or analysis.also is not None or analysis.mark  # rule sets at once
    if not several and pays(instance.rule_set):
        is_kept = settings.kept is not None
        # A search finds no trace of what is only counted: which names symbols have decides what it finds.
        counted = system if is_kept else new_system(analysis)
        proofs = StepProofs(instance, settings, analysis.machine, analysis.shapes, analysis.solver, counted)
        if is_kept:
            return proofs
        if has_long_steps(counted):
            proofs.complete(system)
            return proofs
    find_reachable_melds(system)
    return None


def _may_hold(candidate: Candidate, state: SymbolicState) -> bool:
    """Return whether a candidate is not certainly false in a state."""
    try:
        return candidate.predicate(state) is not False
    except Unsupported:
        return True
