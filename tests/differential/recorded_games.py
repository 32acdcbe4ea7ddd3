"""Recorded games, read by `check` and by `attribute`, under every rule set of a text.

Input: the rule sets of a text, games as `against_judge` played them. Output: findings and counts.
Guarantee: each game is written as a trace, with its header; the judge says under each rule set at which event it stops
and why, and both readers have to say the same. The rule sets of the readers went through a cache.
"""

from __future__ import annotations

import json
import pickle
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from math import inf
from typing import Any

from golpae.attribute.traces import Attribution, TraceResult
from golpae.diagnostics import Diagnostic, SpecError
from golpae.elaborate.instance import TableFault, instantiate
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.trace import Verdict
from tests.differential.against_judge import MALFORMED, MOST_WORK, Played, Say
from tests.differential.tries import Event
from tests.judge.events import Illegal, try_event
from tests.judge.faults import Unclear, Unset
from tests.judge.match import start
from tests.judge.reading import Malformed


@dataclass(frozen=True)
class Ending:
    """How a trace ends: the number of the event that is refused and the condition's name; or all are legal."""

    event: int = 0
    name: str | None = None
    over: bool = False


class Recorded:
    """The rule sets of one text, by name, and what they say about traces. The judge reads them as `written`."""

    def __init__(
        self,
        base: str,
        rule_sets: Mapping[str, RuleSet],
        written: Mapping[str, RuleSet],
        rng: random.Random,
        say: Say,
        counts: Counter[str],
    ) -> None:
        self.base = base
        self.rule_sets = rule_sets
        self.written = written
        self.rng = rng
        self.say = say
        self.counts = counts
        self.library = Library(self._load)
        self.attribution = Attribution(self._load)

    def _load(self, name: str) -> RuleSet:
        """Return a rule set as a cache gives it back."""
        if name not in self.rule_sets:
            raise SpecError([Diagnostic("R001", f"there is no {name}", None)])
        kept = pickle.loads(pickle.dumps(self.rule_sets[name]))
        assert isinstance(kept, RuleSet)
        if kept != self.rule_sets[name]:
            self.say("cache-changes", f"{name} is another rule set after the cache", [])
        return kept

    def games(self, players: int, options: Mapping[str, int], played: list[Played], most: int) -> None:
        """Hold the readers against the judge on some games and on some that a refused event ends."""
        traces = [(game.stake, [*game.events]) for game in played]
        traces += [(g.stake, [*g.events[:at], event]) for g in played for at, event in g.refused]
        for stake, events in self.rng.sample(traces, min(len(traces), most)):
            self.one(self.base, players, options, stake, events)
        if traces and self.rng.random() < 0.1:
            self._headers(players, options, *traces[0])

    def _headers(self, players: int, options: Mapping[str, int], stake: int, events: list[Event]) -> None:
        """A header with too many players, or an option out of bounds, is malformed (1.2)."""
        rules = self.rule_sets[self.base]
        wrong: list[tuple[int, dict[str, int]]] = [(players + 9, dict(options)), (0, dict(options))]
        wrong += [(players, {**options, o.name: value}) for o in rules.options for value in (-1, 99)]
        wrong.append((players, {**options, "nothing": 1}))
        for number, given in wrong:
            self.one(self.base, number, given, stake, events)

    # ---------------------------------------------------------------- one trace

    def one(
        self, rules: str, players: int, options: Mapping[str, int], stake: int, events: list[Event]
    ) -> Ending:
        """Hold the readers against the judge on one trace, under every rule set. Return its ending under `rules`."""
        try:
            endings = {name: self._ending(name, players, options, stake, events) for name in self.rule_sets}
        except (Unclear, Unset):
            self.counts["traces not judged"] += 1
            return Ending()
        header: dict[str, Any] = {"golpae": 1, "rules": "", "players": [f"P{i}" for i in range(players)]}
        header |= ({"stake": stake} if stake != 1 else {}) | ({"options": dict(options)} if options else {})
        for name, ending in endings.items():
            self._check(name, {**header, "rules": name}, events, ending)
        self._attribute({**header, "rules": self.base}, events, endings)
        return endings[rules]

    def _ending(
        self, name: str, players: int, options: Mapping[str, int], stake: int, events: list[Event]
    ) -> Ending:
        """Return how the judge says that a trace ends under a rule set."""
        try:
            instance = instantiate(self.written[name], players, options)
        except TableFault:
            return Ending(0, MALFORMED)
        table, state = start(instance, stake, MOST_WORK)
        for number, event in enumerate(events, 1):
            verdict = try_event(table, state, event)
            if isinstance(verdict, Malformed):
                return Ending(number, MALFORMED)
            if isinstance(verdict, Illegal):
                return Ending(number, verdict.name)
            state = verdict.state
        return Ending(over=state.stage in ("ended", "finished"))

    def _stream(self, header: Mapping[str, Any], events: list[Event]) -> BytesIO:
        return BytesIO("".join(json.dumps(line) + "\n" for line in (header, *events)).encode())

    def _check(self, name: str, header: Mapping[str, Any], events: list[Event], ending: Ending) -> None:
        """Compare `golpae check` with the judge."""
        self.counts["traces checked"] += 1
        outcome = next(replay(self._stream(header, events), "trace", self.library)).outcome
        verdict, number, clause = outcome.verdict, outcome.event or 0, outcome.clause
        found = Ending(over=verdict is Verdict.LEGAL)
        if verdict is Verdict.MALFORMED:
            found = Ending(number, MALFORMED)
        elif verdict is Verdict.ILLEGAL:
            found = Ending(number, str(clause).rsplit(".", 1)[-1])
        if found != ending:
            self.say(
                "check", f"{name}: judge {ending}, check {found}: {outcome.message}", [dict(header), *events]
            )

    # ---------------------------------------------------------------- attribute

    def _attribute(
        self, header: Mapping[str, Any], events: list[Event], endings: Mapping[str, Ending]
    ) -> None:
        """Compare `golpae attribute` with the judge under each rule set."""
        self.counts["attributions"] += 1
        result = next(self.attribution.traces(self._stream(header, events), "trace"))
        trace = [dict(header), *events]
        furthest = max(_reach(ending) for ending in endings.values())
        last = [e for e in endings.values() if _reach(e) == furthest]
        malformed = all(e.name == MALFORMED for e in last)
        if (result.fault is not None) is not malformed:
            said = None if result.fault is None else (result.fault.event, result.fault.message)
            self.say("attribute", f"malformed {said}; those that get furthest: {last}", trace)
            return
        if result.fault is not None:
            if (result.fault.event or 0) != furthest:
                self.say("attribute", f"malformed at {result.fault.event}, not at {furthest}", trace)
            return
        family, accepting = result.family, result.accepting
        assert family is not None
        assert accepting is not None
        for name, ending in endings.items():
            number = family.bits(name.split("+")[1:])
            if number not in family.universe:
                self.say("attribute", f"{name} is no rule set of the family", trace)
                continue
            found = self._found(result, number)
            wanted = Ending(ending.event, None if ending.name == MALFORMED else ending.name)
            if (found is None) != (ending.name is None) or (found is not None and found != wanted):
                self.say("attribute", f"{name}: judge {ending}, attribute {found}", trace)
            if (number in accepting) != (ending.name is None):
                self.say("attribute", f"{name}: judge {ending}, accepted {number in accepting}", trace)

    def _found(self, result: TraceResult, switches_on: int) -> Ending | None:
        """Return where attribute says that a rule set refuses a trace; its message has to be there."""
        refused = result.refusal(switches_on)
        if refused is None:
            return None
        refused.words(switches_on)
        return Ending(refused.event, None if refused.clause is None else refused.clause.rsplit(".", 1)[-1])


def _reach(ending: Ending) -> float:
    """Return the number of the event at which a trace ends; one that is legal gets further than any."""
    return inf if ending.name is None else ending.event
