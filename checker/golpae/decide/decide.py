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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from golpae.decide import lasso, play
from golpae.decide.adapt import ReplayShapes, table_of
from golpae.decide.finding import Finding
from golpae.elaborate.instance import Instance, bounds, instance, options_of
from golpae.ir import expr as ir
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.types import BOOL
from golpae.ir.walk import asks_the_table, nodes
from golpae.prove.algebra import Truth, Unsupported, negate
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.encode import Rules, Step
from golpae.prove.evaluate import Evaluator
from golpae.prove.induct import Candidate, Failure, Induction
from golpae.prove.solve import Limits, Solver, versions
from golpae.prove.state import Fresh, Table
from golpae.prove.templates import candidates
from golpae.prove.theorem import Theorems
from golpae.replay import simulate
from golpae.replay.legal import Legal
from golpae.replay.machine import Machine

KEPT, LEGAL = "tiles-are-kept", "some-event-is-legal"
SAMPLED = 60  # games that templates are filled from
LONGEST = 400  # events of such a game
OFTEN, RARELY = 12, 0.1  # all tables after so many events, then this part of them


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run may cost and do. `games` are played at random for one property, from `seed`."""

    milliseconds: int = 60_000
    megabytes: int = 2_000
    seed: int = 1
    games: int = 200
    smt2: Path | None = None
    crosscheck: bool = False


def tables(rule_set: RuleSet) -> list[tuple[int, dict[str, int]]]:
    """Every number of players that the rules allow, with the options as they normally are."""
    options = options_of(rule_set, {})
    low, high = bounds(rule_set, options)
    return [(players, dict(options)) for players in range(low, high + 1)]


def decide(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    only: str | None = None,
    told: Callable[[Finding], None] | None = None,
) -> list[Finding]:
    """All properties, or the one of this name. Raises `TableFault` and `solve.Disagreement`.

    `told` hears of each finding as soon as there is one.
    """
    desk = _Desk(instance(rule_set, players, options), settings)
    out: list[Finding] = []
    for prop in [*rule_set.properties, *_of_any_game()]:
        if only is not None and prop.name != only:
            continue
        found = desk.finding(prop)
        out.append(found)
        if told is not None:
            told(found)
    return out


def _of_any_game() -> list[PropertyDecl]:
    """What is asked of every game, whatever its text says."""
    nothing = ir.Const(True, BOOL)
    return [PropertyDecl("always", name, nothing, None, None, ()) for name in (KEPT, LEGAL)]


class _Desk:
    """One table, with what was found out about it so far."""

    def __init__(self, table: Instance, settings: Settings) -> None:
        self.table = table
        self.settings = settings
        self.machine = Machine(table)
        self.shapes = ReplayShapes(self.machine)
        limits = Limits(settings.milliseconds, settings.megabytes)
        prefix = f"{table.rule_set.rules}-{table.players}p-"
        self.solver = Solver(limits, settings.smt2, settings.crosscheck, prefix)
        self.theorems = Theorems(table, self.shapes, self.solver)
        self._induction: Induction | Answer | None = None

    # ------------------------------------------------------------------ one property

    def finding(self, prop: PropertyDecl) -> Finding:
        """A property with its verdict."""
        begin = time.perf_counter()
        asked, agreed, silent = self.solver.asked, self.solver.agreed, len(self.solver.silent)
        try:
            answer = self._answer(prop)
        except Unsupported as fault:
            answer = Answer(UNKNOWN, f"the prover cannot say {fault}")
        checked = None
        if self.settings.crosscheck:
            lost = len(self.solver.silent) - silent
            checked = f"no answer to {lost} questions" if lost else "agrees"
            if self.solver.agreed == agreed and not lost:
                checked = None
        played = answer.witness is not None and bool(answer.witness.events)
        return Finding(
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
            self.solver.asked - asked,
            round(time.perf_counter() - begin, 3),
            self.settings.seed if played else None,
            self.table.rule_set.spec_hash,
            versions(self.settings.crosscheck),
            checked,
        )

    def _answer(self, prop: PropertyDecl) -> Answer:
        if prop.name == KEPT:
            return self._kept()
        if prop.name == LEGAL:
            return self._some_event()
        static = prop.after is None and self._static(prop.expr)
        if prop.kind in ("theorem", "claim") and static:
            return self.theorems.decide(prop.name, prop.expr)
        if prop.kind == "reachable":
            return self._reachable(prop)
        if prop.kind == "ends":
            return self._ends(prop)
        return self._always(prop)

    def _static(self, expr: ir.Expr) -> bool:
        definitions = {d.name: d for d in self.table.rule_set.definitions}
        return asks_the_table(expr, definitions) is None

    # ------------------------------------------------------------------ what always holds

    def _kept(self) -> Answer:
        found = self.induction.keeps_tiles()
        if found is None:
            return Answer(PROVED, "every move takes as many tiles as it puts")
        return Answer(UNKNOWN, _why(found))

    def _some_event(self) -> Answer:
        induction = self.induction
        found = induction.some_event()
        if found is None:
            return Answer(
                PROVED, f"by induction, with {_many(induction.held)}", lemmas=_names(induction.held)
            )
        dead = play.stuck(self.machine, seed=self.settings.seed, games=max(1, self.settings.games // 10))
        if dead is not None:
            return Answer(REFUTED, "a game gets stuck", witness=Witness((), tuple(dead.events)))
        return Answer(UNKNOWN, _why(found))

    def _always(self, prop: PropertyDecl) -> Answer:
        """Something that always, or never, holds."""
        induction = self.induction
        if prop.after is not None:
            found = induction.after_events(prop.after, lambda step: self._after(prop, step))
            if found is None:
                return self._proved(prop, induction)
        elif any(c.stated is prop for c in induction.held):
            return self._proved(prop, induction)
        else:
            found = induction.failures.get(prop.name, Failure(""))
        against = prop.expr if prop.kind == "never" else ir.Op("not", (prop.expr,), BOOL)
        game = self._find(against, prop.after)
        if game is not None:
            return Answer(REFUTED, _game(game), witness=_witness(game))
        return Answer(UNKNOWN, _why(found))

    def _proved(self, prop: PropertyDecl, induction: Induction) -> Answer:
        others = [c for c in induction.held if c.stated is not prop]
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
        if any(c.name == _never_starts(prop) for c in induction.held):
            return "what it starts from never happens"
        return None

    def _after(self, prop: PropertyDecl, step: Step) -> Truth:
        truth = self.induction.rules.eval.truth(prop.expr, step.after, step.names)
        return negate(truth) if prop.kind == "never" else truth

    # ------------------------------------------------------------------ what can happen

    def _reachable(self, prop: PropertyDecl) -> Answer:
        never = prop.expected == REFUTED
        if never and self._is_never(prop):
            return self._refuted(prop)
        game = self._find(prop.expr, prop.after)
        if game is not None:
            return Answer(PROVED, _game(game), witness=_witness(game))
        if not never and self._is_never(prop):
            return self._refuted(prop)
        return Answer(
            UNKNOWN, f"no game of {self.settings.games} came there, and induction does not exclude it"
        )

    def _is_never(self, prop: PropertyDecl) -> bool:
        if prop.after is not None:
            found = self.induction.after_events(prop.after, lambda step: negate(self._after(prop, step)))
            return found is None
        return any(c.stated is prop for c in self.induction.held)

    def _refuted(self, prop: PropertyDecl) -> Answer:
        others = [c for c in self.induction.held if c.stated is not prop]
        return Answer(REFUTED, f"never, by induction with {_many(others)}", lemmas=_names(others))

    def _find(self, target: ir.Expr, after: str | None) -> play.Found | None:
        return play.find(
            self.machine, target, seed=self.settings.seed, games=self.settings.games, after=after
        )

    def _ends(self, prop: PropertyDecl) -> Answer:
        induction = self.induction
        found = induction.ranks(prop.expr, prop.after)
        if found is None:
            most = induction.most_after_deal(prop.expr)
            of = "events" if prop.after is None else f"`{prop.after}`"
            story = "what it counts goes down" if most is None else f"after at most {most} {of}"
            if most is not None and prop.within is not None and most > prop.within:
                return Answer(UNKNOWN, f"{story}, which is more than {prop.within}")
            return Answer(PROVED, story, lemmas=_names(induction.held), bound=most)
        loop = lasso.comes_back(self.machine, seed=self.settings.seed)
        if loop is not None:
            said = (
                f"a game comes back after event {len(loop.events)} to where it was after event {loop.start}"
            )
            return Answer(REFUTED, said, witness=Witness((), tuple(loop.events)))
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
        evaluator = Evaluator(self.table, self.shapes, Fresh(""))
        rules = Rules(evaluator)
        rules.find_groups()
        games = list(self._games())
        induction = Induction(rules, self.solver)
        induction.run(candidates(rules, games))
        induction.run(self._stated(evaluator))
        return induction

    def _stated(self, evaluator: Evaluator) -> Iterator[Candidate]:
        """What the text says always, or never, to hold; and what would make it speak of nothing."""
        for prop in self.table.rule_set.properties:
            if prop.after is not None or prop.kind not in ("always", "never", "reachable", "claim"):
                continue
            if prop.kind == "claim" and self._static(prop.expr):
                continue
            never = prop.kind in ("never", "reachable")
            yield Candidate(prop.name, _asking(evaluator, prop.expr, never), prop)
            if not never and isinstance(prop.expr, ir.Op) and prop.expr.op == "implies":
                yield Candidate(_never_starts(prop), _asking(evaluator, prop.expr.args[0], True))

    def _games(self) -> Iterator[Table]:
        """Tables of games played at random, every stage of a match among them."""
        machine, rng = self.machine, random.Random(self.settings.seed)
        legal = Legal(machine)
        before = any(a.kind == "before" for a in self.table.rule_set.actions)
        for number in range(SAMPLED):
            state = machine.new_state(1)
            yield table_of(machine, state)
            if before and number % 3 == 0:
                for _ in range(rng.randrange(3 * self.table.players)):
                    events = list(legal.events(state))
                    if not events:
                        break
                    simulate.take(machine, state, rng.choice(events))
                    yield table_of(machine, state)
            try:
                for event, _ in enumerate(simulate.play(machine, state, rng, hands=2, longest=LONGEST)):
                    if event < OFTEN or machine.stage(state) != "playing" or rng.random() < RARELY:
                        yield table_of(machine, state)
            except simulate.DeadEnd:
                continue


def _asking(evaluator: Evaluator, expr: ir.Expr, never: bool) -> Callable[[Table], Truth]:
    def ask(table: Table) -> Truth:
        truth = evaluator.truth(expr, table, {})
        return negate(truth) if never else truth

    return ask


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


def _game(game: play.Found) -> str:
    return f"a game of {len(game.events)} events"


def _witness(game: play.Found) -> Witness:
    names = tuple((n, str(v)) for n, v in game.names)
    return Witness(names, tuple(game.events))


__all__ = ["Any", "Settings", "decide", "nodes", "replace", "tables"]
