"""What a page shows of a recorded game: its events in words, the position after each, and why it was refused.

Input: the lines of a trace file, or the games of a log of another program, and the machines of its rules.
Output: a `Recording` for each trace.
Guarantee: everything in it is plain data, and text from the trace is what it was; whoever writes it into a page
escapes it. A trace that cannot be replayed has its verdict, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from itertools import takewhile
from typing import Any

from golpae.corpus.inferred import inferred
from golpae.corpus.reading import Reader
from golpae.corpus.seen import SeenGame
from golpae.diagnostics import SpecError
from golpae.diagnostics.hidden import on_one_line
from golpae.elaborate.instance import Instance
from golpae.hidden.lines import HiddenLine, read_line
from golpae.hidden.told import Told
from golpae.ir.expr import CallDef, Local
from golpae.ir.limits import TooManySteps
from golpae.ir.ruleset import Action, Condition, VarDecl
from golpae.ir.traverse import nodes
from golpae.pages.asked import keys_asked, states_asked
from golpae.pages.players_words import in_players_words, legal_in_players_words
from golpae.pages.unseen import steps_unseen
from golpae.replay.asked_scores import may_win, scores_of
from golpae.replay.decode import Bad
from golpae.replay.explain import explained, names_of
from golpae.replay.legal_events import Event
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OneTrace, Tape
from golpae.replay.report import Explanation, Refusal, Report
from golpae.replay.speaker import Speaker
from golpae.replay.state_layout import var_in
from golpae.simulate.position import Position, Positions
from golpae.trace import Header, Outcome, Source, Verdict, is_header
from golpae.trace.log_text import LogText
from golpae.trace.read import lines as lines_of

Line = tuple[int, dict[str, object] | None, str | None]
MOST_UNREAD = 400  # characters of a line that cannot be read as an event


@dataclass(frozen=True, slots=True)
class Recording:
    """A trace. `header` and `instance` are None if it has no rules that can be played, for their
    `text_faults` or because there are none of that name.

    `steps` are the legal events, each with its words and what it changed; `events` is how many the trace has, with
    the refused one. Of a trace that nobody wants to see there are no steps. `message` is what is wrong, without more.
    `is_hidden` says that nobody saw some of its tiles; then a position has `"?"` for them.
    """

    outcome: Outcome
    header: Header | None = None
    instance: Instance | None = None
    first: Position = field(default_factory=dict)
    steps: tuple[dict[str, Any], ...] = ()
    refused: dict[str, Any] | None = None
    text_faults: SpecError | None = None
    events: int = 0
    message: str = ""
    is_hidden: bool = False


class Recorder:
    """The recordings of one file."""

    def __init__(self, file: str, library: Library, rules: str | None = None) -> None:
        self._trace = OneTrace(file, library, rules)
        self._of_one_game = partial(OneTrace, file, library, rules)
        self._reader = Reader(library, rules)
        self._tables: dict[int, tuple[Positions, frozenset[str]]] = {}

    @property
    def unread(self) -> tuple[int, str] | None:
        """The line at which reading stopped, and why, if no recording mentions that."""
        return self._trace.unread

    def recordings(
        self, read: Iterator[Line], is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[Recording]:
        """Yield the recordings, each as soon as its trace is complete; `is_wanted` says whether somebody wants to see
        the one that comes next.
        """
        tape = Tape(read)
        report, first = self._trace.report(tape)
        lines = tape.cut()
        while report is not None:
            yield self._recording(report, lines, is_wanted())
            following = self._trace.behind(first, tape)
            if following is None:
                return
            tape.cut()
            report, first = self._trace.after(following, tape)
            lines = [following, *tape.cut()]

    def of_log(
        self, source: Source, log: LogText, is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[Recording]:
        """Yield the recordings of the games of a log, with its lines and with the verdicts of `golpae check`."""
        for game in log.games:
            reading = self._reader.best_reading(source, game)
            read = [*lines_of(BytesIO(reading.text))]
            report, _ = self._of_one_game().report(iter(read))
            assert report is not None
            told = [
                (place.line, line, fault)
                for place, (_, line, fault) in zip(reading.places, read, strict=True)
            ]
            yield self._recording(self._reader.in_log(reading, report), told, is_wanted())

    def _recording(self, report: Report, lines: list[Line], is_wanted: bool) -> Recording:
        outcome = report.outcome
        told = explained(report)
        message = (outcome.message if told is None else told.message) or ""
        if report.end is None:
            return Recording(outcome, text_faults=report.text_faults, message=message)
        machine, header, _ = report.end
        if (
            outcome.verdict is Verdict.ILLEGAL
        ):  # of a line that cannot be read, the exact names are what counts
            message = in_players_words(message, machine.rules, header.players)
            told = None if told is None else replace(told, message=message)
        if not is_wanted:
            return Recording(outcome, header, machine.instance, events=report.events, message=message)
        at_fault = outcome.verdict in (Verdict.ILLEGAL, Verdict.MALFORMED)
        differs = (
            outcome.verdict is Verdict.ILLEGAL and report.refusal is None
        )  # from what the log lists as legal
        if report.unseen:
            return self._unseen(report, machine, header, lines, message)
        events = lines[1 : 1 + report.events]
        legal = events[:-1] if at_fault and not differs else events
        first, steps = self._steps(machine, header, legal)
        refused = None
        if report.refusal is not None and told is not None:
            refused = _refused(report.refusal, told, events[-1])
        elif differs:
            refused = _differing(message, told, outcome)
        elif at_fault and events:
            refused = _unread(events[-1], outcome)
        many = len(steps) + (refused is not None)
        return Recording(
            outcome, header, machine.instance, first, tuple(steps), refused, events=many, message=message
        )

    def _unseen(
        self, report: Report, machine: Machine, header: Header, lines: list[Line], message: str
    ) -> Recording:
        """Return the recording of a game with hidden tiles, up to the event that is illegal or not decided."""
        outcome = report.outcome
        own = takewhile(lambda one: one[1] is not None and not is_header(one[1]), lines[1:])
        events = [(at, line) for at, line, _ in own if line is not None]
        refused = None
        if outcome.completion is None:
            if outcome.event:
                refused = _cannot_be(machine, header, lines[outcome.event], outcome)
                events = events[: outcome.event - 1]
            report, _ = self._of_one_game().after(lines[0], iter(lines[1 : 1 + len(events)]))
        begun = SeenGame(report, lines[: 1 + len(events)], [line for _, line in events])
        game = inferred(begun, why=True, each=True)
        first: Position = {}
        steps: list[dict[str, Any]] = []
        if game is not None:
            positions = self._table(machine)[0]
            completion = report.outcome.completion or [line for _, line in events]
            first, steps = steps_unseen(game, positions, events, completion)
        many = len(steps) + (refused is not None)
        return Recording(
            outcome,
            header,
            machine.instance,
            first,
            tuple(steps),
            refused,
            events=many,
            message=message,
            is_hidden=True,
        )

    def _table(self, machine: Machine) -> tuple[Positions, frozenset[str]]:
        if id(machine) not in self._tables:
            self._tables[id(machine)] = Positions(machine), _can_win(machine)
        return self._tables[id(machine)]

    def _steps(
        self, machine: Machine, header: Header, lines: list[Line]
    ) -> tuple[Position, list[dict[str, Any]]]:
        positions, can_win = self._table(machine)
        speaker = Speaker(machine, header)
        state = machine.new_state(header.stake)
        walk = positions.walk(state)
        steps = []
        for at, line, _ in lines:
            assert line is not None
            event = _event(machine, state, line)
            kept = machine.copy(state) if event.action in can_win else None
            machine.apply(event.action, state, event.args)
            new = walk.changes(state)
            step: dict[str, Any] = {"at": at, "line": line, "words": speaker.event(event), "new": new}
            if kept is not None and "winner" in new:
                step["scores"] = scores_of(machine, kept, event)
            steps.append(step)
        return walk.first, steps


def _can_win(machine: Machine) -> frozenset[str]:
    """Return the actions by which somebody may win with a hand that is scored."""
    return frozenset(
        name for name, action in machine.actions.items() if machine.rules.scores and may_win(action)
    )


def _event(machine: Machine, state: State, line: dict[str, object]) -> Event:
    """Return the legal event of a line, with its lists in the order that its effects need."""
    do = str(line["do"])
    args = machine.read(do, line)
    assert not isinstance(args, Bad)
    _, ordered = machine.first(do, state, args)
    return Event(do, ordered)


# ------------------------------------------------------------------ refusals


def _refused(refusal: Refusal, told: Explanation, last: Line) -> dict[str, Any]:
    """Return why an event is illegal: what golpae says, and the values that the clause asked for."""
    at, line, _ = last
    return {
        "at": at,
        "line": line,
        "words": Speaker(refusal.machine, refusal.header).event(Event(refusal.action.name, refusal.args)),
        "message": told.message,
        "clause": refusal.clause,
        "rules": [*told.rules],
        "facts": [[*fact] for fact in told.facts],
        "asked": [*_asked(refusal)],
        "legal": [legal_in_players_words(words, refusal.machine.rules) for words in told.legal or ()],
    }


def _asked(refusal: Refusal) -> Iterator[list[str]]:
    """Yield the names that a broken condition reads, with their values: of the event, and of the position."""
    condition = refusal.condition
    if condition is None or condition.of_game is not None:
        return
    speaker = Speaker(refusal.machine, refusal.header)
    yield from _of_event(refusal, condition, speaker)
    yield from _of_definitions(refusal, condition, speaker)
    rules = refusal.machine.rules
    states = {var.name: var for var in rules.vars}
    for name in states_asked(rules, condition):
        var, value = states[name], var_in(refusal.state, name)
        if var.hidden:
            continue
        name = var.shown_as
        said = ["none" if one is None else speaker.say(one, var.type) for one in _each(var, value)]
        if not var.each_player:
            yield [name, *said]
        elif len({*said}) == 1:
            yield [f"everybody's {name}", said[0]]
        else:
            yield from ([f"{who}'s {name}", one] for who, one in zip(speaker.names, said, strict=True))


def _each(var: VarDecl, value: Any) -> list[Any]:
    """Return the values of a state: one for each player, or one."""
    return [*value] if var.each_player else [value]


def _of_definitions(refusal: Refusal, condition: Condition, speaker: Speaker) -> Iterator[list[str]]:
    """Yield the definitions that a condition uses with values of the event, or with none."""
    names = names_of(refusal.action, refusal.args)
    said: dict[str, str] = {}
    for node in nodes(condition.expr):
        if not isinstance(node, CallDef):
            continue
        if not all(isinstance(arg, Local) and arg.name in names for arg in node.args):
            continue
        given = ", ".join(arg.name for arg in node.args if isinstance(arg, Local))
        with suppress(TooManySteps):
            value = refusal.machine.value(node, refusal.state, names)
            said[f"{node.name}({given})" if given else node.name] = speaker.say(value, node.type)
    yield from map(list, said.items())


def _of_event(refusal: Refusal, condition: Condition, speaker: Speaker) -> Iterator[list[str]]:
    """Yield who acts, and the keys of the event that a condition names."""
    action: Action = refusal.action
    args: list[Any] = list(refusal.args)
    keys = keys_asked(action, condition)
    if action.by is not None:
        seat: int = args.pop(0)
        if action.by in keys:
            yield [action.by, speaker.names[seat]]
    for param, value in zip(action.params, args, strict=True):
        if param.name in keys:
            yield [param.name, "none" if value is None else speaker.say(value, param.type)]


def _differing(message: str, told: Explanation | None, outcome: Outcome) -> dict[str, Any]:
    """Return how what a log lists as legal differs from the rules."""
    refused: dict[str, Any] = {
        "at": outcome.at,
        "line": {},
        "words": "the list of legal events",
        "message": message,
    }
    if told is None:
        return {**refused, "title": "The log lists other events"}
    facts = [[*fact] for fact in told.facts]
    return {
        **refused,
        "clause": outcome.clause,
        "rules": [*told.rules],
        "facts": facts,
        "legal": [*(told.legal or ())],
    }


def _cannot_be(machine: Machine, header: Header, last: Line, outcome: Outcome) -> dict[str, Any]:
    """Return why no tiles make an event legal, or that nobody knows whether some do."""
    told = _unread(last, outcome)
    read = read_line(machine, last[1] or {})
    if isinstance(read, HiddenLine):
        told |= {"line": last[1], "words": Told(machine, header).event(read)}
    conflict = [[f"event {part.event}", part.says] for part in outcome.conflict or ()]
    told["message"] = in_players_words(outcome.message or "", machine.rules, header.players)
    return {**told, "clause": outcome.clause, "rules": [], "facts": conflict, "asked": [], "legal": []}


def _unread(last: Line, outcome: Outcome) -> dict[str, Any]:
    """Return why a line cannot be read as an event. Of the line itself, who acts and what is done are enough."""
    at, line, _ = last
    read = line or {}
    words = on_one_line(str(read.get("do", ""))[:MOST_UNREAD])
    by = read.get("by")
    return {
        "at": at,
        "line": {"by": by} if type(by) is int else {},
        "words": words,
        "message": outcome.message,
    }
