"""How much it matters what one rule set changes against another.

In: two rule sets, A and B, and the tables that are asked about. Out: `Amount`s, the exact ones first: tiles, pairs,
sets, hands and first deals that the two take differently; then measured ones, of hands that are scored at random and
of games that are played at random. Only what differs is told, and nothing of two that are written alike or that
cannot be held against each other.

What is exact is counted for every number of players, and told once where it is the same for all. Games are played by
as few players as both allow; by as many as both allow where that showed nothing; or by as many as were asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from golpae.compare.comparison import Amount
from golpae.compare.games.alignment import Rewritten, aligned, played_alike, why_incomparable
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.options import CompareOptions
from golpae.compare.size.exact import Counted
from golpae.compare.size.sampled_hands import sample
from golpae.compare.size.simulated_games import measure
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine


def compare_sizes(a: RuleSet, b: RuleSet, settings: CompareOptions) -> Sequence[Amount]:
    """All amounts, in the order in which they are told. Raises `TableFault` for options that there are not."""
    if why_incomparable(a, b) is not None or options_of(a, settings.options) != options_of(
        b, settings.options
    ):
        return ()
    other = aligned(a, b)
    rewritten = Rewritten(a, other)
    if played_alike(rewritten):
        return ()
    tables = _players(a, b, settings)
    machines = [[Machine(instantiate(rules, n, settings.options)) for n in tables] for rules in (a, other)]
    at = dict(zip(tables, zip(*machines, strict=True), strict=True))
    counted = {n: Counted(ours, theirs, rewritten) for n, (ours, theirs) in at.items()}
    exact = [list(counted[n].amounts()) for n in tables]
    hands = [amount for n in tables[:1] for amount in sample(counted[n], settings.seed)]
    games: list[Amount] = []
    for players in dict.fromkeys((*tables[:1], *tables[-1:])):
        if not any(amount.count for amount in games):
            measured = measure(PairedMachines(*at[players]), settings.seed)
            games = [_at(m, [players]) if len(tables) > 1 else m for m in measured]
    return [*_told(tables, exact), *hands, *games]


def _players(a: RuleSet, b: RuleSet, settings: CompareOptions) -> list[int]:
    """The numbers of players that both allow, or the one that was asked for."""
    (low, high), (lower, higher) = (bounds(r, options_of(r, settings.options)) for r in (a, b))
    both = range(max(low, lower), min(high, higher) + 1)
    return [n for n in both if settings.players in (None, n)]


def _told(tables: Sequence[int], exact: Sequence[Sequence[Amount]]) -> list[Amount]:
    """What was counted, once; with the number of players where it is not the same for all."""
    found: dict[Amount, list[int]] = {}
    for players, amounts in zip(tables, exact, strict=True):
        for amount in amounts:
            found.setdefault(amount, []).append(players)
    return [a if len(at) == len(tables) else _at(a, at) for a, at in found.items()]


def _at(amount: Amount, players: Sequence[int]) -> Amount:
    """An amount of these tables only."""
    many = ", ".join(map(str, players))
    return replace(amount, what=f"{amount.what} ({many} players)")
