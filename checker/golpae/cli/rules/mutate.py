"""`golpae mutate`: change a rule text in one small place at a time; do the recorded games notice?"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from golpae import __version__, exit_codes
from golpae.cli.arguments.explained import read_explained
from golpae.cli.inputs import add_processes, add_spec_path, processors, refuse_numbers, spec_path
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import printable, put_json, say_empty
from golpae.diagnostics.amounts import many
from golpae.elaborate.resolve import split
from golpae.mutate.recorded import NotHands, without_header
from golpae.mutate.trials import FATES, Fate, Series, Trial, trials
from golpae.progress import Progress, Shown
from golpae.rule_names import UsageError, named, named_rule_set
from golpae.trace import quoted, sources
from golpae.unreadable import reason_of

FORMAT = 1
MOST_LISTED = 40
MOST_LINES = 4  # of one mutant
WORDS: dict[Fate, str] = {
    "no rules": "are no rules",
    "noticed": "noticed by recorded games",
    "explained": "explained",
    "property": "noticed by properties",
    "the same": "proved to change nothing",
    "unnoticed": "noticed by nothing",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "rules",
        metavar="RULES",
        help=f"{RULES_HELP.partition(', with')[0]}; all its variants are changed, too",
    )
    add(
        "--traces",
        metavar="FILE",
        action="append",
        required=True,
        help="trace files of the game, or folders of them; may be given several times",
    )
    add(
        "--hands",
        metavar="FILE",
        action="append",
        default=[],
        help="hands as `golpae score` takes them, each with its `points`; they have to notice, too",
    )
    add(
        "--explained",
        metavar="FILE",
        action="append",
        default=[],
        help="a list of mutants that need not be noticed: `mutant => reason`, one a line",
    )
    add(
        "--prove",
        action="store_true",
        help="decide the properties of mutants that no game notices, and whether they change anything",
    )
    add("--every", metavar="N", type=int, default=1, help="try one mutant in N (default: 1)")
    add_processes(parser)
    add("--format", choices=("text", "json"), default="text", help="for people, or as one JSON object")
    add("--verbose", action="store_true", help="list every mutant")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    series = _series(args)
    if series is None:
        return exit_codes.WRONG_INPUT
    progress = Progress("trying", unit="mutants")
    with Shown(progress):
        tried = trials(series, args.jobs or processors(), progress)
    if args.format == "json":
        put_json(_json(series.game, tried))
    else:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in _lines(series, tried, args.verbose)))
    left = any(trial.fate == "unnoticed" for trial in tried)
    return exit_codes.FAILS if left else exit_codes.HOLDS


def _series(args: argparse.Namespace) -> Series | None:
    """Return the mutants that a call wants tried, or None after a complaint. Raises `UsageError` and `SpecError`."""
    refuse_numbers(args, "every", "jobs")
    for option, names in (("--traces", args.traces), ("--hands", args.hands)):
        if "-" in names:
            message = f"`{option}` cannot be `-`: standard input can be read only once"
            raise UsageError(option, message, "write it to a file, and name that")
    places = spec_path(args, args.traces)
    if places is None:
        return None
    name = named(args.rules, places)
    named_rule_set(name)  # the faults of its text are said here
    game, switches = split(name.rules)
    if switches:
        message = "`golpae mutate` changes the text of a game with all its variants"
        raise UsageError(args.rules, message, f"write {quoted(args.rules.partition('+')[0])}")
    files, faults = sources(args.traces)
    for fault in faults:
        raise UsageError(fault.path, fault.message, fault.help, fault.examples)
    series = Series(
        game,
        tuple(name.places),
        tuple(files),
        tuple(map(Path, args.hands)),
        read_explained(args.explained),
        args.every,
        args.prove,
    )
    try:
        recorded, _ = series.recorded()
        for source in filter(without_header, files):
            say_empty(source.name)
    except OSError as unread:
        reason = reason_of(unread)
        raise UsageError("", f"{quoted(str(unread.filename))} cannot be read: {reason}") from None
    except NotHands as wrong:
        raise UsageError("--hands", f"`--hands`: {wrong}") from None
    if not recorded:
        raise UsageError("--traces", f"there is no recorded game of {quoted(game)} in what `--traces` names")
    unseen = sum(trace.unseen for trace in recorded)
    if unseen:
        games = f"{unseen:,} game{'s count' if unseen != 1 else ' counts'}"
        sys.stderr.write(f"golpae: {games} only up to a tile that nobody saw\n")
    return series


def _lines(series: Series, found: Sequence[Trial], whole: bool) -> Iterator[str]:
    counts = Counter(trial.fate for trial in found)
    told = [f"{counts[fate]:,} {WORDS[fate]}" for fate in FATES if counts[fate] or fate == "unnoticed"]
    yield f"{series.game}: {len(found):,} mutant{'s' * (len(found) != 1)}: {', '.join(told)}"
    if whole:
        for trial in found:
            by = f" ({trial.by})" if trial.by else ""
            yield f"  {trial.file}:{trial.line}  {trial.fate}: {trial.name}{by}"
        yield from _about_numbers(trial.name for trial in found)
        return
    left = [trial for trial in found if trial.fate == "unnoticed"]
    shown = [(f"{trial.file}:{trial.line}", trial.name) for trial in left[:MOST_LISTED]]
    wide = max((len(place) for place, _ in shown), default=0)
    for (place, name), trial in zip(shown, left, strict=False):
        yield f"  {place:<{wide}}  {name}"
        yield from _changed("-", trial.before)
        yield from _changed("+", trial.after)
    if len(left) > MOST_LISTED:
        yield f"  and {len(left) - MOST_LISTED:,} more (`--verbose` lists all)"
    yield from _about_numbers(name for _, name in shown)


def _changed(mark: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield lines of the text, marked: what is there, or what the mutant has instead."""
    yield from (f"      {mark} {line}" for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"      {mark} and {many(len(lines) - MOST_LINES, 'more line')}"


NUMBERED = re.compile(r" -> .* \((\d+)\)\Z")


def _about_numbers(names: Iterable[str]) -> Iterator[str]:
    """Yield a line that explains the number after the name of a change, if one of the names has a number."""
    match = next((number for name in names if (number := NUMBERED.search(name))), None)
    if match is not None:
        yield f"  ({match[1]}): the same change at place {match[1]} of the clause at which it can be made"


def _json(game: str, found: Sequence[Trial]) -> dict[str, object]:
    counts = Counter(trial.fate for trial in found)
    return {
        "format": FORMAT,
        "golpae": __version__,
        "game": game,
        "counts": {fate: counts[fate] for fate in FATES},
        "mutants": [
            {
                "name": trial.name,
                "path": trial.path,
                "file": trial.file,
                "line": trial.line,
                "fate": trial.fate,
                "by": trial.by,
                "before": trial.before,
                "after": trial.after,
            }
            for trial in found
        ],
    }
