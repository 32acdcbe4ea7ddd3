"""Games by chance that decide a property under many rule sets, played on the compiled path.

Input: `Choices` at one table, and a property. Output: rule sets of a region, each with the events of a game.
Guarantee: the same call gives the same games. What is found is a hint: only replay says that a game decides anything.

The module is compiled once, or once for each alternative. It plays under any rule set, since the switches are states of
the table. A state of the
hand, which the property's action sets, notes that the property is decided:

    always few after put: taken < 3      action put ...
                                           then when not (taken < 3): shown := yes
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from golpae.elaborate.instance import Instance
from golpae.families.choices import Choices
from golpae.families.region import Region
from golpae.ir import expr as ir
from golpae.ir.distinct_names import MARK
from golpae.ir.ruleset import EffectClause, PropertyDecl, RuleSet, VarDecl
from golpae.ir.traverse import asks_earlier
from golpae.ir.types import BOOL
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.language.host import available
from golpae.kernel.player import Hand, Player, Referred
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.legal_events import Event
from golpae.verify.families.searches import target_of
from golpae.verify.properties import CONSERVATION, DEADLOCK_FREEDOM

SHOWN = f"shown{MARK}"  # the state that notes that a property is decided: no word of a text has it
RULE_SETS, GAMES = 96, 1_600  # that are played in one search, and games of each
EVENTS = 5_000_000  # of all games of one search
TOGETHER = 100  # games after which somebody looks at what came of them
LONGEST = 400  # events of a hand
HANDS = (1, 1, 1, 3)  # of a game, by turns of rule sets
DENSITIES = (0.1, 0.2, 0.5, 0.8)  # shares of switches that are on, of those that a cube leaves open


def chance_games(
    choices: Choices, instance: Instance, prop: PropertyDecl, seed: int, effort: int
) -> ChanceGames | None:
    """Return a player of games for a property, or None if the compiled path cannot."""
    if prop.name in (CONSERVATION, DEADLOCK_FREEDOM) or prop.kind == "ends" or asks_earlier(prop.expr):
        return None
    if not available():
        return None
    try:
        return ChanceGames(choices, instance, prop, seed, effort)
    except (NotCompiled, MemoryError):
        return None


class Hit(NamedTuple):
    """A game by chance: its number, and how many hands it has at most."""

    number: int
    hands: int


class ChanceGames:
    """Plays games by chance for one property. `effort` is how many times as many. Raises `NotCompiled` and
    `MemoryError`.
    """

    def __init__(
        self, choices: Choices, instance: Instance, prop: PropertyDecl, seed: int, effort: int
    ) -> None:
        self._choices, self._seed, self._effort = choices, seed, effort
        exprs: list[ir.Expr] = [ir.StateRead(SHOWN, None, BOOL)]
        if prop.after is None:
            exprs.append(target_of(prop))  # after what the end of a hand pays
        self._instance, self._prop, self._asking = instance, prop, Asking(LONGEST, tuple(exprs))
        self._players: dict[int, Player | None] = {}  # by alternative; None if it cannot be compiled
        first = choices.alternative(choices.region.sample)
        self._players[first] = self._compiled(choices.region.sample)
        self._next = 0  # the number of the next game
        self._rng = random.Random(f"{seed}/{prop.name}")

    def under(self, switches_on: int, first: int, many: int) -> Iterator[Hit]:
        """Yield those of so many games under one rule set, from the number `first` on, that seem to decide the
        property.
        """
        for hands in dict.fromkeys(HANDS):
            for number, game in enumerate(self._all(switches_on, first, many, hands), first):
                if self._length(game) is not None:
                    yield Hit(number, hands)

    def found(self, hit: Hit, rule_sets: Iterable[int]) -> Iterator[tuple[int, tuple[Event, ...]]]:
        """Yield those of some rule sets under which the game that chance found seems to decide the property too, each
        with its events; the short games first.
        """
        # chance deals the same in the game of this number under every rule set
        shown = [
            (length, on)
            for on in rule_sets
            if (length := self._length(next(self._all(on, hit.number, 1, hit.hands), None))) is not None
        ]
        for _, on in sorted(shown):
            player = self._player(on)
            if player is None:
                continue
            try:
                events = tuple(Event(*e) for e in player.events(self._seed, hit.number, hit.hands))
            except (Referred, NotCompiled):
                continue
            yield on, events

    def hit(self, region: Region, first: int, times: int = 1) -> Hit | None:
        """Return a game that seems to decide the property under a rule set of a region, if chance finds one.

        `first` is the rule set that is played first. So many `times` as many rule sets are tried.
        """
        left = EVENTS * self._effort * times
        tried = list(self._rule_sets(region, first, times))
        for games in (TOGETHER, GAMES * self._effort):  # a few of each before many of one
            for turn, on in enumerate(tried):
                hands = HANDS[turn % len(HANDS)]
                best: tuple[int, int] | None = None
                for _ in range(0, games, TOGETHER):
                    begin, self._next = self._next, self._next + TOGETHER
                    for number, game in enumerate(self._all(on, begin, TOGETHER, hands), begin):
                        left -= 1 if game is None else sum(hand.events for hand in game)
                        length = self._length(game)
                        if length is not None and (best is None or length < best[0]):
                            best = length, number
                    if best is not None or left <= 0:
                        break
                if best is not None:
                    return Hit(best[1], hands)
                if left <= 0:
                    return None
        return None

    def _rule_sets(self, region: Region, first: int, times: int) -> Iterator[int]:
        """Yield rule sets of a region by chance, after the first one and those with few switches on."""
        yield first
        few = sorted((on for _, on in region.cubes), key=lambda on: (on.bit_count(), on))[: RULE_SETS // 4]
        yield from few
        for _ in range(RULE_SETS * times - len(few)):
            fixed, on = self._rng.choice(region.cubes)
            density = self._rng.choice(DENSITIES)
            for number in range(region.space.switches):
                if not fixed >> number & 1 and self._rng.random() < density:
                    on |= 1 << number
            yield on

    def _all(self, on: int, number: int, many: int, hands: int) -> Iterator[tuple[Hand, ...] | None]:
        player = self._player(on)
        return iter(()) if player is None else player.games(self._seed, number, many, hands)

    def _player(self, on: int) -> Player | None:
        """Return the player under a rule set; None if the compiled path cannot."""
        number = self._choices.alternative(on)
        if number not in self._players:
            try:
                self._players[number] = self._compiled(on)
            except (NotCompiled, MemoryError):
                self._players[number] = None
        player = self._players[number]
        if player is not None:
            player.set_table(self._choices.values(on))
        return player

    def _compiled(self, on: int) -> Player:
        """Return the player under the rule sets that have the shapes and scores of one. Raises `NotCompiled` and
        `MemoryError`.
        """
        made = _noting(self._choices.rule_set_at(on), self._prop)
        instance = replace(self._instance, rule_set=made, alternatives=())
        return Player(instance, self._prop.name, False, None, self._asking)

    @staticmethod
    def _length(game: tuple[Hand, ...] | None) -> int | None:
        """Return how many events a game has up to the end of the hand that decides the property, if one does."""
        events = 0
        for hand in game or ():
            events += hand.events
            if any(hand.asked):
                return events
        return None


def _noting(rules: RuleSet, prop: PropertyDecl) -> RuleSet:
    """Return a rule set in which a state of the hand notes that a property is decided."""
    yes = ir.Const(True, BOOL)
    noted = ir.When(target_of(prop), (ir.SetState(SHOWN, None, yes),))
    clause = EffectClause(SHOWN, (noted,), ())
    actions = tuple(
        replace(action, effects=(*action.effects, clause)) if prop.after in (None, action.name) else action
        for action in rules.actions
    )
    shown = VarDecl(SHOWN, False, BOOL, ir.Const(False, BOOL), "hand")
    return replace(rules, vars=(*rules.vars, shown), actions=actions, properties=())
