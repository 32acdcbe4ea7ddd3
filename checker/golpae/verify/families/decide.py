"""Decides a property for all rule sets of a family at one table.

Input: `Choices`, a number of players, options and settings. Output: for a property, the regions in which it is proved,
refuted or unknown; each refuted one with a game.
Guarantee: what is proved in a region is proved for each of its rule sets. A game that refutes is accepted by replay
under each rule set of its region, and shows there that the property fails.

A region is proved as a whole, with the switches as unknowns; if that fails, a game is looked for under some of its rule
sets. Where there is one, the region in which it counts is left out, and the rest is asked again. Where there is none,
the region is halved, down to single rule sets, which are decided by the means for one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import z3

from golpae.elaborate.blocks import BRINGS
from golpae.elaborate.instance import Instance, instantiate
from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Cube, Region
from golpae.ir import expr as ir
from golpae.ir.dependencies import first_read, nodes_through
from golpae.ir.distinct_names import MARK
from golpae.ir.limits import TooLarge
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Answer, Witness
from golpae.prove.bmc import BoundedModelChecker, Ending
from golpae.prove.encoding.states import StateEncoder
from golpae.prove.induction.candidate import Failure
from golpae.prove.induction.induction import Induction
from golpae.prove.solving.solver import LimitReached
from golpae.prove.symbolic.parts import parts_apart
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.machine import Machine
from golpae.replay.steps import MOST_IN_ALL, TooManySteps
from golpae.search.all_games import AllGames
from golpae.verify.analysis import Analysis, Found, NotKept, stated_candidates
from golpae.verify.confirmation import confirm
from golpae.verify.deciders.agreement import Contradiction
from golpae.verify.deciders.always import decide_always, invariant_failure
from golpae.verify.deciders.any_game import decide_conservation, decide_deadlock_freedom
from golpae.verify.deciders.ends import decide_ends
from golpae.verify.deciders.game_search import DEPTH, reaching
from golpae.verify.families.machine import FamilyMachine
from golpae.verify.families.searches import Events, search, shows, target_of
from golpae.verify.kept_proofs import KeptResult
from golpae.verify.options import INVARIANTS, MORE_INVARIANTS, Settings
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM, properties_of
from golpae.verify.verifier import Verifier

MOST_PARTS = 8  # regions of one property that are asked about
MOST_ALONE = 256  # rule sets whose games are gone through one by one
MOST_SHOWN = 4_096  # rule sets under which one game is tried
MOST_SEARCHED = 3  # regions of one property in which the solver looks for a game
SUSPECTS = 12  # rule sets of a region under which a game is looked for
FEW_GAMES, GAMES, MORE_GAMES = 8, 30, 100  # that are played under each rule set, and where a proof failed
DENSITIES = (0.2, 0.5, 0.8)

Load = Callable[[str], RuleSet]


@dataclass(frozen=True, slots=True)
class Part:
    """A verdict on the rule sets of a region, with the reason. `rules` names the rule set of the witness."""

    region: Region
    verdict: str
    story: str
    rules: str | None = None
    witness: Witness | None = None


class FamilyAnalysis(Analysis):
    """The analysis of all rule sets of a region: it proves, and looks for no game.

    With `whole`, the analysis of a larger region, it takes its steps and invariants, and looks for more in its own.
    """

    def __init__(
        self,
        choices: Choices,
        region: Region,
        instance: Instance,
        settings: Settings,
        whole: FamilyAnalysis | None = None,
    ) -> None:
        self.settled = choices.settings(region)
        super().__init__(replace(instance, settings=self.settled), settings)
        self.whole = whole
        if whole is not None:
            self.solver = whole.solver
        self.failure: Failure | None = None  # of the last proof

    def made(self, instance: Instance) -> Machine:
        return FamilyMachine(instance)

    def first_failure(
        self, check: Callable[[], Failure | None], kept: KeptResult | None = None
    ) -> Failure | None:
        self.failure = super().first_failure(check, kept)
        return self.failure

    def _induct(self) -> Induction:
        if self.whole is None:
            return super()._induct()
        base = self.whole.found(INVARIANTS)
        induction = base.within(base.system.states.settled(self.settled))
        self._retry(induction)
        return induction

    def _strengthened(self, base: Induction) -> Induction:
        if self.whole is None:
            return super()._strengthened(base)
        induction = base.holding(self.whole.found(MORE_INVARIANTS))
        self._add_suggested(induction)
        self._retry(induction)
        return induction

    def _reduced(self, check: Callable[[], Failure | None], level: Found) -> Failure | None:
        """Return why a check fails, or None; nobody asks which invariants it needs."""
        return check()

    def _retry(self, induction: Induction) -> None:
        """Add what the text states and does not hold in the larger region."""
        names = {c.name for c in induction.invariants}
        made = stated_candidates(self.instance.rule_set, induction.system.evaluator)
        induction.add_invariants(c for c in made if c.name not in names)
        self.without_value |= confirm(self.played, induction)

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


class FamilyVerifier:
    """Decides the properties of the rule sets of some choices at one table. Raises `TableFault`."""

    def __init__(
        self, choices: Choices, load: Load, players: int, options: Mapping[str, int], settings: Settings
    ) -> None:
        self.choices = choices
        self.family = choices.family
        self.players, self.options = players, options
        self.settings = replace(settings, kept=None)
        self.instance = instantiate(choices.rule_set, players, options)
        self._load = load
        self._analyses: dict[Region, FamilyAnalysis] = {}
        self._verifiers: dict[int, Verifier] = {}

    @property
    def properties(self) -> tuple[PropertyDecl, ...]:
        """Those that rule sets of the family state, and what every game has to keep."""
        return tuple(p for p in properties_of(self.choices.rule_set) if not p.name.endswith(MARK))

    def region_of(self, prop: PropertyDecl) -> Region:
        """Return the rule sets that state a property."""
        stated = self.choices.stated.get(prop.name)
        return self.choices.region if stated is None else stated.region

    def decide(self, prop: PropertyDecl) -> tuple[Part, ...]:
        """Return the verdicts on a property by regions, which cover the rule sets that state it."""
        region = self.region_of(prop)
        if not region:
            return ()
        decided = (
            self._of_rules(prop, region) if self._is_static(prop, region) else self._of_games(prop, region)
        )
        return tuple(decided)

    # ------------------------------------------------------------------ what no position matters to

    def _is_static(self, prop: PropertyDecl, region: Region) -> bool:
        """Return whether a property speaks of the rules alone."""
        if prop.name.endswith(BRINGS):
            return True
        if prop.after is not None or prop.kind not in ("theorem", "claim"):
            return False
        rules = self._load(self.family.called(region.sample))
        own = next(p for p in rules.properties if p.name == prop.name)
        return first_read(own.expr, {d.name: d for d in rules.definitions}) is None

    def _of_rules(self, prop: PropertyDecl, region: Region) -> Iterator[Part]:
        """Decide a property for each setting of the switches that it depends on."""
        matters = self._matters(prop)
        waiting, parts = [region], 0
        while waiting:
            left = waiting.pop()
            varies = left.varies & matters
            if varies and parts < MOST_PARTS:
                bit = varies & -varies
                waiting += [left.restrict((bit, bit)), left.restrict((bit, 0))]
            else:
                parts += 1
                yield self._alone(prop, left) if not varies else Part(left, UNKNOWN, "too many cases")

    def _matters(self, prop: PropertyDecl) -> int:
        """Return the switches that a property may depend on."""
        rules = self.choices.rule_set
        definitions = {d.name: d for d in rules.definitions}
        if prop.name.endswith(BRINGS):
            return self.family.every
        nodes = list(nodes_through(prop.expr, definitions))
        if any(isinstance(n, ir.CallScore | ir.Ways) for n in nodes):
            return self.family.every
        read = {n.name.removeprefix(PREFIX) for n in nodes if isinstance(n, ir.StateRead)}
        return self.family.bits(read)

    # ------------------------------------------------------------------ what games decide

    def _of_games(self, prop: PropertyDecl, region: Region) -> Iterator[Part]:
        waiting, asked, searched = [region], 0, 0
        while waiting:
            left = waiting.pop(0)
            asked += 1
            story = self._proved(prop, left)
            if story is not None:
                yield Part(left, REFUTED if prop.kind == "reachable" else PROVED, story)
                continue
            if asked == 1 and self._is_small(left):
                for number in self._tried(left, left.sample):
                    yield self._alone(prop, self.family.space.region(((self.family.every, number),)))
                return
            if asked > MOST_PARTS:
                yield Part(left, UNKNOWN, "too many cases")
                continue
            guess = self._guess(left)
            shown = self._played(prop, left, guess) if asked == 1 else []
            if not shown and left.varies and searched < MOST_SEARCHED:
                searched += 1
                shown = self._solved(prop, left, left.restrict(guess).sample)
            if shown:
                yield from shown
                for part in shown:
                    left = left.difference(part.region)
                waiting = [left, *waiting] if left else waiting
            elif left.varies:
                bit = self._parting(left, guess)
                waiting += [left.restrict((bit, 0)), left.restrict((bit, bit))]
            else:
                yield self._alone(prop, left)

    def _played(self, prop: PropertyDecl, left: Region, guess: Cube) -> list[Part]:
        """Return parts of a region in which a game decides a property that chance finds: under the rule set where the
        last proof failed, or under others.
        """
        suspects = self._suspects(left)
        found = (
            self._game(prop, left, [left.restrict(guess).sample], MORE_GAMES)
            or self._game(prop, left, suspects, FEW_GAMES)
            or self._game(prop, left, suspects, GAMES)
        )
        return [] if found is None else self._around(prop, left, *found)

    def _solved(self, prop: PropertyDecl, left: Region, switches_on: int) -> list[Part]:
        """Return parts of a region in which a game decides a property that the means for one rule set find."""
        verifier = self._verifier(switches_on)
        found = verifier.verify(_own(verifier, prop)).witness
        return (
            [] if found is None or not found.events else self._around(prop, left, switches_on, found.events)
        )

    def _around(self, prop: PropertyDecl, left: Region, switches_on: int, events: Events) -> list[Part]:
        """Return parts of a region in which a game like this one decides a property, which does so under one of its
        rule sets.
        """
        out = [self._shown(prop, left, switches_on, events)]
        left = left.difference(out[0].region)
        if len(events) <= DEPTH and prop.kind != "ends" and prop.name != DEADLOCK_FREEDOM:
            return out + self._along(prop, left, events)
        failing = [switches_on]
        while (found := self._game(prop, left, self._near(left, failing), GAMES)) is not None:
            failing.append(found[0])
            out.append(self._shown(prop, left, *found))
            left = left.difference(out[-1].region)
        return out

    def _is_small(self, region: Region) -> bool:
        """Return whether all games of the rule sets of a region can be gone through, as it seems."""
        return region.size <= MOST_ALONE and self._verifier(region.sample).analysis.games is not None

    def _guess(self, region: Region) -> Cube:
        """Return where the last proof failed, as a cube; it need not be in the region whole."""
        cube = self._cube(self._analysis(region).suspected())
        return cube if region.restrict(cube) else (0, 0)

    def _cube(self, values: Mapping[str, bool]) -> Cube:
        """Return the rule sets in which states of the table have these values."""
        fixed = on = 0
        for name, value in values.items():
            bit = self.family.bits([name.removeprefix(PREFIX)])
            fixed |= bit
            on |= bit if value else 0
        return fixed, on

    @staticmethod
    def _parting(region: Region, guess: Cube) -> int:
        """Return the switch by which a region is halved: one that is on where the proof failed, if there is one."""
        for bits in (region.varies & guess[0] & guess[1], region.varies & guess[0], region.varies):
            if bits:
                return bits & -bits
        raise ValueError("nothing varies in this region")

    def _proved(self, prop: PropertyDecl, region: Region) -> str | None:
        """Return why a property holds under all rule sets of a region, or None. If it says that games can get
        somewhere, return why none can.
        """
        analysis = self._analysis(region)
        analysis.machine.limit_steps(MOST_IN_ALL)
        analysis.failure = None
        try:
            with analysis.apart(prop.name), parts_apart():
                if prop.kind == "reachable":
                    return (
                        None if invariant_failure(analysis, prop) is not None else "unreachable, by induction"
                    )
                answer = self._answer(analysis, prop)
        except (NotKept, Unsupported, TooLarge, TooManySteps, LimitReached, MemoryError):
            return None
        if prop.name in analysis.without_value:
            return None
        return answer.story if answer.verdict == PROVED else None

    def _analysis(self, region: Region) -> FamilyAnalysis:
        analysis = self._analyses.get(region)
        if analysis is None:
            whole = None if region == self.choices.region else self._analysis(self.choices.region)
            analysis = FamilyAnalysis(self.choices, region, self.instance, self.settings, whole)
            self._analyses[region] = analysis
        return analysis

    def _answer(self, analysis: Analysis, prop: PropertyDecl) -> Answer:
        if prop.name == CONSERVATION:
            return decide_conservation(analysis, prop)
        if prop.name == DEADLOCK_FREEDOM:
            return decide_deadlock_freedom(analysis, prop)
        if prop.kind == "ends":
            return decide_ends(analysis, replace(prop, expected=None))
        return decide_always(analysis, prop)

    def _game(
        self, prop: PropertyDecl, region: Region, suspects: Iterable[int], games: int
    ) -> tuple[int, Events] | None:
        """Return one of these rule sets of a region and a game that decides a property under it, or None."""
        machine = self._machine()
        for switches_on in suspects:
            with machine.at(self.choices.values(switches_on)):
                machine.limit_steps(MOST_IN_ALL)
                try:
                    events = search(machine, prop, self.settings.seed, self.settings.scaled(games))
                except (TooLarge, TooManySteps):
                    continue
            if events is not None:
                return switches_on, events
        return None

    def _along(self, prop: PropertyDecl, region: Region, like: Events) -> list[Part]:
        """Return parts of a region in which games of the same actions by the same players decide a property."""
        analysis, machine, left = self._analysis(region), self._machine(), region
        out: list[Part] = []
        try:
            with analysis.apart(prop.name), parts_apart():
                checker = BoundedModelChecker(analysis.induction.system, analysis.solver)
                goal, assumed = reaching(analysis, target_of(prop), prop), analysis.induction.assumed
                for ending in checker.endings(goal, prop.after, len(like), assumed, like):
                    while left and (found := self._least(ending, left)) is not None:
                        switches_on, events = found
                        with machine.at(self.choices.values(switches_on)):
                            machine.limit_steps(MOST_IN_ALL)
                            if not shows(machine, prop, events):
                                break
                        out.append(self._shown(prop, left, switches_on, events))
                        left = left.difference(out[-1].region)
        except (NotKept, Unsupported, TooLarge, TooManySteps, LimitReached, MemoryError):
            pass  # what was found counts
        return out

    def _least(self, ending: Ending, region: Region) -> tuple[int, Events] | None:
        """Return a game along a path under a rule set of a region, from which no single switch can be left out."""
        found = self._game_along(ending, region)
        if found is None:
            return None
        for bit in bits_of(found[0] & region.varies):
            off = bit | self.family.every & ~found[0]
            fewer = region.restrict((off, 0))
            found = (self._game_along(ending, fewer) if fewer else None) or found
        return found

    def _game_along(self, ending: Ending, region: Region) -> tuple[int, Events] | None:
        """Return a game along a path under a rule set of a region, if the solver has one."""
        states = self._analysis(self.choices.region).induction.system.states
        found = ending.game(states.settled(self.choices.settings(region)))
        if found is None:
            return None
        events, model = found
        under = region.restrict(self._cube(at_table(states, model)))
        return (under.sample, events) if under else None

    def _suspects(self, region: Region) -> list[int]:
        """Return rule sets of a region: those with few switches on, and some by chance."""
        out: dict[int, None] = {region.sample: None}
        first = region.sample
        for number in range(len(self.family.names)):
            if first ^ 1 << number in region:
                out[first ^ 1 << number] = None
        rng = random.Random("suspects")
        for _ in range(SUSPECTS):
            fixed, on = rng.choice(region.cubes)
            density = rng.choice(DENSITIES)
            chance = sum(1 << n for n in range(len(self.family.names)) if rng.random() < density)
            out[on | (chance & ~fixed)] = None
        return list(out)[:SUSPECTS]

    def _near(self, region: Region, failing: Sequence[int]) -> list[int]:
        """Return rule sets of a region that have all switches on of one under which a game was found."""
        out: dict[int, None] = {}
        for switches_on in failing:
            for _, on in region.restrict((switches_on, switches_on)).cubes:
                out[on] = None
        return sorted(out, key=lambda on: (on.bit_count(), on))[:SUSPECTS]

    def _shown(self, prop: PropertyDecl, region: Region, switches_on: int, events: Events) -> Part:
        """Return the part of a region in which a game decides a property."""
        machine = self._machine()
        cubes: list[Cube] = []
        for other in self._tried(region, switches_on):
            with machine.at(self.choices.values(other)):
                machine.limit_steps(MOST_IN_ALL)
                if shows(machine, prop, events):
                    cubes.append((self.family.every, other))
        space = self.family.space
        shown = space.nothing
        for cube in cubes:
            shown = shown.union(space.region((cube,)))
        verdict = PROVED if prop.kind == "reachable" else REFUTED
        least = min(shown.smallest())
        rules = self.family.called(least)
        verifier = self._verifier(least)
        if not shows(verifier.analysis.machine, _own(verifier, prop), events):
            raise Contradiction(f"{prop.name}: a game shows it under `{rules}` as a choice, and not alone")
        return Part(
            shown,
            verdict,
            f"a game of {len(events)} events",
            rules,
            Witness((), tuple(map(dict, events))),
        )

    def _tried(self, region: Region, switches_on: int) -> Iterator[int]:
        """Yield the rule sets of a region under which a game is tried, the one where it was found among them."""
        yield switches_on
        many = 0
        for fixed, on in region.cubes:
            free = [1 << n for n in range(len(self.family.names)) if not fixed >> n & 1]
            for number in range(1 << len(free)):
                other = on | sum(bit for at, bit in enumerate(free) if number >> at & 1)
                if other == switches_on:
                    continue
                many += 1
                if many > MOST_SHOWN:
                    return
                yield other

    def _machine(self) -> FamilyMachine:
        machine = self._analysis(self.choices.region).machine
        assert isinstance(machine, FamilyMachine)
        return machine

    # ------------------------------------------------------------------ one rule set

    def _alone(self, prop: PropertyDecl, region: Region) -> Part:
        """Decide a property under one rule set of a region, in which it is the same under all."""
        least = min(region.smallest())
        rules = self.family.called(least)
        verifier = self._verifier(least)
        result = verifier.verify(_own(verifier, prop))
        return Part(region, result.verdict, result.story, rules, result.witness)

    def _verifier(self, switches_on: int) -> Verifier:
        """Return what decides properties under one rule set."""
        if switches_on not in self._verifiers:
            rules = self._load(self.family.called(switches_on))
            self._verifiers[switches_on] = Verifier(
                instantiate(rules, self.players, self.options), self.settings
            )
        return self._verifiers[switches_on]


def bits_of(number: int) -> Iterator[int]:
    """Yield the bits of a number, one by one."""
    while number:
        yield number & -number
        number &= number - 1


def at_table(states: StateEncoder, model: z3.ModelRef) -> dict[str, bool]:
    """Return the states of the table in a model, as far as it depends on them."""
    values = {n: model.eval(s) for n, s in states.at_table.items()}
    return {n: z3.is_true(v) for n, v in values.items() if z3.is_true(v) or z3.is_false(v)}


def _own(verifier: Verifier, prop: PropertyDecl) -> PropertyDecl:
    """Return a property as the rule set of a verifier states it."""
    return next(p for p in properties_of(verifier.instance.rule_set) if p.name == prop.name)
