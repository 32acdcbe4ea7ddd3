"""`golpae coverage`: which parts of their rules recorded games use."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from golpae import exit_codes
from golpae.beside import write_whole
from golpae.cli.arguments.explained import read_explained
from golpae.cli.inputs import (
    add_form,
    add_spec_path,
    complain_of,
    make_folder,
    opened,
    reading,
    spec_path,
    traces_of,
    unwritable,
)
from golpae.cli.rule_sets import RULES_HELP, FaultyTexts, RulesToPlay, rules_to_play
from golpae.cli.terminal.output import Plain, all_of, printable, put_json
from golpae.cli.terminal.person import paint
from golpae.cli.terminal.position_shown import Paint
from golpae.coverage.coverage_table import ledger_lines, lines
from golpae.coverage.kept import UselessCounts, add, sorted_games, to_json
from golpae.coverage.ledger import Ledger
from golpae.coverage.measure import Coverage
from golpae.coverage.tally import GameTally, whole_share
from golpae.progress import Progress, Shown
from golpae.report.ci.forms import FORMS
from golpae.rule_names import UsageError, named
from golpae.trace import InputFault, Source, Verdict, quoted
from golpae.unreadable import reason_of

_SHARE = re.compile(r"(?<=  )\d+\.\d%$")  # at the end of a row
MOST_CHANGED = 5  # clauses in a remark


def arguments(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    option(
        "paths",
        nargs="*",
        metavar="FILE",
        help="trace files, folders of them, or `-` for standard input; they may be compressed (gzip, zstd)",
    )
    add_form(parser)
    option(
        "--format",
        choices=("table", "json", *FORMS),
        default="table",
        help="for people, as one JSON object, or for continuous integration: JUnit, SARIF, commands of GitHub's "
        "workflows, Markdown",
    )
    option(
        "--add",
        metavar="FILE",
        action="append",
        default=[],
        help="add the counts of an earlier run, which `--format json` wrote; may be given several times",
    )
    option(
        "--explained",
        metavar="FILE",
        action="append",
        default=[],
        help="a list of what no game has to show: `CLAUSE: WHAT => reason`, one a line; it counts no more",
    )
    option(
        "--prove",
        action="store_true",
        help="ask the solver which of what is missing no game can show; it counts no more",
    )
    option(
        "--fail-under", metavar="N", type=float, help="exit with status 1 if less than N percent is covered"
    )
    option(
        "--html",
        metavar="PLACE",
        help="also write a page of the text with what came of each line: a file that ends in `.html`, or a folder",
    )
    option(
        "--ledger",
        action="store_true",
        help="list every clause with its rules, games, properties and mutants, not what is missing",
    )
    option(
        "--mutants",
        metavar="FILE",
        action="append",
        default=[],
        help="what `golpae mutate --format json` wrote, for the ledger; may be given several times",
    )
    option("--verbose", action="store_true", help="list everything that no game shows")
    option(
        "--rules", metavar="RULES", help=f"play by these rules, not those that the headers name: {RULES_HELP}"
    )
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    status = _run(args)
    if status is not None:
        return status
    from golpae.cli.terminal.ci import refused

    return refused("coverage", args.format)


def _run(args: argparse.Namespace) -> int | None:
    """Return the exit status; None if the call cannot be carried out, which is told."""
    rules = rules_to_play(args, args.paths)
    if rules is None:
        return None
    try:
        files = _files(args)
        coverage = Coverage(rules.load, _places(args))
        for file in args.add:
            _add(coverage, file)
    except UsageError as error:
        complain_of(error.fault)
        return None
    status = _measure(coverage, rules, files)
    if status is None:
        return None
    try:
        _excuse(coverage, args)
        ledgers = _ledgers(coverage, args)
        _write(args.html, sorted_games(coverage), ledgers)
    except UsageError as error:
        complain_of(error.fault)
        return None
    return _show(coverage, ledgers, args, status)


def _files(args: argparse.Namespace) -> list[Source]:
    """Return the files of a call. Raises `UsageError`."""
    if args.fail_under is not None and not 0 <= args.fail_under <= 100:
        message = f"`--fail-under` must be from 0 to 100, not `{args.fail_under:g}`"
        raise UsageError("--fail-under", message)
    if not args.paths and not args.add:
        raise UsageError("", "FILE is missing", "for example `golpae coverage games.jsonl`")
    if not args.paths:
        return []
    files, faults = traces_of(args, args.paths)
    for fault in faults:
        raise UsageError(fault.path, fault.message, fault.help, fault.examples)
    return files


def _places(args: argparse.Namespace) -> list[Path]:
    """Return where the rule texts of a call are. Raises `UsageError`."""
    places = spec_path(args, args.paths) or []
    return places if args.rules is None else [*named(args.rules, places).places]


def _add(coverage: Coverage, file: str) -> None:
    """Add the counts of an earlier run. Raises `UsageError`."""
    try:
        added = add(coverage, Path(file).read_bytes())
    except OSError as fault:
        reason = reason_of(fault)
        raise UsageError(file, f"{quoted(file)} cannot be read: {reason}") from None
    except UselessCounts as fault:
        raise UsageError(file, f"{quoted(file)} cannot be added: {fault}") from None
    if added.changed:
        names = ", ".join(added.changed[:MOST_CHANGED])
        more = f" and {len(added.changed) - MOST_CHANGED} more" if len(added.changed) > MOST_CHANGED else ""
        message = f"{quoted(file)} has counts of clauses that have changed since: {names}{more}"
        complain_of(InputFault(file, message, "count their games again"))


def _measure(coverage: Coverage, rules: RulesToPlay, files: list[Source]) -> int | None:
    """Count the traces of files. Return the exit status, or None if a file cannot be read or none has a trace."""
    texts, out, status, none = FaultyTexts(), Plain(False), exit_codes.HOLDS, bool(files)
    with reading("counting", "traces", files) as progress:
        for source in files:
            stream = opened(source)
            if stream is None:
                return None
            with stream:
                reports = coverage.file(progress.watched(stream), source.name, rules.rules)
                read = all_of(source, reports, out, progress)
                while True:
                    try:
                        report = next(read)
                    except StopIteration as end:
                        status = status if end.value else exit_codes.WRONG_INPUT
                        break
                    none = False
                    if report.text_faults is not None:
                        texts.add(str(report.outcome.rules), report.text_faults)
    if none:
        complain_of(InputFault("", "there is nothing to count: no file has a trace"))
        return None
    return exit_codes.WRONG_INPUT if texts else status


def _excuse(coverage: Coverage, args: argparse.Namespace) -> None:
    """Leave out what no game has to show: what a list explains, and what is proved. Raises `UsageError`."""
    tallies = sorted_games(coverage)
    for name, why in read_explained(args.explained).items():
        clause, _, side = name.rpartition(": ")
        known = [tally for tally in tallies if tally.has(clause, side)]
        if not known and tallies:
            message = f"there is no clause {quoted(clause)} of which {quoted(side)} could come"
            raise UsageError("--explained", message, "`--format json` names the clauses and their sides")
        for tally in known:
            tally.excused[clause, side] = why
    if args.prove:
        from golpae.coverage.impossible import impossible
        from golpae.verify.options import Settings

        with Shown(Progress("looking for what no game can show")) as progress:
            for tally in tallies:
                tally.excused |= impossible(tally, Settings(), progress)


def _ledgers(coverage: Coverage, args: argparse.Namespace) -> list[Ledger]:
    """Return the ledgers of all games, if a call asks for them. Raises `UsageError`."""
    if not args.ledger and not args.mutants:
        return []
    from golpae.coverage.ledger import NoMutants, ledger, mutants_in, mutants_of

    mutants = []
    for file in args.mutants:
        try:
            mutants.append(mutants_in(Path(file).read_bytes()))
        except OSError as fault:
            reason = reason_of(fault)
            raise UsageError(file, f"{quoted(file)} cannot be read: {reason}") from None
        except NoMutants as fault:
            raise UsageError(file, f"{quoted(file)} has no mutants: {fault}") from None
    return [ledger(tally, mutants_of(tally, mutants)) for tally in sorted_games(coverage)]


def _write(place: str | None, tallies: Sequence[GameTally], ledgers: Sequence[Ledger]) -> None:
    """Write the pages of the games, if a call asks for them. Raises `UsageError`."""
    if place is None or not tallies:
        return
    from golpae.pages.coverage import coverage_page, index_page
    from golpae.pages.report import INDEX

    path = Path(place)
    if path.suffix != ".html":
        make_folder(place)
        path = path / INDEX
    elif len(tallies) > 1:
        message = f"{quoted(place)} is one page, and there are {len(tallies)} games"
        raise UsageError(place, message, "name a folder")
    files = [path] if len(tallies) == 1 else [path.with_name(f"{tally.book.game}.html") for tally in tallies]
    of_game = {one.tally.book.game: one for one in ledgers}
    made = [coverage_page(tally, of_game.get(tally.book.game)) for tally in tallies]
    pages = dict(zip(files, made, strict=True))
    pages.setdefault(path, index_page(tallies, [file.name for file in files]))
    for file, text in pages.items():
        try:
            write_whole(file, text)
        except OSError as fault:
            raise unwritable(str(file), fault) from None
    more = "" if len(pages) == 1 else f" and {len(pages) - 1} more"
    sys.stderr.write(f"golpae: {printable(f'{path}{more}: what came of each line of the text')}\n")


def _show(coverage: Coverage, ledgers: Sequence[Ledger], args: argparse.Namespace, status: int) -> int:
    """Print the counts, and return the exit status: `status`, or what they give if that is worse."""
    tallies = sorted_games(coverage)
    words = _too_little(tallies, args.fail_under)
    status = max(status, exit_codes.HOLDS if words is None else exit_codes.FAILS)
    status = status if tallies else exit_codes.WRONG_INPUT
    if args.format in FORMS:
        from golpae.cli.terminal.ci import put_run
        from golpae.report.ci.coverage import covered

        return put_run(covered(tallies, words, status), args.format)
    if args.format == "json":
        put_json(to_json(coverage, ledgers))
    else:
        shown = ledger_lines(ledgers) if args.ledger else lines(tallies, args.verbose)
        out = shown or ["no game has rules that can be played", "  help: `golpae check` says why"]
        if coverage.unplayed and tallies:
            traces = f"{coverage.unplayed:,} trace{'s' * (coverage.unplayed != 1)}"
            out.append(f"not counted: {traces} without rules that can be played")
        unseen = sum(tally.verdicts[Verdict.UNKNOWN.value] for tally in tallies)
        if unseen:
            games = "1 game counts" if unseen == 1 else f"{unseen:,} games count"
            out.append(f"{games} only up to a tile that nobody saw")
        colour = paint()
        sys.stdout.write("".join(f"{_coloured(printable(line), colour)}\n" for line in out))
    if words is not None:
        (sys.stderr if args.format == "json" else sys.stdout).write(f"{words}\n")
    return status


def _coloured(line: str, paint: Paint) -> str:
    """Return a line with its share in a colour: green if nothing is missing, red if everything is."""
    match = _SHARE.search(line)
    if match is None:
        return line
    colour = {"100.0%": "32", "0.0%": "31"}.get(match[0], "33")
    return line[: match.start()] + paint(match[0], colour)


def _too_little(tallies: Sequence[GameTally], least: float | None) -> str | None:
    """Return the message that less than `least` percent is covered, or None. Without a counted game nothing
    is covered.
    """
    share = whole_share(tallies)
    percent = share.percent if share.of else 0.0
    if least is None or percent >= least:
        return None
    shown = f"{percent:.2f}" if round(percent, 2) < least else f"{percent:.6f}"
    return f"{shown}% is covered, less than {least:g}%"
