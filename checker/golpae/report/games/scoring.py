"""Render what came of letting an engine count hands: as text for people, as JSON.

Input: a `Scoring`.
Output: lines of text; a JSON object.
Guarantee: the text says how many hands counted, how many the engine did not know, and what no hand had.
"""

from __future__ import annotations

import json
import shlex
from typing import Any

from golpae.conform.scores import Hand, ScoreDifference, ScoreKind, Scoring

MOST_NAMED = 4  # patterns


def lines(scoring: Scoring) -> list[str]:
    """Return the lines for people."""
    out: list[str] = []
    for one in scoring.differences:
        out += [*_difference(scoring, one), ""]
    many = len(scoring.differences)
    ending = f"{many} disagreement{'s' * (many != 1)}" if many else "the engine agrees"
    if not scoring.hands:
        ending = "nothing was compared"
    out += ["given up after hands for which the engine failed"] if scoring.given_up else []
    out.append(f"{scoring.rules}, `{scoring.score}`: {_hands(scoring.hands)}, seed {scoring.seed}: {ending}")
    if scoring.hands:
        out.append(f"  {scoring.complete:,} of them count by the rules")
        for what, names in (("key", scoring.keys), ("pattern", scoring.patterns)):
            if names:
                out.append(f"  not compared, because no hand had this {what}: {', '.join(names)}")
    if scoring.skipped:
        out.append(f"  not compared, because the engine does not know such hands: {scoring.skipped:,}")
    return out


def document(scoring: Scoring) -> dict[str, Any]:
    """Return the JSON object."""
    return {
        "rules": scoring.rules,
        "score": scoring.score,
        "agrees": not scoring.status,
        "seed": scoring.seed,
        "hands": scoring.hands,
        "count": scoring.complete,
        "not_known": scoring.skipped,
        "given_up": scoring.given_up,
        "keys_without_hands": list(scoring.keys),
        "patterns_without_hands": list(scoring.patterns),
        "disagreements": [
            {
                "kind": one.kind.name.lower(),
                "message": str(one.kind),
                "hand": one.hand,
                "by_rules": one.by_rules,
                "patterns": dict(one.patterns),
                "by_engine": one.by_engine,
                "hands": one.hands,
                "always": dict(one.always),
            }
            for one in scoring.differences
        ],
    }


def _difference(scoring: Scoring, one: ScoreDifference) -> list[str]:
    out = [f"the engine {one.kind}  (in {one.hands:,} of {_hands(scoring.hands)})"]
    patterns = ", ".join(f"{name} {points}" for name, points in one.patterns.items())
    points = "counts nothing" if one.by_rules is None else f"counts {one.by_rules}"
    out.append(f"  the rules: {points}{f'  ({patterns})' if patterns else ''}")
    out.append(f"  the engine: {one.by_engine}")
    if one.always and one.kind is not ScoreKind.FAULT:
        names = ", ".join(f"{name} ({many})" for name, many in [*one.always.items()][:MOST_NAMED])
        out.append(f"  patterns of which every hand differs: {names}")
    out.append(f"  the hand: golpae score {scoring.rules} {shlex.join(_words(one.hand, scoring.tiles))}")
    return out


def _words(hand: Hand, tiles: str | None) -> list[str]:
    """Return a hand as `golpae score` takes it. `tiles` is the key whose tiles are named without it."""
    words: list[str] = []
    for key, value in hand.items():
        if key == "score":
            words[:0] = ["--score", value]
        elif key == tiles and value:
            words += value
        else:
            words.append(f"{key}={_word(value)}")
    return words


def _word(value: Any) -> str:
    """Return a value as JSON, and a text without quotes if it is no JSON then."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except ValueError:
            return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _hands(many: int) -> str:
    return f"{many:,} hand{'s' * (many != 1)}"
