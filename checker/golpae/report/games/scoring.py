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


def lines(found: Scoring) -> list[str]:
    """Return the lines for people."""
    out: list[str] = []
    for one in found.differences:
        out += [*_difference(found, one), ""]
    many = len(found.differences)
    ending = f"{many} disagreement{'s' * (many != 1)}" if many else "the engine agrees"
    if not found.hands:
        ending = "nothing was compared"
    out += ["given up after hands for which the engine failed"] if found.given_up else []
    out.append(f"{found.rules}, `{found.score}`: {_hands(found.hands)}, seed {found.seed}: {ending}")
    if found.hands:
        out.append(f"  {found.complete:,} of them count by the rules")
        for what, names in (("key", found.keys), ("pattern", found.patterns)):
            if names:
                out.append(f"  not compared, because no hand had this {what}: {', '.join(names)}")
    if found.skipped:
        out.append(f"  not compared, because the engine does not know such hands: {found.skipped:,}")
    return out


def document(found: Scoring) -> dict[str, Any]:
    """Return the JSON object."""
    return {
        "rules": found.rules,
        "score": found.score,
        "agrees": not found.status,
        "seed": found.seed,
        "hands": found.hands,
        "count": found.complete,
        "not_known": found.skipped,
        "given_up": found.given_up,
        "keys_without_hands": list(found.keys),
        "patterns_without_hands": list(found.patterns),
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
            for one in found.differences
        ],
    }


def _difference(found: Scoring, one: ScoreDifference) -> list[str]:
    out = [f"the engine {one.kind}  (in {one.hands:,} of {_hands(found.hands)})"]
    patterns = ", ".join(f"{name} {points}" for name, points in one.patterns.items())
    points = "counts nothing" if one.by_rules is None else f"counts {one.by_rules}"
    out.append(f"  the rules: {points}{f'  ({patterns})' if patterns else ''}")
    out.append(f"  the engine: {one.by_engine}")
    if one.always and one.kind is not ScoreKind.FAULT:
        names = ", ".join(f"{name} ({many})" for name, many in [*one.always.items()][:MOST_NAMED])
        out.append(f"  patterns of which every hand differs: {names}")
    out.append(f"  the hand: golpae score {found.rules} {shlex.join(_words(one.hand, found.tiles))}")
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
