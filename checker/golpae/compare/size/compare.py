"""Measure how much the difference between two rule sets matters.

Input: two rule sets, A and B, and options that choose tables.
Output: `Amount`s, the exact ones first: tiles, pairs, sets, hands and first deals that the two treat differently; then
estimates from hands and games at random.
Guarantee: only differences are listed; two rule sets that are the same by syntax or incomparable have none.

Exact amounts are counted for every number of players, and listed once if they are the same for all. Games are played
by as few players as both allow; by as many as both allow if that showed no difference; or by the chosen number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from golpae.compare.comparison import Amount
from golpae.compare.games.alignment import Rewritten, aligned, same_games, why_incomparable, why_order_matters
from golpae.compare.games.paired_machines import PairedMachines
from golpae.compare.options import CompareOptions
from golpae.compare.scores.differing import differing_scores
from golpae.compare.size.exact import ExactCounts
from golpae.compare.size.left_out import Sampling, Tell, as_far_as_possible
from golpae.compare.size.sampled_hands import sample
from golpae.compare.size.simulated_games import measure
from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.replay.machine import Machine


def compare_sizes(
    a: RuleSet, b: RuleSet, options: CompareOptions, progress: Progress | None = None, tell: Tell = str
) -> Sequence[Amount]:
    """Return all amounts in the order of a report. `tell` is told what is left out because rules take too many steps.

    Raises `TableFault` for unknown options.
    """
    progress = progress or Progress()
    if why_incomparable(a, b) is not None or why_order_matters(a, b) is not None:
        return ()
    if options_of(a, options.options) != options_of(b, options.options):
        return ()
    other = aligned(a, b)
    rewritten = Rewritten(a, other)
    same = same_games(rewritten)
    if same and not differing_scores(a, other):
        return ()
    tables = _players(a, b, options)
    machines = [
        [Machine(instantiate(rules, n, options.options), counting=True) for n in tables]
        for rules in (a, other)
    ]
    at = dict(zip(tables, zip(*machines, strict=True), strict=True))
    counts = {n: ExactCounts(ours, theirs, rewritten) for n, (ours, theirs) in at.items()}
    pair = f"{a.rules} and {b.rules}"
    progress.begin("counting tiles and hands", len(tables), "tables", under_way=pair)
    exact = []
    for players in tables:
        what = f"exact counts{_at_table(tables, players)}"
        counted = as_far_as_possible(counts[players].amounts(), what, tell)
        exact.append(list(counted))
        progress.done += 1
    sampling = Sampling(options.seed, progress, options.hands, processes=options.jobs, tell=tell)
    progress.begin("scoring at random", unit="hands", under_way=pair)
    hands = [amount for n in tables[:1] for amount in sample(counts[n], sampling)]
    progress.begin("playing at random", unit="hands", under_way=pair)
    games: list[Amount] = []
    for players in () if same else dict.fromkeys((*tables[:1], *tables[-1:])):
        if not any(amount.count for amount in games):
            what = f"random hands{_at_table(tables, players)}"
            measured = measure(PairedMachines(*at[players]), sampling, what)
            amounts = as_far_as_possible(measured, what, tell)
            games = [_at(m, [players]) if len(tables) > 1 else m for m in amounts]
    return [*_merged(tables, exact), *hands, *games]


def _players(a: RuleSet, b: RuleSet, options: CompareOptions) -> list[int]:
    """Return the numbers of players that both allow, or the chosen one."""
    (low, high), (lower, higher) = (bounds(r, options_of(r, options.options)) for r in (a, b))
    both = range(max(low, lower), min(high, higher) + 1)
    return [n for n in both if options.players in (None, n)]


def _at_table(tables: Sequence[int], players: int) -> str:
    """Return which of several tables something is about; nothing if there is only one."""
    return _of([players]) if len(tables) > 1 else ""


def _of(players: Sequence[int]) -> str:
    return f" ({', '.join(map(str, players))} players)"


def _merged(tables: Sequence[int], exact: Sequence[Sequence[Amount]]) -> list[Amount]:
    """Return each amount once, with the number of players if it is not the same for all."""
    players_of: dict[Amount, list[int]] = {}
    for players, amounts in zip(tables, exact, strict=True):
        for amount in amounts:
            players_of.setdefault(amount, []).append(players)
    return [a if len(at) == len(tables) else _at(a, at) for a, at in players_of.items()]


def _at(amount: Amount, players: Sequence[int]) -> Amount:
    """Return an amount of these tables only."""
    return replace(amount, what=amount.what + _of(players))
