"""`golpae learn`: which small edit of a rule text explains recorded games?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from golpae import __version__, exit_codes
from golpae.beside import write_whole
from golpae.cli.inputs import add_spec_path, add_traces, complain, complain_of, spec_path
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import printable, put_json, say_empty
from golpae.diagnostics import SpecError
from golpae.elaborate.load import load
from golpae.elaborate.names import ENDING
from golpae.elaborate.resolve import split
from golpae.learn.answer import Learned, learned
from golpae.learn.nearest import nearest
from golpae.mutate.recorded import Trace, traces, without_header
from golpae.progress import Progress, Shown
from golpae.report.learning import learned_json, learned_lines
from golpae.rule_names import UsageError, loader, named, named_rule_set
from golpae.trace import InputFault, quoted, sources
from golpae.unreadable import reason_of

FORMAT = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("rules", metavar="RULES", help=f"{RULES_HELP}; these variants are on in any case")
    add_traces(parser)
    add(
        "--write",
        metavar="FILE",
        help=f"also write the edit to this new file, as a text that includes the game (`NAME{ENDING}`)",
    )
    add("--format", choices=("text", "json"), default="text", help="for people, or as one JSON object")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    try:
        found = _found(args)
        if found is None:
            return exit_codes.WRONG_INPUT
        answer, games = found
        written = None if args.write is None else _write(args, answer)
    except SpecError as fault:
        complain(fault)
        return exit_codes.WRONG_INPUT
    except UsageError as error:
        complain_of(error.fault)
        return exit_codes.WRONG_INPUT
    except OSError as unread:
        complain_of(InputFault(str(unread.filename), f"it cannot be read: {reason_of(unread)}"))
        return exit_codes.WRONG_INPUT
    if args.format == "json":
        put_json({"format": FORMAT, "golpae": __version__, **learned_json(answer, games)})
    else:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in learned_lines(answer, games)))
        if written is not None:
            sys.stdout.write(f"{printable(written)}\n")
    legal = answer.legal if answer.best is None else answer.best.legal
    return exit_codes.HOLDS if legal == answer.games else exit_codes.FAILS


def _found(args: argparse.Namespace) -> tuple[Learned, list[Trace]] | None:
    """Return the answer with its games, or None after a complaint."""
    places = spec_path(args, args.paths)
    if places is None:
        return None
    if args.write is not None:
        _refuse_file(Path(args.write))
    name = named(args.rules, places)
    named_rule_set(name)  # the faults of its text are said here
    game, _ = split(name.rules)
    files, faults = sources(args.paths)
    for fault in faults:
        raise UsageError(fault.path, fault.message, fault.help, fault.examples)
    games = traces(files, game)
    for source in filter(without_header, files):
        say_empty(source.name)
    if not games:
        raise UsageError("", f"there is no recorded game of {quoted(game)} in these files")
    unseen = sum(one.unseen for one in games)
    if unseen:
        raise UsageError(
            "",
            f"{unseen:,} of these games have tiles that nobody saw, from which no rule is learned",
            "leave them out, or fill them in with `golpae check --complete-with FILE`",
        )
    progress = Progress("trying", unit="edits")
    with Shown(progress):
        progress.begin("trying the rule sets")
        nearest_of = nearest(name.rules, loader(name.places), files)
        progress.begin("trying", unit="edits")
        return learned(load(game, name.places), nearest_of[0], games, progress), games


def _refuse_file(file: Path) -> None:
    if not file.name.endswith(ENDING):
        raise UsageError("--write", f"`--write` takes the name of a rule text, `NAME{ENDING}`")
    if file.exists():
        raise UsageError(str(file), f"{quoted(str(file))} is there already", "write to a new file")


def _write(args: argparse.Namespace, answer: Learned) -> str:
    """Write the best edit as a text, and return what to do with it."""
    file = Path(args.write)
    if answer.best is None or answer.best.variant is None:
        return f"{quoted(str(file))} was not written: there is no variant to write"
    game, switches = split(answer.rules)
    name = file.name.removesuffix(ENDING)
    text = f'game {name} "{name}, as recorded games have it"\n\ninclude {game}\n\n{answer.best.variant.rstrip()}\n'
    try:
        write_whole(file, text)
    except OSError as wrong:
        raise UsageError(str(file), f"{quoted(str(file))} cannot be written: {reason_of(wrong)}") from None
    rules = "+".join((str(file), *switches, answer.best.variant.split()[1]))
    return f"wrote {quoted(str(file))}; what else it changes: golpae compare {args.rules} {rules}"
