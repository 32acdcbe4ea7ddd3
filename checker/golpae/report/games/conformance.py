"""Render what came of driving an engine: as text for people, as JSON, as traces.

Input: a `Conformance`.
Output: lines of text; a JSON object; the lines of a file of traces.
Guarantee: the text says what was compared and what was not, so that nobody takes silence for agreement.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from golpae.conform.drive import Conformance, EngineDisagreement, TableRun
from golpae.conform.referee import ALWAYS, COUNTED, Kind
from golpae.diagnostics.amounts import many, options_in_words
from golpae.report.games.refusal import refusal_lines

MOST_REFUSED = 5  # events that are listed

Line = Mapping[str, Any]


def lines(conformance: Conformance, file: str | None) -> list[str]:
    """Return the lines for people. `file` is where the games of the disagreements are, if they were written."""
    out: list[str] = []
    start = 1
    for disagreement in conformance.disagreements:
        out += [*_disagreement(conformance, disagreement, file, start), ""]
        start += len(disagreement.lines)
    out += [
        f"{_table(conformance.rules, table)}: {why}" for table in conformance.tables if (why := _left(table))
    ]
    return [*out, *summary(conformance)]


def summary(conformance: Conformance) -> list[str]:
    """Return how much was compared, and how it ended."""
    played = [table for table in conformance.tables if not table.refused]
    numbers = ", ".join(str(table.players) for table in played)
    options = played[0].options if played else {}  # one call has the same at every table
    tables = ", ".join([f"{numbers or 'no'} players", *options_in_words(options)])
    games = many(conformance.games, "game")
    counts = [
        _compared(what, conformance.compared[what])
        for what in (*ALWAYS, *COUNTED.values())
        if conformance.compared[what]
    ]
    untold = [what for what in COUNTED.values() if not conformance.compared[what]]
    differ = len(conformance.disagreements)
    ending = many(differ, "disagreement") if differ else "the engine agrees"
    if not differ and not conformance.compared["legal events"]:
        ending = "nothing was compared"
    out = [f"{conformance.rules}, {tables}: {games}, seed {conformance.seed}: {ending}"]
    out += [f"  compared: {', '.join(counts)}"] if counts else []
    out += (
        [f"  not compared, because the engine did not tell: {', '.join(untold)}"] if counts and untold else []
    )
    return out


def _compared(what: str, count: int) -> str:
    """Return how many of something were compared, in words."""
    if not what.split(" of ", maxsplit=1)[0].endswith("s"):
        return f"{count:,} {what}"
    return many(count, "list of legal events" if what == COUNTED["legal"] else what[:-1])


def traces(conformance: Conformance) -> list[Line]:
    """Return the lines of a file of traces: the game of each disagreement."""
    return [line for number, one in enumerate(conformance.disagreements, 1) for line in _trace(number, one)]


def document(conformance: Conformance) -> dict[str, Any]:
    """Return the JSON object."""
    return {
        "rules": conformance.rules,
        "agrees": conformance.agrees,
        "seed": conformance.seed,
        "games": conformance.games,
        "tables": [
            {
                "players": table.players,
                "options": dict(table.options),
                "games": table.games,
                "refused": table.refused,
                "why": table.why,
            }
            for table in conformance.tables
        ],
        "compared": {what: conformance.compared[what] for what in (*ALWAYS, *COUNTED.values())},
        "disagreements": [
            {
                "kind": one.difference.kind.name.lower(),
                "message": str(one.difference.kind),
                "where": one.difference.where or None,
                "clause": one.difference.clause,
                "by_rules": _by_rules(one),
                "by_engine": one.difference.by_engine,
                "games": one.games,
                "trace": list(_trace(number, one)),
                "refused": [*one.refused],
            }
            for number, one in enumerate(conformance.disagreements, 1)
        ],
    }


# ------------------------------------------------------------------ a disagreement


def _disagreement(
    conformance: Conformance, one: EngineDisagreement, file: str | None, start: int
) -> list[str]:
    difference, events = one.difference, len(one.lines) - 1
    place = f"at event {events}" if events else "before the first event"
    if file is not None:
        place = f"{file}:{start}  {place}, line {start + events}" if events else f"{file}:{start}  {place}"
    of_games = f"  (in {one.games} of {many(conformance.games, 'game')})" if one.games else ""
    where = f": {difference.where}" if difference.where and difference.kind is not Kind.FAULT else ""
    out = [f"{place}  the engine {difference.kind}{where}{of_games}"]
    if difference.explanation is not None:
        out += refusal_lines(difference.explanation, difference.clause, conformance.rules)
    out += [f"  the rules: {difference.by_rules}"] if difference.by_rules is not None else []
    if difference.kind is not Kind.TAKES or difference.explanation is None:
        out.append(f"  the engine: {difference.by_engine}")
    if one.refused:
        refused = "; ".join(_json(line) for line in one.refused[:MOST_REFUSED])
        more = len(one.refused) - MOST_REFUSED
        more_words = f"; and {more:,} more" if more > 0 else ""
        out.append(f"  only after it refused, as it has to: {refused}{more_words}")
    if file is None:
        out += [f"    {_json(line)}" for line in one.lines]
    return out


def _by_rules(one: EngineDisagreement) -> str | None:
    explanation = one.difference.explanation
    return one.difference.by_rules if explanation is None else explanation.message


def _trace(number: int, one: EngineDisagreement) -> Sequence[Line]:
    header, *events = one.lines
    note = f"the engine {one.difference.kind}"
    return [{**header, "id": f"disagreement {number}", "note": note}, *events]


def _table(rules: str, table: TableRun) -> str:
    return ", ".join([rules, f"{table.players} players", *options_in_words(table.options)])


def _left(table: TableRun) -> str | None:
    """Return why games of a table were not played, if some were not."""
    if table.refused:
        return f"the engine does not play it{'' if table.why is None else f': {table.why}'}"
    return table.why


def _json(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))
