"""The obligations of one table, made anew from its text.

Input: an instance, the names of invariants, and which property they prove. Output: obligations as scripts.
Guarantee: the same text, table, seed and names give the same scripts. `golpae prove` writes what this makes, and
`golpae recheck` compares files with what this makes; no solver takes part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import PropertyDecl
from golpae.prove.encoding.reachable_melds import find_reachable_melds
from golpae.prove.encoding.tiles_of_players import most_tiles
from golpae.prove.encoding.transition_system import TransitionSystem
from golpae.prove.evaluation.evaluator import Evaluator
from golpae.prove.induction.candidate import Candidate
from golpae.prove.induction.induction import Induction
from golpae.prove.induction.invariant_templates import basics, candidates
from golpae.prove.induction.obligations import Ask, Illegal, InductionObligations
from golpae.prove.induction.symbol_names import SymbolNames
from golpae.prove.solving.obligation import Obligation
from golpae.prove.solving.script import ScriptWriter
from golpae.prove.solving.solver import Limits, Solver
from golpae.prove.symbolic.symbol_factory import SymbolFactory
from golpae.prove.theorem import Theorems
from golpae.replay.machine import Machine
from golpae.replay.steps import MOST_IN_ALL
from golpae.replay_bridge import ReplayShapes
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM
from golpae.verify.sample_states import PlayedGames, sample_states
from golpae.verify.stated import postcondition, stated_candidates


class NoSuchInvariant(Exception):
    """The text yields no candidate of this name."""


class CertificateTable:
    """The obligations of one table; `seed` is that of the random games that suggest invariants."""

    def __init__(self, instance: Instance, seed: int) -> None:
        self.instance = instance
        self.seed = seed
        self.machine = Machine(instance)
        self.machine.limit_steps(MOST_IN_ALL)
        self.shapes = ReplayShapes(self.machine)
        self.writer = ScriptWriter()
        self.illegal: dict[str, list[Illegal]] = {}  # by action; the induction fills it

    @cached_property
    def induction(self) -> Induction:
        """An induction without invariants. Raises `Unsupported`."""
        evaluator = Evaluator(self.instance, self.shapes, SymbolFactory(""))
        system = TransitionSystem(evaluator)
        system.states.most_tiles = most_tiles(evaluator)
        find_reachable_melds(system)
        system.on_illegal = lambda action, names, condition: self.illegal.setdefault(action.name, []).append(
            (action, dict(names), condition)
        )
        induction = Induction(system, Solver(Limits()))
        system.on_illegal = None
        return induction

    @cached_property
    def _forget(self) -> Callable[[], None]:
        """Make the induction forget everything that was evaluated with it."""
        return self.induction.saved()

    @cached_property
    def stated(self) -> dict[str, Candidate]:
        """The properties that can be invariants, by name."""
        made = stated_candidates(self.instance.rule_set, self.induction.system.evaluator)
        return {c.name: c for c in made if c.stated is not None}

    @cached_property
    def _candidates(self) -> dict[str, Candidate]:
        """The candidates that need no games, by name."""
        system = self.induction.system
        made = (*stated_candidates(self.instance.rule_set, system.evaluator), *basics(system))
        return {candidate.name: candidate for candidate in made}

    @cached_property
    def _suggested(self) -> dict[str, Candidate]:
        """The candidates that random games suggest, by name."""
        states = list(sample_states(PlayedGames(self.machine, self.seed)))
        self.induction.system.symbols.scope = "suggested: "
        made = candidates(self.induction.system, states)
        self.machine.limit_steps(MOST_IN_ALL)
        return {candidate.name: candidate for candidate in made}

    def invariants(self, names: Sequence[str]) -> list[Candidate]:
        """Return the candidates of these names. Raises `NoSuchInvariant` and `Unsupported`."""
        out = []
        for name in names:
            candidate = self._candidates.get(name) or self._suggested.get(name)
            if candidate is None:
                raise NoSuchInvariant(name)
            out.append(candidate)
        return out

    def proof(self, scope: str, names: Sequence[str]) -> InductionObligations:
        """Return the obligations of these invariants; those of another proof are no longer to be asked for.

        Raises `NoSuchInvariant` and `Unsupported`.
        """
        forget = self._forget
        invariants = self.invariants(names)
        forget()
        return InductionObligations(self.induction, scope, invariants)

    def of_property(self, proof: InductionObligations, prop: PropertyDecl, bound: int | None) -> list[Ask]:
        """Return the solver queries that show that a property follows from invariants, in this proof. Raises
        `Unsupported`.
        """
        if prop.name == CONSERVATION:
            return proof.conservation()
        if prop.name == DEADLOCK_FREEDOM:
            return proof.legal()
        if prop.kind == "ends":
            return proof.ranking(prop.name, prop.expr, prop.after, bound)
        if prop.after is not None:
            return proof.after(prop.name, prop.after, lambda step: postcondition(self.induction, prop, step))
        return proof.holds(prop.name, self.stated[prop.name].predicate)

    def script(
        self, obligation: Obligation, kept: Sequence[int], place: str, theorems: Theorems | None = None
    ) -> bytes:
        """Return an obligation as a script that states these of its hypotheses. Raises `Unsupported`.

        The symbols are those of `theorems`, or of the induction.
        """
        names = self._names if theorems is None else SymbolNames(self.instance, theorems.meanings)
        trivial = obligation.trivial
        head = (
            f"golpae: one question of a proof, {place}",
            f"what it shows: {obligation.about}",
            f"the answer that shows it: {obligation.expected}",
            *(() if trivial is None else (f"golpae answers it without a solver: {trivial}",)),
        )
        return self.writer.script(obligation, kept, names, head).encode("ascii")

    @cached_property
    def _names(self) -> SymbolNames:
        return SymbolNames(self.instance, self.induction.system.symbols.meanings, self.induction)
