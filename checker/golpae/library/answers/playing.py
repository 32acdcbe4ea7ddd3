"""Play many games by policies, and count what comes of them.

Input: a table, policies by name or as functions, a seed.
Output: `Simulated`.
Guarantee: the games are those of `golpae simulate` with the same seed. A policy that fails raises what it raised.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from golpae.intervals import mean_interval, wilson
from golpae.library.engine import Policy, called
from golpae.library.errors import translated
from golpae.library.values import FrozenDict, shown
from golpae.progress import Progress
from golpae.replay.chance import WORDS
from golpae.simulate.play import Ending
from golpae.simulate.policies import Called, names_of
from golpae.simulate.series import Series, simulate
from golpae.simulate.tally import Sum

if TYPE_CHECKING:
    from golpae.library.table import Table

MOST_GAMES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Share:
    """How many of some hands.

    Attributes:
        count: how many.
        of: of how many.
        low: the lower end of the 95% interval of the share; None of no hands.
        high: the upper end.
    """

    count: int
    of: int
    low: float | None
    high: float | None

    @property
    def share(self) -> float | None:
        """The share, from 0 to 1; None of no hands."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of whole numbers.

    Attributes:
        mean: the mean; None of no numbers.
        low: the lower end of its 95% interval.
        high: the upper end.
    """

    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of simulated games.

    Attributes:
        rules: the rules.
        players: how many played.
        policies: how each seat played.
        seed: the seed that repeats the games.
        games: how many games were played.
        hands: how many hands.
        won: the hands that somebody won.
        winners: for each seat, the hands that it won.
        drawn: the hands without a winner.
        dead_ends: the hands in which nobody could go on.
        broken_off: the hands that were too long.
        lengths: how many hands that ended have each number of events.
        payments: for each seat, its mean payment for a hand that ended.
        patterns: the patterns of won hands that were scored, as shares of these.
        stuck: the numbers of the first games with a hand that did not end.
    """

    rules: str
    players: int
    policies: tuple[str, ...]
    seed: int
    games: int
    hands: int
    won: Share
    winners: tuple[Share, ...]
    drawn: Share
    dead_ends: Share
    broken_off: Share
    lengths: FrozenDict[int, int]
    payments: tuple[Mean, ...]
    patterns: FrozenDict[str, Share]
    stuck: tuple[int, ...]

    def __str__(self) -> str:
        """Return the shares of won, drawn and unfinished hands and the average payments, as lines for people."""
        by = " and ".join(dict.fromkeys(self.policies))
        lines = [f"{self.rules}, {self.players} players: {self.hands:,} hands by {by}, seed {self.seed}"]
        lines.append(f"  won {_in_words(self.won)}")
        lines += [f"    by seat {seat} {_in_words(one)}" for seat, one in enumerate(self.winners)]
        for ending, share in (
            ("drawn", self.drawn),
            ("dead ends", self.dead_ends),
            ("broken off", self.broken_off),
        ):
            lines += [f"  {ending} {_in_words(share)}"] if share.count or ending == "drawn" else []
        means = (
            f"seat {seat} {one.mean:+.3f}" for seat, one in enumerate(self.payments) if one.mean is not None
        )
        paid = ", ".join(means)
        return "\n".join((*lines, *([f"  paid for a hand, on average: {paid}"] if paid else [])))


def _in_words(share: Share) -> str:
    """Return a share with its interval."""
    if share.share is None or share.low is None or share.high is None:
        return "0"
    return f"{share.share:.1%} ({share.low:.1%} to {share.high:.1%})"


def simulated(
    table: Table, games: int, policy: Policy | Iterable[Policy], seed: int, hands: int, processes: int
) -> Simulated:
    """Play games. Raises `PolicyError` and `LimitError`."""
    numbers = (("games", games, MOST_GAMES), ("hands", hands, 1_000_000), ("processes", processes, 1_000))
    for name, number, most in numbers:
        if type(number) is not int or not 0 < number <= most:
            raise ValueError(f"`{name}` is a whole number from 1 to {most:,}, not {shown(number)}")
    if type(seed) is not int or not 0 <= seed < WORDS:
        raise ValueError(f"`seed` is a whole number from 0 to {WORDS - 1}, not {shown(seed)}")
    with translated():
        policies = _seated(policy, table.players)
        series = Series(table.rules.rule_set, table.players, table.options, policies, seed, games, hands)
        if any(isinstance(one, Called) for one in policies):
            processes = 1
        simulation = simulate(series, processes, Progress())
    if simulation.interrupted:
        raise KeyboardInterrupt
    if simulation.differ:
        import warnings

        words = f"a fault in golpae: its two ways to play game {simulation.differ[0]} disagree; please report this call"
        warnings.warn(words, RuntimeWarning, stacklevel=3)
    tally = simulation.tally

    def share(count: int, of: int = tally.hands) -> Share:
        return Share(count, of, *(wilson(count, of) if of else (None, None)))

    return Simulated(
        table.rules.name,
        table.players,
        tuple(one if isinstance(one, str) else one.name for one in policies),
        seed,
        tally.games,
        tally.hands,
        share(tally.endings[Ending.WON]),
        tuple(share(tally.wins[seat]) for seat in range(table.players)),
        share(tally.endings[Ending.DRAWN]),
        share(tally.endings[Ending.DEAD_END]),
        share(tally.endings[Ending.BROKEN_OFF]),
        FrozenDict(dict(sorted(tally.lengths.items()))),
        tuple(map(_mean, tally.pay)),
        FrozenDict({name: share(count, tally.scored) for name, count in sorted(tally.patterns.items())}),
        tuple(tally.stuck),
    )


def _seated(policy: Policy | Iterable[Policy], players: int) -> tuple[str | Called, ...]:
    """Return the policy of each seat. Raises `PolicyFault`."""
    if isinstance(policy, str):
        return tuple(names_of(policy, players))
    if not callable(policy) and not isinstance(policy, Iterable):
        raise TypeError(f"a policy is a name or a function, not {type(policy).__name__}")
    given = [policy] * players if callable(policy) else [*policy]
    if len(given) != players:
        raise ValueError(f"`policy` has {len(given)} policies for {players} players")
    return tuple(names_of(one, 1)[0] if isinstance(one, str) else called(one) for one in given)


def _mean(numbers: Sum) -> Mean:
    if not numbers.count:
        return Mean(None, None, None)
    return Mean(*mean_interval(numbers.count, numbers.total, numbers.squares))
