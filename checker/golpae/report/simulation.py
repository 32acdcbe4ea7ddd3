"""Render what came of simulated games as a table for people.

Input: what was played, and the tally.
Output: lines of text.
Guarantee: every hand is in one row of the first table. Shares have Wilson's interval at 95 %, means the normal one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from golpae.diagnostics.amounts import many, options_in_words
from golpae.intervals import mean_interval, wilson
from golpae.simulate.play import Ending
from golpae.simulate.profile import ELSE, Profile
from golpae.simulate.tally import Sum, Tally

MOST_PATTERNS = 40
MOST_CLAUSES = 20
LEAST_SHARE = 0.001  # of the time, with all that a clause asks: shorter ones are left out


@dataclass(frozen=True, slots=True)
class Played:
    """What was played: `policies` has one name for all seats, or one for each; `wanted` is the number of games."""

    rules: str
    players: int
    options: Mapping[str, int]
    policies: Sequence[str]
    seed: int
    hands: int
    wanted: int
    tally: Tally
    notes: Sequence[str] = ()
    profile: Profile | None = None


def lines(played: Played) -> list[str]:
    """Return the lines of the whole report."""
    tally = played.tally
    out = [_head(played)]
    if not tally.hands:
        return [*out, "no game was played to its end", *_profile(played)]
    rows: list[tuple[str, int, int]] = [("won", tally.endings[Ending.WON], tally.hands)]
    rows += [(f"  by seat {seat}", tally.wins[seat], tally.hands) for seat in range(tally.players)]
    for ending in (Ending.DRAWN, Ending.DEAD_END, Ending.BROKEN_OFF):
        if tally.endings[ending] or ending is Ending.DRAWN:
            rows.append((ending.value, tally.endings[ending], tally.hands))
    out += ["", *_shares("hands", "", rows)]
    if tally.ended:
        out += ["", *_lengths(tally), "", *_payments(tally)]
    if tally.scored:
        patterns = tally.patterns.most_common()
        patterns.sort(key=lambda pair: (-pair[1], pair[0]))
        of = [(name, count, tally.scored) for name, count in patterns[:MOST_PATTERNS]]
        out += ["", *_shares(f"patterns of {many(tally.scored, 'won hand')}", "hands", of)]
        if len(patterns) > MOST_PATTERNS:
            out.append(f"and {len(patterns) - MOST_PATTERNS} more patterns (all with `--format json`)")
    if tally.stuck:
        games = ", ".join(map(str, tally.stuck))
        out += ["", f"hands that did not end: for example in game {games} (counted from 0)"]
        out.append(
            "  to see them, write all games with `--traces games.jsonl`, and call `golpae report games.jsonl`"
        )
    if played.notes:
        out += ["", *played.notes]
    return [*out, *_profile(played)]


def median(lengths: Mapping[int, int]) -> int:
    """Return the number that half of all numbers do not exceed; `lengths` counts each."""
    half, seen = sum(lengths.values()) / 2, 0
    for length in sorted(lengths):
        seen += lengths[length]
        if seen >= half:
            return length
    raise ValueError("there is no middle of nothing")


def sum_of(counts: Mapping[int, int]) -> Sum:
    """Return the sums of numbers that are counted."""
    return Sum(
        sum(counts.values()),
        sum(number * count for number, count in counts.items()),
        sum(number * number * count for number, count in counts.items()),
    )


def _head(played: Played) -> str:
    games = many(played.tally.games, "game")
    if played.tally.games < played.wanted:
        games = f"{played.tally.games:,} of {many(played.wanted, 'game')}"
    if played.hands > 1:
        games += f" of {played.hands} hands or fewer ({many(played.tally.hands, 'hand')})"
    table = ", ".join([many(played.players, "player"), *options_in_words(played.options)])
    return f"{played.rules}, {table}: {games}, {', '.join(played.policies)}, seed {played.seed}"


def _shares(title: str, unit: str, rows: Sequence[tuple[str, int, int]]) -> Iterator[str]:
    wide = max(len(title), *(len(name) for name, _, _ in rows))
    counts = max(len(unit), *(len(f"{count:,}") for _, count, _ in rows))
    yield f"{title:<{wide}}  {unit:>{counts}}    share   95% interval"
    for name, count, of in rows:
        low, high = wilson(count, of)
        yield f"{name:<{wide}}  {count:>{counts},}  {count / of:>7.2%}  {low:>6.2%} to {high:.2%}"


def _lengths(tally: Tally) -> Iterator[str]:
    lengths = sum_of(tally.lengths)
    mean, low, high = mean_interval(lengths.count, lengths.total, lengths.squares)
    yield (
        f"events of a hand: {min(tally.lengths):,} to {max(tally.lengths):,}, "
        f"half of the hands up to {median(tally.lengths):,}, mean {mean:,.2f} ({low:,.2f} to {high:,.2f})"
    )


def _payments(tally: Tally) -> Iterator[str]:
    means = [mean_interval(own.count, own.total, own.squares) for own in tally.pay]
    cells = [tuple(f"{number:+,.3f}" for number in mean) for mean in means]
    wide = [max(map(len, column)) for column in zip(*cells, strict=True)]
    yield "payments of a hand  mean (95% interval), in stakes of 1"
    for seat, (mean, low, high) in enumerate(cells):
        yield f"  seat {seat}  {mean:>{wide[0]}}  ({low:>{wide[1]}} to {high:>{wide[2]}})"


def _profile(played: Played) -> Iterator[str]:
    """Yield a table of the clauses that take the time."""
    profile = played.profile
    if profile is None:
        return
    seconds = profile.seconds or 1
    rows = sorted(profile.spent.items(), key=lambda row: (-row[1].own, row[0]))
    shown = [(path, spent) for path, spent in rows if spent.whole / seconds >= LEAST_SHARE][:MOST_CLAUSES]
    wide = max(len("clause"), *(len(path) for path, _ in shown)) if shown else 0
    yield ""
    yield f"where {seconds:,.1f} s went (`with`: with what a clause asks)"
    yield f"{'clause':<{wide}}  {'share':>6}  {'with':>6}  {'asked':>13}"
    for path, spent in shown:
        asked = "" if path == ELSE else f"{spent.times:,}"
        yield f"{path:<{wide}}  {spent.own / seconds:>6.1%}  {spent.whole / seconds:>6.1%}  {asked:>13}".rstrip()
    left = len(rows) - len(shown)
    if left:
        yield f"and {many(left, 'clause')} that take less (all with `--format json`)"
