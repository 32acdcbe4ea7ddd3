"""What recorded games come to: the actions, conditions, cases, effects and patterns of each, as they are replayed.

Input: the rules of traces. Output: a library of machines that note what they come to, and what one trace came to.
Guarantee: verdicts are those of any other library. What an explanation of a refusal goes through is not noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

from golpae.coverage.clauses import (
    ASKED,
    BROKEN,
    COUNTED,
    DONE,
    HAPPENED,
    HELD,
    NO,
    YES,
    condition_paths,
)
from golpae.elaborate.instance import Instance
from golpae.ir.ruleset import RuleSet, paths_of
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.scoring.score import Best, Scorer

Side = tuple[str, str]  # the path of a clause, and what came of it


@dataclass(slots=True)
class ClausesSeen:
    """What one trace came to. `events` counts the sides of actions, conditions and effects by events; the others are
    in `seen`, because an event may ask a definition any number of times.
    """

    events: Counter[Side] = field(default_factory=Counter)
    seen: set[Side] = field(default_factory=set)


class _Notes:
    """What a machine came to in the current trace. After a refusal the trace is over, and nothing more is noted."""

    def __init__(self) -> None:
        self.definitions: set[str] = set()
        self.tests: set[Side] = set()
        self.patterns: set[Side] = set()
        self.happened: Counter[str] = Counter()
        self.refused: tuple[str, int] | None = None
        self._open = True

    def note(self, path: str) -> bool:
        if self._open:
            self.definitions.add(path)
        return True

    def tested(self, path: str, holds: bool) -> bool:
        if self._open:
            self.tests.add((path, YES if holds else NO))
        return holds

    def counted(self, score: str, best: Best) -> None:
        """Note the patterns of a hand that was scored."""
        if self._open:
            self.patterns |= {
                (f"{score}.{name}", COUNTED) for layout in best.layouts for name in layout.patterns
            }

    def unheard(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def silent(*args: Any) -> Any:
            was, self._open = self._open, False
            try:
                return function(*args)
            finally:
                self._open = was

        return silent

    def close(self, refused: tuple[str, int] | None = None) -> None:
        if self._open:
            self.refused, self._open = refused, False

    def clear(self) -> None:
        """Begin with another trace."""
        for held in (self.definitions, self.tests, self.patterns, self.happened):
            held.clear()
        self.refused, self._open = None, True


class _HeardScorer:
    """A score that notes what it is asked for."""

    def __init__(self, scorer: Scorer, notes: _Notes) -> None:
        self._scorer, self._notes = scorer, notes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._scorer, name)

    def best(self, *args: Any) -> Best | None:
        best_score = self._scorer.best(*args)
        if best_score is not None:
            self._notes.counted(self._scorer.score.name, best_score)
        return best_score


class NotingLibrary(Library):
    """Machines that note what they come to."""

    def __init__(self, load: Callable[[str], RuleSet]) -> None:
        super().__init__(load, self._made)
        self._notes: WeakKeyDictionary[Machine, _Notes] = WeakKeyDictionary()
        self._current: Machine | None = None

    def machine(self, rules: str, players: int, options: Mapping[str, int]) -> Machine | str:
        machine = super().machine(rules, players, options)
        self._current = None if isinstance(machine, str) else machine
        if self._current is not None:
            self._notes[self._current].clear()
            for scorer in self._current.scorers.values():
                scorer.forget()
        return machine

    def used(self) -> ClausesSeen:
        """Return the clauses that the last trace used, and how many of its events did so."""
        return ClausesSeen() if self._current is None else _used(self._current, self._notes[self._current])

    def _made(self, instance: Instance) -> Machine:
        notes = _Notes()
        machine = Machine(instance, notes)
        scorers: dict[str, Any] = machine.scorers.all()
        for name, scorer in [*scorers.items()]:
            scorers[name] = _HeardScorer(scorer, notes)
        for name, step in [*machine.steps.items()]:
            machine.steps[name] = _noted(name, step, notes)
        self._notes[machine] = notes
        return machine


def _noted(name: str, step: Callable[..., Any], notes: _Notes) -> Callable[..., Any]:
    """Return the step of an action that notes whether its event happened, and which condition refused it if not."""

    def noted(state: Any, event: Mapping[str, object]) -> Any:
        try:
            refusal = step(state, event)
        except BaseException:
            notes.close()
            raise
        if refusal is None:
            notes.happened[name] += 1
        elif isinstance(refusal, Bad):
            notes.close()
        else:
            notes.close((name, refusal[0]))
        return refusal

    return noted


def _used(machine: Machine, notes: _Notes) -> ClausesSeen:
    """Return the clauses that a machine noted, by their paths, and how many events used each."""
    used = ClausesSeen(seen={*notes.tests, *notes.patterns})
    for path in notes.definitions:
        used.seen.add((path, HELD if "." in path else ASKED))
    for name, times in notes.happened.items():
        action = machine.actions[name]
        used.events[name, HAPPENED] += times
        for path in condition_paths(action):
            used.events[path, HELD] += times
        effects = paths_of(name, [clause.name for clause in action.effects])
        if action.kind == "end":
            effects += paths_of("payout", [clause.name for clause in machine.rules.payout])
        for path in effects:
            used.events[path, DONE] += times
    if notes.refused is not None:
        name, failed = notes.refused
        paths = condition_paths(machine.actions[name])
        for path in paths[: max(failed, 0)]:
            used.events[path, HELD] += 1
        if failed >= 0:
            used.events[paths[failed], BROKEN] += 1
    return used
