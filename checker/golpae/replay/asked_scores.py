"""The scores of hands that a game counted, with the arrangement that counted.

Input: an event by which somebody wins, and the state before it.
Output: each score of a hand that its conditions and effects asked for: total, patterns, and how the hand was laid out.
Guarantee: of several best ways, the one is shown that golpae's words name. Its groups have the order of the set, those
with one label together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from golpae.ir.dependencies import written_by
from golpae.ir.ruleset import Action, effects_of
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.scoring.score import Best, Scorer
from golpae.replay.speaker import said_layout, said_numbers


def may_win(action: Action) -> bool:
    """Return whether an event of this action may make somebody win."""
    return "winner" in written_by(effects_of(action.effects))


def scores_of(machine: Machine, state: State, event: Event) -> list[dict[str, Any]]:
    """Return the scores that an event asks for in the state before it."""
    scores: dict[tuple[str, tuple[int, ...]], dict[str, Any]] = {}
    with _heard(machine) as asked:
        machine.first(event.action, state, event.args)
        machine.apply(event.action, state, event.args)
    for name, best in asked:
        place = best.total, *best.numbers.values()
        scores.setdefault((name, place), score_in_plain_data(machine, name, best))
    return [*scores.values()]


class _Hearing:
    """A score that notes what it is asked for."""

    def __init__(self, name: str, scorer: Scorer, asked: list[tuple[str, Best]]) -> None:
        self._name, self._scorer, self._asked = name, scorer, asked

    def best(self, *args: Any) -> Best | None:
        best_score = self._scorer.best(*args)
        if best_score is not None:
            self._asked.append((self._name, best_score))
        return best_score


@contextmanager
def _heard(machine: Machine) -> Iterator[list[tuple[str, Best]]]:
    """Note the scores that a machine is asked for."""
    asked: list[tuple[str, Best]] = []
    scorers: dict[str, Any] = machine.scorers.all()
    before = dict(scorers)
    try:
        scorers.update({name: _Hearing(name, scorer, asked) for name, scorer in before.items()})
        yield asked
    finally:
        scorers.update(before)


def _numbers(machine: Machine, name: str, best: Best) -> dict[str, Any]:
    """Return the numbers of a score whose patterns count in several, and of each pattern in which one."""
    if not best.numbers:
        return {}
    (score,) = (s for s in machine.rules.scores if s.name == name)
    return {"numbers": dict(best.numbers), "counted_in": {p.name: p.number for p in score.patterns}}


def score_words(score: Mapping[str, Any]) -> tuple[str, str]:
    """Return the points of a score in plain data, and its patterns, in words."""
    counted_in = score.get("counted_in", {})
    numbers = said_numbers(score.get("numbers", {}))
    total = f"{score['total']} ({numbers})" if numbers else str(score["total"])
    patterns = (f"{name} {points} {counted_in.get(name, '')}".rstrip() for name, points in score["patterns"])
    return total, ", ".join(patterns)


def score_in_plain_data(machine: Machine, name: str, best: Best) -> dict[str, Any]:
    """Return a score: its total, its patterns, and how the hand was laid out."""
    layout = said_layout(best)
    parts = next((a.parts for a in machine.rules.arrangements if a.name == layout.arrangement), ())
    groups = [
        (part.shape, sorted(group))
        for part, groups in zip(parts, layout.groups, strict=True)
        for group in groups
    ]
    labels = [label for label, _ in groups]
    groups.sort(key=lambda group: (labels.index(group[0]), group[1]))
    return {
        "score": name,
        "total": best.total,
        **_numbers(machine, name, best),
        "patterns": [[pattern, points] for pattern, points in layout.patterns.items()],
        "arrangement": layout.arrangement,
        "groups": [{"label": label, "tiles": [*map(machine.tile, tiles)]} for label, tiles in groups],
    }
