"""`golpae compare`: what one rule set changes against another, in clauses, in games and in numbers."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from golpae import exit_codes
from golpae.cli.arguments.compare_options import arguments
from golpae.cli.arguments.compared_rules import Rules, RuleSetFinder, refuse_undealable
from golpae.cli.inputs import (
    complain,
    complain_of,
    given_options,
    make_folder,
    processors,
    refuse_effort,
    refuse_numbers,
    spec_path,
)
from golpae.cli.terminal.streams import paint_of
from golpae.compare.comparison import LAYERS, MEANING, SIZE, Amount, Comparison, settled_by_text
from golpae.compare.games.alignment import why_incomparable
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, Meaning
from golpae.compare.options import CompareOptions
from golpae.compare.text.diff import TextComparison, compare_texts
from golpae.diagnostics import SpecError
from golpae.diagnostics.amounts import options_in_words
from golpae.elaborate.names import ENDING
from golpae.elaborate.resolve import split
from golpae.ir.ruleset import RuleSet
from golpae.progress import Progress, Shown
from golpae.report.ci.forms import FORMS
from golpae.report.paint import Paint
from golpae.rule_names import UsageError
from golpae.trace import quoted
from golpae.trace.decompress import DamagedArchive, blocks
from golpae.trace.discover import Source, sources
from golpae.unreadable import reason_of
from golpae.workers import OuterLimits, described

WIDTH = 100  # characters of a line where there is no terminal
MOST_HANDS = 100_000_000
REPEATED = (  # options that belong to the command that repeats a call
    *("name_a", "name_b", "matrix", "players", "option", "layer", "expect", "games"),
    *("effort", "time_limit", "memory_limit", "seed", "hands", "spec_path"),
)
SECONDS, MEGABYTES = 1_800, 2_000  # outer limits: for one table, and for one process

# for each pair a `Meaning`, or why there is none
CompareGames = Callable[
    [Sequence[tuple[RuleSet, RuleSet]], CompareOptions, Progress], Sequence[Meaning | str]
]
CompareSizes = Callable[
    [RuleSet, RuleSet, CompareOptions, Progress, Callable[[str], object]], Sequence[Amount]
]


def run(args: argparse.Namespace) -> int:
    try:
        places = spec_path(args, args.traces or ())
        if places is None:
            return _refused(args)
        if args.switch or any(word.endswith("+*") for word in args.words):
            return _switches(args, places)
        if args.left_out:
            raise UsageError("--except", "`--except` needs a game with `+*`, and `--switch`")
        with tempfile.TemporaryDirectory(prefix="golpae-") as folder:
            named = RuleSetFinder(places, Path(folder))
            if args.traces:
                return _over_traces(args, named)
            with Shown(Progress("reading rules")) as progress:
                request = _request_of(args, progress)
                return (
                    _matrix(args, request, named) if args.matrix is not None else _pair(args, request, named)
                )
    except SpecError as fault:
        complain(fault)
    except UsageError as wrong:
        complain_of(wrong.fault)
    return _refused(args)


def _refused(args: argparse.Namespace) -> int:
    from golpae.cli.terminal.ci import refused

    return refused("compare", args.format)


# ------------------------------------------------------------------ the request


@dataclass(frozen=True, slots=True)
class _Request:
    """The chosen layers, their entry functions, their options and their progress."""

    layers: tuple[str, ...]
    options: CompareOptions
    compare_games: CompareGames | None
    compare_sizes: CompareSizes | None
    progress: Progress


def _request_of(args: argparse.Namespace, progress: Progress) -> _Request:
    """Return the request that the arguments make. Raises `UsageError`."""
    if args.matrix is not None and (args.words or args.expect):
        word = "--expect" if args.expect else args.words[0]
        raise UsageError(word, f"`--matrix` compares a game with its variants, without `{word}`")
    _refuse_names(args)
    if args.matrix is not None and args.format in FORMS and args.format != "markdown":
        message = f"`--format {args.format}` is for two rule sets, not for `--matrix`"
        raise UsageError("--format", message, "`--format markdown` writes the matrix as a page")
    if args.matrix is None:
        _refuse_but_two(args.words)
    refuse_numbers(args, "players", "jobs", "time_limit", "memory_limit")
    refuse_effort(args)
    by_default = {*LAYERS} - ({SIZE} if args.matrix is not None else set())
    layers = tuple(layer for layer in LAYERS if layer in (args.layer or by_default))
    if args.expect not in (None, "same") and MEANING not in layers:
        advice = "leave `--layer` out, or ask for the layer `meaning` too"
        message = f"`--expect {args.expect}` is about games, so texts alone cannot show it"
        raise UsageError("--expect", message, advice)
    if args.witnesses is not None:
        if MEANING not in layers:
            raise UsageError("--witnesses", "`--witnesses` writes games, which need the layer `meaning`")
        make_folder(args.witnesses)
    if args.hands is not None:
        if SIZE not in layers:
            raise UsageError("--hands", "`--hands` plays random hands, which need the layer `size`")
        if not 0 < args.hands <= MOST_HANDS:
            message = f"`--hands` must be more than 0 and at most {MOST_HANDS:,}, not `{args.hands}`"
            raise UsageError("--hands", message)
    if args.games and MEANING not in layers:
        raise UsageError("--games", "`--games` compares games, which need the layer `meaning`")
    options = CompareOptions(
        args.players,
        given_options(args.option),
        args.jobs or processors(),
        1 if args.effort is None else args.effort,
        1 if args.seed is None else args.seed,
        not args.no_cache,
        OuterLimits(args.time_limit or SECONDS, args.memory_limit or MEGABYTES),
        _recorded(args.games),
        args.hands,
    )
    return _Request(
        layers,
        options,
        _compare_games() if MEANING in layers else None,
        _compare_sizes() if SIZE in layers else None,
        progress,
    )


def _refuse_names(args: argparse.Namespace) -> None:
    """Raise `UsageError` if names are given to what is no side of a comparison of two."""
    for flag, name in (("--name-a", args.name_a), ("--name-b", args.name_b)):
        if name is None:
            continue
        if args.matrix is not None or args.switch:
            other = "--switch" if args.switch else "--matrix"
            raise UsageError(flag, f"`{flag}` names one of two rule sets, without `{other}`")
        if not name.strip():
            raise UsageError(flag, f"the name behind `{flag}` is empty")


def _refuse_but_two(words: Sequence[str]) -> None:
    """Raise `UsageError` unless two rule sets are named."""
    if len(words) != 2:
        many = "one is" if len(words) == 1 else f"{len(words) or 'none'} are"
        advice = (
            "for example `golpae compare game.golpae game.golpae+variant`; `golpae compare --help` says more"
        )
        raise UsageError("", f"a comparison needs two rule sets, and {many} named", advice)


def _compare_games() -> CompareGames:
    """Return the comparison of games. It is imported only if needed, because it imports the solver."""
    from golpae.compare.games.compare import compare_games

    return compare_games


def _compare_sizes() -> CompareSizes:
    """Return the comparison of sizes, imported only if needed."""
    from golpae.compare.size.compare import compare_sizes

    return compare_sizes


def _recorded(paths: Sequence[str]) -> tuple[Source, ...]:
    """Return the files of recorded games. Raises `UsageError`."""
    if "-" in paths:
        raise UsageError("-", "`--games` reads files, not standard input", "write the games to a file first")
    files, faults = sources(paths)
    for fault in faults:
        raise UsageError(fault.path, fault.message, fault.help)
    for file in files:
        if not Path(file.path).is_file():
            advice = "write the games to a file first; every table reads it anew"
            raise UsageError(
                file.name, f"{quoted(file.name)} is no file that can be read several times", advice
            )
        try:
            with file.open() as stream:
                for _ in blocks(stream):
                    pass
        except (OSError, DamagedArchive) as fault:
            reason = (getattr(fault, "strerror", None) or str(fault)).lower()
            raise UsageError(file.name, f"{quoted(file.name)} cannot be read to its end: {reason}") from None
    return tuple(files)


def _at(options: CompareOptions) -> str:
    """Return the chosen tables in words; nothing if all are compared."""
    players = [] if options.players is None else [f"{options.players} players"]
    return ", ".join((*players, *options_in_words(options.options)))


# ------------------------------------------------------------------ one pair


def _switches(args: argparse.Namespace, places: Sequence[Path]) -> int:
    """Tell what switches change in all rule sets of a game."""
    from golpae.cli.arguments.switches import compare_switches

    _refuse_names(args)
    if not args.switch:
        advice = f"for example `--switch NAME`; `golpae show {args.words[0].partition('+')[0]}` lists them"
        raise UsageError(args.words[0], "a comparison of all rule sets of a game is about a switch", advice)
    refuse_numbers(args, "players", "jobs", "time_limit", "memory_limit")
    refuse_effort(args)
    return compare_switches(args, places)


def _over_traces(args: argparse.Namespace, named: RuleSetFinder) -> int:
    """Tell what the second rule set would have changed in recorded games."""
    from golpae.cli.rules.compare_traces import compare_traces, refuse_others

    refuse_others(args)
    _refuse_but_two(args.words)
    return compare_traces(args, *_two(args, named), _terminal()[0], named.shown)


def _two(args: argparse.Namespace, named: RuleSetFinder) -> tuple[Rules, Rules]:
    """Return the two rule sets of a call."""
    first = named.rules(args.words[0])
    second = named.against(first, args.words[1])
    if first.resolved.rules != second.resolved.rules:
        first, second = _by_name(first), _by_name(second)
    return _called(first, args.name_a), _called(second, args.name_b)


def _called(rules: Rules, name: str | None) -> Rules:
    """Return the rule set with the name that the call gives it, if any, as its label."""
    return rules if name is None else replace(rules, label=name)


def _pair(args: argparse.Namespace, request: _Request, named: RuleSetFinder) -> int:
    first, second = _two(args, named)
    [comparison] = _compared([(first, second)], request, named)
    files = _written(comparison, args.witnesses)
    status = _status(comparison, args.expect)
    status = _print(comparison, files, args, status)
    _complain_of_faults([comparison])
    return status


def _complain_of_faults(comparisons: Iterable[Comparison]) -> None:
    """Say on standard error what golpae itself did wrong."""
    for c in comparisons:
        for fault in dict.fromkeys(c.faults()):
            sys.stderr.write(f"golpae: a fault in golpae itself, comparing {c.a} and {c.b}: {fault}\n")
            sys.stderr.write("  help: report it, with what golpae prints if GOLPAE_DEBUG=1 is set\n")


def _by_name(rules: Rules) -> Rules:
    """Return the rule set with its own name as its label, unless it comes from git."""
    return rules if rules.revision is not None else replace(rules, label=rules.resolved.rules)


def _compared(
    pairs: Sequence[tuple[Rules, Rules]], request: _Request, named: RuleSetFinder
) -> list[Comparison]:
    """Return the comparison of each pair: the second rule set against the first."""
    request.progress.begin("comparing texts", len(pairs), "pairs")
    texts = []
    for a, b in pairs:
        texts.append(compare_texts(a.resolved, b.resolved, named.shown))
        request.progress.done += 1
    why: list[str | None] = [None] * len(pairs)  # the games of a pair cannot be compared
    meanings: list[Meaning | None] = [None] * len(pairs)
    if request.compare_games is not None or request.compare_sizes is not None:
        for rules in {id(rules): rules for pair in pairs for rules in pair}.values():
            _refuse_other_tables(rules, request.options)
        for pair in pairs:
            refuse_undealable(pair, request.options.players, request.options.options)
    if request.compare_games is not None:
        typed = [(a.typed, b.typed) for a, b in pairs]
        compared = request.compare_games(typed, request.options, request.progress)
        for at, meaning in enumerate(compared):
            if isinstance(meaning, Meaning):
                meanings[at] = settled_by_text(meaning, texts[at])
            else:
                why[at] = meaning
    elif request.compare_sizes is not None:
        why = [why_incomparable(a.typed, b.typed) for a, b in pairs]
    return [
        _comparison(pair, request, text, meaning, reason)
        for pair, text, meaning, reason in zip(pairs, texts, meanings, why, strict=True)
    ]


def _comparison(
    pair: tuple[Rules, Rules],
    request: _Request,
    text: TextComparison,
    meaning: Meaning | None,
    incomparable: str | None,
) -> Comparison:
    a, b = pair
    size: tuple[Amount, ...] = ()
    left_out: list[str] = []
    fault = None

    same = meaning is not None and meaning.same
    if request.compare_sizes is not None and incomparable is None and not same:
        try:
            sizes = request.compare_sizes(
                a.typed, b.typed, request.options, request.progress, left_out.append
            )
            size = tuple(sizes)
        except Exception as wrong:
            if os.environ.get("GOLPAE_DEBUG"):
                raise
            from golpae.kernel.disagreement import PathDisagreement

            fault = described(wrong)
            if isinstance(wrong, PathDisagreement):
                from golpae.cli.games.two_ways import of_fault

                fault += f"; {of_fault(wrong)}"
    at = _at(request.options)
    layers, notes = request.layers, tuple(left_out)
    return Comparison(a.label, b.label, layers, text, meaning, incomparable, size, at, fault, notes)


def _refuse_other_tables(rules: Rules, options: CompareOptions) -> None:
    """Raise `UsageError` if a rule set lacks the chosen tables."""
    from golpae.elaborate.instance import TableFault, bounds, options_of, wrong_number
    from golpae.verify.scheduler import tables

    try:
        chosen = tables(rules.typed, options.players, options.options)
    except TableFault as fault:
        raise UsageError("--option", f"{rules.label}: {fault}") from None
    if not chosen and options.players is not None:
        low, high = bounds(rules.typed, options_of(rules.typed, options.options))
        raise UsageError("--players", wrong_number(rules.label, low, high, options.players))


def _status(comparison: Comparison, expect: str | None) -> int:
    if any(comparison.faults()):
        return exit_codes.FAULT
    if MEANING not in comparison.layers:
        same = expect is None or comparison.text.same
        return exit_codes.HOLDS if same else exit_codes.FAILS
    if expect is None:
        return exit_codes.HOLDS if comparison.decided else exit_codes.UNKNOWN
    codes = {True: exit_codes.HOLDS, False: exit_codes.FAILS, None: exit_codes.UNKNOWN}
    return codes[comparison.expected(expect)]


# ------------------------------------------------------------------ a game against its variants


def _matrix(args: argparse.Namespace, request: _Request, named: RuleSetFinder) -> int:
    first = named.rules(args.matrix)
    if first.resolved.active:
        base = split(first.base)[0]
        raise UsageError(args.matrix, "`--matrix` takes a game without its variants", f"write `{base}`")
    switches = [v.name.text for v in first.resolved.variants]
    if not switches:
        raise UsageError(args.matrix, f"`{first.label}` has no variant or reading to compare it with")
    request.progress.begin("reading rules", len(switches) + 1, "rule sets")
    rules = [_by_name(first)]
    for name in switches:
        rules.append(_by_name(named.against(first, f"+{name}")))
        request.progress.done = len(rules)
    places = [(row, column) for row in range(len(rules)) for column in range(row + 1, len(rules))]
    compared = _compared([(rules[row], rules[column]) for row, column in places], request, named)
    pairs = dict(zip(places, compared, strict=True))
    for comparison in compared:
        _written(comparison, args.witnesses)
    status = max(_status(c, None) for c in pairs.values())
    _print_matrix([r.label for r in rules], pairs, args, status)
    _complain_of_faults(compared)
    return status


# ------------------------------------------------------------------ output


def _written(comparison: Comparison, folder: str | None) -> dict[tuple[int, str], str]:
    """Write the games that refute an answer, and return the file of each."""
    if folder is None or comparison.meaning is None:
        return {}
    from golpae.search.witness import save

    out: dict[tuple[int, str], str] = {}
    a, b = (_file_name(name) for name in (comparison.a, comparison.b))
    for which, names in ((A_IN_B, (a, b)), (B_IN_A, (b, a)), (PAID, (a, b))):
        for at, answer in enumerate(comparison.answers(which)):
            if answer.game is None:
                continue
            table = comparison.meaning.tables[at]
            options = "".join(f"-{name}-{value}" for name, value in table.options.items())
            but = "paid-otherwise-than" if which == PAID else "not"
            file = Path(folder, f"{names[0]}-{but}-{names[1]}-{table.players}p{options}.jsonl")
            try:
                save(file, answer.game.lines)
            except OSError as fault:
                reason = reason_of(fault)
                raise UsageError(folder, f"{quoted(str(file))} cannot be written: {reason}") from None
            out[at, which] = str(file)
    return out


def _file_name(label: str) -> str:
    """Return the label of a rule set as part of a file name."""
    short = "".join(c if c.isalnum() or c in "+-_." else "-" for c in label.replace(ENDING, ""))
    return short.strip("-.") or "rules"


def _print(
    comparison: Comparison, files: Mapping[tuple[int, str], str], args: argparse.Namespace, status: int
) -> int:
    """Print a comparison. Return the exit status."""
    if args.format in FORMS:
        from golpae.cli.terminal.ci import put_run
        from golpae.report.ci.comparison import compared

        return put_run(compared(comparison, files, args.expect, status, _again(args)), args.format)
    match args.format:
        case "json":
            from golpae.report.comparison_json import document

            lines = [document(comparison, files, status, args.expect, _again(args))]
        case _:
            from golpae.report.comparison import table

            paint, width = _terminal()
            lines = table(comparison, files, paint, width)
            if args.expect is not None:
                lines += ["", _expectation(args.expect, status)]
    sys.stdout.write("\n".join(lines) + "\n")
    return status


def _expectation(expect: str, status: int) -> str:
    lines = {exit_codes.HOLDS: f"as expected: {expect}", exit_codes.FAILS: f"not as expected: {expect}"}
    return lines.get(status, f"expected: {expect}, but undecided")


def _print_matrix(
    names: Sequence[str],
    pairs: Mapping[tuple[int, int], Comparison],
    args: argparse.Namespace,
    status: int,
) -> None:
    from golpae.report import comparison_matrix

    match args.format:
        case "json":
            lines = [comparison_matrix.document(names, pairs, status, _again(args))]
        case "markdown":
            lines = comparison_matrix.page(names, pairs, _again(args))
        case _:
            lines = comparison_matrix.drawn(names, pairs, _terminal()[0])
    sys.stdout.write("\n".join(lines) + "\n")


def _terminal() -> tuple[Paint, int]:
    """Return how to paint, and how wide a line can be."""
    width = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    return paint_of(sys.stdout), width


def _again(args: argparse.Namespace) -> str:
    """Return the command that repeats this call."""
    words = ["golpae", "compare", *args.words]
    for name in REPEATED:
        value = getattr(args, name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            text = f"{one:g}" if isinstance(one, float) else str(one).encode(errors="replace").decode()
            flag = "--" + name.replace("_", "-")
            words += [f"{flag}={text}"] if text.startswith("-") else [flag, text]
    return shlex.join(words)


__all__ = ["arguments", "run"]
