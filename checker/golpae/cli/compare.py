"""`golpae compare`: what one rule set changes against another, in words, in games and in numbers."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from golpae.cli.inputs import (
    UsageError,
    add_spec_path,
    complain,
    complain_of,
    make_folder,
    processors,
    refuse_numbers,
    spec_path,
)
from golpae.cli.rule_sets import Named, Rules
from golpae.compare.comparison import LAYERS, MEANING, SIZE, Amount, Comparison
from golpae.compare.games.alignment import why_incomparable
from golpae.compare.games.verdict import A_IN_B, B_IN_A, PAID, VERDICTS, Meaning
from golpae.compare.options import CompareOptions
from golpae.compare.text.diff import compare_texts
from golpae.diagnostics import SpecError
from golpae.elaborate.load import ENDING
from golpae.elaborate.resolve import split
from golpae.ir.ruleset import RuleSet
from golpae.report.paint import Paint, painted, unpainted
from golpae.trace import quoted

WIDTH = 100  # characters of a line where there is no terminal

# of each pair a `Meaning`, or why there is none
Separate = Callable[[Sequence[tuple[RuleSet, RuleSet]], CompareOptions], Sequence[Meaning | str]]
Weigh = Callable[[RuleSet, RuleSet, CompareOptions], Sequence[Amount]]


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "words",
        nargs="*",
        metavar="A B",
        help="two rule sets: `base+variant+...`, a file, or a file as git keeps it, `REVISION:path`; `B` can be "
        "a variant or reading of the game that `A` is of",
    )
    add("--matrix", metavar="RULES", help="compare a game and its variants and readings with one another")
    add("--players", metavar="N", type=int, help="only tables with so many players")
    add(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="only tables with this option; may be given several times",
    )
    add("--expect", choices=VERDICTS, help="what B should allow against A; anything else is status 1")
    add(
        "--layer",
        choices=LAYERS,
        action="append",
        default=[],
        help="only what the texts say, what that means, or how much it matters; may be given several times",
    )
    add(
        "--format",
        choices=("table", "json", "markdown"),
        default="table",
        help="for people, for programs, or for a page",
    )
    add("--witnesses", metavar="DIR", help="write each game that tells the two apart here, as a trace")
    add("--jobs", metavar="N", type=int, help="processes at a time; without it, one for each processor")
    add("--time-limit", metavar="SECONDS", type=float, help="for one question to the solver (60)")
    add("--seed", metavar="N", type=int, help="of games played at random (1)")
    add("--no-cache", action="store_true", help="decide everything anew, and keep nothing")
    add_spec_path(parser)


def run(found: argparse.Namespace) -> int:
    try:
        places = spec_path(found)
        if places is None:
            return 2
        asked = _asked(found)
        with tempfile.TemporaryDirectory(prefix="golpae-") as folder:
            named = Named(places, Path(folder))
            return _matrix(found, asked, named) if found.matrix is not None else _pair(found, asked, named)
    except SpecError as fault:
        complain(fault)
    except UsageError as wrong:
        complain_of(wrong.fault)
    return 2


# ------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class _Asked:
    """The layers to work out, and what they may cost."""

    layers: tuple[str, ...]
    settings: CompareOptions
    separate: Separate | None
    weigh: Weigh | None


def _asked(found: argparse.Namespace) -> _Asked:
    """What the call asks for. Raises `UsageError`."""
    if found.matrix is not None and (found.words or found.expect):
        word = "--expect" if found.expect else found.words[0]
        raise UsageError(word, f"`--matrix` compares a game with its variants, without `{word}`")
    if found.matrix is None and len(found.words) != 2:
        many = "one rule set" if len(found.words) == 1 else f"{len(found.words) or 'no'} rule sets"
        advice = "`golpae compare --help` tells how it is called"
        raise UsageError("", f"two rule sets are compared, and {many} named", advice)
    refuse_numbers(found, "players", "jobs", "time_limit")
    unasked = {*LAYERS} - ({SIZE} if found.matrix is not None else set())
    layers = tuple(layer for layer in LAYERS if layer in (found.layer or unasked))
    if found.expect not in (None, "same") and MEANING not in layers:
        advice = "leave `--layer` out, or ask for the layer `meaning` too"
        message = f"`--expect {found.expect}` is about games, and texts alone do not tell"
        raise UsageError("--expect", message, advice)
    if found.witnesses is not None:
        if MEANING not in layers:
            raise UsageError("--witnesses", "`--witnesses` writes games, which the layer `meaning` finds")
        make_folder(found.witnesses)
    settings = CompareOptions(
        found.players,
        _options(found.option),
        found.jobs or processors(),
        60_000 if found.time_limit is None else max(1, round(1000 * found.time_limit)),
        1 if found.seed is None else found.seed,
        not found.no_cache,
    )
    return _Asked(
        layers,
        settings,
        _compare_games() if MEANING in layers else None,
        _compare_sizes() if SIZE in layers else None,
    )


def _compare_games() -> Separate:
    """Load the comparison of games, with its solver, only when it is needed."""
    from golpae.compare.games.compare import compare_games

    return compare_games


def _compare_sizes() -> Weigh:
    """Load the measuring of sizes only when it is needed."""
    from golpae.compare.size.compare import compare_sizes

    return compare_sizes


def _options(words: Sequence[str]) -> dict[str, int]:
    out = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            out[name.strip()] = int(value)
        except ValueError:
            raise UsageError("--option", f"`--option` is NAME=NUMBER, not {quoted(word)}") from None
    return out


def _at(settings: CompareOptions) -> str:
    """The tables in words, where not all are asked about."""
    said = [] if settings.players is None else [f"{settings.players} players"]
    return ", ".join((*said, *(f"{name} {value}" for name, value in settings.options.items())))


# ------------------------------------------------------------------ one pair


def _pair(found: argparse.Namespace, asked: _Asked, named: Named) -> int:
    first = named.rules(found.words[0])
    second = named.against(first, found.words[1])
    if first.resolved.rules != second.resolved.rules:
        first, second = (_by_name(r) for r in (first, second))
    [comparison] = _compared([(first, second)], asked, named)
    files = _written(comparison, found.witnesses)
    status = _status(comparison, found.expect)
    _print(comparison, files, found, status)
    return status


def _by_name(rules: Rules) -> Rules:
    """Rule sets with names of their own are called by these."""
    return rules if rules.revision is not None else replace(rules, label=rules.resolved.rules)


def _compared(pairs: Sequence[tuple[Rules, Rules]], asked: _Asked, named: Named) -> list[Comparison]:
    """The comparisons of all pairs, of each the second one against the first."""
    texts = [compare_texts(a.resolved, b.resolved, named.shown) for a, b in pairs]
    apart: list[str | None] = [None] * len(pairs)
    meanings: list[Meaning | None] = [None] * len(pairs)
    if asked.separate is not None or asked.weigh is not None:
        apart = [_no_table(a, b, asked.settings) for a, b in pairs]
    if asked.separate is not None:
        together = [at for at, why in enumerate(apart) if why is None]
        found = asked.separate([(pairs[at][0].typed, pairs[at][1].typed) for at in together], asked.settings)
        for at, told in zip(together, found, strict=True):
            if isinstance(told, Meaning):
                meanings[at] = told
            else:
                apart[at] = told
    elif asked.weigh is not None:
        apart = [why or why_incomparable(a.typed, b.typed) for why, (a, b) in zip(apart, pairs, strict=True)]
    out: list[Comparison] = []
    for (a, b), text, meaning, why in zip(pairs, texts, meanings, apart, strict=True):
        size: tuple[Amount, ...] = ()
        if asked.weigh is not None and why is None and not (meaning is not None and meaning.same):
            size = tuple(asked.weigh(a.typed, b.typed, asked.settings))
        at_tables = _at(asked.settings)
        comparison = Comparison(a.label, b.label, asked.layers, text, meaning, why, size, at_tables)
        if comparison.contradicts_itself():
            raise RuntimeError(f"{a.label} and {b.label} read the same, and a game tells them apart")
        out.append(comparison)
    return out


def _no_table(first: Rules, second: Rules, settings: CompareOptions) -> str | None:
    """Why the two have no table in common, where they have none. Raises `UsageError` where one lacks what is asked."""
    from golpae.elaborate.instance import TableFault
    from golpae.verify.scheduler import tables

    found: list[list[tuple[int, dict[str, int]]]] = []
    for rules in (first, second):
        try:
            found.append(tables(rules.typed, settings.players, settings.options))
        except TableFault as fault:
            raise UsageError("--option", f"{rules.label}: {fault}") from None
        if not found[-1]:
            raise UsageError("--players", f"{rules.label} is not for {settings.players} players")
    ours, theirs = found
    if any(table in theirs for table in ours) or ours[0][1].keys() != theirs[0][1].keys():
        return None  # where their options are others, more than that is wrong, and the layer says what
    if not {n for n, _ in ours} & {n for n, _ in theirs}:
        return "they are not for the same numbers of players"
    return "their options are normally not the same (`--option` chooses)"


def _status(comparison: Comparison, expect: str | None) -> int:
    if MEANING not in comparison.layers:
        return 1 if expect is not None and not comparison.text.same else 0
    if expect is None:
        return 0 if comparison.decided else 3
    return {True: 0, False: 1, None: 3}[comparison.expected(expect)]


# ------------------------------------------------------------------ a game against its variants


def _matrix(found: argparse.Namespace, asked: _Asked, named: Named) -> int:
    first = named.rules(found.matrix)
    if first.resolved.active:
        base = split(first.base)[0]
        raise UsageError(found.matrix, "`--matrix` takes a game without its variants", f"write `{base}`")
    switches = [v.name.text for v in first.resolved.variants]
    if not switches:
        raise UsageError(found.matrix, f"`{first.label}` has no variant or reading to compare it with")
    rules = [_by_name(r) for r in (first, *(named.against(first, f"+{name}") for name in switches))]
    places = [(row, column) for row in range(len(rules)) for column in range(row + 1, len(rules))]
    compared = _compared([(rules[row], rules[column]) for row, column in places], asked, named)
    pairs = dict(zip(places, compared, strict=True))
    for comparison in compared:
        _written(comparison, found.witnesses)
    status = max(_status(c, None) for c in pairs.values())
    _print_matrix([r.label for r in rules], pairs, found, status)
    return status


# ------------------------------------------------------------------ what is told


def _written(comparison: Comparison, folder: str | None) -> dict[tuple[int, str], str]:
    """Write the games that tell the two apart; gives the file of each."""
    if folder is None or comparison.meaning is None:
        return {}
    from golpae.search.witness import save

    out: dict[tuple[int, str], str] = {}
    a, b = (_file_name(name) for name in (comparison.a, comparison.b))
    for which, names in ((A_IN_B, (a, b)), (B_IN_A, (b, a)), (PAID, (a, b))):
        for at, held in enumerate(comparison.answers(which)):
            if held.game is None:
                continue
            table = comparison.meaning.tables[at]
            options = "".join(f"-{name}-{value}" for name, value in table.options.items())
            but = "paid-otherwise-than" if which == PAID else "not"
            file = Path(folder, f"{names[0]}-{but}-{names[1]}-{table.players}p{options}.jsonl")
            try:
                save(file, held.game.lines)
            except OSError as fault:
                reason = (fault.strerror or str(fault)).lower()
                raise UsageError(folder, f"{quoted(str(file))} cannot be written: {reason}") from None
            out[at, which] = str(file)
    return out


def _file_name(label: str) -> str:
    """What a rule set is called in the name of a file."""
    short = "".join(c if c.isalnum() or c in "+-_." else "-" for c in label.replace(ENDING, ""))
    return short.strip("-.") or "rules"


def _print(
    comparison: Comparison, files: Mapping[tuple[int, str], str], found: argparse.Namespace, status: int
) -> None:
    match found.format:
        case "json":
            from golpae.report.comparison_json import document

            lines = [document(comparison, files, status, found.expect, _again(found))]
        case "markdown":
            from golpae.report.comparison_page import page

            lines = page(comparison, files, _again(found))
        case _:
            from golpae.report.comparison import table

            paint, width = _terminal()
            lines = table(comparison, files, paint, width)
            if found.expect is not None:
                lines += ["", _expectation(found.expect, status)]
    sys.stdout.write("\n".join(lines) + "\n")


def _expectation(expect: str, status: int) -> str:
    said = {0: f"as expected: {expect}", 1: f"not as expected: {expect}"}
    return said.get(status, f"expected: {expect}, which is not decided")


def _print_matrix(
    names: Sequence[str],
    pairs: Mapping[tuple[int, int], Comparison],
    found: argparse.Namespace,
    status: int,
) -> None:
    from golpae.report import comparison_matrix as crosswise

    match found.format:
        case "json":
            lines = [crosswise.document(names, pairs, status, _again(found))]
        case "markdown":
            lines = crosswise.page(names, pairs, _again(found))
        case _:
            lines = crosswise.drawn(names, pairs, _terminal()[0])
    sys.stdout.write("\n".join(lines) + "\n")


def _terminal() -> tuple[Paint, int]:
    """How to paint, and how wide a line can be."""
    at_terminal = sys.stdout.isatty()
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    width = shutil.get_terminal_size((WIDTH, 24)).columns if at_terminal else WIDTH
    return painted if at_terminal and not plain else unpainted, width


def _again(found: argparse.Namespace) -> str:
    """The command that repeats this."""
    said = ["golpae", "compare", *found.words]
    for name in ("matrix", "players", "option", "layer", "expect", "time_limit", "seed", "spec_path"):
        value = getattr(found, name)
        for one in value if isinstance(value, list) else [] if value is None else [value]:
            text = f"{one:g}" if isinstance(one, float) else str(one)
            said += ["--" + name.replace("_", "-"), text]
    return shlex.join(said)
