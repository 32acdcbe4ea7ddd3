"""What came of simulated games, as JSON. `docs/simulate.md` describes the keys.

Input: what was played, and the tally.
Output: one JSON object.
Guarantee: numbers are not rounded; `null` stands for what no hand tells.
"""

from __future__ import annotations

from typing import Any

from golpae.intervals import mean_interval, wilson
from golpae.report.simulation import Played, median, sum_of
from golpae.simulate.play import Ending
from golpae.simulate.profile import Profile
from golpae.simulate.tally import Sum


def to_json(played: Played) -> dict[str, Any]:
    """Return the whole result."""
    tally = played.tally
    lengths = sum_of(tally.lengths)
    return {
        "rules": played.rules,
        "players": played.players,
        "options": dict(played.options),
        "policies": list(played.policies) * (1 if len(played.policies) > 1 else played.players),
        "seed": played.seed,
        "games": tally.games,
        "of": played.wanted,
        "hands": tally.hands,
        "won": _share(tally.endings[Ending.WON], tally.hands),
        "drawn": _share(tally.endings[Ending.DRAWN], tally.hands),
        "dead_end": _share(tally.endings[Ending.DEAD_END], tally.hands),
        "broken_off": _share(tally.endings[Ending.BROKEN_OFF], tally.hands),
        "winners": [_share(tally.wins[seat], tally.hands) for seat in range(tally.players)],
        "events": {
            **_mean(lengths),
            "least": min(tally.lengths, default=None),
            "median": median(tally.lengths) if tally.lengths else None,
            "most": max(tally.lengths, default=None),
            "hands": {str(length): tally.lengths[length] for length in sorted(tally.lengths)},
        },
        "payments": [_mean(own) for own in tally.pay],
        "scored": tally.scored,
        "patterns": {name: _share(tally.patterns[name], tally.scored) for name in sorted(tally.patterns)},
        "did_not_end": tally.stuck,
        "notes": list(played.notes),
        **({} if played.profile is None else {"profile": _profile(played.profile)}),
    }


def _profile(profile: Profile) -> dict[str, Any]:
    rows = sorted(profile.spent.items(), key=lambda row: (-row[1].own, row[0]))
    return {
        "seconds": profile.seconds,
        "clauses": [
            {"clause": path, "seconds": spent.own, "with": spent.whole, "asked": spent.times}
            for path, spent in rows
        ],
    }


def _share(count: int, of: int) -> dict[str, Any]:
    low, high = wilson(count, of) if of else (None, None)
    return {"count": count, "share": count / of if of else None, "low": low, "high": high}


def _mean(numbers: Sum) -> dict[str, Any]:
    if not numbers.count:
        return {"mean": None, "low": None, "high": None}
    mean, low, high = mean_interval(numbers.count, numbers.total, numbers.squares)
    return {"mean": mean, "low": low, "high": high}
