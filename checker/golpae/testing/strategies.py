"""Games to draw: strategies for hypothesis.

Input: rules.
Output: strategies for games, for positions, for games with an illegal event.
Guarantee: every event is legal, and a spoilt one is refused by the rules themselves. Every choice is one that
hypothesis draws (a number among the legal events), so what it finds shrinks to short games of low choices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from golpae.conform.spoil import spoilt as spoilt_event
from golpae.extras import how_to_install
from golpae.library.checking import Refused
from golpae.library.errors import MissingExtra
from golpae.library.game import Game
from golpae.library.origin import PathLike
from golpae.library.table import Table
from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.random_deal import one_deal
from golpae.replay.simulate import written
from golpae.testing.tables import Given, tables_of

try:
    from hypothesis import assume, note, reject
    from hypothesis import strategies as st
except ImportError:
    raise MissingExtra(
        "strategies need hypothesis, which is not installed", f"install it: {how_to_install('testing')}"
    ) from None

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

Params = ParamSpec("Params")
Drawn = TypeVar("Drawn")

LONGEST = 400  # events of a game; hypothesis holds no more choices than a few thousand
DEALS = 20  # tries for a deal that can be made
STOPS = 24  # a game that may stop anywhere has about so many events


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A legal game, and an event that is not legal after it.

    Attributes:
        game: the game, in which the event has not happened.
        event: the event, as a trace has it.
        refused: why the rules refuse it.
    """

    game: Game
    event: Mapping[str, object]
    refused: Refused


def _asked(
    rules: Given,
    *,
    players: int | None = None,
    options: Mapping[str, int] | None = None,
    hands: int = 1,
    spec_path: PathLike | Iterable[PathLike] = (),
) -> tuple[SearchStrategy[Table], int]:
    """Return the tables and the number of hands that are asked for: what every strategy takes."""
    return st.sampled_from(tables_of(rules, players, options, spec_path)), hands


def _strategy(
    asked: Callable[Params, tuple[SearchStrategy[Table], int]],
) -> Callable[[Callable[[Table, int], SearchStrategy[Drawn]]], Callable[Params, SearchStrategy[Drawn]]]:
    """Make a strategy of what is drawn at one table. It takes what is `asked`."""

    def made(draw: Callable[[Table, int], SearchStrategy[Drawn]]) -> Callable[Params, SearchStrategy[Drawn]]:
        taken = signature(asked)

        @wraps(draw)
        def strategy(*args: Params.args, **more: Params.kwargs) -> SearchStrategy[Drawn]:
            taken.bind(*args, **more)  # its message names what is wrong, and no function
            tables, hands = asked(*args, **more)
            return tables.flatmap(lambda table: draw(table, hands))

        strategy.__signature__ = taken.replace(  # type: ignore[attr-defined]
            return_annotation=draw.__annotations__["return"]
        )
        return strategy

    return made


@_strategy(_asked)
def games(table: Table, hands: int) -> SearchStrategy[Game]:
    """Return a strategy for legal games. Each deal lists its reserve.

    Args:
        rules: rules, by their name, as a file or loaded; or a table.
        players: the number of players; any number that the rules allow if None.
        options: values of options.
        hands: how many hands a game has at most. A game ends early if nothing can follow, or after 400 events.
        spec_path: where texts are looked for, if `rules` is a name.

    Raises:
        GolpaeError: there are no such rules, or no such table.
        MissingExtra: hypothesis is not installed.
    """
    return _games(table, hands, False)


@_strategy(_asked)
def positions(table: Table, hands: int) -> SearchStrategy[Game]:
    """Return a strategy for legal games that stop anywhere after the first deal. The arguments are those of `games`."""
    return _games(table, hands, True)


@_strategy(_asked)
def spoilt(table: Table, hands: int) -> SearchStrategy[Spoilt]:
    """Return a strategy for games with an event that is not legal. The arguments are those of `games`.

    The event can be read: its tiles and seats exist. It is a legal one with a value changed, or one that comes too
    early or too late.
    """
    return _spoilt(table, hands)


class _Drawn(Chance):
    """Chance whose choices hypothesis draws."""

    __slots__ = ("_draw",)

    def __init__(self, draw: DrawFn) -> None:
        super().__init__(0, 0)
        self._draw = draw

    def below(self, size: int) -> int:
        """Return a number from 0 to `size` - 1."""
        return 0 if size == 1 else self._draw(st.integers(0, size - 1))


@dataclass(frozen=True, slots=True)
class _Played:
    """Events that were drawn, the state after them, and what else was legal on the way."""

    machine: Machine
    state: State
    events: list[Event]
    others: list[Event]


def _played(draw: DrawFn, table: Table, hands: int, stops: bool) -> _Played:
    """Draw a game."""
    engine, chance = table.engine, _Drawn(draw)
    with engine.lock:
        machine, legal = engine.machine, engine.legal
        out = _Played(machine, machine.new_state(), [], [])
        for _ in range(LONGEST):
            if legal.can_deal(out.state):
                if hands == 0 or (stops and out.events and chance.below(2) == 0):
                    break
                hands -= 1
                event = _deal(legal, out.state, chance)
            else:
                choices = legal.in_play(out.state)
                if not choices or (stops and out.events and chance.below(STOPS) == 0):
                    break
                event = chance.choice(choices)
                out.others.extend(choices)
            machine.apply(event.action, out.state, event.args)
            out.events.append(event)
    return out


def _deal(legal: Legal, state: State, chance: Chance) -> Event:
    """Draw a deal that can be made."""
    seats = legal.can_deal(state)
    deals = (one_deal(legal.machine, state, chance.choice(seats), chance) for _ in range(DEALS))
    deal = legal.first_dealt(deals, state)
    return reject() if deal is None else deal


def _as_game(table: Table, played: _Played) -> Game:
    """Return a game in which this has happened, and let hypothesis show it."""
    game = table.game()
    for event in played.events:
        assert game.apply(written(played.machine, event))
    return game


@st.composite
def _games(draw: DrawFn, table: Table, hands: int, stops: bool) -> Game:
    game = _as_game(table, _played(draw, table, hands, stops))
    note("\n".join(game.lines()))
    return game


@st.composite
def _spoilt(draw: DrawFn, table: Table, hands: int) -> Spoilt:
    played = _played(draw, table, hands, True)
    with table.engine.lock:
        pool = [*played.events, *played.others]
        event = spoilt_event(played.machine, played.state, pool, _Drawn(draw))
    assume(event is not None)
    assert event is not None
    game, line = _as_game(table, played), written(played.machine, event)
    refused = game.apply(line)
    assert isinstance(refused, Refused)
    note("\n".join([*game.lines(), f"{line}  # refused: {refused.clause}"]))
    return Spoilt(game, line, refused)
