"""The analysis of all rule sets of a region: what is proved with the switches as unknowns.

Input: `Choices`, and a region of them. Output: `FamilyAnalysis`. Guarantee: what it proves holds under each rule set
of the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from golpae.elaborate.instance import Instance
from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Region
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.model import Model
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.state_layout import var_in
from golpae.replay_bridge import ReplayShapes
from golpae.search.all_games import AllGames
from golpae.verify.analysis import Analysis, InvariantSearch, NotKept
from golpae.verify.confirmation import confirm
from golpae.verify.families.machine import FamilyMachine
from golpae.verify.kept_proofs import KeptResult
from golpae.verify.options import INVARIANTS, MORE_INVARIANTS, Settings
from golpae.verify.sample_states import PlayedGames
from golpae.verify.stated import stated_candidates

ENOUGH = 8  # games from which more invariants are suggested, in a part of a region


class FamilyAnalysis(Analysis):
    """The analysis of all rule sets of a region: it proves, and looks for no game.

    With `whole`, the analysis of a larger region, it takes its steps and invariants, and if it is `thorough`, looks
    for more in its own.
    """

    def __init__(
        self,
        choices: Choices,
        region: Region,
        instance: Instance,
        settings: Settings,
        whole: FamilyAnalysis | None = None,
        thorough: bool = True,
    ) -> None:
        self.settled = choices.settings(region)
        super().__init__(replace(instance, settings=self.settled), settings)
        self.whole, self.thorough = whole, thorough
        if whole is not None:
            self.solver = whole.solver
            self.played = PlayedWithin(whole.played, choices, region, self.played)
        self.failure: Failure | None = None  # of the last proof

    def made(self, instance: Instance) -> Machine:
        return FamilyMachine(instance)

    def shapes_of(self, machine: Machine) -> ReplayShapes:
        assert isinstance(machine, FamilyMachine)
        return ShapesOfMany(machine) if machine.has_alternatives else super().shapes_of(machine)

    def first_failure(
        self, check: Callable[[], Failure | None], kept_result: KeptResult | None = None
    ) -> Failure | None:
        self.failure = super().first_failure(check, kept_result)
        return self.failure

    def _induct(self) -> Induction:
        if self.whole is None:
            return super()._induct()
        base = self.whole.found(INVARIANTS)
        return base.within(base.system.states.settled(self.settled))

    def _strengthened(self, base: Induction) -> Induction:
        if self.whole is None:
            return super()._strengthened(base)
        induction = base.holding(self.whole.found(MORE_INVARIANTS))
        if self.thorough:
            self._add_suggested(induction)
            self._retry(induction)
        return induction

    def _reduced(self, check: Callable[[], Failure | None], level: InvariantSearch) -> Failure | None:
        """Return why a check fails, or None; nobody asks which invariants it needs."""
        return check()

    def _retry(self, induction: Induction) -> None:
        """Add what the text states and does not hold in the larger region."""
        names = {c.name for c in induction.invariants}
        made = stated_candidates(self.instance.rule_set, induction.system.evaluator)
        induction.add_invariants(c for c in made if c.name not in names)
        confirm(self.played, induction)

    def found(self, what: str) -> Induction:
        """Return the induction with the invariants of this level, and nothing evaluated since they were found."""
        level, scope = self._level, self._scope
        try:
            _ = self.induction
            if what == MORE_INVARIANTS:
                self.strengthen()
            assert self._level is not None
            self._forget(self._level)
            return self._level.induction
        finally:
            self._level, self._scope = level, scope

    def suspected(self) -> dict[str, bool]:
        """Return the states of the table where the last proof failed, as far as the failure depends on them."""
        model = None if self.failure is None else self.failure.model
        return {} if model is None else at_table(self.induction.system.states, model)

    @property
    def games(self) -> AllGames | None:
        return None

    def search(self) -> None:
        raise NotKept


class PlayedWithin(PlayedGames):
    """Games of a larger region that were played under rule sets of a smaller one, then games of its own; events of its
    own games alone.
    """

    def __init__(self, whole: PlayedGames, choices: Choices, region: Region, own: PlayedGames) -> None:
        super().__init__(own.machine, own.seed)
        bits = {name: choices.family.bits([name.removeprefix(PREFIX)]) for name in choices.values(0)}
        self._whole, self._region, self._bits, self._own = whole, region, bits, own
        self._fixed = region.sample & ~region.varies & ~sum(bits.values())  # what is no choice

    def states(self, games: int) -> Iterator[State]:
        within: dict[int, bool] = {}  # whether a game of the larger region is one of these
        for number, state in self._whole.numbered():
            if number not in within:
                if sum(within.values()) == games:
                    return
                within[number] = self._switches_on(state) in self._region
            if within[number]:
                yield state
        yield from self._own.states(min(games, ENOUGH) - sum(within.values()))

    def steps(self, games: int) -> Iterator[tuple[State, Event, State]]:
        yield from self._own.steps(min(games, ENOUGH))

    def _switches_on(self, state: State) -> int:
        return self._fixed | sum(bit for name, bit in self._bits.items() if var_in(state, name))


class ShapesOfMany(ReplayShapes):
    """The shapes and scores of a machine with alternatives: those of the first one, and of each."""

    def __init__(self, machine: FamilyMachine) -> None:
        super().__init__(machine.alternative(0))
        self._family, self._own = machine, {0: ReplayShapes(machine.alternative(0))}

    def of(self, alternative: int) -> ReplayShapes:
        """Return those of one alternative, by its number."""
        if alternative not in self._own:
            self._own[alternative] = ReplayShapes(self._family.alternative(alternative))
        return self._own[alternative]


def at_table(states: StateEncoder, model: Model) -> dict[str, bool]:
    """Return the states of the table in a model, as far as it depends on them."""
    values = model.values(list(states.at_table.values()), complete=False)
    return {n: v for n, v in zip(states.at_table, values, strict=True) if isinstance(v, bool)}
