"""Render the results of properties as a table for people, with an explanation of each deviation and a summary.

Input: the results of a run.
Output: lines of text.
Guarantee: every result that deviates or is undecided is explained below the table. The reason why one is unknown is not
cut.

  property         kind     verdict  players  secs  ids  how
small
  each-once        theorem  proved   2–4       0.1  S1   ...
! ends-some-time   ends     refuted  2–4       3.0      ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from golpae.diagnostics.amounts import many, options_in_words
from golpae.diagnostics.hidden import on_one_line
from golpae.prove.answer import UNKNOWN
from golpae.report.paint import Paint, colour
from golpae.report.proofs_detail import Again, detail_lines
from golpae.report.proofs_rows import ProofRow, by_rules, rows, values
from golpae.verify.deciders.no_deal import NO_DEAL
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, DEVIATES, NOT_ASKED, UNDECIDED, meaningful, unanswered

HEAD = ("property", "kind", "verdict", "players", "secs", "ids", "how")
MARKS = {AS_EXPECTED: " ", DEVIATES: "!", UNDECIDED: "?", NOT_ASKED: "-"}
LONGEST = 36  # characters of a name that widen its column
LONGEST_IDS = 10
SHORTEST = 12  # characters of a detail; with less room it is left out
VERDICTS = ("proved", "refuted", "bounded", "measured", "unknown", "unmeasured")


def table(results: Sequence[PropertyResult], paint: Paint, again: Again, width: int) -> list[str]:
    """Return the lines of the whole report."""
    report_rows = rows(results)
    out = list(_rows(report_rows, paint, width)) if report_rows else []
    for row in report_rows:
        if row.notable:
            out += ["", *detail_lines(row, paint, again, width, whole=False)]
    undealt = list(_undealt(results))
    out += ["", *undealt] if undealt else []
    return [*out, "", summary(report_rows)] if out else [summary(report_rows)]


def _undealt(results: Sequence[PropertyResult]) -> Iterator[str]:
    """Yield the tables at which no hand can be dealt, as far as no row is about them."""
    counted = {id(f) for f in meaningful(results)}
    tables: dict[tuple[str, int], list[PropertyResult]] = {}
    for f in results:
        if id(f) not in counted and f.vacuous is not None and f.vacuous.startswith(NO_DEAL):
            tables.setdefault((f.rules, f.players), []).append(f)
    for (rules, players), left_out in tables.items():
        options = "".join(f", {words}" for words in options_in_words(values(left_out)))
        yield f"{rules}: no deal is possible with {many(players, 'player')}{options}; nothing is proved of games there"


def details(results: Sequence[PropertyResult], paint: Paint, again: Again, width: int) -> list[str]:
    """Return the lines of a report on a single property, each row in full."""
    report_rows = rows(results)
    out: list[str] = []
    for row in report_rows:
        out += [*detail_lines(row, paint, again, width, whole=True), ""]
    return [*out, summary(report_rows)]


def summary(report_rows: Sequence[ProofRow]) -> str:
    """Return how many results there are of each verdict, and how they compare with the expected ones."""
    total = len(report_rows)
    sets = len({row.first.rules for row in report_rows})
    words = f"{total} result{'s' * (total != 1)} on {sets} rule set{'s' * (sets != 1)}"
    counts = Counter(row.first.verdict for row in report_rows)
    if counts:
        words += ": " + ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
    statuses = Counter(row.status for row in report_rows)
    vacuous = sum(row.first.vacuous is not None and not row.first.unjudged for row in report_rows)
    faults = sum(any(f.fault is not None for f in row.results) for row in report_rows)
    silent = sum(unanswered(row.first) for row in report_rows)
    remarks = [f"{statuses[DEVIATES]} not as expected"] if statuses[DEVIATES] else []
    remarks += [f"{vacuous} vacuous"] if vacuous else []
    remarks += [f"{statuses[UNDECIDED]} undecided"] if statuses[UNDECIDED] else []
    remarks += [f"{faults} fault{'s' * (faults != 1)} of golpae"] if faults else []
    remarks += [f"{silent} without an answer from the second solver"] if silent else []
    return f"{words}; {', '.join(remarks) or 'all as expected'}" if report_rows else words


def _rows(report_rows: Sequence[ProofRow], paint: Paint, width: int) -> Iterator[str]:
    cells = {
        id(row): _cells(row, values(f for other in same for f in other.results))
        for _, same in by_rules(report_rows)
        for row in same
    }
    wide = [
        max(len(text) for text in (HEAD[i], *(c[i] for c in cells.values()))) for i in range(len(HEAD) - 1)
    ]
    wide[0], wide[5] = min(wide[0], LONGEST), min(wide[5], LONGEST_IDS)
    yield from _lines("  ", HEAD, wide, width, {}, False)
    for rules, same in by_rules(report_rows):
        options = values(f for row in same for f in row.results)
        yield f"{rules}{_options(options)}"
        for row in same:
            mark = "!" if row.notable and row.status == AS_EXPECTED else MARKS[row.status]
            verdict = paint(row.first.verdict, colour(row.status))
            whole = row.first.verdict == UNKNOWN  # the reason is all that there is
            yield from _lines(f"{mark} ", cells[id(row)], wide, width, {2: verdict}, whole)


def _cells(row: ProofRow, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the cells of a row. An option is listed if the row lacks some of its values in the rule set."""
    f = row.first
    own = [f"{name} {numbers}: " for name, numbers in row.options.items() if numbers != options[name]]
    how = "".join(own) + on_one_line(row.detail)
    return (f.name, f.kind, f.verdict, row.players, f"{row.seconds:.1f}", " ".join(f.ids), how)


def _lines(
    mark: str, cells: Sequence[str], wide: Sequence[int], width: int, shown: Mapping[int, str], whole: bool
) -> Iterator[str]:
    """Yield the line of a row, and lines with the rest of its detail if that is `whole`.

    A name longer than its column takes its room from the detail.
    """
    out, length = mark, len(mark)
    for i, cell in enumerate(cells[:-1]):
        room = wide[i]
        if i == 5 and len(cell) > room:
            cell = cell[: room - 1] + "…"
        over = max(0, length - len(mark) - sum(wide[:i]) - 2 * i)
        space = " " * max(0, room - over - len(cell))
        text = shown.get(i, cell)
        out += (space + text if HEAD[i] == "secs" else text + space) + "  "
        length += len(cell) + len(space) + 2
    left = width - length
    how = cells[-1]
    if left < SHORTEST:
        yield out.rstrip()
    elif whole:
        first, *rest = wrap(how, left) or [""]
        yield (out + first).rstrip()
        yield from (" " * length + line for line in rest)
    else:
        yield (out + (how if len(how) <= left else how[: left - 1] + "…")).rstrip()


def _options(options: Mapping[str, str]) -> str:
    return f" ({', '.join(options_in_words(options))})" if options else ""
