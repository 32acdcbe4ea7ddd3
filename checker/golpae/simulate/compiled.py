"""Games in which everybody plays at random, greedily or towards a win, on the compiled path.

Input: a table. Output: the same games as `Table.play` gives, many times as fast.
Guarantee: what is not compiled is played by the reference. One game in `CHECKED` of the first `MOST_CHECKED` is played
by both: one of the reference may take as long as ten thousand of these. If they differ, the game of the reference
counts, and its number is in `differ`: it is a fault of golpae.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from golpae.ir import expr as ir
from golpae.ir.types import BOOL, SEAT
from golpae.kernel.emit.playing.chance import Asking
from golpae.kernel.emit.playing.rating import Aims, HiddenKey
from golpae.kernel.language.host import available
from golpae.kernel.player import BROKEN_OFF, DEAD_END, Hand, Player, Referred
from golpae.kernel.unsupported import NotCompiled
from golpae.replay.legal_events import Event
from golpae.simulate.greedy import Greedy
from golpae.simulate.play import Ending, PlayedHand, SimulatedGame, SimulatedTable
from golpae.simulate.policy import Random
from golpae.simulate.sight import Sight
from golpae.simulate.towards import Towards

CHECKED = 1_000
MOST_CHECKED = 100_000  # games
MOST_KNOWN = 10_000  # games that are told by the same object, as long as it is known


class CompiledTable:
    """A table on the compiled path. With `traced`, games have their events. Raises `NotCompiled` and `MemoryError`."""

    def __init__(self, table: SimulatedTable, traced: bool) -> None:
        machine = table.machine
        self.table, self.traced, self._scores_hands = table, traced, table.scores_hands
        aims = None if table.all_random else _aims_of_table(table)
        asking = Asking(table.longest, (*table.asked, *_who_won(table)))
        self.player = Player(machine.instance, machine.rules.rules, machine.may_be_long, aims, asking)
        self.differ: list[int] = []
        self._known: dict[
            tuple[Hand, ...], SimulatedGame
        ] = {}  # games with these hands, if these tell all of them

    def games(self, seed: int, first: int, many: int, hands: int) -> Iterator[tuple[int, SimulatedGame]]:
        """Yield so many games from the number `first` on, each with its number. Raises `TooManySteps`."""
        played = self.player.games(seed, first, many, hands)
        for number, hands_played in enumerate(played, first):
            game = None if hands_played is None else self._whole(seed, number, hands, hands_played)
            if game is None or (number % CHECKED == 0 and number < MOST_CHECKED):
                reference = self.table.play(seed, number, hands)
                if game is not None and _told(game, self.traced) != _told(reference, self.traced):
                    self.differ.append(number)
                game = reference
            yield number, game

    def _whole(
        self, seed: int, number: int, hands: int, compiled_hands: tuple[Hand, ...]
    ) -> SimulatedGame | None:
        """Return a game with what its hands alone do not tell; None if the reference has to play it."""
        scored = self._scores_hands and any(hand.winner is not None for hand in compiled_hands)
        if not (scored or self.traced):
            game = self._known.get(compiled_hands)
            if game is None:
                game = self._known[compiled_hands] = SimulatedGame(
                    tuple(self._plain(hand) for hand in compiled_hands), ()
                )
                if len(self._known) > MOST_KNOWN:
                    self._known.clear()
            return game
        try:
            events = tuple(Event(*event) for event in self.player.events(seed, number, hands))
        except (Referred, NotCompiled):
            return None
        patterns = self.table.patterns_won(events) if scored else [()] * len(compiled_hands)
        played = (self._plain(hand, won) for hand, won in zip(compiled_hands, patterns, strict=True))
        return SimulatedGame(tuple(played), events if self.traced else ())

    def _plain(self, hand: Hand, patterns: tuple[str, ...] = ()) -> PlayedHand:
        own = len(self.table.asked)
        answers, has_won = hand.asked[:own], hand.asked[own:]
        if hand.ending == DEAD_END:
            return PlayedHand(Ending.DEAD_END, hand.events, asked=answers)
        if hand.ending == BROKEN_OFF:
            return PlayedHand(Ending.BROKEN_OFF, hand.events, asked=answers)
        winners = tuple(seat for seat, won in enumerate(has_won) if won)
        if not has_won and hand.winner is not None:
            winners = (hand.winner,)
        return PlayedHand(
            Ending.WON if winners else Ending.DRAWN, hand.events, winners, hand.pay, patterns, answers
        )


def compiled_table(table: SimulatedTable, traced: bool) -> CompiledTable | None:
    """Return a table on the compiled path, or None if it cannot be had: a seat plays by another policy, say. Seats that
    are neither at random nor alike are for the reference.
    """
    minded = {type(policy) for policy in table.policies if not isinstance(policy, Random)}
    if minded not in (set(), {Greedy}, {Towards}) or not available():
        return None
    try:
        return CompiledTable(table, traced)
    except (NotCompiled, MemoryError):
        return None


def _aims_of_table(table: SimulatedTable) -> Aims:
    minded = next(policy for policy in table.policies if isinstance(policy, Greedy | Towards))
    careless = frozenset(seat for seat, policy in enumerate(table.policies) if isinstance(policy, Random))
    towards = isinstance(minded, Towards)
    compositions = minded.aims.compositions if towards else ()
    aims = aims_of(table.sight, minded)
    return replace(aims, at_random=careless, towards=towards, compositions=compositions)


def aims_of(sight: Sight, policy: Greedy | Towards) -> Aims:
    """Return the aims of seats with a policy: groups of tiles, zones of tiles and of melds that serve them, and keys
    that they cannot know.
    """
    hidden = {
        action.name: tuple(
            HiddenKey(key.name, sight.arrives(action.name, key)) for key in sight.unseen_keys(action.name)
        )
        for action in sight.machine.rules.actions
        if action.by is not None
    }
    return Aims(policy.aims.groups, sight.loose, sight.grouped, hidden)


def _who_won(table: SimulatedTable) -> tuple[ir.Expr, ...]:
    """Return for each seat whether it has won, if several can win a hand."""
    state = table.machine.rules.winners_state
    if state is None:
        return ()
    seats = range(table.machine.instance.players)
    return tuple(ir.StateRead(state, ir.Const(seat, SEAT), BOOL) for seat in seats)


def _told(game: SimulatedGame, traced: bool) -> SimulatedGame:
    return game if traced else SimulatedGame(game.hands, ())
