"""Verifies all properties of one rule set at one table.

Input: a rule set, a number of players and options.
Output: a `PropertyResult` for each property of the text, in its order, then for what has to hold of any game.
Guarantee: proved and refuted are certain; every witness is a game that replay has accepted event by event. A fault of
golpae makes one property unknown, and its result says so.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import assert_never

from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.instance import Instance, instantiate
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer
from golpae.prove.solving.solver import LimitReached, SolverDisagreement, is_out_of_memory
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.steps import MOST_IN_ALL
from golpae.verify.analysis import Analysis, NotKept
from golpae.verify.cache import solvers
from golpae.verify.deciders.agreement import Contradiction, compare_with_induction
from golpae.verify.deciders.all_games import decide_by_games
from golpae.verify.deciders.always import decide_always
from golpae.verify.deciders.any_game import decide_conservation, decide_deadlock_freedom
from golpae.verify.deciders.ends import decide_ends
from golpae.verify.deciders.failing_part import with_failing_part
from golpae.verify.deciders.no_deal import without_deal
from golpae.verify.deciders.private import decide_private
from golpae.verify.deciders.reachable import decide_reachable
from golpae.verify.deciders.theorem import decide_implications, decide_theorem
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, PRIVATE, queried
from golpae.verify.result import FAULT, Listener, PropertyResult, UnsupportedPlace, fault_of
from golpae.verify.sharing import shared_games as games
from golpae.workers import OUT_OF_MEMORY

Decider = Callable[[Analysis, PropertyDecl], Answer]


def verify(
    rule_set: RuleSet,
    players: int,
    options: Mapping[str, int],
    settings: Settings,
    only: str | None = None,
    listener: Listener | None = None,
) -> list[PropertyResult]:
    """Verify all properties, or the one called `only`, the easy ones first. Raises `TableFault` and
    `solver.SolverDisagreement`.

    In which order the results come changes none of them: each is decided apart.
    """
    listener = listener or Listener()
    verifier = Verifier(instantiate(rule_set, players, options), settings, listener.on_search)
    results: list[PropertyResult] = []
    waiting = [*queried(rule_set, only)]
    waiting.sort(key=verifier.effort)
    while waiting:
        listener.on_begin(waiting[0].name)
        prop = verifier.easiest(waiting)
        if prop is not waiting[0]:
            listener.on_begin(prop.name)
        waiting.remove(prop)
        result = verifier.verify(prop)
        results.append(result)
        listener.on_result(result)
    order = {prop.name: place for place, prop in enumerate(queried(rule_set, only))}
    return sorted(results, key=lambda result: order[result.name])


class Verifier:
    """Verifies properties of one instance, which share its analyses."""

    def __init__(
        self, instance: Instance, settings: Settings, on_search: Callable[[str | None], None] | None = None
    ) -> None:
        self.instance = instance
        self.settings = settings
        self.on_search = on_search
        self.analysis = Analysis(instance, replace(settings, kept=None), on_search=on_search)
        self.rechecks = None if settings.kept is None else Analysis(instance, settings, on_search=on_search)
        self.shared = games.GameProofs(instance, settings)

    def effort(self, prop: PropertyDecl) -> int:
        """Return a guess at the effort that a property takes, to begin with the easiest."""
        decide = self._decider(prop)
        if decide in (decide_theorem, decide_implications):  # they need no invariants
            return 0 if decide is decide_theorem else 1
        return 2 if decide is decide_always and prop.after is None else 3

    def easiest(self, waiting: Sequence[PropertyDecl]) -> PropertyDecl:
        """Return the first property that needs no more invariants than the text yields, or the first one."""
        stated = [prop for prop in waiting if self.effort(prop) == 2]
        if len(stated) < 2 or stated[0] is not waiting[0] or self.settings.kept is not None:
            return waiting[0]
        with suppress(Exception), self.analysis.apart(stated[0].name):  # it is raised again for the property
            if self.analysis.games is None:
                _ = self.analysis.induction
        easy = self.analysis.unaided
        return next((prop for prop in stated if prop.name in easy), waiting[0])

    def verify(self, prop: PropertyDecl) -> PropertyResult:
        """Verify one property: as it is kept, if that holds, and otherwise anew. Raises `solver.SolverDisagreement`."""
        stored = self.settings.kept
        if stored is not None and stored.may_tell(prop.name):
            begin = time.perf_counter()
            result = self._recheck(prop)
            if result is not None:
                return replace(result, seconds=round(time.perf_counter() - begin, 3))
        return self._verify(prop)

    def _recheck(self, prop: PropertyDecl) -> PropertyResult | None:
        """Return the result that what is kept leads to, or None if it leads to none."""
        searching, rechecks = self.analysis, self.rechecks
        assert rechecks is not None
        name = self._shared_name(prop)
        result = None if name is None or rechecks.games is not None else games.load(name, rechecks.shapes)
        if result is None:
            self.analysis = rechecks
            try:
                result = self._verify(prop)
            except NotKept:
                return None
            finally:
                self.rechecks = self.analysis
                self.analysis = searching
            if name is not None and self._shared_name(prop) == name:
                games.store(name, result, self.rechecks.shapes.asked)
        else:
            rules = self.instance.rule_set
            result = replace(result, rules=rules.rules, spec_hash=rules.spec_hash, ids=prop.ids)
        said = self.settings.kept.result(prop.name) if self.settings.kept is not None else None
        if said is not None and (said.verdict, said.vacuous, said.bound) != (
            result.verdict,
            result.vacuous,
            result.bound,
        ):
            return None  # fewer invariants were found than when it was written, or somebody has changed it
        return replace(result, rechecked=True) if result.verdict in (PROVED, REFUTED) else None

    def _shared_name(self, prop: PropertyDecl) -> str | None:
        """Return under what a kept proof is shared with other rule sets; None if it is not."""
        if self._decider(prop) in (decide_theorem, decide_implications):
            return None  # `sharing.theorems` shares them
        return self.shared.name(prop)

    def _verify(self, prop: PropertyDecl) -> PropertyResult:
        solver = self.analysis.solver
        begin = time.perf_counter()
        solver.fullest = (0.0, "")
        units = solver.spent
        before, agreed, silent = solver.queries, solver.confirmed, len(solver.unconfirmed)
        answer, unaided, fault = self._caught(prop)
        checked = None
        if self.settings.crosscheck:
            unanswered = len(solver.unconfirmed) - silent
            if unanswered:
                checked = f"no answer to {unanswered} question{'s' * (unanswered != 1)}"
            elif solver.confirmed != agreed:
                checked = "agrees"
        played = answer.witness is not None and bool(answer.witness.events)
        return PropertyResult(
            self.instance.rule_set.rules,
            self.instance.players,
            dict(self.instance.options),
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
            solver.queries - before,
            round(time.perf_counter() - begin, 3),
            self.settings.seed if played else None,
            self.instance.rule_set.spec_hash,
            solvers(self.settings),
            checked,
            patterns=answer.patterns,
            wrong=answer.wrong,
            every=answer.every,
            after=prop.after,
            positions=answer.positions,
            fullest=solver.fullest,
            unaided=unaided,
            units=solver.spent - units,
            fault=fault,
            confirmed=solver.confirmed - agreed,
            unsupported=None if answer.unsupported is None else UnsupportedPlace(answer.unsupported),
        )

    def _caught(self, prop: PropertyDecl) -> tuple[Answer, tuple[str, ...], str | None]:
        """Return the answer, the lemmas that need no others, and the fault of golpae if it failed to decide."""
        fault = None
        unaided: tuple[str, ...] = ()
        self.analysis.machine.limit_steps(MOST_IN_ALL)
        try:
            with self.analysis.apart(prop.name), parts_apart():
                answer, fault = self._answer(prop)
                answer = with_failing_part(self.analysis.machine, prop, answer)
                unaided = tuple(n for n in answer.lemmas if n in self.analysis.unaided)
        except Unsupported as lack:
            answer = Answer(UNKNOWN, f"the prover does not support {lack}", unsupported=lack.clause)
        except TooManySteps as long:
            answer = Answer(UNKNOWN, str(long), unsupported=long.clause)
        except (SolverDisagreement, NotKept):
            raise
        except LimitReached as limit:
            answer = Answer(UNKNOWN, str(limit))
            self.analysis = self.analysis.anew()
        except MemoryError:
            answer = Answer(UNKNOWN, OUT_OF_MEMORY)
            self.analysis = self.analysis.anew()
        except Exception as error:  # it costs this property, and not the others
            if is_out_of_memory(error):
                answer = Answer(UNKNOWN, OUT_OF_MEMORY)
            else:
                fault = _noted(error)
                answer = Answer(UNKNOWN, f"{FAULT}: {fault}")
            self.analysis = self.analysis.anew()
        return answer, unaided, fault

    def _answer(self, prop: PropertyDecl) -> tuple[Answer, str | None]:
        """Return the answer to a property, and what went wrong in golpae while induction checked it, if anything did.

        Raises `Unsupported`, `TooManySteps`, `solver.SolverDisagreement` and `Contradiction`.
        """
        decide = self._decider(prop)
        if decide in (decide_theorem, decide_implications):
            return decide(self.analysis, prop), None
        if decide is decide_private:
            return without_deal(self.analysis, prop, decide(self.analysis, prop)), None
        answer, fault = self._answer_about_games(prop, decide)
        return without_deal(self.analysis, prop, answer), fault

    def _answer_about_games(self, prop: PropertyDecl, decide: Decider) -> tuple[Answer, str | None]:
        answer = decide_by_games(self.analysis, prop)
        if answer is None:
            return decide(self.analysis, prop), None
        try:
            with self.analysis.second.apart(prop.name):
                compare_with_induction(self.analysis.second, prop, answer)
        except (Contradiction, SolverDisagreement):
            raise
        except (LimitReached, TooManySteps):
            return answer, None
        except Exception as error:  # replay alone has decided it
            return answer, _noted(error)
        return answer, None

    def _decider(self, prop: PropertyDecl) -> Decider:
        if prop.name == CONSERVATION:
            return decide_conservation
        if prop.name == DEADLOCK_FREEDOM:
            return decide_deadlock_freedom
        if prop is PRIVATE:
            return decide_private
        if prop.name.endswith(BRINGS):
            return decide_implications
        match prop.kind:
            case "theorem" | "claim":
                is_static = prop.after is None and self.analysis.is_static(prop.expr)
                return decide_theorem if is_static else decide_always
            case "always" | "never":
                return decide_always
            case "reachable":
                return decide_reachable
            case "ends":
                return decide_ends
            case _:
                assert_never(prop.kind)


def _noted(error: Exception) -> str:
    """Return the fault of golpae in words. Print where, if `GOLPAE_DEBUG` is set."""
    if os.environ.get("GOLPAE_DEBUG"):
        traceback.print_exception(error)
    return fault_of(error)
