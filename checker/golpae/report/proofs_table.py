"""Findings as a table for people: a row a property, the deviations explained below it, a line that counts.

  property         kind     verdict  players  secs  ids  how
small
  each-once        theorem  proved   2–4       0.1  S1   ...
! ends-some-time   ends     refuted  2–4       3.0      ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from golpae.report.paint import Paint, colour, plain
from golpae.report.proofs_detail import Again, story
from golpae.report.proofs_rows import Row, by_rules, rows, values
from golpae.verify.result import PropertyResult
from golpae.verify.status import AS_EXPECTED, DEVIATES, UNDECIDED, unanswered

HEAD = ("property", "kind", "verdict", "players", "secs", "ids", "how")
MARKS = {AS_EXPECTED: " ", DEVIATES: "!", UNDECIDED: "?"}
LONGEST = 36  # characters of a name that others make room for
LONGEST_IDS = 10
SHORTEST = 12  # of a story: where there is room for less, there is none
VERDICTS = ("proved", "refuted", "bounded", "measured", "unknown")


def table(findings: Sequence[PropertyResult], paint: Paint, again: Again, width: int) -> list[str]:
    """The lines of the whole report."""
    found = rows(findings)
    out = list(_rows(found, paint, width)) if found else []
    for row in found:
        if row.notable:
            out += ["", *story(row, paint, again, width, whole=False)]
    return [*out, "", summary(found)] if out else [summary(found)]


def stories(findings: Sequence[PropertyResult], paint: Paint, again: Again, width: int) -> list[str]:
    """The lines of a report on a single property: all that is known of each row."""
    found = rows(findings)
    out: list[str] = []
    for row in found:
        out += [*story(row, paint, again, width, whole=True), ""]
    return [*out, summary(found)]


def summary(found: Sequence[Row]) -> str:
    """How many results there are of each verdict, and how they compare with the expected ones."""
    total = len(found)
    sets = len({row.first.rules for row in found})
    words = f"{total} result{'s' * (total != 1)} on {sets} rule set{'s' * (sets != 1)}"
    counts = Counter(row.first.verdict for row in found)
    if counts:
        words += ": " + ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
    standings = Counter(row.status for row in found)
    vacuous = sum(row.first.vacuous is not None for row in found)
    silent = sum(unanswered(row.first) for row in found)
    said = [f"{standings[DEVIATES]} not as expected"] if standings[DEVIATES] else []
    said += [f"{vacuous} that say nothing"] if vacuous else []
    said += [f"{standings[UNDECIDED]} undecided"] if standings[UNDECIDED] else []
    said += [f"{silent} without an answer of the second solver"] if silent else []
    return f"{words}; {', '.join(said) or 'all as expected'}" if found else words


def _rows(found: Sequence[Row], paint: Paint, width: int) -> Iterator[str]:
    cells = {
        id(row): _cells(row, values(f for other in same for f in other.findings))
        for _, same in by_rules(found)
        for row in same
    }
    wide = [
        max(len(text) for text in (HEAD[i], *(c[i] for c in cells.values()))) for i in range(len(HEAD) - 1)
    ]
    wide[0], wide[5] = min(wide[0], LONGEST), min(wide[5], LONGEST_IDS)
    yield _line("  ", HEAD, wide, width, {})
    for rules, same in by_rules(found):
        options = values(f for row in same for f in row.findings)
        yield f"{rules}{_options(options)}"
        for row in same:
            mark = "!" if row.notable and row.status == AS_EXPECTED else MARKS[row.status]
            verdict = paint(row.first.verdict, colour(row.status))
            yield _line(f"{mark} ", cells[id(row)], wide, width, {2: verdict})


def _cells(row: Row, options: Mapping[str, str]) -> tuple[str, ...]:
    """A row's cells; of options it tells those of which it is not about all that its rule set has here."""
    f = row.first
    own = [f"{name} {said}: " for name, said in row.options.items() if said != options[name]]
    how = "".join(own) + plain(row.story)
    return (f.name, f.kind, f.verdict, row.players, f"{row.seconds:.1f}", " ".join(f.ids), how)


def _line(mark: str, cells: Sequence[str], wide: Sequence[int], width: int, shown: Mapping[int, str]) -> str:
    """One line. A name longer than its column takes its room from the story."""
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
    if left >= SHORTEST:
        out += how if len(how) <= left else how[: left - 1] + "…"
    return out.rstrip()


def _options(options: Mapping[str, str]) -> str:
    return f" ({', '.join(f'{name} {value}' for name, value in options.items())})" if options else ""
