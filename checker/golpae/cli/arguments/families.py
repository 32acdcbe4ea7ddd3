"""`golpae prove 'GAME+*'`: what holds for which rule sets of a game.

Input: the words of the call and its options. Output: a table or JSON, and the exit status.
Guarantee: results come in the order of the text and of the numbers of players, on any number of processes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import UsageError, given_options, processors
from golpae.cli.rule_sets import named, named_rule_set
from golpae.elaborate.instance import TableFault, bounds, options_of
from golpae.elaborate.resolve import split
from golpae.progress import Progress
from golpae.report.families import table, to_json
from golpae.trace import quoted
from golpae.verify.families.run import FamilyJob, FamilyResult, decide_job
from golpae.verify.options import Settings
from golpae.workers import Crash, OuterLimits, results

EVERY = "+*"  # what stands for all combinations behind the name of a game


def prove_families(
    args: argparse.Namespace,
    words: Sequence[str],
    places: Sequence[Path],
    settings: Settings,
    progress: Progress,
) -> tuple[list[FamilyResult], tuple[str, ...]]:
    """Return what holds for which rule sets, and the switches of the game. Raises `UsageError` and `SpecError`."""
    for option in ("smt2", "cross_check", "certificate", "write", "locked", "seeds", "witnesses"):
        if getattr(args, option):
            word = "--" + option.replace("_", "-")
            raise UsageError(word, f"`{word}` is for single rule sets, not for `{words[0]}`")
    if args.format == "junit":
        raise UsageError(
            "--format", "what holds for which rule sets has no JUnit form", "write `--format json`"
        )
    if len(words) > 1:
        raise UsageError(words[1], f"`{words[0]}` stands alone: {quoted(words[1])} needs a call of its own")
    name = named(words[0].removesuffix(EVERY), places)
    rule_set = named_rule_set(name)
    base, fixed = split(name.rules)
    known = [s.name for s in rule_set.switches]
    left_out = tuple(dict.fromkeys(args.left_out or ()))
    for one in left_out:
        if one not in known:
            raise UsageError("--except", f"`{base}` has no variant or reading {quoted(one)}")
    try:
        options = options_of(rule_set, given_options(args.option))
        low, high = bounds(rule_set, options)
    except TableFault as fault:
        raise UsageError("--option", str(fault)) from None
    players = [n for n in range(low, high + 1) if args.players in (None, n)]
    if not players:
        raise UsageError("--players", f"`{name.rules}` is not for {args.players} players")
    places = tuple(name.places)
    jobs = [FamilyJob(base, fixed, left_out, places, n, options, settings) for n in players]
    progress.begin("proving", len(jobs), "tables")
    done: dict[int, list[FamilyResult]] = {}
    limits = OuterLimits(None, settings.megabytes)
    for number, found in results(decide_job, jobs, args.jobs or processors(), limits=limits):
        if isinstance(found, Crash):
            if isinstance(found.exception, Exception):
                raise found.exception
            raise UsageError(words[0], f"{jobs[number].players} players: {found.reason}")
        done[number] = found
        progress.done = len(done)
    return [result for number in sorted(done) for result in done[number]], tuple(known)


def show_families(found: Sequence[FamilyResult], names: Sequence[str], as_json: bool) -> int:
    """Print the results. Return the exit status."""
    if as_json:
        sys.stdout.write(json.dumps(to_json(found, names), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.write("".join(f"{line.rstrip()}\n" for line in table(found)))
    if any(result.unexpected is not None for result in found):
        return exit_codes.FAILS
    return exit_codes.HOLDS if all(result.is_decided for result in found) else exit_codes.UNKNOWN
