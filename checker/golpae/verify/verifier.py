"""All properties of one rule set at one table, decided.

In: a rule set, a number of players and options. Out: a `Finding` for each property of the text, in its order, and
for what holds of any game: no tile is lost, and some event is legal as long as a hand is not over.

Sets and definitions are the matter of theorems; what always holds is shown by induction; what can happen is shown
by play, and what a game can do for ever by a game that comes back to where it was. Every witness is a game that
replay has accepted event by event.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from golpae.elaborate.instance import Instance, instantiate
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.types import BOOL
from golpae.prove.answer import BOUNDED, PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.bmc import Search
from golpae.prove.encoding.evaluate import Evaluator
from golpae.prove.encoding.transition_system import Step, TransitionSystem
from golpae.prove.induction.candidate import Candidate, Failure
from golpae.prove.induction.conservation import check_conservation
from golpae.prove.induction.deadlock import check_deadlock_freedom
from golpae.prove.induction.induction import Induction
from golpae.prove.induction.invariant_templates import basics, candidates
from golpae.prove.induction.ranking import check_ranking, highest_after_deal
from golpae.prove.solving.solver import UNSAT, Limits, Solver, versions
from golpae.prove.symbolic.state import SymbolicState
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.symbolic.values import Truth, Unsupported, negate
from golpae.prove.theorem import Theorems
from golpae.replay import simulate
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.search import lasso, witness
from golpae.search import random_play as play
from golpae.verify import theorem_cache
from golpae.verify.options import Settings
from golpae.verify.pattern_implications import brings
from golpae.verify.properties import BRINGS, KEPT, LEGAL, properties_of
from golpae.verify.replay_bridge import ReplayShapes, symbolic_state
from golpae.verify.result import PropertyResult

SAMPLED = 60  # games that templates are filled from
LONGEST = 150  # events of such a game
STRENGTHENED = 120.0  # seconds that looking for invariants may take
DEEPEST, SEARCHED = 12, 20.0  # events of a game that is searched for, and seconds of a search
DENIED = ("never", "reachable")  # kinds of property that induction shows by what does not hold
OFTEN, RARELY = 12, 0.1  # all tables after so many events, then this part of them


def verify(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    only: str | None = None,
    told: Callable[[PropertyResult], None] | None = None,
) -> list[PropertyResult]:
    """All properties, or the one of this name. Raises `TableFault` and `solve.Disagreement`.

    `told` hears of each finding as soon as there is one.
    """
    desk = Verifier(instantiate(rule_set, players, options), settings)
    out: list[PropertyResult] = []
    for prop in properties_of(rule_set):
        if only is not None and prop.name != only:
            continue
        found = desk.finding(prop)
        out.append(found)
        if told is not None:
            told(found)
    return out


class Verifier:
    """One table, with what was found out about it so far.

    To be spoken of together with a table of another rule set, `also`, the names of its unknown values begin with a
    `mark` of its own.
    """

    def __init__(
        self, table: Instance, settings: Settings, mark: str = "", also: RuleSet | None = None
    ) -> None:
        self.table = table
        self.mark = mark
        self.also = also
        self.settings = settings
        self.machine = Machine(table)
        self.shapes = ReplayShapes(self.machine)
        limits = Limits(settings.milliseconds, settings.megabytes)
        prefix = f"{table.rule_set.rules}-{table.players}p-"
        self.solver = Solver(limits, settings.smt2, settings.crosscheck, prefix)
        self.theorems = Theorems(table, self.shapes, self.solver)
        self._induction: Induction | Answer | None = None
        self._strong = False

    # ------------------------------------------------------------------ one property

    def finding(self, prop: PropertyDecl) -> PropertyResult:
        """A property with its verdict."""
        begin = time.perf_counter()
        before, agreed, silent = self.solver.queries, self.solver.confirmed, len(self.solver.unconfirmed)
        try:
            answer = self._answer(prop)
        except Unsupported as fault:
            answer = Answer(UNKNOWN, f"the prover cannot say {fault}")
        checked = None
        if self.settings.crosscheck:
            lost = len(self.solver.unconfirmed) - silent
            checked = f"no answer to {lost} questions" if lost else "agrees"
            if self.solver.confirmed == agreed and not lost:
                checked = None
        played = answer.witness is not None and bool(answer.witness.events)
        return PropertyResult(
            self.table.rule_set.rules,
            self.table.players,
            dict(self.table.options),
            prop.kind,
            prop.name,
            prop.ids,
            answer.verdict,
            prop.expected or PROVED,
            answer.story,
            answer.clauses,
            answer.lemmas,
            answer.witness,
            answer.bound,
            answer.vacuous,
            self.solver.queries - before,
            round(time.perf_counter() - begin, 3),
            self.settings.seed if played else None,
            self.table.rule_set.spec_hash,
            versions(self.settings.crosscheck),
            checked,
            patterns=answer.patterns,
            wrong=answer.wrong,
            every=answer.every,
        )

    def _answer(self, prop: PropertyDecl) -> Answer:
        if prop.name == KEPT:
            return self._kept()
        if prop.name == LEGAL:
            return self._some_event()
        if prop.name.endswith(BRINGS):
            name = prop.name.removesuffix(BRINGS)
            score = next(s for s in self.table.rule_set.scores if s.name == name)
            return self._theorem(prop, name, lambda: brings(self.theorems, score))
        static = prop.after is None and self.static(prop.expr)
        if prop.kind in ("theorem", "claim") and static:
            return self._theorem(prop, None, lambda: self.theorems.prove(prop.name, prop.expr))
        if prop.kind == "reachable":
            return self._reachable(prop)
        if prop.kind == "ends":
            return self._ends(prop)
        return self._always(prop)

    def _theorem(self, prop: PropertyDecl, score: str | None, verify: Callable[[], Answer]) -> Answer:
        """A property of tiles and scores, which may have been decided for other rules or another table."""
        if not self.settings.cached:
            return verify()
        name = theorem_cache.name_of(prop, score, self.table, self.settings)
        answer = theorem_cache.load(name)
        if answer is not None:
            return answer
        answer = verify()
        unchanged = theorem_cache.name_of(prop, score, self.table, self.settings) == name  # golpae, meanwhile
        if unchanged:
            theorem_cache.store(name, answer)
        return answer

    def static(self, expr: ir.Expr) -> bool:
        """Whether an expression asks for no game under way."""
        definitions = {d.name: d for d in self.table.rule_set.definitions}
        return first_read(expr, definitions) is None

    # ------------------------------------------------------------------ what always holds

    def _kept(self) -> Answer:
        found = check_conservation(self.induction)
        if found is None:
            return Answer(PROVED, "every move takes as many tiles as it puts")
        return Answer(UNKNOWN, _why(found))

    def _some_event(self) -> Answer:
        induction = self.induction
        found = self._shown(lambda: check_deadlock_freedom(induction))
        if found is None:
            return Answer(
                PROVED,
                f"by induction, with {_many(induction.invariants)}",
                lemmas=_names(induction.invariants),
            )
        dead = play.find_deadlock(
            self.machine, seed=self.settings.seed, games=max(1, self.settings.games // 10)
        )
        if dead is not None:
            return Answer(REFUTED, "a game gets stuck", witness=Witness((), tuple(dead.events)))
        return Answer(UNKNOWN, _why(found))

    def _always(self, prop: PropertyDecl) -> Answer:
        """Something that always, or never, holds."""
        found = self._shown(lambda: self._fails(prop))
        if found is None:
            return self._proved(prop, self.induction)
        against = prop.expr if prop.kind == "never" else ir.Op("not", (prop.expr,), BOOL)
        game = self._find(against, prop)
        if isinstance(game, Witness):
            return Answer(REFUTED, _game(game), witness=game)
        if game:
            return Answer(BOUNDED, f"no game of up to {game} events breaks it; {_why(found)}", bound=game)
        return Answer(UNKNOWN, _why(found))

    def _shown(self, ask: Callable[[], Failure | None]) -> Failure | None:
        """Why something cannot be shown, with more invariants where it takes them; None where it is."""
        found = ask()
        return ask() if found is not None and self.strengthen() else found

    def _fails(self, prop: PropertyDecl) -> Failure | None:
        """Why something is not shown to hold always (to hold never, of what can be reached); None where it is."""
        induction = self.induction
        if prop.after is not None:
            return induction.check_after(prop.after, lambda step: self._after(prop, step))
        if any(c.stated is prop for c in induction.invariants):
            return None
        return induction.failures.get(prop.name, Failure(""))

    def _proved(self, prop: PropertyDecl, induction: Induction) -> Answer:
        others = [c for c in induction.invariants if c.stated is not prop]
        return Answer(
            PROVED,
            f"by induction over {len(induction.steps)} kinds of events, with {_many(others)}",
            lemmas=_names(others),
            vacuous=self._vacuous(prop, induction),
        )

    def _vacuous(self, prop: PropertyDecl, induction: Induction) -> str | None:
        """Why a property that always holds speaks of nothing."""
        if prop.after is not None and not any(s.action.name == prop.after for s in induction.steps):
            return f"`{prop.after}` can never happen"
        if any(c.name == _never_starts(prop) for c in induction.invariants):
            return "what it starts from never happens"
        if prop.after is None:
            return None
        steps = [s for s in induction.steps if s.action.name == prop.after]
        if not any(_may_be(induction, s, True) for s in steps):
            return f"`{prop.after}` can never happen"
        match prop.expr:
            case ir.Op(op="implies", args=(start, _)):
                if not any(_may_be(induction, s, induction.rules.after(start, s)) for s in steps):
                    return "what it starts from never happens"
            case _:
                pass
        return None

    def _after(self, prop: PropertyDecl, step: Step) -> Truth:
        truth = self.induction.rules.after(prop.expr, step)
        return negate(truth) if prop.kind in DENIED else truth

    # ------------------------------------------------------------------ what can happen

    def _reachable(self, prop: PropertyDecl) -> Answer:
        never = prop.expected == REFUTED
        if never and self._shown(lambda: self._fails(prop)) is None:
            return self._refuted(prop)
        game = self._find(prop.expr, prop)
        if isinstance(game, Witness):
            return Answer(PROVED, _game(game), witness=game)
        if not never and self._shown(lambda: self._fails(prop)) is None:
            return self._refuted(prop)
        return Answer(
            UNKNOWN, f"no game of up to {game} events comes there, and induction does not exclude more"
        )

    def _refuted(self, prop: PropertyDecl) -> Answer:
        others = [c for c in self.induction.invariants if c.stated is not prop]
        return Answer(REFUTED, f"never, by induction with {_many(others)}", lemmas=_names(others))

    def _find(self, target: ir.Expr, prop: PropertyDecl) -> Witness | int:
        """A game to where the target holds, by chance or by search; or how many events no such game has."""
        settings = self.settings
        found = play.find(
            self.machine, target, seed=settings.seed, games=max(1, settings.games // 5), after=prop.after
        )
        if found is not None:
            return Witness(tuple((n, str(v)) for n, v in found.names), tuple(found.events))
        rules = self.induction.rules
        search = Search(rules, self.solver, SEARCHED)
        within = prop.within or DEEPEST
        searched = search.run(
            lambda step: rules.after(target, step),
            prop.after,
            within,
            lambda events: self._ends_in(events, target, prop.after),
        )
        if searched.events is not None:
            return Witness((), tuple(map(dict, witness.completed(self.machine, searched.events))))
        return searched.deep

    def _ends_in(self, events: Sequence[Mapping[str, Any]], target: ir.Expr, after: str | None) -> bool:
        """Whether replay accepts a game, and it ends where the target holds."""
        lines = witness.as_trace(self.machine, witness.completed(self.machine, events))
        played = witness.replays(self.machine, lines[0], lines[1:])
        if not played.accepted or played.state is None:
            return False
        names: dict[str, Any] = {}
        before = None
        if after is not None:
            before = witness.replays(self.machine, lines[0], lines[1:-1]).state
            action = self.machine.actions[after]
            read = self.machine.read(after, lines[-1])
            if not isinstance(read, tuple):
                return False
            names = dict(zip(witness.names_of(action), witness.bound(action, read), strict=True))
        return witness.holds(self.machine, target, played.state, names, before)

    def _ends(self, prop: PropertyDecl) -> Answer:
        loop = lasso.find_lasso(self.machine, seed=self.settings.seed) if prop.expected == REFUTED else None
        if loop is not None:
            return _looping(loop)
        induction = self.induction
        found = self._shown(lambda: check_ranking(induction, prop.expr, prop.after))
        if found is None:
            most = highest_after_deal(induction, prop.expr)
            of = "events" if prop.after is None else f"`{prop.after}`"
            story = "what it counts goes down" if most is None else f"after at most {most} {of}"
            if prop.within is not None and (most is None or most > prop.within):
                return Answer(UNKNOWN, f"{story}, and {prop.within} were wanted")
            return Answer(PROVED, story, lemmas=_names(induction.invariants), bound=most)
        loop = lasso.find_lasso(self.machine, seed=self.settings.seed)
        if loop is not None:
            return _looping(loop)
        return Answer(UNKNOWN, _why(found))

    # ------------------------------------------------------------------ induction

    @property
    def induction(self) -> Induction:
        """The invariants of this table, found when first asked for. Raises `Unsupported`."""
        if isinstance(self._induction, Answer):
            raise Unsupported(self._induction.story)
        if self._induction is None:
            try:
                self._induction = self._induct()
            except Unsupported as fault:
                self._induction = Answer(UNKNOWN, str(fault))
                raise
        return self._induction

    def _induct(self) -> Induction:
        evaluator = Evaluator(self.table, self.shapes, SymbolFactory(self.mark))
        rules = TransitionSystem(evaluator, self.also)
        rules.find_reachable_melds()
        induction = Induction(rules, self.solver)
        induction.add_invariants([*self._stated(evaluator), *basics(rules)])
        return induction

    def strengthen(self) -> bool:
        """Find more that always holds, in what games look like. Whether there may be more than before."""
        induction = self.induction
        if self._strong:
            return False
        self._strong = True
        evaluator = induction.rules.evaluator
        induction.add_invariants(candidates(induction.rules, list(self._games())), STRENGTHENED)
        held = [c.stated for c in induction.invariants]
        induction.add_invariants(
            [c for c in self._stated(evaluator) if c.stated is None or c.stated not in held]
        )
        return True

    def _stated(self, evaluator: Evaluator) -> Iterator[Candidate]:
        """What the text says always, or never, to hold; and what would make it speak of nothing."""
        for prop in self.table.rule_set.properties:
            if prop.after is not None or prop.kind not in ("always", "never", "reachable", "claim"):
                continue
            if prop.kind == "claim" and self.static(prop.expr):
                continue
            never = prop.kind in DENIED
            yield Candidate(prop.name, _asking(evaluator, prop.expr, never), prop)
            if not never and isinstance(prop.expr, ir.Op) and prop.expr.op == "implies":
                yield Candidate(_never_starts(prop), _asking(evaluator, prop.expr.args[0], True))

    def _games(self) -> Iterator[SymbolicState]:
        """Tables of games played at random, every stage of a match among them."""
        machine, rng = self.machine, random.Random(self.settings.seed)
        legal = Legal(machine)
        before = any(a.kind == "before" for a in self.table.rule_set.actions)
        for number in range(SAMPLED):
            state = machine.new_state(1)
            yield symbolic_state(machine, state)
            try:
                if before and number % 3 == 0:
                    for _ in range(rng.randrange(3 * self.table.players)):
                        events = list(legal.events(state))
                        if not events:
                            break
                        simulate.take(machine, state, rng.choice(events))
                        yield symbolic_state(machine, state)
                for event, _ in enumerate(simulate.play(machine, state, rng, hands=2, longest=LONGEST)):
                    if event < OFTEN or machine.stage(state) != "playing" or rng.random() < RARELY:
                        yield symbolic_state(machine, state)
            except (simulate.DeadEnd, ValueError):  # nobody can go on, or a tile is not where it is taken
                continue


def _asking(evaluator: Evaluator, expr: ir.Expr, never: bool) -> Callable[[SymbolicState], Truth]:
    def ask(table: SymbolicState) -> Truth:
        truth = evaluator.truth(expr, table, {})
        return negate(truth) if never else truth

    return ask


def _may_be(induction: Induction, step: Step, truth: Truth) -> bool:
    """Whether a step can be taken so that something holds after it, as far as the solver says."""
    return induction.session.check("a step", [*step.path_condition, truth]).status != UNSAT


def _never_starts(prop: PropertyDecl) -> str:
    return f"{prop.name}: what it starts from never happens"


def _why(found: Failure) -> str:
    if found.reason:
        return f"the solver had no answer ({found.reason}), after `{found.where}`"
    if found.where:
        return f"not shown by induction: it may fail after {found.where}; and no game showed that it does"
    return "not shown by induction, and no game showed that it fails"


def _many(held: list[Candidate]) -> str:
    return f"{len(held)} invariants" if len(held) != 1 else "1 invariant"


def _names(held: list[Candidate]) -> tuple[str, ...]:
    return tuple(c.name for c in held)


def _looping(loop: lasso.Lasso) -> Answer:
    said = f"a game comes back after event {len(loop.events)} to where it was after event {loop.start}"
    return Answer(REFUTED, said, witness=Witness((), tuple(loop.events)))


def _game(game: Witness) -> str:
    return f"a game of {len(game.events)} events" if len(game.events) != 1 else "a game of 1 event"
