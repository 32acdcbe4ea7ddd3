"""Under which rule sets something can be true in a reachable state.

Input: the invariants of one table, of one rule set or of those that choices stand for; formulas about an unknown state.
Output: the region in which one of them can be true as far as the invariants say, and that in which the solver had no
answer.
Guarantee: in the rest, none of them is true in any reachable state.

A model shows a state for one setting of the switches. What it says of the state is kept, and asked again with the
switches unknown: under which of them is it a model too?
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import z3

from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Cube, Region, Space
from golpae.families.settled import settled
from golpae.ir import expr as ir
from golpae.ir.traverse import nodes
from golpae.lint.notes import Key
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.fresh_solver import FreshSolver
from golpae.prove.solving.model import Model
from golpae.prove.solving.solver import SAT, UNKNOWN, UNSAT
from golpae.prove.symbolic.values import Truth, any_of, conj, negate

BATCH = 32  # formulas in one question
MOST_ASKED = 256  # models of one question
MOST_CUBES = 64  # settings that one model is shown to be a model under
UNITS = 200_000  # for one such question, which is about switches alone
ALONE = Space(0).everything  # the region of a single rule set


@dataclass(slots=True)
class VacuousRegions:
    """Where something is vacuous, with the reason, and where that is unknown."""

    vacuous: dict[Key, list[tuple[Region, str]]] = field(default_factory=dict)
    unknown: dict[Key, list[tuple[Region, str]]] = field(default_factory=dict)

    def note(self, key: Key, region: Region, reason: str, unknown: bool = False) -> None:
        """Note a region, if there is anything in it."""
        if region:
            (self.unknown if unknown else self.vacuous).setdefault(key, []).append((region, reason))


class Possible:
    """Asks about the unknown state of an induction. Without `choices`, the induction is about one rule set."""

    def __init__(self, induction: Induction, choices: Choices | None = None) -> None:
        self.induction = induction
        self.choices = choices
        self.region = ALONE if choices is None else choices.region
        self._switches: dict[str, z3.BoolRef] = induction.system.states.at_table

    def of(
        self, about: str, formulas: Sequence[Truth], facts: Sequence[Truth], region: Region
    ) -> tuple[Region, Region]:
        """Return where one of these can be true in a region, and where the solver had no answer."""
        open_formulas = [formula for formula in formulas if formula is not False]
        known_regions = unsure = region.space.nothing
        many = 0
        for begin in range(0, len(open_formulas), BATCH):
            left = region.difference(known_regions)
            while left:
                question = [*self.induction.premises, *facts, any_of(open_formulas[begin : begin + BATCH])]
                question += [self._within(left)]
                status, model, axioms = self._ask(about, question)
                many += 1
                if status == UNSAT:
                    break
                if status == UNKNOWN or many > MOST_ASKED:
                    unsure = unsure.union(left.difference(unsure))
                    break
                here = self._around([*question, *axioms], model, left)
                known_regions = known_regions.union(here)
                left = left.difference(here)
        return known_regions, unsure.difference(known_regions)

    def settled(self, expr: ir.Expr) -> Iterator[tuple[Region, ir.Expr]]:
        """Yield an expression as the rule sets have it, for each setting of the switches that it reads itself."""
        if self.choices is None:
            yield self.region, expr
            return
        own = {n.name for n in nodes(expr) if isinstance(n, ir.StateRead)}
        names = [name for name in self._switches if name in own]
        for values in product((False, True), repeat=len(names)):
            region = self.region.restrict(self.cube(names, values))
            if region:
                yield region, settled(expr, dict(zip(names, values, strict=True)))

    def cube(self, names: Sequence[str], values: Sequence[bool]) -> Cube:
        """Return the rule sets in which states of the table have these values."""
        assert self.choices is not None
        fixed = on = 0
        for name, value in zip(names, values, strict=True):
            bit = self.choices.family.bits([name.removeprefix(PREFIX)])
            fixed |= bit
            on |= bit if value else 0
        return fixed, on

    def _within(self, region: Region) -> Truth:
        if self.choices is None:
            return True
        return self.induction.system.states.settled(self.choices.settings(region))

    def _ask(self, about: str, question: Sequence[Truth]) -> tuple[str, Model | None, list[Truth]]:
        """Return the answer to a question, and the axioms that it took."""
        solver = self.induction.solver
        axioms = self.induction.system.evaluator.abstraction.axioms
        reply = solver.check(about, question)
        if reply.status != SAT or not axioms:
            return reply.status, reply.model, []
        exact: list[Truth] = [axiom() for axiom in axioms]
        reply = solver.check(about, [*question, *exact])
        return reply.status, reply.model, exact

    def _around(self, question: Sequence[Truth], model: Model | None, region: Region) -> Region:
        """Return the rule sets of a region under which a question has a model that says the same of the state."""
        if self.choices is None:
            return region
        assert model is not None
        out = region.space.nothing
        for cube in self._settings(question, model):
            here = region.restrict(cube).difference(out)
            out = out.union(here)
        return out

    def _settings(self, question: Sequence[Truth], model: Model) -> Iterator[Cube]:
        """Yield settings of the switches under which the rest of a model is one of the question; first its own."""
        names, switches = list(self._switches), list(self._switches.values())
        yield self.cube(names, [value is True for value in model.values(switches)])
        own = {s.decl().name() for s in switches}
        state = [_has_value(name, value) for name, value in model.constants() if name not in own]
        holds, fails = FreshSolver(), FreshSolver()
        truth = conj(*question)
        for solver, formula in ((holds, truth), (fails, negate(truth))):
            solver.add([*state, z3.BoolVal(formula) if isinstance(formula, bool) else formula])
            solver.z3.set("rlimit", UNITS)
        for _ in range(MOST_CUBES):
            if holds.check({})[0] != SAT:
                return
            values = [value is True for value in holds.model().values(switches)]
            literals = [s if value else z3.Not(s) for s, value in zip(switches, values, strict=True)]
            # the solver takes each name for one literal in all its questions
            named = {f"{name} is {value}": s for name, value, s in zip(names, values, literals, strict=True)}
            if fails.check(named)[0] != UNSAT:
                return  # the rest of the model leaves something open
            core = fails.core(named)
            needed = [n for n, name in enumerate(named) if name in core]
            yield self.cube([names[n] for n in needed], [values[n] for n in needed])
            holds.add([z3.Not(z3.And([literals[n] for n in needed]))])


def _has_value(name: str, value: bool | int) -> z3.BoolRef:
    """Return the formula that an unknown truth or number has a value."""
    return z3.Bool(name) == value if isinstance(value, bool) else z3.Int(name) == value
