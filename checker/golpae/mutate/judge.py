"""Machines of a changed text, and what they say of recorded games and hands.

Input: a loaded text; traces and hands. Output: verdicts.
Guarantee: the verdict on a trace is that of replay: how many events are legal, and which clause refuses the next one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.instance import TableFault, instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve
from golpae.ir.limits import TooManySteps
from golpae.mutate.mutants import Mutant
from golpae.mutate.recorded import REFUSED, Hand, Trace, Worth
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.runtime import midway
from golpae.replay.score_hand import Scored, score_hand
from golpae.syntax import tree as t

Verdict = tuple[int, str]
"""The number of legal events, and why the next one is illegal or at which stage the game is."""


def silent(loaded: Loaded) -> Loaded:
    """Return the text without properties and messages, which change no verdict: it is quicker to check."""
    properties = {d.name.text for d in loaded.decls if isinstance(d, t.Property)}
    decls: list[t.Decl] = []
    for decl in loaded.decls:
        match decl:
            case t.Property():
                continue
            case t.Define() | t.Action():
                decl = _silent_part(decl)
            case t.Variant(deltas=deltas, parts=parts):
                rules = (d for d in deltas if d.path[0].text not in properties)
                changed = (replace(d, body=d.body and _silent(d.body)) for d in rules)
                added = tuple(_silent_part(part) for part in parts)
                decl = replace(decl, deltas=tuple(changed), properties=(), parts=added)
            case t.Delta(path=path) if path[0].text in properties:
                continue
            case _:
                pass
        decls.append(decl)
    return replace(loaded, decls=tuple(decls))


def _silent_part(part: t.Added) -> t.Added:
    if not isinstance(part, t.Define | t.Action):
        return part
    return replace(part, clauses=tuple(replace(c, body=_silent(c.body)) for c in part.clauses))


def _silent(body: t.Body) -> t.Body:
    return replace(body, message=None) if isinstance(body, t.Condition | t.Hands) else body


class Judge:
    """Machines of one text."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self._rules: dict[str, Any] = {}
        self._machines: dict[object, Machine | str] = {}
        self._library = Library(self.rule_set)

    def rule_set(self, rules: str) -> Any:
        """Return the rule set, or that its text has faults."""
        if rules not in self._rules:
            try:
                self._rules[rules] = check(resolve(rules, self.loaded))
            except SpecError as fault:
                self._rules[rules] = f"{fault.diagnostics[0].code} {fault.diagnostics[0].message}"
        return self._rules[rules]

    def machine(self, trace: Trace) -> Machine | str:
        if trace.table not in self._machines:
            rules = self.rule_set(trace.header.rules)
            try:
                machine_or_fault = (
                    rules
                    if isinstance(rules, str)
                    else Machine(instantiate(rules, len(trace.header.players), trace.header.options))
                )
            except TableFault as fault:
                machine_or_fault = str(fault)
            self._machines[trace.table] = machine_or_fault
        return self._machines[trace.table]

    def verdict(self, trace: Trace) -> Verdict:
        """Return the verdict on a trace."""
        machine = self.machine(trace)
        if isinstance(machine, str):
            return -1, "no such table"
        state = machine.new_state(trace.header.stake)
        for number, event in enumerate(trace.events):
            step = machine.steps.get(event["do"]) if event and isinstance(event.get("do"), str) else None
            if event is None or step is None:
                return number, "malformed"
            try:
                refusal = step(state, event)
            except ValueError as fault:
                return number, midway(fault)
            except TooManySteps as long:
                return number, str(long)
            if isinstance(refusal, Bad):
                return number, "malformed"
            if refusal is not None:
                failed, _ = refusal
                clause = machine.actions[event["do"]].conditions[failed].name if failed >= 0 else "then"
                return number, f"{event['do']}.{clause}"
        return len(trace.events), machine.stage(state)

    def worth(self, hand: Hand) -> Worth:
        """Return the points of `golpae score`."""
        if isinstance(self.rule_set(hand.rules), str):
            return "no such table"
        scored = score_hand(hand.given, self._library)
        return scored.points if isinstance(scored, Scored) else REFUSED


def elaborates(mutant: Mutant, judge: Judge) -> bool:
    """Return whether the text still elaborates, with the switch that has the change."""
    return not isinstance(judge.rule_set(mutant.rules), str)
