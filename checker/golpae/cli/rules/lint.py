"""`golpae lint`: faults in rule texts with every switch, and notes; with `--deep`, also what is vacuous."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from golpae import exit_codes
from golpae.cli.inputs import HARDEST, add_effort, add_spec_path, complain_of, processors, spec_path
from golpae.cli.terminal.texts import TextWords, text_output
from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.load import Loaded, load, read
from golpae.elaborate.names import ENDING, NAME, find
from golpae.elaborate.resolve import resolve, split
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress, Shown
from golpae.report.ci.forms import FORMS
from golpae.rule_names import Named, UsageError, located, named, texts_in
from golpae.syntax.tree import Game, Variant
from golpae.trace import InputFault, quoted
from golpae.workers import OuterLimits

# the status of the whole call is the first of these that some text has
WORST = (exit_codes.WRONG_INPUT, exit_codes.FAILS, exit_codes.UNKNOWN, exit_codes.HOLDS)
SECONDS, MEGABYTES = 1_800, 2_000  # outer limits: for one rule set, and for one process
READING = "reading rules"
EVERY = "+*"  # what stands for all combinations behind the name of a game
MOST = 40_000_000  # units of work for one question to the solver


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts",
        nargs="+",
        metavar="RULES",
        help=f"games by name, files that end in {ENDING}, or folders of them. A game or file may have variants "
        "(`+variant`); then golpae also looks for faults that these variants have together. With `--deep`, `game+*` "
        "means all combinations of its variants and readings",
    )
    parser.add_argument(
        "--deep",
        action="store_true",
        help="also note what is vacuous: actions that never happen, conditions that never refuse, properties that "
        "never apply, and clauses that no property depends on. If RULES "
        "has variants, only for that rule set",
    )
    parser.add_argument(
        "--book",
        action="store_true",
        help="also note what a rule book of the text lacks: the aim, titles, words for patterns, sentences for players",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", *FORMS),
        default="text",
        help="for people, for programs, or for continuous integration: JUnit, SARIF, commands of GitHub's workflows, "
        "Markdown",
    )
    parser.add_argument(
        "--except",
        dest="left_out",
        metavar="NAME",
        action="append",
        help="with `game+*`: leave out the rule sets with this variant or reading; may be given several times",
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=int,
        help="with `--deep`: number of processes (default: one for each processor)",
    )
    parser.add_argument(
        "--time-limit",
        metavar="SECONDS",
        type=float,
        help=f"with `--deep`: end a rule set, or a table of switches, that takes longer (default: {SECONDS})",
    )
    add_effort(parser, "with `--deep`: ")
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    places = spec_path(args)
    if places is None:
        return exit_codes.WRONG_INPUT
    with Shown(Progress(READING)) as progress:
        deep = _deep(args, progress)
        if isinstance(deep, InputFault):
            complain_of(deep)
            return exit_codes.WRONG_INPUT
        call = _Call(places, deep, text_output(args.format), progress, args.book)
        codes = [
            _every(text, call, args.left_out or ()) if text.endswith(EVERY) else _lint(text, call)
            for text in args.texts
        ]
    return call.out.finish(next(code for code in WORST if code in codes))


@dataclass(frozen=True, slots=True)
class _Deep:
    """The limits of the vacuity lint, and its progress."""

    jobs: int
    effort: float
    limits: OuterLimits
    progress: Progress


@dataclass(frozen=True, slots=True)
class _Call:
    """Where texts are looked for, the limits if the call has `--deep`, the output, and the progress; `book` is whether
    a rule book of the text has to say enough.
    """

    places: Sequence[Path]
    deep: _Deep | None
    out: TextWords
    progress: Progress
    book: bool = False


def _lint(word: str, call: _Call) -> int:
    path = Path(word)
    if word and os.path.isdir(path) and not NAME.fullmatch(word):
        return _folder(path, call)
    try:
        return _one(word, named(word, call.places), call)
    except _UnknownName as unknown:
        if os.path.isdir(path):
            return _folder(path, call)
        call.out.faults(word, unknown.fault)
    except UsageError as error:
        call.out.unreadable(word, error.fault)
    return exit_codes.WRONG_INPUT


class _UnknownName(Exception):
    """There are no rules of this name."""

    def __init__(self, fault: SpecError) -> None:
        super().__init__()
        self.fault = fault


def _folder(path: Path, call: _Call) -> int:
    try:
        files = texts_in(str(path))
    except UsageError as error:
        call.out.unreadable(str(path), error.fault)
        return exit_codes.WRONG_INPUT
    codes = [_lint(str(file), call) for file in files]
    return next(code for code in WORST if code in codes)


def _one(word: str, name: Named, call: _Call) -> int:
    """Print the faults of a text and, if the word has variants, of that rule set. Raises `_UnknownName`."""
    base, switches = split(name.rules)
    try:
        loaded = load(base, name.places)
    except SpecError as fault:
        if name.file is not None and not switches and _is_part(name.file, fault):
            call.out.all_said(word, "no faults (a part of other texts: it has no `game` line)")
            return exit_codes.HOLDS
        if find(base, name.places) is None:
            raise _UnknownName(located(fault, name.rules, name.places)) from None
        call.out.faults(word, fault)
        return exit_codes.WRONG_INPUT
    call.progress.begin(READING)
    checked: dict[str, RuleSet] = {}
    faults = _faults(name.rules, loaded, checked)
    if faults:
        call.out.faults(word, SpecError(faults))
        return exit_codes.WRONG_INPUT
    noted = _notes(word, loaded, checked, call)
    if call.deep is not None:
        return _vacuous(word, loaded, call.deep, [name.rules] if switches else None, noted, call.out)
    call.out.all_said(word, f"no faults{_counted(noted)}")
    return exit_codes.FAILS if noted else exit_codes.HOLDS


def _notes(word: str, loaded: Loaded, checked: Mapping[str, RuleSet], call: _Call) -> int:
    """Print the notes on a text, and return how many there are; those about the compiled path do not count."""
    from golpae.lint.tables.undealt import undealt
    from golpae.lint.text_notes import text_notes
    from golpae.lint.uncompiled import uncompiled

    notes = text_notes(loaded)
    call.out.notes(word, notes)
    call.progress.begin("looking for tables at which nobody can be dealt a hand")
    tables = undealt(loaded, checked)
    call.out.notes(word, tables)
    call.progress.begin("looking for parts that are slow")
    call.out.notes(word, uncompiled(loaded))
    lacking = []
    if call.book:
        from golpae.lint.book import book_notes

        lacking = book_notes(loaded, checked[loaded.game.name.text])
        call.out.notes(word, lacking)
    return len(notes) + len(tables) + len(lacking)


def _counted(notes: int) -> str:
    return f", {notes} note{'s' * (notes > 1)}" if notes else ""


def _faults(rules: str, loaded: Loaded, checked: dict[str, RuleSet]) -> list[Diagnostic]:
    """Return the faults of a text with each switch alone and, if `rules` has switches, with those together. Add the
    rule sets without faults to `checked`.
    """
    from golpae.elaborate.check import check, check_text

    faults = list(check_text(loaded, checked))
    if "+" in rules:
        try:
            check(resolve(rules, loaded))
        except SpecError as fault:
            faults += [d for d in fault.diagnostics if d not in faults]
    return faults


def _is_part(path: Path, fault: SpecError) -> bool:
    """Return whether a text has no faults but is no game by itself."""
    from golpae.syntax.parse import parse

    [*others, last] = fault.diagnostics
    if others or last.code != "L004":
        return False
    decls = parse(read(path)[0]).decls
    return bool(decls) and not any(isinstance(decl, Game) for decl in decls)


def _vacuous(
    text: str, loaded: Loaded, deep: _Deep, rule_sets: Sequence[str] | None, noted: int, out: TextWords
) -> int:
    """Print what is vacuous in a text: in the rule sets named, or in its base and with each switch.

    `noted` notes on the text are printed already.
    """
    from golpae.lint.vacuity import notes
    from golpae.verify.options import Settings

    if rule_sets is None:
        base = loaded.game.name.text
        rule_sets = [base, *(f"{base}+{d.name.text}" for d in loaded.decls if isinstance(d, Variant))]
    settings = Settings(effort=deep.effort, most=MOST)
    printed = notes(loaded, rule_sets, settings, deep.jobs, deep.progress, deep.limits)
    out.vacuous(text, printed)
    if noted or any(not note.unknown for note in printed):
        return exit_codes.FAILS
    if printed:
        return exit_codes.UNKNOWN
    out.all_said(text, "no faults, and nothing is vacuous")
    return exit_codes.HOLDS


def _every(word: str, call: _Call, left_out: Sequence[str]) -> int:
    """Print what is vacuous under which rule sets of a game, and which switches change nothing."""
    if call.deep is None:
        advice = "without `--deep`, golpae looks for faults with each variant alone"
        call.out.unreadable(word, InputFault(word, f"{quoted(word)} needs `--deep`", advice))
        return exit_codes.WRONG_INPUT
    try:
        name = named(word.removesuffix(EVERY), call.places)
        base, fixed = split(name.rules)
        loaded = load(base, name.places)
        checked: dict[str, RuleSet] = {}
        faults = _faults(name.rules, loaded, checked)
        if faults:
            raise SpecError(faults)
        noted = _notes(word, loaded, checked, call)
        return _vacuous_everywhere(word, (base, fixed, name.places), loaded, call, left_out, noted)
    except UsageError as error:
        call.out.unreadable(word, error.fault)
    except SpecError as fault:
        call.out.faults(word, fault)
    return exit_codes.WRONG_INPUT


def _vacuous_everywhere(
    word: str,
    game: tuple[str, Sequence[str], Sequence[Path]],
    loaded: Loaded,
    call: _Call,
    left_out: Sequence[str],
    noted: int,
) -> int:
    """Print the notes on all rule sets of a game that has no faults. Raises `SpecError` and `UsageError`."""
    from golpae.cli.arguments.families import left_out_of
    from golpae.lint.families import notes_of_family
    from golpae.lint.idle_switches import notes_on_switches
    from golpae.verify.families.scheduler import FamilyName, groups
    from golpae.verify.options import Settings

    deep, out = call.deep, call.out
    assert deep is not None
    base, fixed, places = game
    known = [d.name.text for d in loaded.decls if isinstance(d, Variant)]
    name = FamilyName(
        base, tuple(fixed), left_out_of(left_out, word, "+".join((base, *fixed)), known), tuple(places)
    )
    family, _ = groups(name)
    settings = Settings(effort=deep.effort, most=MOST)
    notes = notes_of_family(name, loaded, settings, deep.jobs, deep.progress, deep.limits)
    out.vacuous(word, notes, family.names)
    settings = Settings(effort=deep.effort, seconds=deep.limits.seconds or SECONDS)
    idle = notes_on_switches(name, loaded, settings, deep.jobs, True, deep.progress)
    out.vacuous(word, idle, family.names)
    notes += idle
    if noted or any(not note.unknown for note in notes):
        return exit_codes.FAILS
    if notes:
        return exit_codes.UNKNOWN
    many = family.universe.size
    out.all_said(
        word,
        f"no faults, and nothing is vacuous in any of {many:,} rule set{'s' * (many != 1)}{name.exception}",
    )
    return exit_codes.HOLDS


def _deep(args: argparse.Namespace, progress: Progress) -> _Deep | InputFault | None:
    """Return the limits of `--deep`, or the fault of the call, or None without `--deep`."""
    for name in ("jobs", "time_limit", "effort"):
        value, option = getattr(args, name), "--" + name.replace("_", "-")
        if value is not None and not args.deep:
            return InputFault(option, f"`{option}` has an effect only with `--deep`")
        if value is not None and not 0 < value < 1_000_000:
            return InputFault(
                option, f"`{option}` must be more than 0 and less than a million, not `{value:g}`"
            )
    if args.left_out and not any(text.endswith(EVERY) for text in args.texts):
        return InputFault("--except", f"`--except` needs a game with `{EVERY}`")
    if not args.deep:
        return None
    if args.effort is not None and args.effort > HARDEST:
        return InputFault("--effort", f"`--effort` must be at most {HARDEST}, not `{args.effort:g}`")
    limits = OuterLimits(args.time_limit or SECONDS, MEGABYTES)
    return _Deep(args.jobs or processors(), args.effort or 1, limits, progress)
