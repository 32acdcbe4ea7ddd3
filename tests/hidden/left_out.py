"""What is left of a game if a part of a conflict is left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any

from golpae.elaborate.cache import elaborate_cached
from golpae.hidden.conflicts.one_search import OneSearch, Record
from golpae.hidden.following import Clause
from golpae.hidden.lazily import completes
from golpae.hidden.lines import HiddenLine, read_line
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.trace import Header, read_header
from golpae.trace.outcome import Outcome

Line = Mapping[str, Any]


def outcome_of(lines: Sequence[Line], rules: RuleSet | None = None) -> Outcome:
    """Return what `golpae check` says of a trace."""
    library = Library(elaborate_cached if rules is None else lambda name: rules, completes=completes)
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    [report] = replay(BytesIO(text.encode()), "game", library)
    return report.outcome


def parts(outcome: Outcome) -> list[tuple[int, int | str | None]]:
    """Return the parts of a conflict: the number of an event, with a seat, or with the last word of a clause."""
    return [
        (part.event, part.seat if part.clause is None else part.clause.split(".")[-1])
        for part in outcome.conflict
    ]


def one_search(
    lines: Sequence[Line],
    records: Sequence[Record],
    clauses: frozenset[Clause],
    narrows: frozenset[Clause] = frozenset(),
    rules: RuleSet | None = None,
) -> OneSearch:
    """Return a search in which some records and conditions of a trace can be left out."""
    header = read_header(dict(lines[0]))
    assert isinstance(header, Header)
    library = Library(elaborate_cached if rules is None else lambda name: rules)
    machine = library.machine(header.rules, len(header.players), header.options)
    assert isinstance(machine, Machine)
    hidden = [read_line(machine, line) for line in lines[1:]]
    read = [line for line in hidden if isinstance(line, HiddenLine)]
    assert len(read) == len(hidden)
    return OneSearch(machine, header, machine.new_state(header.stake), read, records, clauses, narrows)
