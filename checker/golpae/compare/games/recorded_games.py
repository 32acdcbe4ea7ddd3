"""Recorded games as answers: where does one rule set refuse what the other accepts?

Input: two rule sets at one table, and files of traces.
Output: for each question the shortest part of a recorded game that answers it, if there is one.
Guarantee: replay has accepted each game under one rule set, and refused its last event under the other. Traces of other
tables, and those that neither rule set can read, answer nothing. The order of files does not matter but for games of
the same length, of which the first counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golpae.compare.games.confirmed_game import Lines, TablePair, confirmed
from golpae.compare.games.verdict import B_IN_A, Game
from golpae.elaborate.instance import TableFault, options_of
from golpae.ir.limits import TooLarge
from golpae.replay.machine import Machine
from golpae.replay.steps import TooManySteps
from golpae.search import witness
from golpae.trace.discover import Source
from golpae.trace.header import Header, is_header, read_header
from golpae.trace.read import lines


def shortest_recorded(
    pair: TablePair, machines: tuple[Machine, Machine], files: Sequence[Source], questions: Sequence[str]
) -> dict[str, tuple[Game, str]]:
    """Return for each question the shortest recorded game that answers it, and where it is: `FILE:LINE`.

    Raises OSError.
    """
    found: dict[str, tuple[Game, str]] = {}
    for source in files:
        with source.open() as stream:
            for number, trace in _traces(lines(stream)):
                if not _is_of(trace[0], pair):
                    continue
                for question in questions:
                    best = found[question][0].events if question in found else len(trace)
                    game = _answer(pair, machines, question, trace[: best + 1])
                    if game is not None and (question not in found or game.events < best):
                        found[question] = game, f"{source.shown}:{number}"
    return found


def _answer(pair: TablePair, machines: tuple[Machine, Machine], question: str, trace: Lines) -> Game | None:
    """Return the trace up to the first event that one side refuses, if that answers the question."""
    sides = (machines[1], machines[0]) if question == B_IN_A else machines
    try:
        accepted, seen = (witness.replays(machine, trace[0], trace[1:]).events for machine in sides)
    except (TooLarge, TooManySteps):
        return None
    if seen >= accepted:
        return None
    header = {**trace[0], "rules": sides[0].rules.rules}
    return confirmed(pair, machines, question, [header, *trace[1 : seen + 2]], shortest=False)


def _is_of(line: Mapping[str, Any], pair: TablePair) -> bool:
    """Return whether a header is of this table, whatever its rules."""
    header = read_header(line)
    if not isinstance(header, Header) or len(header.players) != pair.players:
        return False
    try:
        return all(
            options_of(rules, header.options) == options_of(rules, pair.options) for rules in (pair.a, pair.b)
        )
    except TableFault:
        return False


def _traces(
    read: Iterator[tuple[int, Mapping[str, Any] | None, str | None]],
) -> Iterator[tuple[int, list[Mapping[str, Any]]]]:
    """Yield the traces of a file with the number of their first line; each ends before its first faulty line."""
    trace: list[Mapping[str, Any]] = []
    start, whole = 0, True
    for number, line, fault in read:
        if line is not None and is_header(line):
            if trace:
                yield start, trace
            start, trace, whole = number, [] if fault else [line], not fault
        elif line is None or fault:
            whole = False
        elif whole and trace:
            trace.append(line)
    if trace:
        yield start, trace
