"""Compare what a log lists as legal with the rules, position by position.

Input: a game of a log, and the report on it.
Output: the same report, or one that names the first position at which the list and the rules part.
Guarantee: an event that is refused comes before a list at the same position, and the list before a log that is spoilt
there. Events that golpae cannot list, because a key has too many values, are compared only if the log names them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from golpae.ir.limits import TooManySteps
from golpae.replay.decode import Bad
from golpae.replay.explain import explain, one_line
from golpae.replay.legal_events import Event, EventOrder, Legal
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.replay import OF_RULES, happen
from golpae.replay.report import Refusal, Report, bounded
from golpae.replay.speaker import Speaker
from golpae.trace import Header, Verdict, read_header
from golpae.trace.log_text import Choice, Listing, Reading

MOST_SHOWN = 6  # events in words

_REFUSED = (Verdict.ILLEGAL, Verdict.MALFORMED)


def at_odds(reading: Reading, report: Report, library: Library, rules: str | None) -> Report:
    """Return the report on a game, at its places in the log, or one on the first list that differs from the rules.
    `rules` replaces those of the header.
    """
    outcome = report.outcome
    last = len(reading.lines)  # the event behind the last list that is compared
    if outcome.verdict in _REFUSED:
        last = (outcome.event or 0) - (outcome.verdict is Verdict.ILLEGAL)
    listings = [one for one in reading.listings if one.after < last]
    if not listings:
        return report
    line = json.loads(reading.lines[0])
    header = read_header(line if rules is None else {**line, "rules": rules})
    assert isinstance(header, Header)
    machine = library.machine(header.rules, len(header.players), header.options)
    assert isinstance(machine, Machine)
    try:
        return _Comparison(machine, header).run(reading, listings, report)
    except TooManySteps as long:
        return replace(
            report, outcome=replace(outcome, verdict=Verdict.MALFORMED, message=f"{long}{OF_RULES}")
        )


class _Comparison:
    """The lists of one game, compared with the rules."""

    def __init__(self, machine: Machine, header: Header) -> None:
        self._machine, self._header = machine, header
        self._legal, self._order = Legal(machine), EventOrder(machine)
        self._speaker = Speaker(machine, header)

    def run(self, reading: Reading, listings: Sequence[Listing], report: Report) -> Report:
        state = self._machine.new_state(self._header.stake)
        done = 0
        for listing in listings:
            for line in islice(reading.lines, done + 1, listing.after + 1):
                if happen(self._machine, self._header, state, json.loads(line)) is not None:
                    return report  # it stands by a ruling
                done += 1
            difference = self._difference(listing, state)
            if difference is not None:
                return self._report(report, listing, state, *difference)
        return report

    def _report(
        self, report: Report, listing: Listing, state: State, words: str, refusal: Refusal | None
    ) -> Report:
        explanation = None if refusal is None else replace(explain(refusal), message=words)
        outcome = replace(
            report.outcome,
            verdict=Verdict.ILLEGAL,
            event=listing.after + 1,
            at=listing.place.line,
            at_column=listing.place.column,
            clause=None if refusal is None else refusal.clause,
            message=bounded(words if explanation is None else one_line(explanation)),
        )
        end = self._machine, self._header, state
        return Report(outcome, None, end, listing.after, explanation=explanation)

    def _difference(self, listing: Listing, state: State) -> tuple[str, Refusal | None] | None:
        """Return how a list differs, and what refuses an event that it names."""
        for choice in listing.legal:
            refused = self._refused(choice, state)
            if refused is not None:
                why, refusal = refused
                return f"the log lists {choice.words} as legal here, but {why}", refusal
        more = [choice.words for choice in listing.left_out if self._refused(choice, state) is None]
        more += self._unnamed(listing, state)
        if not more:
            return None
        shown = ", ".join(more[:MOST_SHOWN])
        rest = f" and {len(more) - MOST_SHOWN} more" if len(more) > MOST_SHOWN else ""
        are, them = ("are", "them") if len(more) > 1 else ("is", "it")
        return f"by the rules {shown}{rest} {are} legal here, but the log does not list {them}", None

    def _refused(self, choice: Choice, state: State) -> tuple[str, Refusal | None] | None:
        """Return why none of the events is legal that a choice may stand for, or None if one is."""
        first: tuple[str, Refusal | None] | None = None
        for line in choice.events:
            refused = happen(self._machine, self._header, self._machine.copy(state), line)
            if refused is None:
                return None
            if first is None:
                told = refused if isinstance(refused, str) else explain(refused).message
                first = told, None if isinstance(refused, str) else refused
        return first or ("nothing that can be played is meant by it", None)

    def _unnamed(self, listing: Listing, state: State) -> Iterator[str]:
        """Yield the legal events of players that a list says nothing about."""
        if listing.besides is None:
            return
        named = {
            self._order.kept(event)
            for choice in (*listing.legal, *listing.left_out)
            for event in self._events(choice.events, state)
        }
        for event in self._legal.in_order(state):
            action = self._machine.actions[event.action]
            if (
                action.kind == "play"
                and event.action not in listing.besides
                and self._order.kept(event) not in named
            ):
                who = "" if action.by is None else f" of {self._speaker.names[event.args[0]]}"
                yield f"`{self._speaker.event(event)}`{who}"

    def _events(self, lines: Sequence[Mapping[str, object]], state: State) -> Iterator[Event]:
        for line in lines:
            name = str(line["do"])
            args = self._machine.read(name, line) if name in self._machine.actions else Bad("")
            if not isinstance(args, Bad):
                yield Event(name, self._machine.first(name, state, args)[1])
