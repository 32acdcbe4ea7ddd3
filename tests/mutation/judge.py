"""Whether the recorded games tell a mutant from its text.

Input: a mutant; the traces of a game, each under its own rules; the hands of `GAME-hands.jsonl`.
Output: the first trace with another verdict, event or clause under the mutant, or the first hand with another count;
None if there is none. Any trace tells a rule set apart that the mutant makes faulty.

`GAME-hands.jsonl` has hands as `golpae score` takes them, each with its `points`: a number, null if the hand does not
win, or "refused" if no player can win with these values, as no game can show.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from golpae.diagnostics import SpecError
from golpae.elaborate.check import check
from golpae.elaborate.instance import TableFault, instantiate
from golpae.elaborate.load import Loaded
from golpae.elaborate.resolve import resolve, split
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.score_hand import Scored, score_hand
from golpae.syntax import tree as t
from golpae.trace import Header, is_header, lines, read_header
from tests.committed import TOP
from tests.mutation.listed import HERE
from tests.mutation.mutate import Mutant
from tests.replay.shared import text

Verdict = tuple[
    int, str
]  # the number of legal events, and why the next one is illegal or at which stage the game is
Worth = (
    int | str | None
)  # of a hand: its points, None if it does not win, REFUSED if nobody can win with these values
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded game with a readable header; an event is None if its line cannot be read."""

    name: str
    header: Header
    events: tuple[dict[str, Any] | None, ...]

    @property
    def table(self) -> tuple[str, int, tuple[tuple[str, int], ...]]:
        return self.header.rules, len(self.header.players), tuple(sorted(self.header.options.items()))


@cache
def traces(game: str) -> tuple[Trace, ...]:
    """Return the traces of a game that its rules read."""
    found: list[Trace] = []
    for path in sorted((TOP / "traces" / game).glob("*.jsonl")):
        header: Header | None = None
        events: list[dict[str, Any] | None] = []
        start = 0

        def ended(header: Header | None, events: list[dict[str, Any] | None], name: str) -> None:
            if header is not None and header.base == game:
                found.append(Trace(name, header, tuple(events)))

        with path.open("rb") as stream:
            for at, line, fault in lines(stream):
                if line is not None and is_header(line):
                    ended(header, events, f"{path.name}:{start}")
                    read = None if fault is not None else read_header(line)
                    header, events, start = (read if isinstance(read, Header) else None), [], at
                else:
                    events.append(None if fault is not None else line)
        ended(header, events, f"{path.name}:{start}")
    return tuple(found)


@cache
def hands(game: str) -> tuple[tuple[dict[str, Any], Worth], ...]:
    """Return the hands of a game to score, and the points of each."""
    file = HERE / f"{game}-hands.jsonl"
    read = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    return tuple(({k: v for k, v in hand.items() if k != "points"}, hand["points"]) for hand in read)


def silent(loaded: Loaded) -> Loaded:
    """Return the text without properties and messages, which change no verdict: it is quicker to check."""
    properties = {d.name.text for d in loaded.decls if isinstance(d, t.Property)}
    decls: list[t.Decl] = []
    for decl in loaded.decls:
        match decl:
            case t.Property():
                continue
            case t.Define(clauses=clauses) | t.Action(clauses=clauses):
                decl = replace(decl, clauses=tuple(replace(c, body=_silent(c.body)) for c in clauses))
            case t.Variant(deltas=deltas):
                rules = (d for d in deltas if d.path[0].text not in properties)
                changed = (replace(d, body=d.body and _silent(d.body)) for d in rules)
                decl = replace(decl, deltas=tuple(changed), properties=())
            case t.Delta(path=path) if path[0].text in properties:
                continue
            case _:
                pass
        decls.append(decl)
    return replace(loaded, decls=tuple(decls))


def _silent(body: t.Body) -> t.Body:
    return replace(body, message=None) if isinstance(body, t.Condition | t.Hands) else body


class Judge:
    """Machines of one text."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.rules: dict[str, Any] = {}
        self.machines: dict[object, Machine | str] = {}
        self.library = Library(self.rule_set)

    def rule_set(self, rules: str) -> Any:
        """Return the rule set, or that its text has faults."""
        if rules not in self.rules:
            try:
                self.rules[rules] = check(resolve(rules, self.loaded))
            except SpecError as fault:
                self.rules[rules] = f"{fault.diagnostics[0].code} {fault.diagnostics[0].message}"
        return self.rules[rules]

    def machine(self, trace: Trace) -> Machine | str:
        if trace.table not in self.machines:
            rules = self.rule_set(trace.header.rules)
            try:
                found = (
                    rules
                    if isinstance(rules, str)
                    else Machine(instantiate(rules, len(trace.header.players), trace.header.options))
                )
            except TableFault as fault:
                found = str(fault)
            self.machines[trace.table] = found
        return self.machines[trace.table]

    def verdict(self, trace: Trace) -> Verdict:
        """Return the verdict of `replay.play`."""
        machine = self.machine(trace)
        if isinstance(machine, str):
            return -1, "no such table"
        state = machine.new_state(trace.header.stake)
        for number, event in enumerate(trace.events):
            step = machine.steps.get(event["do"]) if event and isinstance(event.get("do"), str) else None
            if event is None or step is None:
                return number, "malformed"
            try:
                found = step(state, event)
            except ValueError:
                return number, "then"
            if isinstance(found, Bad):
                return number, "malformed"
            if found is not None:
                failed, _ = found
                clause = machine.actions[event["do"]].conditions[failed].name if failed >= 0 else "then"
                return number, f"{event['do']}.{clause}"
        return len(trace.events), machine.stage(state)

    def worth(self, hand: dict[str, Any]) -> Worth:
        """Return the points of `golpae score`."""
        if isinstance(self.rule_set(hand["rules"]), str):
            return "no such table"
        found = score_hand(hand, self.library)
        return found.points if isinstance(found, Scored) else REFUSED


class Bench:
    """All traces of a game, with their verdicts. Traces that noticed earlier mutants are tried first, hands last,
    except for clauses that only score hands.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        usual = Judge(silent(text(game)))
        groups: dict[object, list[Trace]] = {}
        self.usual: dict[str, Verdict] = {}
        for trace in traces(game):
            groups.setdefault(trace.table, []).append(trace)
            self.usual[trace.name] = usual.verdict(trace)
        self.groups = list(groups.values())
        self.lately: dict[str, list[Trace]] = {}
        self.scores = {d.name.text for d in usual.loaded.decls if isinstance(d, t.Score)}

    def notices(self, mutant: Mutant, judge: Judge) -> str | None:
        """Return the name of a trace with another verdict, or of a hand with another count, under the mutant."""
        scoring = mutant.place in self.scores
        return (
            (scoring and self._hand(mutant, judge))
            or self._trace(mutant, judge)
            or (None if scoring else self._hand(mutant, judge))
        )

    def _hand(self, mutant: Mutant, judge: Judge) -> str | None:
        for n, (hand, worth) in enumerate(hands(self.game), 1):
            switched = mutant.switch is None or mutant.switch in split(hand["rules"])[1]
            if switched and judge.worth(hand) != worth:
                return f"hand {n}"
        return None

    def _trace(self, mutant: Mutant, judge: Judge) -> str | None:
        block = mutant.place.split(".")[0]
        for group in self._order(block):
            if mutant.switch is not None and mutant.switch not in split(group[0].header.rules)[1]:
                continue
            for trace in group:
                if judge.verdict(trace) != self.usual[trace.name]:
                    group.remove(trace)
                    group.insert(0, trace)
                    self.lately[block] = group
                    self.groups.remove(group)
                    self.groups.insert(0, group)
                    return trace.name
        return None

    def _order(self, block: str) -> list[list[Trace]]:
        """Return the traces and hands, with those that noticed the last mutant of this block first."""
        last = self.lately.get(block)
        return list(self.groups) if last is None else [last, *(g for g in self.groups if g is not last)]


def elaborates(mutant: Mutant, judge: Judge) -> bool:
    """Return whether the text still elaborates, with the switch that has the change."""
    game = mutant.loaded.game.name.text
    rules = game if mutant.switch is None else f"{game}+{mutant.switch}"
    return not isinstance(judge.rule_set(rules), str)
