"""How much room proofs have: what they need under other seeds of the solver.

Input: jobs, the settings and a number of seeds.
Output: the properties that are close to the end of their effort, whose verdict depends on the seed, or that no seed
decides.
Guarantee: with the cache, an interrupted run goes on where it ended.

A proof that needs nearly all of its effort may fail after a small change of the text, or with another version of the
solver. `golpae prove --seeds 10` finds it before that happens, as `measure-complexity` of Dafny does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from golpae.prove.answer import UNKNOWN
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import RunResult

ROOM = 1 / 3  # of its effort that a question may need, with any seed


@dataclass(frozen=True, slots=True)
class Tight:
    """A property, its verdicts with any seed, and the largest part of its effort that a question needed."""

    rules: str
    players: int
    name: str
    verdicts: tuple[str, ...]
    share: float
    question: str


@dataclass(frozen=True, slots=True)
class Measured:
    """The properties that have too little room, and how many were measured."""

    tight: tuple[Tight, ...]
    properties: int
    interrupted: bool


def measure(seeds: int, settings: Settings, run: Callable[[Settings], RunResult]) -> Measured:
    """Verify all jobs with each seed: `run` verifies them with settings."""
    property_results: dict[tuple[str, int, str, str], list[PropertyResult]] = {}
    interrupted = False
    for seed in range(seeds):
        outcome = run(replace(settings, solver_seed=seed))
        for result in outcome.results:
            about = (result.rules, result.players, repr(sorted(result.options.items())), result.name)
            property_results.setdefault(about, []).append(result)
        if outcome.interrupted:
            interrupted = True
            break
    tight = []
    for results in property_results.values():
        share, question = max(result.fullest for result in results)
        verdicts = tuple(dict.fromkeys(result.verdict for result in results))
        if share > ROOM or len(verdicts) > 1 or UNKNOWN in verdicts:
            first = results[0]
            tight.append(Tight(first.rules, first.players, first.name, verdicts, share, question))
    return Measured(tuple(tight), len(property_results), interrupted)
