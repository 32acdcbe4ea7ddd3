"""`golpae view`: the positions of a recorded game at the terminal."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator
from itertools import islice

from golpae import exit_codes
from golpae.cli.games.legal import ONE_OF_SEVERAL, to_read
from golpae.cli.inputs import add_form, add_spec_path, complain_of
from golpae.cli.rule_sets import RULES_HELP
from golpae.cli.terminal.output import COLOURS, LONGEST, printable
from golpae.cli.terminal.person import paint, typed_line
from golpae.cli.terminal.position_shown import TerminalTable
from golpae.diagnostics.amounts import many
from golpae.pages.recording import Recorder, Recording
from golpae.replay.machine import Machine
from golpae.replay.report import Report
from golpae.rule_names import UsageError
from golpae.simulate.onlooker import Look, Onlooker
from golpae.simulate.position import Position, Positions, whole
from golpae.trace import InputFault
from golpae.trace.log_text import log_text
from golpae.trace.read import lines

MOST_DIGITS = 9  # of a number that somebody types
HELP = "Enter: on   b: back   a number: to that event   f: to the fault   q: quit"


def arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("path", metavar="FILE", help="a trace file, or `-` for standard input")
    add(
        "--trace",
        metavar="N",
        type=int,
        help="number of the trace in the file (default: the first)",
    )
    add(
        "--event",
        metavar="N",
        type=int,
        help="the position after this event (default: the last, or the fault)",
    )
    add("--step", action="store_true", help="step through the game from its beginning")
    add("--seat", metavar="N", type=int, help="show what this seat sees, from 0")
    add("--open", action="store_true", help="show everything, also what nobody sees")
    add(
        "--rules", metavar="RULES", help=f"play by these rules, not those that the header names: {RULES_HELP}"
    )
    add_form(parser)
    add_spec_path(parser)


def run(args: argparse.Namespace) -> int:
    given = to_read(args)
    if given is None:
        return exit_codes.WRONG_INPUT
    rules, source, stream = given
    with stream:
        number = 1 if args.trace is None else args.trace
        recorder, log = Recorder(source.name, rules.library, rules.rules), log_text(stream)
        found = recorder.recordings(lines(stream)) if log is None else recorder.of_log(source, log)
        chosen = next(islice(found, max(number, 1) - 1, None), None)
        is_alone = args.trace is not None or next(found, None) is None
    if chosen is None or number < 1:
        which = "trace" if args.trace is None else f"trace {number}"
        raise UsageError(source.path, f"there is no {which} in `{source.shown}`")
    status = _show(args, chosen)
    if not is_alone:
        complain_of(InputFault("", f"`{source.shown}` has more traces", "`--trace 2` shows the next"))
    return status


def _show(args: argparse.Namespace, recording: Recording) -> int:
    """Show a game, or one of its positions. Raises `UsageError`."""
    if recording.instance is None:
        message = recording.outcome.message or "its rules cannot be played"
        raise UsageError(args.path, f"this trace cannot be shown: {message}")
    players = recording.instance.players
    if args.seat is not None and not 0 <= args.seat < players:
        raise UsageError("--seat", f"`--seat` must be a number from 0 to {players - 1}, not {args.seat}")
    look = Look("all" if args.open else "hands" if args.seat is None else "table", args.seat)
    view = View(recording, look)
    if args.event is not None and not 0 <= args.event <= view.end:
        raise UsageError("--event", f"`--event` must be a number from 0 to {view.end}, not {args.event}")
    if args.step:
        view.walk(0 if args.event is None else args.event)
    else:
        view.show(view.end if args.event is None else args.event)
    return exit_codes.HOLDS


class View:
    """One game at the terminal. A refused event is the step behind the last legal one."""

    def __init__(self, recording: Recording, look: Look) -> None:
        self._recording = recording
        self._paint = paint()
        width = shutil.get_terminal_size().columns
        assert recording.instance is not None
        assert recording.header is not None
        self._table = TerminalTable(recording.instance, recording.header.players, self._paint, width, look)
        self._onlooker = Onlooker(Machine(recording.instance), look)
        self._positions = positions_of(recording)
        self.end = recording.events

    def show(self, step: int) -> None:
        """Print the position after an event: what happened, the table, and what is wrong."""
        sys.stdout.write("".join(f"{line}\n" for line in self._lines(step)))

    def walk(self, step: int) -> None:
        """Step through the game as a reader asks."""
        sys.stdout.write(f"{HELP}\n")
        while True:
            self.show(step)
            sys.stdout.write("> ")
            sys.stdout.flush()
            typed = typed_line()
            word = typed.strip().lower()
            if not typed or word == "q":
                return
            if word.isdecimal():
                step = min(int(word[:MOST_DIGITS]), self.end)
            elif word in ("b", "f"):
                step = max(step - 1, 0) if word == "b" else self.end
            elif word:
                sys.stdout.write(f"{HELP}\n")
            else:
                step = min(step + 1, self.end)

    def _lines(self, step: int) -> Iterator[str]:
        steps, refused = self._recording.steps, self._recording.refused
        at_fault = refused is not None and step > len(steps)
        shown = min(step, len(steps))
        position = self._onlooker.shown(self._positions[: shown + 1])
        before = position if at_fault or not shown else self._onlooker.shown(self._positions[:shown])
        event = refused if at_fault else steps[shown - 1] if shown else None
        following = refused if at_fault else steps[step] if step < len(steps) else refused
        acts = None if following is None else following["line"].get("by")
        yield self._title(step, event, at_fault)
        yield from self._table.lines(position, before, acts)
        if refused is not None and at_fault:
            verdict = self._recording.outcome.verdict
            yield f"  {self._paint(verdict.value, COLOURS[verdict])}: {_short(refused['message'])}"
            if "clause" in refused:
                yield f"    broken: {refused['clause']} in {self._recording.outcome.rules}"
                for rule in refused["rules"]:
                    yield f"    rule: {_short(rule)}"
                values = [f"{what}: {value}" for what, value in refused["asked"]]
                if values:
                    yield f"    it asked: {_short('; '.join(values))}"
                yield f"    legal here: {_short('; '.join(refused['legal']) or 'nothing')}"

    def _title(self, step: int, event: dict[str, object] | None, at_fault: bool) -> str:
        if event is None:
            return f"before the first of {many(self.end, 'event')}"
        line = event["line"]
        by = line.get("by") if isinstance(line, dict) else None
        who = f"{self._table.names[by]}: " if isinstance(by, int) and 0 <= by < len(self._table.names) else ""
        refused = "refused: " if at_fault else ""
        words = str(event["words"])
        if not at_fault:
            before, after = self._positions[step - 1 : step + 1]
            unnamed = self._onlooker.unnamed(before, after, line if isinstance(line, dict) else {})
            words = self._onlooker.words(words, unnamed)
        return f"event {step} of {self.end}: {refused}{who}{_short(words)}"


def before_the_fault(report: Report) -> Iterator[str]:
    """Yield the lines of the position before a refused event, for a report that has one."""
    if report.end is None:
        return
    machine, header, state = report.end
    position = Positions(machine).flat(state)
    refusal = report.refusal
    acts = refusal.args[0] if refusal is not None and refusal.action.by is not None else None
    width = shutil.get_terminal_size().columns - 2
    table = TerminalTable(machine.instance, header.players, paint(), width, Look())
    for line in table.lines(position, position, acts if isinstance(acts, int) else None):
        yield f"  {line}"
    if report.unseen:
        yield f"  {ONE_OF_SEVERAL}"


def positions_of(recording: Recording) -> list[Position]:
    """Return the position before the first event, and after each."""
    positions = [recording.first]
    for step in recording.steps:
        before = positions[-1]
        positions.append(before | {key: whole(value, before.get(key)) for key, value in step["new"].items()})
    return positions


def _short(text: str) -> str:
    return printable(text[:LONGEST])
