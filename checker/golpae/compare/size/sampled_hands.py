"""Estimate how often hands score differently, if there are too many to count.

Input: two machines with the same kinds of tiles, a seed, how many hands to score, and on how many processes.
Output: estimated `Amount`s on scores with more parameters than a hand, or of hands with too many tiles. `{a}` and `{b}`
stand for the names of the two.
Guarantee: the same seed gives the same hands, however many are scored, on either path and any number of processes.

Hands are drawn as `random_hands` says, and those that neither side scores are drawn again. Unless somebody asks for a
number, there are a million, or as many as come of a bounded number of draws, which follows from the tiles of a hand and
the patterns of the score; the reference alone scores a thousand. `docs/adr/0021-a-million-hands.md` has the
measurements. They also end when scoring has taken too many steps by the reference: these count, not seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from golpae.compare.comparison import Amount
from golpae.compare.size.exact import ExactCounts
from golpae.compare.size.in_order import in_order
from golpae.compare.size.left_out import Sampling, as_far_as_possible, enough, limit_steps, steps_taken
from golpae.compare.size.scored_hands import ScoredHands
from golpae.elaborate.instance import Instance
from golpae.intervals import wilson
from golpae.ir.limits import TooManySteps
from golpae.kernel.drawn import NOTHING
from golpae.replay.machine import Machine
from golpae.workers import Send

HANDS = 1_000  # by the reference
MOST_COMPILED = 1_000_000  # hands on the compiled path
TRIES = 10  # draws for each hand
WORK = 5_000_000_000  # draws, times the tiles of the largest hand, times the patterns of both scores
MOST_REFERRED = 2_000  # draws that the reference has to score
SLOWER = 200  # how many times as long the reference takes
STEPS = 100_000_000  # by the reference, for all hands of a score, or for each thousand that somebody asks for
WORTH = 2_000_000_000  # work from which on other processes repay their start
EACH_PART, EACH_BY_REFERENCE = 10_000, 250  # draws


@dataclass(frozen=True, slots=True)
class DrawnHands:
    """What came of some draws: `of` are the hands that at least one side scores, `only` those that the first, and the
    second, scores alone, `otherwise` those that both score, differently. `referred` is how many draws the compiled path
    left to the reference, `steps` what the reference took, and `stopped` why it went no further.
    """

    number: int
    of: int
    only: tuple[int, int]
    otherwise: int
    referred: int
    steps: int = 0
    stopped: TooManySteps | None = None


@dataclass(frozen=True, slots=True)
class _Draws:
    """Which hands are drawn: those below `end`, `each` in a part. A part ends early if more than `most` are referred
    (None: it never does), or if one side takes more than so many `steps`.
    """

    end: int
    each: int
    most: int | None
    steps: int

    @property
    def parts(self) -> range:
        return range(-(-self.end // self.each))

    def part(self, source: ScoredHands, number: int, wanted: int | None = None) -> DrawnHands:
        """Score the hands of one part, until so many are found as are `wanted`."""
        first = number * self.each
        of = referred = otherwise = 0
        only = [0, 0]
        stopped = None
        limit_steps(source.machines, self.steps)
        try:
            for (ours, theirs), by_reference in source.score(first, min(self.each, self.end - first)):
                referred += by_reference and source.scorer is not None
                if ours != theirs:
                    of += 1
                    if theirs == NOTHING:
                        only[0] += 1
                    elif ours == NOTHING:
                        only[1] += 1
                    else:
                        otherwise += 1
                elif ours != NOTHING:
                    of += 1
                if of == wanted or (self.most is not None and referred > self.most):
                    break
        except TooManySteps as long:
            stopped = long
        steps = steps_taken(source.machines)
        return DrawnHands(number, of, (only[0], only[1]), otherwise, referred, steps, stopped)


def sample(counts: ExactCounts, sampling: Sampling) -> Iterator[Amount]:
    """Yield the estimates for each score that differs and is not counted.

    A score of which a clause takes too many steps has none, which is reported. Raises `HandsDiffer` and `ProcessDied`.
    """
    for score in counts.a.rules.scores:
        if ("score", score.name) in counts.parts and score.name in counts.b.scorers:
            amounts = _of_score(counts, score.name, sampling)
            yield from as_far_as_possible(amounts, f"random hands with a `{score.name}`", sampling.tell)


def _of_score(counts: ExactCounts, score: str, sampling: Sampling) -> Iterator[Amount]:
    limit_steps((counts.a, counts.b), STEPS)
    if not counts.counts(score):
        source = ScoredHands((counts.a, counts.b), score, sampling.seed, sampling.compiled)
        if source.possible:
            yield from _estimated(source, sampling)


def _estimated(source: ScoredHands, sampling: Sampling) -> Iterator[Amount]:
    asked, tell = sampling.asked, sampling.tell
    only, otherwise, of, steps = [0, 0], 0, 0, 0
    most = STEPS * max(1, -(-(asked or 0) // HANDS))
    what = f"random hands with a `{source.name}`"
    for part, more in _parts(source, asked, most, sampling.processes):
        of += part.of
        only = [many + more for many, more in zip(only, part.only, strict=True)]
        otherwise += part.otherwise
        sampling.progress.done += part.of
        steps += part.steps
        if part.stopped or (more and steps > most):
            if not enough(tell, what, of, steps, part.stopped):
                return
            break
    if not of:
        tell(f"{what} are left out: none was found")
        return
    rows = [(f"{what} only in {place}", n) for place, n in zip(("{a}", "{b}"), only, strict=True) if n]
    if otherwise or not rows:
        rows.append((f"{what} that has a different value in {{b}}", otherwise))
    for what, count in rows:
        yield Amount(what, count, of, *wilson(count, of), sampling.seed)


def _parts(
    source: ScoredHands, wanted: int | None, steps: int, processes: int
) -> Iterator[tuple[DrawnHands, bool]]:
    """Yield the parts that count, in order, and whether others follow; the last one has just as many hands as are still
    wanted.
    """
    by_reference = source.scorer is None
    each = source.random.drawing.longest * sum(len(score.patterns) for score in source.random.scores)
    many = (HANDS if by_reference else MOST_COMPILED) if wanted is None else wanted
    end, most = TRIES * many, None
    if wanted is None and not by_reference:
        end, most = min(end, max(TRIES * HANDS, WORK // max(1, each))), MOST_REFERRED
    draws = _Draws(end, EACH_BY_REFERENCE if by_reference else EACH_PART, most, steps)
    if min(end, 2 * many) * each * (SLOWER if by_reference else 1) < WORTH:
        processes = 1
    processes = min(processes, len(draws.parts))
    sent_parts = iter(_in_workers(source, draws, processes) if processes > 1 else ())
    of = referred = 0
    for number in draws.parts:
        part = next(sent_parts) if processes > 1 else draws.part(source, number, many - of)
        if of + part.of >= many and processes > 1:
            part = draws.part(source, number, many - of)
        of, referred = of + part.of, referred + part.referred
        is_last = of == many or number == draws.parts[-1] or (most is not None and referred > most)
        yield part, not is_last
        if is_last:
            return


def _in_workers(source: ScoredHands, draws: _Draws, processes: int) -> Iterator[DrawnHands]:
    a, b = (machine.instance for machine in source.machines)
    compiled = source.scorer is not None
    yield from in_order(
        DrawnHands, draws.parts, processes, _work, (a, b), _Score(source.name, source.seed, compiled), draws
    )


class _Score(NamedTuple):
    """A score of random hands: its name, the seed of the hands, and whether they are scored on the compiled path."""

    name: str
    seed: int
    compiled: bool


def _work(send: Send, sides: tuple[Instance, Instance], score: _Score, draws: _Draws, own: range) -> None:
    a, b = (Machine(side, counting=True) for side in sides)
    source = ScoredHands((a, b), *score)
    for number in own:
        send(draws.part(source, number))
