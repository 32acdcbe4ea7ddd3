"""Games by chance that show, under two settings of a switch at once, that it changes something.

Input: `Choices` at one table, and a switch that is a choice there; or those without the switch, and those with it.
Output: `Pairs`, which narrows a region, or finds games for each way in which rule sets part.
Guarantee: under each setting of the others that is left out, the rule sets with the switch and without it refuse each
other's games, go on otherwise or pay otherwise. Each game that was played and shows it is replayed by the two rule sets
themselves too, and so are the first replays of such games under further settings. The same call leaves out the same.

A game is played under one setting, and replayed under both, event by event. What the replays read of the other
switches says where else they part in the same way; where they read something else, the game is replayed again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Cube, Region
from golpae.ir.limits import TooManySteps
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.language.host import available
from golpae.kernel.player import Player, Referred
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import DeadEnd, play
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.replay.steps import MOST_IN_ALL
from golpae.verify.deciders.agreement import Contradiction
from golpae.verify.families.machine import FamilyMachine
from golpae.verify.families.searches import Events
from golpae.verify.switches.of_switch import Hit, What
from golpae.verify.switches.refusals import TOO_LONG, UNPLAYED, Parting, event_of, parting_of, refusal

GAMES = 40  # of a rule set
TRIES = 8  # rule sets in turn whose games show nothing, before nobody looks any further
MOST = 1_000  # games that are played
REPLAYS = 2_000  # replays of games that show something, under other settings than the one that played it
STEPS = 2 * MOST_IN_ALL  # of all replays for one switch
CHECKED = 8  # of these that show something too, the first ones, by the rule sets themselves
COMPILED = 16  # alternatives of shapes and scores that are compiled; of others the reference plays the games
LONGEST = 400  # events of a hand
HANDS = (1, 1, 3)  # of a game, by turns
DENSITIES = (0.0, 0.1, 0.3, 0.5, 0.8)  # shares of switches that are on, of those that a cube leaves open


class _Side:
    """Rule sets at one table that all have one setting of the switch, or both: what plays games under them."""

    def __init__(self, choices: Choices, instance: Instance) -> None:
        self.choices, self.machine = choices, FamilyMachine(instance, counting=True)
        self._instance = instance
        self._players: dict[int, Player | None] = {}  # by alternative
        self.legal = Legal(self.machine)

    def player(self, switches_on: int) -> Player | None:
        """Return the player under a rule set on the compiled path, with its shapes and scores; None if nothing can."""
        number = self.choices.alternative(switches_on)
        if number not in self._players:
            made = None
            if available() and len(self._players) < COMPILED:
                rules = self.choices.rule_set_at(switches_on)
                instance = replace(self._instance, rule_set=rules, alternatives=())
                with suppress(NotCompiled, MemoryError):
                    made = Player(instance, rules.rules, False, None, Asking(LONGEST, ()))
            self._players[number] = made
        return self._players[number]

    def state(self, switches_on: int) -> State:
        """Return the state in which a game under a rule set begins."""
        with self.machine.at(self.choices.values(switches_on)):
            return self.machine.new_state()


class Pairs:
    """Plays games under rule sets with a switch and without it; `bit` is the switch, `alone` gives the machine of one
    rule set. Those with the switch may be `others` than those of the choices.
    """

    def __init__(
        self,
        choices: Choices,
        instance: Instance,
        bit: int,
        seed: int,
        alone: Callable[[str], Machine],
        others: tuple[Choices, Instance] | None = None,
    ) -> None:
        self._family, self._bit, self._seed, self._alone = choices.family, bit, seed, alone
        off = _Side(choices, instance)
        self._sides = off, off if others is None else _Side(*others)
        self._replays = self._checked = 0
        self._steps = STEPS
        self._key = StateKey(instance.rule_set, (*WORD_SLOTS, "total"))

    def _side(self, switches_on: int) -> _Side:
        return self._sides[bool(switches_on & self._bit)]

    def hits(self, wanted: Mapping[What, Region]) -> tuple[list[tuple[Hit, Region]], dict[What, Region]]:
        """Return games that show how the switch changes something, each with settings for which it does, and where no
        game does, of these settings of the other switches. Of the games that chance plays under one setting, the
        shortest counts.
        """
        rng = random.Random(f"{self._seed}/{self._bit}/hits")
        left, out = dict(wanted), []
        tries = games = 0
        while any(left.values()) and tries < TRIES and games < MOST and self._steps > 0:
            tries += 1
            region = rng.choice([own for own in left.values() if own])
            setting = region.sample if games == 0 else self._drawn(region, rng)
            best: dict[What, Hit] = {}
            for _ in range(GAMES):
                games += 1
                side = self._bit if games % 2 else 0
                hit = self._hit(setting | side, self._played(setting | side, games))
                for one in () if hit is None else (hit, self._mirrored(hit)):
                    if one is not None and (
                        one.what not in best or len(one.events) < len(best[one.what].events)
                    ):
                        best[one.what] = one
            for what, hit in best.items():
                if setting in left.get(what, ()):
                    before = left[what]
                    left[what] = self._without(before, setting, hit)
                    out.append((hit, before.difference(left[what])))
                    tries = 0
        return out, left

    def _without(self, region: Region, setting: int, hit: Hit) -> Region:
        """Return a region without the settings under which this game shows the same, that of the hit first."""
        side = hit.switches_on & self._bit
        self._replays = 0
        left = region.subtract((self._family.every & ~self._bit, setting & ~self._bit))
        for on, cube, parting in self._over(region, side, hit.events, setting):
            if isinstance(parting, Parting) and self._is_like(on, parting, hit):
                left = left.subtract(cube)
        return left

    def _is_like(self, switches_on: int, parting: Parting, hit: Hit) -> bool:
        """Return whether rule sets part as in a game that was found: at its last event, which the one refuses, or after
        which they go on otherwise.
        """
        what, _ = self._way(switches_on, parting)
        return (what, parting.at, parting.refused_by) == (hit.what, len(hit.events), 1)

    def _hit(self, switches_on: int, events: Sequence[Event]) -> Hit | None:
        """Return how rule sets part in a game, if they do."""
        _, parting = self._replayed(switches_on, events)
        if not isinstance(parting, Parting) or parting.at == 0:
            return None
        what, allows = self._way(switches_on, parting)
        return Hit(what, allows, tuple(events[: parting.at]))

    def _mirrored(self, hit: Hit) -> Hit | None:
        """Return a game with another last event, of the same action, which only the rule set with the other setting
        allows.
        """
        on = hit.switches_on ^ self._bit
        mine, theirs = self._side(hit.switches_on), self._side(on)
        action = hit.events[-1].action
        if mine.machine.actions[action].kind not in ("play", "before"):
            return None
        for machine in (mine.machine, theirs.machine):
            machine.limit_steps(self._limit)
        states = mine.state(hit.switches_on), theirs.state(on)
        try:
            for event in hit.events[:-1]:
                for side, state in zip((mine, theirs), states, strict=True):
                    if refusal(side.machine, state, event) is not None:
                        return None
            for event in theirs.legal.events(states[1]):
                if event.action == action and mine.machine.first(action, states[0], event.args)[0] >= 0:
                    what: What = "more" if on & self._bit else "less"
                    return Hit(what, on, (*hit.events[:-1], event))
        except TooManySteps:
            pass
        finally:
            self._charge((mine.machine, theirs.machine))
        return None

    @property
    def _limit(self) -> int:
        """The steps that one game may take."""
        return max(1, min(MOST_IN_ALL, self._steps))

    def _charge(self, machines: Sequence[Machine]) -> None:
        """Count the steps that machines have taken since they were limited."""
        self._steps -= sum(machine.steps_taken for machine in dict.fromkeys(machines))

    def _way(self, switches_on: int, parting: Parting) -> tuple[What, int]:
        """Return in which way two rule sets part, and which of them allows the last event."""
        both = switches_on, switches_on ^ self._bit
        allows = both[1 - parting.refused_by]
        if parting.refused is None or parting.refused.by != "condition":
            return "otherwise", allows
        return "more" if allows & self._bit else "less", allows

    def left(self, region: Region) -> Region:
        """Return the rule sets of a region, all without the switch, under which no game shows that it changes
        anything.
        """
        rng = random.Random(f"{self._seed}/{self._bit}")
        tries = games = 0
        while region and tries < TRIES and games < MOST and self._steps > 0:
            switches_on = region.sample if games == 0 else self._drawn(region, rng)
            tries += 1
            for _ in range(GAMES):
                games += 1
                side = self._bit if games % 2 else 0
                events = self._played(switches_on | side, games)
                cube, parting = self._replayed(switches_on | side, events)
                if isinstance(parting, Parting) and self._is_confirmed(switches_on | side, events):
                    region = self._along(region.subtract(cube), side, events)
                    tries = 0
                    break
        return region

    def shown_by(self, region: Region, switches_on: int, lines: Events) -> Region | str:
        """Return the settings of a region, all without the switch, under which a game shows that the switch changes
        something; if the rule set under which it was found and the one with the other setting do not part in it, why.
        """
        machine = self._side(switches_on).machine
        events = [event for line in lines if (event := event_of(machine, line)) is not None]
        why = UNPLAYED if len(events) < len(lines) else self._why_together(switches_on, events)
        if why is not None:
            return why
        self._replays = 0
        every = self._family.every & ~self._bit
        untried = region.subtract((every, switches_on & every))
        return region.difference(self._along(untried, switches_on & self._bit, events))

    def _along(self, region: Region, side: int, events: Sequence[Event]) -> Region:
        """Return a region without the settings under which this game shows something too."""
        left = region
        for on, cube, parting in self._over(region, side, events):
            parts = isinstance(parting, Parting)
            if parts and self._checked < CHECKED:
                self._checked += 1
                parts = self._is_confirmed(on, events)
            if parts:
                left = left.subtract(cube)
        return left

    def _over(
        self, region: Region, side: int, events: Sequence[Event], first: int | None = None
    ) -> Iterator[tuple[int, Cube, Parting | str]]:
        """Replay a game under the settings of a region, the `first` one before others, as long as the limits allow.
        Yield rule sets with what `_replayed` says of them.
        """
        untried = region
        while untried and self._replays < REPLAYS and self._steps > 0:
            self._replays += 1
            on = (first if first is not None and first in untried else untried.sample) | side
            cube, parting = self._replayed(on, events)
            untried = untried.subtract(cube)
            yield on, cube, parting

    def _drawn(self, region: Region, rng: random.Random) -> int:
        fixed, on = rng.choice(region.cubes)
        density = rng.choice(DENSITIES)
        chance = sum(1 << n for n in range(region.space.switches) if rng.random() < density)
        return on | (chance & ~fixed)

    def _replayed(self, switches_on: int, events: Sequence[Event]) -> tuple[Cube, Parting | str]:
        """Return how rule sets part in a game, or why they do not; and under which settings of the other switches they
        do the same.
        """
        family, others = self._family, self._family.every & ~self._bit
        sides = self._side(switches_on), self._side(switches_on ^ self._bit)
        machines = sides[0].machine, sides[1].machine
        for machine in machines:
            machine.limit_steps(self._limit)
        try:
            with machines[0].noting() as mine, machines[1].noting() as theirs:
                states = sides[0].state(switches_on), sides[1].state(switches_on ^ self._bit)
                parting = parting_of(machines, self._key, states, events)
        except TooManySteps:  # a first value passes a limit, or too much is asked
            return (others, switches_on & others), TOO_LONG
        finally:
            self._charge(machines)
        fixed = family.bits(name.removeprefix(PREFIX) for name in mine | theirs) & ~self._bit
        return (fixed, switches_on & fixed), parting

    def _is_confirmed(self, switches_on: int, events: Sequence[Event]) -> bool:
        """Return whether two rule sets themselves play a game in which they part as a choice. Raises `Contradiction` if
        they do, and do not part.
        """
        family = self._family
        why = self._why_together(switches_on, events)
        if why not in {None, TOO_LONG}:
            names = f"{family.called(switches_on)}` and `{family.called(switches_on ^ self._bit)}"
            raise Contradiction(f"a game shows as a choice that `{names}` part, and not with each alone")
        return why is None

    def _why_together(self, switches_on: int, events: Sequence[Event]) -> str | None:
        """Return None if two rule sets themselves part in a game, or why they do not."""
        family = self._family
        one, other = (self._alone(family.called(on)) for on in (switches_on, switches_on ^ self._bit))
        try:
            parting = parting_of((one, other), self._key, (one.new_state(), other.new_state()), events)
        except TooManySteps:  # a first value passes a limit, or too much is asked
            return TOO_LONG
        return None if isinstance(parting, Parting) else parting

    def _played(self, switches_on: int, number: int) -> list[Event]:
        """Return the events of a game by chance under a rule set; none if it cannot be played."""
        machine = self._side(switches_on).machine
        machine.limit_steps(self._limit)
        try:
            return list(self._game(switches_on, number))
        except (TooManySteps, ValueError):
            return []
        finally:
            self._charge((machine,))

    def _game(self, switches_on: int, number: int) -> Iterator[Event]:
        """Yield the events of a game by chance under a rule set."""
        side, hands = self._side(switches_on), HANDS[number % len(HANDS)]
        player = side.player(switches_on)
        if player is not None:
            player.set_table(side.choices.values(switches_on))
            try:
                yield from (Event(*event) for event in player.events(self._seed, number, hands))
                return
            except (Referred, NotCompiled):
                return  # what was played so far counts
        state = side.state(switches_on)
        rng = random.Random(f"{self._seed}/{number}")
        try:
            for line in play(side.machine, state, rng, hands, longest=LONGEST):
                action = str(line["do"])
                args: Any = side.machine.read(action, line)
                yield Event(action, args)
        except DeadEnd:
            return
