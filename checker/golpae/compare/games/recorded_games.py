"""Recorded games as answers: where does one rule set refuse what the other accepts?

Input: two rule sets at one table, and files of traces.
Output: for each question the shortest part of a recorded game that answers it, if there is one.
Guarantee: replay has accepted each game under one rule set, and refused its last event under the other; what only a
limit of numbers or steps refuses answers nothing. Traces of other tables, and those that neither rule set can read,
answer nothing. The order of files does not matter but for games of the same length, of which the first counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from golpae.compare.games.confirmed_game import OF_PAYMENTS, Lines, TablePair, confirmed
from golpae.compare.games.verdict import B_IN_A, PAID, WitnessGame
from golpae.elaborate.instance import TableFault, options_of
from golpae.ir.limits import TooManySteps
from golpae.replay import simulate
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine
from golpae.replay.steps import MOST_IN_ALL
from golpae.trace.discover import Source
from golpae.trace.header import Header, is_header, read_header
from golpae.trace.read import lines
from golpae.unreadable import reason_of

Line = Mapping[str, Any]
Pair = tuple[Machine, Machine]


class UnreadableGames(Exception):
    """A file of recorded games cannot be read."""


def shortest_recorded(
    pair: TablePair, machines: Pair, files: Sequence[Source], questions: Sequence[str]
) -> dict[str, tuple[WitnessGame, str]]:
    """Return for each question the shortest recorded game that answers it, and where it is: `FILE:LINE`.

    Raises `UnreadableGames`.
    """
    shortest: dict[str, tuple[WitnessGame, str]] = {}
    for source in files if questions else ():
        try:
            with source.open() as stream:
                for number, trace in _traces(lines(stream)):
                    best = {question: game.events for question, (game, _) in shortest.items()}
                    for question, game in _answers(pair, machines, trace, questions, best):
                        shortest[question] = game, f"{source.shown}:{number}"
        except OSError as fault:
            reason = reason_of(fault)
            raise UnreadableGames(f"{source.shown} cannot be read: {reason}") from None
    for machine in machines:
        machine.limit_steps(MOST_IN_ALL)  # again, for what comes next
    return shortest


def _answers(
    pair: TablePair, machines: Pair, trace: Lines, questions: Sequence[str], best: Mapping[str, int]
) -> Iterator[tuple[str, WitnessGame]]:
    """Yield each question that a trace refutes in fewer events than the `best`, with the witness game. The trace is
    read up to the first event that one side refuses.
    """
    header = read_header(trace[0])
    if not isinstance(header, Header) or not _is_of(header, pair):
        return
    accepted = tuple(_accepted(machine, trace[1:], header.stake) for machine in machines)
    for question in questions:
        ours, theirs = reversed(accepted) if question == B_IN_A else accepted
        if question == PAID:
            places = range(min(len(ours), len(theirs)))
            at = next((i for i in places if ours[i].get("pay") != theirs[i].get("pay")), len(ours))
        else:
            at = len(theirs)
        if at >= min(len(ours), best.get(question, len(ours) + 1) - 1):
            continue
        rules = pair.b if question == B_IN_A else pair.a
        game_lines = [{**trace[0], "rules": rules.rules}, *ours[: at + 1]]
        try:
            game = confirmed(pair, machines, question, game_lines, shortest=False)
        except TooManySteps:
            game = None
        if game is not None:
            yield question, game


def _accepted(machine: Machine, events: Lines, stake: int) -> list[Line]:
    """Return the events that a machine accepts, from the first on, with the payments of its own rules.

    An event at which a limit of numbers or steps is passed is not accepted.
    """
    machine.limit_steps(MOST_IN_ALL)
    out: list[Line] = []
    try:
        legal, state = Legal(machine), machine.new_state(stake)
        for event in events:
            action = machine.actions.get(str(event.get("do")))
            if action is None:
                break
            if action.kind in ("end", "finish"):
                event = _with_payments(machine, legal, state, event)
            if machine.steps[action.name](state, event) is not None:
                break
            out.append(event)
    except (ValueError, TooManySteps):  # an effect fails, or a limit is passed
        pass
    return out


def _with_payments(machine: Machine, legal: Legal, state: Any, event: Line) -> Line:
    """Return an end of a hand or match with the payments that the rules fix."""
    closing = next((e for e in legal.closings(state) if e.action == event["do"]), None)
    if closing is None:
        return event
    written = simulate.written(machine, closing)
    return {key: written[key] if key in OF_PAYMENTS and key in written else event[key] for key in event}


def _is_of(header: Header, pair: TablePair) -> bool:
    """Return whether a header is of this table, whatever its rules."""
    if len(header.players) != pair.players:
        return False
    try:
        return all(
            options_of(rules, header.options) == options_of(rules, pair.options) for rules in (pair.a, pair.b)
        )
    except TableFault:
        return False


def _traces(read: Iterator[tuple[int, Line | None, str | None]]) -> Iterator[tuple[int, list[Line]]]:
    """Yield the traces of a file with the number of their first line; each ends before its first faulty line."""
    trace: list[Line] = []
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
