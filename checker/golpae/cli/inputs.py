"""The arguments that several verbs share: traces, numbers, folders of the user's own texts.

Input: the parsed arguments of a call.
Output: what they name; `UsageError`, or a complaint on standard error, if they name nothing.
Guarantee: every complaint is one line, with advice if there is some.
"""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from golpae.cli.terminal.streams import paint_of
from golpae.diagnostics import Diagnostic, SpecError, render
from golpae.diagnostics.amounts import many
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.instance import bounds, options_of, wrong_number
from golpae.elaborate.names import ENDING, own_folders
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress, Shown
from golpae.project import Project
from golpae.rule_names import DOWNLOAD, UsageError
from golpae.trace import InputFault, Source, quoted, sources
from golpae.trace.remote import is_url
from golpae.unreadable import reason_of

MOST_GAMES = 1_000_000_000  # that are played in one call
_NAMED = 3  # files that are left alone
MUCH = 1 << 26  # bytes that are read in several processes
HARDEST = 30  # effort, with which a question is as large as the solver can count


def add_traces(parser: argparse.ArgumentParser) -> None:
    """Add the paths of trace files."""
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="FILE",
        help="trace files, folders of them, URLs, or `-` for standard input; they may be compressed (gzip, zstd) or "
        "packed (`golpae pack`), or logs of another program (`--from`)",
    )
    add_form(parser)


def add_form(parser: argparse.ArgumentParser) -> None:
    """Add the option for logs of other programs."""
    parser.add_argument(
        "--from",
        dest="form",
        metavar="FORMAT",
        help="the files are logs of this format (`golpae convert --formats` lists all); without it, files that are "
        "surely logs of another program are read as such",
    )


def traces_of(
    args: argparse.Namespace, paths: Sequence[str], *, silent: bool = False
) -> tuple[list[Source], list[InputFault]]:
    """Return the sources that paths of a call name, traces and logs of other programs, and faults. A note on standard
    error names files of folders that do not look like logs of the format that the call names, unless it is `silent`.
    """
    from golpae.logs.forms import FormsOfCall, forms_of

    try:
        forms = forms_of(args.form)
    except UsageError as wrong:
        return [], [wrong.fault]
    files_and_faults = sources(paths, forms)
    if isinstance(forms, FormsOfCall) and forms.left_alone and not silent:
        _note_left_alone(forms.form.name, forms.left_alone)
    return files_and_faults


def _note_left_alone(form: str, files: Sequence[str]) -> None:
    named = ", ".join(quoted(os.path.basename(file)) for file in files[:_NAMED])
    more = f" and {many(len(files) - _NAMED, 'more file')}" if len(files) > _NAMED else ""
    verb, are = ("does", "was") if len(files) == 1 else ("do", "were")
    words = f"{named}{more} {verb} not begin as logs of format `{form}` do, and {are} left alone"
    complain_of(InputFault(files[0], words, "a file that is named itself is read however it begins"))


def overwritten(files: Sequence[Source], option: str, name: str) -> InputFault | None:
    """Return why games cannot be written to a file of this name, or None: it is not one of those that are read."""
    if not any(os.path.realpath(file.path) == os.path.realpath(name) for file in files):
        return None
    message = f"{quoted(name)} is one of the files to read"
    return InputFault(option, message, "give the games another name, or another folder")


def add_spec_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spec-path",
        metavar="DIR",
        action="append",
        default=[],
        help="look for rule texts in this folder, or take this text; may be given several times (default: the current "
        "folder, and those of the games and of `golpae.toml`)",
    )


def spec_path(args: argparse.Namespace, traces: Sequence[str] = ()) -> list[Path] | None:
    """Return the folders of `--spec-path`, or None after a complaint about one that does not exist. Without that
    option they are the current folder, those of the traces and those of the project, in which own texts may lie.
    """
    if not args.spec_path:
        project: Project | None = getattr(args, "settings", None)
        return own_folders([*traces, *(project.rules if project else ())])
    places: list[Path] = []
    for given in args.spec_path:
        if is_url(given):
            what = f"{quoted(given)} is not on this machine"
            complain_of(InputFault(given, what, DOWNLOAD))
            return None
        parts = [given] if os.path.lexists(given) else given.split(os.pathsep)
        places += [Path(part) for part in parts if part]
    for place in places:
        if os.path.isdir(place):
            if reason := _unreadable(place):
                complain_of(InputFault(str(place), f"{quoted(str(place))} cannot be read: {reason}", None))
                return None
            continue
        if os.path.isfile(place) and place.suffix == ENDING:
            continue
        what = (
            f"{quoted(str(place))} is not a rule text"
            if os.path.exists(place)
            else f"there is no {quoted(str(place))}"
        )
        advice = f"--spec-path names a folder, or a file that ends in `{ENDING}`"
        complain_of(InputFault(str(place), what, advice))
        return None
    return places


def _unreadable(folder: Path) -> str | None:
    """Return why the texts in a folder cannot be read, or None. Other rules would be used without a word."""
    try:
        with os.scandir(folder) as files:
            for file in files:
                if file.name.endswith(ENDING) and not stat.S_ISREG(os.stat(file.path).st_mode):
                    return f"{quoted(file.name)} is no file"
    except OSError as fault:
        return reason_of(fault)
    return None


def reading(doing: str, unit: str, files: Sequence[Source]) -> Shown:
    """Return a progress display of how much of these files was read. It shows nothing if a person types at the
    terminal.
    """
    typed = any(source.path == "-" for source in files) and sys.stdin is not None and sys.stdin.isatty()
    return Shown(Progress(doing, unit=unit, size=sum(file.size() or 0 for file in files)), silent=typed)


def opened(source: Source) -> BinaryIO | None:
    """Open a source. Return None after a complaint: a file may have gone since it was listed."""
    try:
        return source.open()
    except OSError as fault:
        reason = fault.strerror or str(fault)
        cannot_open(source, f"{reason[:1].lower()}{reason[1:]}")  # which may hold names and units
        return None


def cannot_open(source: Source, reason: str) -> None:
    """Complain that a source cannot be opened."""
    complain_of(InputFault(source.name, f"`{source.shown}` cannot be read: {reason}"))


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the option for the number of processes that read files."""
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="number of processes (default: one for each processor if there are more than 64 MiB to read, else one)",
    )


def add_processes(parser: argparse.ArgumentParser) -> None:
    """Add the option for the number of processes that work beside one another."""
    parser.add_argument(
        "--jobs", metavar="N", type=int, help="number of processes (default: one for each processor)"
    )


def add_no_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-cache", action="store_true", help="ignore the cache and do not write to it")


def add_tables(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the options that choose among the tables of a game; `more` is what else the help says of `--option`."""
    parser.add_argument("--players", metavar="N", type=int, help="only tables with this number of players")
    parser.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=f"only tables with this option; may be given several times{more}",
    )


def add_output(parser: argparse.ArgumentParser, each: str, what: str, printed: str = "the counts") -> None:
    """Add the options for a file of results: `what` is written of `each`, and `printed` is still printed."""
    parser.add_argument(
        "--output",
        "-o",
        metavar="FILE",
        help=f"write {what} of {each} to this file, as JSON lines, or as a table if its name ends in "
        f"`.parquet`; print only {printed}",
    )
    parser.add_argument(
        "--resume", action="store_true", help="with `--output`: go on with a run that was interrupted"
    )


def jobs_of(args: argparse.Namespace, files: Sequence[Source]) -> int:
    """Return in how many processes files are read. Raises `UsageError`."""
    refuse_numbers(args, "jobs")
    if any(source.is_only_here for source in files):
        return 1
    if args.jobs is not None:
        return int(args.jobs)
    return processors() if sum(file.size() or 0 for file in files) > MUCH else 1


def add_effort(parser: argparse.ArgumentParser, note: str = "") -> None:
    """Add the option for how hard golpae tries."""
    parser.add_argument(
        "--effort",
        metavar="N",
        type=float,
        help=f"{note}how hard to try: so many times as much work for questions and searches "
        f"(default: 1, at most {HARDEST})",
    )


def add_limits(parser: argparse.ArgumentParser, what: str, seconds: str) -> None:
    """Add `--effort`, the outer limits, and the seed. `what` is ended that takes longer than so many seconds."""
    add_effort(parser)
    add = parser.add_argument
    add(
        "--time-limit",
        metavar="SECONDS",
        type=float,
        help=f"end {what} that takes longer (default: {seconds})",
    )
    add("--memory-limit", metavar="MB", type=int, help="end a process that uses more (default: 2000)")
    add("--seed", metavar="N", type=int, help="seed of random games (default: 1)")


def refuse_effort(args: argparse.Namespace) -> None:
    """Check the option for how hard golpae tries. Raises `UsageError`."""
    if args.effort is not None and not 0 < args.effort <= HARDEST:
        message = f"`--effort` must be more than 0 and at most {HARDEST}, not `{args.effort:g}`"
        raise UsageError("--effort", message)


def refuse_numbers(args: argparse.Namespace, *names: str) -> None:
    """Check that options are numbers above 0 and not absurdly large. Raises `UsageError`."""
    for name in names:
        value = getattr(args, name)
        if value is not None and not 0 < value < 1_000_000:
            option = "--" + name.replace("_", "-")
            given = quoted(f"{value:g}" if isinstance(value, float) else str(value))  # which may be very long
            message = f"`{option}` must be more than 0 and less than a million, not {given}"
            raise UsageError(option, message)


def refuse_games(games: int | None) -> None:
    """Check how many games to play. Raises `UsageError`."""
    if games is not None and not 0 < games <= MOST_GAMES:
        given = quoted(str(games))
        raise UsageError("--games", f"`--games` must be more than 0 and at most {MOST_GAMES:,}, not {given}")


def not_for(rule_sets: Sequence[RuleSet], options: Mapping[str, int], players: int) -> UsageError:
    """Return the fault that none of some rule sets is for a number of players, and which numbers are possible. Raises
    `TableFault`.
    """
    first, *others = rule_sets
    words = wrong_number(first.rules, *bounds(first, options_of(first, options)), players)
    if not others:
        return UsageError("--players", words)
    return UsageError("--players", f"none of these rule sets is for {many(players, 'player')}", words)


def given_options(words: Sequence[str]) -> dict[str, int]:
    """Return the options that the words of `--option` set. Raises `UsageError`."""
    out: dict[str, int] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            out[name.strip()] = int(value)
        except ValueError:
            raise UsageError("--option", f"`--option` is NAME=NUMBER, not {quoted(word)}") from None
    return out


def unnamed_output(path: str) -> str:
    """Return the file or folder that a verb writes to if a call names none. Raises `UsageError` if it is there."""
    if os.path.lexists(path):
        import shlex

        what = "folder" if os.path.isdir(path) else "file"
        message = f"there is already a {what} {quoted(path)}"
        raise UsageError(
            path, message, f"name what to write: {quoted(f'-o {shlex.quote(path)}')} writes it anew"
        )
    return path


def make_folder(folder: str | None) -> None:
    """Make a folder to write to, unless it is None. Raises `UsageError`."""
    if folder is None:
        return
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        if os.path.exists(folder):
            message = f"{quoted(folder)} cannot be written to: it is a file"
            raise UsageError(folder, message, "name a folder, which may be a new one") from None
        reason = reason_of(fault)
        message = f"{quoted(folder)} cannot be written to: {reason}"
        raise UsageError(folder, message, "check its name and the folder that it is in") from None


def unwritable(path: str, fault: OSError) -> UsageError:
    """Return the fault of a file that cannot be written."""
    reason = reason_of(fault)
    return UsageError(path, f"{quoted(path)} cannot be written to: {reason}", "check its name and its folder")


def complain_of(fault: InputFault) -> None:
    """Print the fault of a path or of a word of the call."""
    sys.stderr.write(f"golpae: {on_one_line(fault.message)}\n")
    if fault.help:
        sys.stderr.write(f"  help: {on_one_line(fault.help)}\n")
    for example in fault.examples:
        sys.stderr.write(f"    {on_one_line(example)}\n")


def complain(fault: SpecError) -> None:
    """Print every fault of a rule text, and where more stands about them."""
    for diagnostic in fault.diagnostics:
        sys.stderr.write(render(diagnostic, paint_of(sys.stderr)) + "\n")
    sys.stderr.write(more_about(fault.diagnostics))


def more_about(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the line that says where more stands about faults and notes that have a place in a text."""
    calls = dict.fromkeys(f"golpae help {one.code}" for one in diagnostics if one.span is not None)
    return f"  more: {', '.join(calls)}\n" if calls else ""


def processors() -> int:
    """Return how many processors golpae may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
