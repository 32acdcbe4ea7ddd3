"""Games by chance that show, under two settings of a switch at once, that it changes something.

Input: `Choices` at one table, and a switch that is a choice there. Output: `Pairs`, which narrows a region.
Guarantee: under each setting of the others that is left out, the rule sets with the switch and without it refuse each
other's games, go on otherwise or pay otherwise. Each game that was played and shows it is replayed by the two rule sets
themselves too, and so are the first replays of such games under further settings. The same call leaves out the same.

A game is played under one setting, and replayed under both, event by event. What the replays read of the other
switches says where else they part in the same way; where they read something else, the game is replayed again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from golpae.elaborate.instance import Instance
from golpae.families.choices import PREFIX, Choices
from golpae.families.region import Cube, Region
from golpae.ir.limits import TooLarge
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.language.host import available
from golpae.kernel.player import Player, Referred
from golpae.kernel.unsupported import Unsupported
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.simulate import DeadEnd, play
from golpae.replay.state_layout import WORD_SLOTS, StateKey
from golpae.replay.steps import MOST_IN_ALL, TooManySteps
from golpae.verify.deciders.agreement import Contradiction
from golpae.verify.families.machine import FamilyMachine
from golpae.verify.families.of_switch import ALIKE, TOO_LONG, UNPLAYED
from golpae.verify.families.refusals import event_of, refusal
from golpae.verify.families.searches import Events

GAMES = 40  # of a rule set
TRIES = 8  # rule sets in turn whose games show nothing, before nobody looks any further
MOST = 1_000  # games that are played
REPLAYS = 2_000  # replays of games that show something, under other settings than the one that played it
CHECKED = 8  # of these that show something too, the first ones, by the rule sets themselves
COMPILED = 16  # alternatives of shapes and scores that are compiled; of others the reference plays the games
LONGEST = 400  # events of a hand
HANDS = (1, 1, 3)  # of a game, by turns
DENSITIES = (0.0, 0.1, 0.3, 0.5, 0.8)  # shares of switches that are on, of those that a cube leaves open


class Pairs:
    """Plays games under rule sets with a switch and without it; `bit` is the switch, `alone` gives the machine of one
    rule set.
    """

    def __init__(
        self, choices: Choices, instance: Instance, bit: int, seed: int, alone: Callable[[str], Machine]
    ) -> None:
        self._choices, self._bit, self._seed, self._alone = choices, bit, seed, alone
        self._machine = FamilyMachine(instance)
        self._replays = self._checked = 0
        self._key = StateKey(instance.rule_set, (*WORD_SLOTS, "total"))
        self._instance = instance
        self._players: dict[int, Player | None] = {}  # by alternative

    def _player(self, switches_on: int) -> Player | None:
        """Return what plays under a rule set on the compiled path, with its shapes and scores; None if nothing can."""
        number = self._choices.alternative(switches_on)
        if number not in self._players:
            made = None
            if available() and len(self._players) < COMPILED:
                rules = self._choices.rule_set_at(switches_on)
                instance = replace(self._instance, rule_set=rules, alternatives=())
                with suppress(Unsupported, MemoryError):
                    made = Player(instance, rules.rules, False, None, Asking(LONGEST, ()))
            self._players[number] = made
        return self._players[number]

    def left(self, region: Region) -> Region:
        """Return the rule sets of a region, all without the switch, under which no game shows that it changes
        anything.
        """
        rng = random.Random(f"{self._seed}/{self._bit}")
        tries = games = 0
        while region and tries < TRIES and games < MOST:
            switches_on = region.sample if games == 0 else self._drawn(region, rng)
            tries += 1
            for _ in range(GAMES):
                games += 1
                side = self._bit if games % 2 else 0
                events = self._played(switches_on | side, games)
                cube, parts = self._replayed(switches_on | side, events)
                if parts and self._is_confirmed(switches_on | side, events):
                    region = self._along(region.subtract(cube), side, events)
                    tries = 0
                    break
        return region

    def shown_by(self, region: Region, switches_on: int, lines: Events) -> Region | str:
        """Return the settings of a region, all without the switch, under which a game shows that the switch changes
        something; if the rule set under which it was found and the one with the other setting do not part in it, why.
        """
        events = [event for line in lines if (event := event_of(self._machine, line)) is not None]
        why = UNPLAYED if len(events) < len(lines) else self._why_together(switches_on, events)
        if why is not None:
            return why
        self._replays = 0
        every = self._choices.family.every & ~self._bit
        untried = region.subtract((every, switches_on & every))
        return region.difference(self._along(untried, switches_on & self._bit, events))

    def _along(self, region: Region, side: int, events: Sequence[Event]) -> Region:
        """Return a region without the settings under which this game shows something too."""
        untried = region
        while untried and self._replays < REPLAYS:
            self._replays += 1
            switches_on = untried.sample | side
            cube, parts = self._replayed(switches_on, events)
            untried = untried.subtract(cube)
            if parts and self._checked < CHECKED:
                self._checked += 1
                parts = self._is_confirmed(switches_on, events)
            if parts:
                region = region.subtract(cube)
        return region

    def _drawn(self, region: Region, rng: random.Random) -> int:
        fixed, on = rng.choice(region.cubes)
        density = rng.choice(DENSITIES)
        chance = sum(1 << n for n in range(region.space.switches) if rng.random() < density)
        return on | (chance & ~fixed)

    def _replayed(self, switches_on: int, events: Sequence[Event]) -> tuple[Cube, bool]:
        """Return whether a game shows that the switch changes something, and under which settings of the other
        switches it shows the same.
        """
        machine, family = self._machine, self._choices.family
        machine.limit_steps(MOST_IN_ALL)
        others = family.every & ~self._bit
        try:
            with machine.noting() as read:
                states = self._state(switches_on), self._state(switches_on ^ self._bit)
                parts = why_together((machine, machine), self._key, states, events) is None
        except (TooLarge, TooManySteps):  # a first value passes a limit, or too much is asked
            return (others, switches_on & others), False
        fixed = family.bits(name.removeprefix(PREFIX) for name in read) & ~self._bit
        return (fixed, switches_on & fixed), parts

    def _is_confirmed(self, switches_on: int, events: Sequence[Event]) -> bool:
        """Return whether two rule sets themselves play a game in which they part as a choice. Raises `Contradiction` if
        they do, and do not part.
        """
        family = self._choices.family
        why = self._why_together(switches_on, events)
        if why not in {None, TOO_LONG}:
            names = f"{family.called(switches_on)}` and `{family.called(switches_on ^ self._bit)}"
            raise Contradiction(f"a game shows as a choice that `{names}` part, and not with each alone")
        return why is None

    def _why_together(self, switches_on: int, events: Sequence[Event]) -> str | None:
        """Return None if two rule sets themselves part in a game, or why they do not."""
        family = self._choices.family
        one, other = (self._alone(family.called(on)) for on in (switches_on, switches_on ^ self._bit))
        try:
            return why_together((one, other), self._key, (one.new_state(), other.new_state()), events)
        except (TooLarge, TooManySteps):  # a first value passes a limit, or too much is asked
            return TOO_LONG

    def _state(self, switches_on: int) -> State:
        with self._machine.at(self._choices.values(switches_on)):
            return self._machine.new_state()

    def _played(self, switches_on: int, number: int) -> list[Event]:
        """Return the events of a game by chance under a rule set; none if it cannot be played."""
        self._machine.limit_steps(MOST_IN_ALL)
        try:
            return list(self._game(switches_on, number))
        except (TooLarge, TooManySteps, ValueError):
            return []

    def _game(self, switches_on: int, number: int) -> Iterator[Event]:
        """Yield the events of a game by chance under a rule set."""
        values, hands = self._choices.values(switches_on), HANDS[number % len(HANDS)]
        player = self._player(switches_on)
        if player is not None:
            player.set_table(values)
            try:
                yield from (Event(*event) for event in player.events(self._seed, number, hands))
                return
            except (Referred, Unsupported):
                return  # what was played so far counts
        with self._machine.at(values):
            state = self._machine.new_state()
        rng = random.Random(f"{self._seed}/{number}")
        try:
            for line in play(self._machine, state, rng, hands, longest=LONGEST):
                action = str(line["do"])
                args: Any = self._machine.read(action, line)
                yield Event(action, args)
        except DeadEnd:
            return


def why_together(
    machines: tuple[Machine, Machine],
    key: StateKey,
    states: tuple[State, State],
    events: Sequence[Event],
) -> str | None:
    """Return None if two states part in a game, or why they do not. Raises `TooManySteps`."""
    one, other = states
    if key(one) != key(other):
        return None
    for event in events:
        clauses = [refusal(machine, state, event) for machine, state in zip(machines, states, strict=True)]
        if None not in clauses:
            return UNPLAYED
        if clauses != [None, None] or key(one) != key(other):
            return None
    return ALIKE
