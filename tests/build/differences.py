"""What hosts said otherwise than the reference.

Input: matches with what has to be said of them, and what a host said. Output: differences; counts of what was said.
Guarantee: what the module left open, with a reason, is counted, and nothing else is passed over.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from golpae.trace.unseen import NOBODY_SAW
from tests.build.games import Told
from tests.build.reference import Shown


def differences(games: list[Told], found: list[list[Any]]) -> tuple[list[Any], Counter[str]]:
    """Return what hosts said otherwise than the reference, and what the module left open, with how much it said."""
    wrong: list[Any] = []
    said: Counter[str] = Counter()
    for game, answers in zip(games, found, strict=True):
        shown = Shown(game.machine)
        goes_on = [
            is_last
            for s in game.task.steps
            for is_last in (*[False] * (2 * s.shown + len(s.tries) + s.scored), True)
        ]
        for expected, got, moves in zip(game.expected, answers, goes_on, strict=True):
            if "events" in got:
                got = {**got, "events": shown.sorted(got["events"])}
            if "states" in got:
                got = shown.alike(got, expected)
            verdict = got.get("verdict", "scores" if got.get("scores") else "shown")
            if verdict == "referred":
                said[f"verdict: {got['reason']}"] += 1
                if moves and expected["verdict"] == "legal":
                    break  # the host stays where it was
                continue
            if "reason" in got:  # what the module does not say is None
                said[f"words: {got['reason']}"] += 1
                expected = {key: None if got.get(key) is None else value for key, value in expected.items()}
                expected["reason"] = got["reason"]
            said[verdict] += 1
            if expected.get("message") == NOBODY_SAW and verdict == "malformed":
                continue  # replay leaves an unknown tile to others; a host says why it cannot read it
            if got != expected:
                keys = [key for key in {*expected, *got} if expected.get(key) != got.get(key)]
                wrong.append((game.where, {key: (expected.get(key), got.get(key)) for key in keys}))
    return wrong, said
