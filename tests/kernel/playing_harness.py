"""A game by chance on both paths, one event after the other.

Input: a machine of the reference. Output: how far both went, and an AssertionError where they differ.
"""

from __future__ import annotations

from dataclasses import dataclass

from golpae.kernel.language.host import Host, Referred
from golpae.kernel.layout import WORD
from golpae.kernel.module import ModuleRequest, compiled
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.random_deal import deal_by_chance
from golpae.simulate.asking import by_chance
from golpae.simulate.sight import Sight


@dataclass(slots=True)
class Compared:
    """Events that both played, and whether the compiled path referred the game then."""

    events: int = 0
    referred: bool = False


class Both:
    """Both paths of one instance."""

    def __init__(self, machine: Machine) -> None:
        made = compiled(machine.instance, ModuleRequest(machine.rules.rules, machine.may_be_long, plays=True))
        assert made.plays is not None
        self.machine, self.legal, self.refused = machine, Legal(machine), made.refused
        self.sight = Sight(machine)
        self._seen = made.plays.seen
        self._host = Host(made.wasm)
        names = ("init", "new_game", "pick", "begin", "deal", "play")
        self._init, self._new_game, self._pick, self._begin, self._deal, self._play = map(
            self._host.function, names
        )
        self._init()

    def play(self, seed: int, game: int, most: int) -> Compared:
        """Play a game of one hand, of at most so many events. Raises AssertionError where the paths differ."""
        compared = Compared()
        try:
            self._game(seed, game, most, compared)
        except Referred:
            compared.referred = True
        return compared

    def _game(self, seed: int, game: int, most: int, compared: Compared) -> None:
        machine, chance = self.machine, Chance(seed, game)
        state = machine.new_state()
        self._new_game(1)
        self._begin(seed, game)
        dealt = False
        while compared.events < most:
            if not dealt and self.legal.can_deal(state):
                deal = deal_by_chance(self.legal, state, chance)
                found = self._deal()
                assert found == (-1 if deal is None else 1), f"deal: {deal}, compiled: {found}"
                if deal is None:
                    return
                dealt = True
                machine.apply(deal.action, state, deal.args)
                continue
            if not dealt:
                found = self._deal()
                assert found == 0, f"nobody can be dealt, compiled: {found}"
            actions = machine.actions
            events = self.legal.in_play(state)
            self._pick(-1)
            seen = int.from_bytes(self._host.read(self._seen, WORD), "little")
            assert seen == len(events), f"{len(events)} legal events, compiled: {seen}: {events[:20]}"
            if not events:
                return
            event = by_chance(self.sight, state, events, chance)
            action = machine.rules.actions[self._play()].name
            assert action == event.action, f"{event}, compiled: {action}"
            machine.apply(event.action, state, event.args)
            compared.events += 1
            if actions[event.action].kind == "end":
                return
