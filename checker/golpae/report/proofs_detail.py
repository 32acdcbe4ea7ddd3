"""Render one row in full: its verdict, how it was reached, what shows it, and how to repeat it.

Input: a row of equal results.
Output: lines of text.
Guarantee: a witness is shortened, never changed.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golpae.diagnostics.amounts import many
from golpae.diagnostics.hidden import on_one_line
from golpae.prove.answer import Pattern
from golpae.report.paint import Paint, colour
from golpae.report.proofs_rows import ProofRow
from golpae.verify.result import SHARE, Measured, PropertyResult
from golpae.verify.shares import GAMES, LONGEST
from golpae.verify.status import AGREES, AS_EXPECTED, NOT_ASKED

Again = Mapping[
    str, Sequence[str]
]  # for each rule set: the word that names it in the command, then arguments
REPORT = (
    "your text is not at fault: report this, with the text and what golpae prints if the command below runs with "
    "GOLPAE_DEBUG=1"
)
ALL = "all"  # as the value of an option: every value
EVENTS = 12  # of a witness that are shown
LAST = 2  # of these, the last ones


def detail_lines(row: ProofRow, paint: Paint, again: Again, width: int, whole: bool) -> Iterator[str]:
    """Yield the lines on a row; clauses, lemmas and solvers only if `whole`."""
    f = row.first
    ids = f"  [{' '.join(f.ids)}]" if f.ids else ""
    yield f"{f.rules}, {row.at}: {f.kind} {f.name}{ids}"
    text = paint(f.verdict, colour(row.status))
    if row.status == AS_EXPECTED:
        yield f"  {text}, as expected"
    elif row.status == NOT_ASKED:
        yield f"  {text}"
    elif f.as_expected and f.vacuous:
        yield f"  {text}, but vacuous{' here; other tables were not reached' if f.unjudged else ''}"
    else:
        yield f"  {text}, but {f.expected} is expected"
    yield from _folded("how", row.detail, width)
    place = f.unsupported
    if place is not None and place.file is not None:
        yield from _folded("at", f"{place.file}:{place.line}: {place.words}", width)
    for name in row.options:
        several = len({result.options[name] for result in row.results})
        if several > 1:
            yield f"  decided separately for each of {several} values of {name}"
    if all(result.every is not None for result in row.results):
        yield f"  for every {f.every}, however large the set"
    if f.vacuous:
        yield from _folded("vacuous", f.vacuous, width)
    if f.bound is not None:
        yield f"  bound: {f.bound}"
    if f.fault is not None:
        yield from _folded("help", REPORT, width)
    for wrong in f.wrong:
        values = ", ".join(f"{name} = {value}" for name, value in wrong.values)
        if values:
            yield from _folded(f"{wrong.said}, shown by", values, width)
    if whole:
        yield from _matrix(f.patterns, width)
    if whole and f.clauses:
        yield from _folded("clauses", ", ".join(f.clauses), width)
    if whole and f.lemmas:
        yield from _folded(f"rests on {many(len(f.lemmas), 'invariant')}", "; ".join(f.lemmas), width)
    yield from _witness(row, width)
    if f.checked is not None:
        second = "agrees" if f.checked == AGREES else f.checked
        second += f"; {many(f.confirmed, 'question')} answered alike"
        yield from _folded("second solver", second, width)
    if f.measured is not None:
        yield f"  played: {played(f.measured)}, seed {f.seed}{', kept' if f.kept else ''}"
    elif whole and f.kind != SHARE:
        solvers = ", ".join(f"{name} {version}" for name, version in f.solvers.items())
        cached = ", from the cache" if f.kept else ""
        yield f"  solver: {many(f.queries, 'question')} in {f.seconds:.1f} s{cached}; {solvers}"
        yield f"  text: {f.spec_hash}"
    yield f"  again: {command(f, again, row)}"


def command(finding: PropertyResult, again: Again, row: ProofRow | None = None) -> str:
    """Return the command that decides this again, with all values of the options in its row."""
    named, *arguments = again.get(finding.rules, (finding.rules,))
    words = ["golpae", "prove", named, finding.name]
    if finding.players:
        words += ["--players", str(finding.players)]
    for name, value in finding.options.items():
        several = row is not None and row.options[name] != str(value)
        words += ["--option", f"{name}={ALL if several else value}"]
    if finding.seed is not None:
        words += ["--seed", str(finding.seed)]
    if finding.kind == SHARE:
        games = GAMES if finding.measured is None else finding.measured.games
        words += ["--measure"] if games == GAMES else ["--measure", "--games", str(games)]
        return shlex.join([*words, *arguments])
    return shlex.join([*words, *arguments, "--no-cache"])


def played(measured: Measured) -> str:
    """Return how the hands of a share were played."""
    events = f", {many(measured.within, 'event')} at most" if measured.within < LONGEST else ""
    return f"{many(measured.games, 'hand')} by {measured.policy}{events}"


def _matrix(patterns: Sequence[Pattern], width: int) -> Iterator[str]:
    """Yield a paragraph on each pattern: which others it brings, and which it excludes."""
    if patterns:
        yield "  what each pattern always brings, and what it excludes:"
    for pattern in patterns:
        if pattern.never:
            text = "never"
        else:
            columns = (("brings", pattern.brings), ("excludes", pattern.excludes))
            text = "; ".join(f"{word} {', '.join(them)}" for word, them in columns if them)
        yield from _wrapped(f"{pattern.name}: {text or 'brings and excludes none'}", width, "    ", "      ")


def _witness(row: ProofRow, width: int) -> Iterator[str]:
    shown = [f for f in row.results if f.witness is not None]
    if not shown:
        return
    f = shown[0]
    assert f.witness is not None
    at = f" ({ProofRow((f,)).at})" if len(row.results) > 1 else ""
    if f.witness.values:
        values = ", ".join(f"{name} = {value}" for name, value in f.witness.values)
        yield from _folded(f"shown by{at}", values, width)
    if f.witness.events:
        yield f"  shown by{at} a game of {many(len(f.witness.events), 'event')}:"
        yield from _events(f.witness.events, width)
    if f.witness.alike:
        yield f"  and by a game of {many(len(f.witness.alike), 'event')} that looks the same:"
        yield from _events(f.witness.alike, width)
    for one in shown:
        if one.witness_file is not None:
            yield f"  written to: {one.witness_file}"


def _events(events: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    for number, event in enumerate(events, 1):
        if EVENTS - LAST < number <= len(events) - LAST:
            if number == EVENTS - LAST + 1:
                yield "    ..."
            continue
        yield f"    {number}. {_cut(_event(event), width - 8)}"


def _event(event: Mapping[str, Any]) -> str:
    return on_one_line(json.dumps(event, ensure_ascii=False, separators=(",", ":")))


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: max(1, width - 1)] + "…"


def _folded(what: str, text: str, width: int) -> Iterator[str]:
    yield from _wrapped(f"{what}: {on_one_line(text)}", width, "  ", "    ")


def _wrapped(text: str, width: int, first: str, others: str) -> Iterator[str]:
    from textwrap import wrap

    yield from wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
