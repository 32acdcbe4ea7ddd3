"""`golpae compare A B --traces FILE`: what B instead of A would have changed in recorded games.

Input: the arguments of `compare`, and the two rule sets. Output: the report, and the exit status.
Guarantee: whatever cannot be read is named, and costs nothing else.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from golpae import exit_codes
from golpae.cli.arguments.compared_rules import Rules
from golpae.cli.inputs import complain_of, reading
from golpae.cli.terminal.ci import is_ci_form, put_run
from golpae.cli.terminal.output import MOST_TOLD, read_to_end
from golpae.corpus.paths import is_large
from golpae.elaborate.resolve import split
from golpae.impact.two_replays import Impact, ImpactSide
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress
from golpae.replay.machine_cache import Library
from golpae.report.archive import impact as report
from golpae.report.ci.impact import RuleSetSide as Text
from golpae.report.ci.impact import followed
from golpae.report.paint import Paint
from golpae.rule_names import UsageError
from golpae.trace import Source, sources
from golpae.trace.unseen import ALL_TILES
from golpae.unreadable import reason_of

ONLY_ALONE = ("layer", "players", "option", "witnesses", "games", "seed", "hands", "effort", "matrix", "jobs")


def refuse_others(args: argparse.Namespace) -> None:
    """Raise `UsageError` for options that say nothing about recorded games."""
    for name in ONLY_ALONE:
        if getattr(args, name) not in (None, []):
            flag = f"--{name}"
            message = f"`--traces` tells what changes in recorded games, without `{flag}`"
            raise UsageError(flag, message, f"leave `{flag}` out, or compare the rules without `--traces`")
    if args.expect not in (None, "same"):
        message = f"`--expect {args.expect}` is about all games that the rules allow, not about recorded ones"
        raise UsageError("--expect", message, "with `--traces`, give `--expect same` or none")
    if "-" in args.traces:
        raise UsageError(
            "-", "`--traces` reads files, which it opens twice", "write the games to a file first"
        )


def compare_traces(
    args: argparse.Namespace, first: Rules, second: Rules, paint: Paint, shown: Callable[[str], str]
) -> int:
    """Follow recorded games under both rule sets, and print what differs. `shown` names a file of a text for people."""
    impact = Impact(_side(first), _side(second))
    files, faults = sources(args.traces)
    for fault in faults:
        complain_of(fault)
    failed = bool(faults)
    with reading("following games", "games", files) as progress:
        for source in files:
            failed = not _read(impact, source, progress) or failed
    for line in impact.paths.disagree[:MOST_TOLD]:
        sys.stderr.write(
            f"golpae: a fault in golpae: its two ways to check the trace at line {line} disagree\n"
        )
    tally = impact.tally
    if tally.unseen:
        sys.stderr.write(f"golpae: a game with unknown tiles is not followed; {ALL_TILES}\n")
    if files and not tally.games and not tally.unseen and not failed:
        sys.stderr.write(f"golpae: no recorded game is of {first.label} or {second.label}\n")
        failed = True
    status = _status(impact, failed, args.expect)
    impact_report = report.ImpactReport(first.label, second.label, len(files), tally)
    match args.format:
        case "json":
            lines = [report.document(impact_report, status)]
        case "markdown":
            lines = report.markdown(impact_report)
        case form if is_ci_form(form):
            sides = Text(first.typed, first.resolved), Text(second.typed, second.resolved)
            return put_run(followed(impact_report, sides, shown, args.expect, status), form)
        case _:
            lines = report.lines(impact_report, paint)
    sys.stdout.write("\n".join(lines) + "\n")
    return status


def _read(impact: Impact, source: Source, progress: Progress) -> bool:
    """Follow the games of a file. Return whether it could be read to its end."""
    games = impact.file(source.name, source.open, is_large(source), progress.watched)
    try:
        return read_to_end(source, games, progress, lambda game: None)
    except OSError as wrong:
        reason = reason_of(wrong)
        sys.stderr.write(f"golpae: {source.shown}: this file cannot be read: {reason}\n")
        return False


def _side(rules: Rules) -> ImpactSide:
    def load(name: str) -> RuleSet:
        return rules.typed

    return ImpactSide(rules.resolved.rules, split(rules.base)[0], Library(load))


def _status(impact: Impact, failed: bool, expect: str | None) -> int:
    differ = impact.tally.games != impact.tally.same
    return exit_codes.worst(
        exit_codes.WRONG_INPUT if failed or impact.tally.unread else exit_codes.HOLDS,
        exit_codes.FAILS if expect == "same" and differ else exit_codes.HOLDS,
        exit_codes.UNKNOWN if impact.tally.unseen else exit_codes.HOLDS,
        exit_codes.FAULT if impact.paths.disagree else exit_codes.HOLDS,
    )
