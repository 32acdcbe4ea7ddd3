"""Claims that state a share of hands: what is kept of them, and to play the hands.

Input: jobs, what is kept about their tables, how many games to play and from which seed.
Output: a result for each claim at each table that it is about, and what to keep of it.
Guarantee: the same rules, table, seed and number of games give the same result. A claim that nobody asked to be
measured is `unmeasured`, unless what is kept is about the same rules, table, policy and event.

    about 14% of hands by greedy      measured if the interval at 95% lies between 12% and 16%, refuted if it lies
                                      outside, unknown if it reaches over one of the two
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, assert_never

from golpae.diagnostics.amounts import many
from golpae.elaborate.constant import NotConstant, StaticValues, constant
from golpae.elaborate.instance import instantiate
from golpae.intervals import wilson
from golpae.ir.codec import encode
from golpae.ir.expr import Expr
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import WHOLE, RuleSet, ShareDecl
from golpae.progress import Progress
from golpae.prove.answer import MEASURED, REFUTED, UNKNOWN, UNMEASURED
from golpae.trace import quoted
from golpae.verify.kept_proofs import KeptShare
from golpae.verify.properties import meaning_of
from golpae.verify.result import FAULT, SHARE, Measured, PropertyResult, fault_of
from golpae.verify.scheduler import Job, tables

if TYPE_CHECKING:
    from golpae.simulate.series import Series

GAMES = 1_000_000
CHANGED = {
    "random": 2
}  # policies that play otherwise than before: what was measured until then does not count
LONGEST = 10_000  # events of a hand
MOST_TOGETHER = 60  # claims that are asked of the same hands
NEVER = "its premise is never true"


Kept = Callable[[Job], Sequence[KeptShare]]


@dataclass(frozen=True, slots=True)
class Measuring:
    """How many games to play for each claim, from which seed, in how many processes."""

    games: int
    seed: int
    processes: int


@dataclass(slots=True)
class Shares:
    """Results of shares, and whether the run was interrupted before it had all. `differ` are games that the two ways to
    play them have played differently: what was played, the number of the game, and the shares it was played for.
    """

    results: list[PropertyResult]
    interrupted: bool = False
    differ: list[tuple[Series, int, tuple[str, ...]]] = field(default_factory=list)


def hashes_of(rule_set: RuleSet) -> dict[str, str]:
    """Return the hash of what is played and asked for each share. What it should come to does not count."""
    if not rule_set.shares:
        return {}
    played = encode(replace(meaning_of(rule_set), properties=()), only_meaning=True)
    return {share.name: _hash(played, share) for share in rule_set.shares}


def _hash(played: bytes, share: ShareDecl) -> str:
    asked = replace(share, name="", word="about", low=0, high=WHOLE, expected=None, ids=())
    version = f" {CHANGED[share.policy]}" if share.policy in CHANGED else ""
    return hashlib.sha256(played + f"{asked!r}{version}".encode()).hexdigest()


def shares_at(rule_set: RuleSet, players: int, options: Mapping[str, int]) -> list[ShareDecl]:
    """Return the shares that are about a table."""
    if not rule_set.shares:
        return []
    static = instantiate(rule_set, players, options).static
    return [share for share in rule_set.shares if _is_true(share.premise, static)]


def has_result(job: Job) -> bool:
    """Return whether a job has a result. It has none if its one property is not stated, or about other tables."""
    numbers = _players_of(job)
    return bool(job.properties) or (numbers is not None and (not numbers or job.players in numbers))


def wrong_table(rules: str, jobs: Sequence[Job]) -> str:
    """Return in words why none of some jobs, which these rules name, has a result for its one property."""
    name = quoted(jobs[0].only or "")
    numbers = [of for job in jobs if (of := _players_of(job)) is not None]
    if not numbers:
        return f"{quoted(rules)} has no property {name}"
    *others, most = sorted(set[int]().union(*numbers))
    possible = " or ".join([*map(str, others), many(most, "player")])
    asked = " or ".join(map(str, sorted({job.players for job in jobs})))
    return f"{name} of {quoted(rules)} is about games of {possible}, not of {asked}"


def _players_of(job: Job) -> list[int] | None:
    """Return the numbers of players that a job's one property is about, with its options; None if it states no share
    of that name. About no number is a share that is vacuous.
    """
    if all(share.name != job.only for share in job.rule_set.shares):
        return None
    everywhere = tables(job.rule_set, None, job.options)
    return [n for n, at in everywhere if any(s.name == job.only for s in shares_at(job.rule_set, n, at))]


def _is_true(premise: Expr, static: StaticValues) -> bool:
    try:
        return constant(premise, static) is True
    except NotConstant:
        return False


def results_of(jobs: Iterable[Job], kept: Kept, measuring: Measuring | None, progress: Progress) -> Shares:
    """Return the results of all shares of these jobs. With `measuring` they are played; else they are as kept."""
    out = Shares([])
    to_decide: list[tuple[Job, list[ShareDecl]]] = []
    begun: set[tuple[str, str | None, tuple[tuple[str, int], ...]]] = set()
    for job in jobs:
        here = [s for s in shares_at(job.rule_set, job.players, job.options) if job.only in (None, s.name)]
        to_decide.append((job, here))
        of = (job.rule_set.rules, job.only, tuple(job.options.items()))
        if of not in begun:
            begun.add(of)
            out.results += _about_no_table(job, {share.name for share in here})
    if measuring is None:
        for job, here in to_decide:
            results = {one.name: one for one in kept(job)}
            out.results += [_as_kept(job, share, results.get(share.name)) for share in here]
        return out
    groups = [(job, group) for job, here in to_decide for group in _together(here)]
    progress.begin("measuring", measuring.games * len(groups), "games")
    for job, group in groups:
        measured, interrupted = _measured(job, group, measuring, progress, out)
        if interrupted:
            out.interrupted = True
            break
        out.results += measured
    return out


def kept_of(
    rule_set: RuleSet, results: Collection[PropertyResult], before: Iterable[KeptShare]
) -> tuple[KeptShare, ...]:
    """Return the counts to store for the results of a rule set's shares at one table.

    What was kept `before` stays if an interrupted run did not get to it and the text is still the same.
    """
    hashes = hashes_of(rule_set)
    reached = {result.name for result in results}
    unreached = {(name, of) for name, of in hashes.items() if name not in reached}
    new = [
        KeptShare(r.name, hashes[r.name], r.measured.games, r.measured.count, r.seed or 0)
        for r in results
        if r.measured is not None
    ]
    return (*new, *(one for one in before if (one.name, one.of) in unreached))


# ------------------------------------------------------------------ results


def _about_no_table(job: Job, here: set[str]) -> Iterator[PropertyResult]:
    """Yield a result for each share that is about no table with these options, at the first one that is asked about."""
    rule_set = job.rule_set
    others = [s for s in rule_set.shares if s.name not in here and job.only in (None, s.name)]
    everywhere = tables(rule_set, None, job.options) if others else []
    somewhere = {s.name for n, options in everywhere for s in shares_at(rule_set, n, options)}
    for share in others:
        if share.name not in somewhere:
            yield replace(_result(job, share, UNMEASURED, NEVER), vacuous=NEVER)


def _as_kept(job: Job, share: ShareDecl, kept_share: KeptShare | None) -> PropertyResult:
    if kept_share is None or not 0 <= kept_share.count <= kept_share.games or kept_share.games < 1:
        return _result(job, share, UNMEASURED, "not measured: `golpae prove --measure` plays the hands")
    if kept_share.of != hashes_of(job.rule_set)[share.name]:
        story = "not measured since the text changed: `golpae prove --measure` plays the hands"
        return _result(job, share, UNMEASURED, story)
    return replace(_counted(job, share, kept_share.games, kept_share.count), seed=kept_share.seed, kept=True)


def _counted(job: Job, share: ShareDecl, games: int, count: int) -> PropertyResult:
    """Return the result of a share whose event came about in `count` of so many hands."""
    low, high = wilson(count, games)
    within = LONGEST if share.within is None else share.within
    story = f"{count / games:.2%} ({low:.2%} to {high:.2%}) of {games:,} hands by {share.policy}"
    verdict = _verdict(share, low * WHOLE, high * WHOLE)
    if verdict != MEASURED:
        near = "too few hands to tell from " if verdict == UNKNOWN else "not "
        story += f", {near}{claimed(share)}"
    measured = Measured(games, count, low, high, share.policy, within)
    return replace(_result(job, share, verdict, story), measured=measured)


def _verdict(share: ShareDecl, low: float, high: float) -> str:
    """Return the verdict of an interval on a share."""
    match share.word:
        case "about" | "between":
            holds, fails = share.low <= low and high <= share.high, high < share.low or low > share.high
        case "over":
            holds, fails = low > share.low, high <= share.low
        case "under":
            holds, fails = high < share.high, low >= share.high
        case _:
            assert_never(share.word)
    return MEASURED if holds else REFUTED if fails else UNKNOWN


def claimed(share: ShareDecl) -> str:
    """Return the claimed share, in words."""
    low, high = (f"{number / 1000:g}%" for number in (share.low, share.high))
    match share.word:
        case "about" | "between":
            return f"{low} to {high}"
        case "over":
            return f"over {low}"
        case "under":
            return f"under {high}"
        case _:
            assert_never(share.word)


def _result(job: Job, share: ShareDecl, verdict: str, story: str) -> PropertyResult:
    return PropertyResult(
        rules=job.rule_set.rules,
        players=job.players,
        options=dict(job.options),
        kind=SHARE,
        name=share.name,
        ids=share.ids,
        verdict=verdict,
        expected=share.expected or MEASURED,
        story=story,
        clauses=(),
        lemmas=(),
        witness=None,
        bound=None,
        vacuous=None,
        queries=0,
        seconds=0.0,
        seed=None,
        spec_hash=job.rule_set.spec_hash,
        solvers={},
    )


# ------------------------------------------------------------------ playing


def _together(shares: Sequence[ShareDecl]) -> Iterator[list[ShareDecl]]:
    """Yield the shares of a table that are asked of the same hands."""
    groups: dict[tuple[str, int | None], list[ShareDecl]] = {}
    for share in shares:
        groups.setdefault((share.policy, share.within), []).append(share)
    for group in groups.values():
        for first in range(0, len(group), MOST_TOGETHER):
            yield group[first : first + MOST_TOGETHER]


def _measured(
    job: Job, shares: Sequence[ShareDecl], measuring: Measuring, progress: Progress, out: Shares
) -> tuple[list[PropertyResult], bool]:
    """Play the hands of shares that are asked together. Return their results, and whether that was interrupted."""
    from golpae.simulate.series import Series, simulate  # only who measures needs it

    policies = (shares[0].policy,) * job.players
    longest = LONGEST if shares[0].within is None else shares[0].within
    events = tuple(share.event for share in shares)
    series = Series(
        job.rule_set,
        job.players,
        job.options,
        policies,
        measuring.seed,
        measuring.games,
        longest=longest,
        asked=events,
        scored=False,
    )
    begin = time.perf_counter()
    try:
        played = simulate(series, measuring.processes, progress)
    except TooManySteps as limit:
        return [_result(job, share, UNKNOWN, str(limit)) for share in shares], False
    except Exception as error:  # it costs these shares, and not the others
        return _failed(job, shares, fault_of(error)), False
    if played.interrupted:
        return [], True
    if played.differ:
        out.differ.append((series, played.differ[0], tuple(share.name for share in shares)))
        return _failed(job, shares, f"its two ways to play game {played.differ[0]} disagree"), False
    seconds = round((time.perf_counter() - begin) / len(shares), 3)
    hands = played.tally.hands
    return [
        replace(
            _counted(job, share, hands, played.tally.asked[number]),
            seed=measuring.seed,
            seconds=seconds,
        )
        for number, share in enumerate(shares)
    ], False


def _failed(job: Job, shares: Sequence[ShareDecl], fault: str) -> list[PropertyResult]:
    return [replace(_result(job, s, UNKNOWN, f"{FAULT}: {fault}"), fault=fault) for s in shares]
