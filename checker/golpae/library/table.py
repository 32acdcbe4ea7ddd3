"""A table: rules with a number of players and values of options.

Input: `Rules`, a number of players, options.
Output: games, simulations, scores at this table.
Guarantee: a table never changes. Any number of games can be played at it at the same time, in any threads.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from golpae.elaborate.instance import Instance, bounds, instantiate, options_of
from golpae.library.engine import Engine
from golpae.library.errors import TableError, translated
from golpae.library.game import Game, header_of
from golpae.library.values import FrozenDict
from golpae.trace import quoted
from golpae.trace.read import MOST_DIGITS

if TYPE_CHECKING:
    from golpae.library.answers.playing import Simulated
    from golpae.library.engine import Policy
    from golpae.library.rules import Rules


MOST_ENGINES = 16
_engines: OrderedDict[Table, Engine] = OrderedDict()  # of the latest tables: to make one takes long
_making = threading.Lock()


def _engine(table: Table, instance: Instance) -> Engine:
    """Return the engine of a table, and of all that are equal to it."""
    with _making, translated():
        if table not in _engines:
            _engines[table] = Engine(instance)
            if len(_engines) > MOST_ENGINES:
                _engines.popitem(last=False)
        _engines.move_to_end(table)
        return _engines[table]


def _refuse_options(options: object) -> None:
    if not isinstance(options, Mapping) or any(type(value) is not int for value in options.values()):
        raise TypeError("`options` is a dict of whole numbers, such as {'name': 1}")
    for name, value in options.items():
        _refuse_long(f"option {quoted(str(name))}", value)


def _refuse_long(what: str, number: int) -> None:
    """Check that a number can stand in a trace. Raises `TableError`."""
    if abs(number) >= 10**MOST_DIGITS:
        raise TableError(f"{what} is a number of more than {MOST_DIGITS} digits")


class Table:
    """Rules with a number of players and values of their options. `Rules.at` makes one."""

    __slots__ = ("_engine", "_instance", "_rules")

    def __init__(self, rules: Rules, players: int | None, options: Mapping[str, int]) -> None:
        rule_set = rules.rule_set
        if players is not None and type(players) is not int:
            raise TypeError(f"`players` is a number of players, not {type(players).__name__}")
        _refuse_options(options)
        _refuse_long("`players`", players or 0)
        with translated():
            given = options_of(rule_set, options)
            number = bounds(rule_set, given)[0] if players is None else players
            self._instance: Instance = instantiate(rule_set, number, given)
        self._rules = rules
        self._engine: Engine | None = None

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self._rules

    @property
    def players(self) -> int:
        """How many play."""
        return self._instance.players

    @property
    def options(self) -> FrozenDict[str, int]:
        """The value of each option of the rules."""
        return FrozenDict(self._instance.options if self._rules.rule_set.options else {})

    @property
    def tiles(self) -> tuple[str, ...]:
        """Every tile in play, in the order of the text, each as often as there are copies of it."""
        return tuple(kind.name for kind in self._instance.kinds for _ in range(kind.copies))

    @property
    def engine(self) -> Engine:
        """What plays the games. It is no part of the interface."""
        if self._engine is None:
            self._engine = _engine(self, self._instance)
        return self._engine

    def game(self, players: Sequence[str] | None = None, stake: int = 1, id: str | int | None = None) -> Game:  # noqa: A002
        """Return a new game.

        Args:
            players: the players' names, seat 0 first; `P0`, `P1`, ... if None.
            stake: the stake of the match.
            id: what verdicts and rulings call the game, if it has a name.

        Raises:
            TableError: there are not as many names as players, or the stake is below 1.
            TraceError: a name, the stake or the id is too long for a trace.
        """
        names = [f"P{seat}" for seat in range(self.players)] if players is None else players
        if len(names) != self.players:
            raise TableError(f"this table is for {self.players} players, not for {len(names)}")
        return Game(self, header_of(self._rules.name, names, stake, self.options, id))

    def simulate(
        self,
        games: int = 1000,
        *,
        policy: Policy | Iterable[Policy] = "random",
        seed: int = 1,
        hands: int = 1,
        processes: int = 1,
    ) -> Simulated:
        """Play games by policies, and count what comes of them.

        Args:
            games: how many games.
            policy: how everybody plays: `random`, `greedy`, `towards`, or a function of a `Turn`; or one for each seat.
            seed: the same seed gives the same games.
            hands: how many hands each game has at most.
            processes: how many processes play; functions play in this one alone.

        Raises:
            PolicyError: there is no such policy, or it fails or returns what is no choice.
        """
        from golpae.library.answers.playing import simulated

        return simulated(self, games, policy, seed, hands, processes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return (self._rules, self.players, self.options) == (other._rules, other.players, other.options)

    def __hash__(self) -> int:
        return hash((self._rules, self.players, self.options))

    def __repr__(self) -> str:
        """Return how it is made."""
        options = f", options={dict(self.options)}" if self.options else ""
        return f"<Table {self._rules.name}, {self.players} players{options}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self._rules, self.players, dict(self._instance.options))
