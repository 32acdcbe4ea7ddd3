"""Compare the games of rule sets, table by table: what does one allow that another does not?

Input: pairs of rule sets, A and B, and what a comparison may cost.
Output: for each pair a `Meaning`, with an answer to each question at each table; or why the two are incomparable.
Guarantee: decided tables come from the cache if it has them; several processes share the others. A fault of golpae
at one table is noted there. A table that exceeds an outer limit has the answers that were there by then.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from golpae.compare.games import cache
from golpae.compare.games.alignment import why_incomparable
from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.headers import headers_of
from golpae.compare.games.recorded_games import UnreadableGames
from golpae.compare.games.table_comparison import at_table, unfinished
from golpae.compare.games.verdict import UNKNOWN, AtTable, Meaning, QuestionResult
from golpae.compare.options import CompareOptions
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.prove.solving.solver import LimitReached
from golpae.trace.discover import Source
from golpae.verify.options import Settings
from golpae.workers import UNLIMITED, Crash, JobNews, described, listening, results


def compare_games(
    pairs: Sequence[tuple[RuleSet, RuleSet]], options: CompareOptions, progress: Progress | None = None
) -> list[Meaning | str]:
    """Return the answers for each pair, or why its games cannot be compared."""
    progress = progress or Progress()
    settings = Settings(effort=options.effort, seed=options.seed)
    if options.limits.megabytes is not None:
        settings = replace(settings, megabytes=options.limits.megabytes)
    why = [why_incomparable(a, b) for a, b in pairs]
    headers = [
        None if reason else headers_of(*pair, options) for reason, pair in zip(why, pairs, strict=True)
    ]
    jobs = [
        (number, TablePair(*pairs[number], players, values))
        for number, of_pair in enumerate(headers)
        if of_pair is not None
        for players, values in of_pair.tables
    ]
    compared: dict[int, AtTable] = {}
    cached = options.cached and not options.recorded
    names = [_entry(pair, settings) for _, pair in jobs] if cached else []
    for at, name in enumerate(names):
        known = cache.load(name)
        if known is not None:
            compared[at] = known
    missing = [at for at in range(len(jobs)) if at not in compared]
    pair = " and ".join(rules.rules for rules in pairs[0]) if len(pairs) == 1 else None
    progress.begin("comparing games", len(jobs), "tables", under_way=pair)
    progress.done = len(compared)

    def on_told(place: int, job_news: JobNews) -> None:
        number, table = jobs[missing[place]]
        at = f"{table.players} players: {job_news.at}"
        of_pair = " and ".join(rules.rules for rules in pairs[number])
        if job_news.found is not None:
            progress.found(f"{of_pair} with {table.players} players", job_news.found)
        if pair is not None:
            progress.at(pair, at)

    for place, comparison in _compared([jobs[at][1] for at in missing], settings, options, on_told):
        at = missing[place]
        compared[at] = comparison
        progress.done += 1
        if pair is not None:
            progress.at(pair, "")
        if cached and _entry(jobs[at][1], settings) == names[at]:
            cache.store(names[at], comparison)
    out: list[Meaning | str] = []
    for number, ((a, b), of_pair) in enumerate(zip(pairs, headers, strict=True)):
        at_tables = tuple(compared[at] for at, (n, _) in enumerate(jobs) if n == number)
        if of_pair is None:
            out.append(why[number] or "")
        else:
            out.append(Meaning(a.rules, b.rules, at_tables, of_pair.covered, of_pair.differences))
    return out


def _entry(pair: TablePair, settings: Settings) -> str:
    """Return the name of a table's cache entry."""
    return cache.name_of(pair.a, pair.b, pair.players, pair.options, settings)


def _compared(
    jobs: Sequence[TablePair],
    settings: Settings,
    options: CompareOptions,
    on_told: Callable[[int, JobNews], None],
) -> Iterator[tuple[int, AtTable]]:
    """Yield the number of each table with its answers, as soon as they are there.

    A fault of golpae costs one table its answers.
    """
    if min(options.jobs, len(jobs)) < 2 and options.limits == UNLIMITED:
        for number, pair in enumerate(jobs):
            with listening(partial(on_told, number)):
                comparison = _guarded(pair, settings, options.recorded)
            yield number, comparison
        return
    work = partial(_guarded, settings=settings, recorded=options.recorded)
    answers: dict[int, Mapping[str, QuestionResult]] = {}

    def hear(place: int, job_news: JobNews) -> None:
        if job_news.so_far is not None:
            answers[place] = cast("Mapping[str, QuestionResult]", job_news.so_far)
        on_told(place, job_news)

    for number, ended in results(work, jobs, options.jobs, reuse=True, limits=options.limits, on_told=hear):
        if not isinstance(ended, Crash):
            yield number, ended
        elif ended.limited:
            yield number, unfinished(jobs[number], ended.reason, answers.get(number, {}))
        else:
            yield number, _lost(jobs[number], ended.reason)


def _guarded(pair: TablePair, settings: Settings, recorded: Sequence[Source]) -> AtTable:
    try:
        return at_table(pair, settings, recorded)
    except (LimitReached, TooManySteps, UnreadableGames) as limit:
        return unfinished(pair, str(limit), {})
    except Exception as fault:
        if os.environ.get("GOLPAE_DEBUG"):
            raise
        return _lost(pair, described(fault))


def _lost(pair: TablePair, why: str) -> AtTable:
    """Return a table at which golpae has a fault."""
    lost = QuestionResult(UNKNOWN, "golpae has a fault here")
    return AtTable(pair.players, dict(pair.options), lost, lost, lost, fault=why)
