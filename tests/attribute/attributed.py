"""Games attributed, beside plain replay under every rule set; and a recorded game that Bo wins."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

from golpae.attribute.traces import Attribution, TraceResult
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.families.family import Family
from golpae.ir.ruleset import RuleSet
from golpae.replay.decode import Bad
from golpae.replay.machine import Machine
from tests.attribute.guilds import Judged, judge

Lines = list[dict[str, Any]]


class Checked:
    """A game attributed, and the machines of all its rule sets to compare with."""

    def __init__(self, base: str, folder: Path | None = None) -> None:
        self.places = [] if folder is None else [folder]
        self.attribution = Attribution(self.load)
        family = self.attribution.family(base)
        assert isinstance(family, Family)
        self.family = family
        self.machine = cache(self._machine)

    def load(self, rules: str) -> RuleSet:
        return elaborate_cached(rules, self.places)

    def _machine(self, switches_on: int, players: int, *options: tuple[str, int]) -> Machine:
        return Machine(instantiate(self.load(self.family.called(switches_on)), players, dict(options)))

    def all(self) -> list[int]:
        """Return every combination of switches that can be loaded."""
        return [r for r in range(1 << len(self.family.names)) if r in self.family.universe]

    def found(self, *traces: Lines) -> list[TraceResult]:
        text = "".join(json.dumps(line) + "\n" for trace in traces for line in trace)
        return list(self.attribution.traces(io.BytesIO(text.encode()), "t"))

    def same_as_replay(self, trace: Lines, among: list[int]) -> TraceResult:
        """Assert that replay under each of these rule sets agrees with the attribution."""
        [found] = self.found(trace)
        if found.fault is not None:  # then no rule set may accept it, or refuse it later
            for switches_on in among if found.fault.event else ():
                judged = self.judged(switches_on, trace)
                assert judged is not None
                assert isinstance(judged, Bad) or judged[0] < (found.fault.event or 0)
            return found
        assert found.accepting is not None
        for switches_on in among:
            name = self.family.called(switches_on)
            judged = self.judged(switches_on, trace)
            assert not isinstance(judged, Bad), name
            refusal = found.refusal(switches_on)
            assert (switches_on in found.accepting) == (judged is None), name
            assert (None if refusal is None else (refusal.event, refusal.clause)) == judged, name
        return found

    def judged(self, switches_on: int, trace: Lines) -> Judged | Bad:
        options = trace[0].get("options", {})
        return judge(self.machine(switches_on, len(trace[0]["players"]), *options.items()), trace)


def won(rules: str) -> Lines:
    """Return a game that Bo wins with two identical pairs of three, and is paid one."""
    return [
        {"golpae": 1, "rules": rules, "players": ["An", "Bo"], "id": "won"},
        {
            "do": "deal",
            "first": 1,
            "hands": [["6-1", "3-1", "5-1", "4-4", "1-1"], ["6-6", "6-6", "5-4", "6-3", "4-2", "2-2"]],
        },
        {"do": "lay", "by": 1, "tiles": ["6-6", "6-6"]},
        {"do": "lay", "by": 1, "tiles": ["5-4", "6-3"]},
        {"do": "discard", "by": 1, "tile": "4-2"},
        {"do": "draw", "by": 0, "tile": "6-1"},
        {"do": "lay", "by": 0, "tiles": ["6-1", "6-1"]},
        {"do": "discard", "by": 0, "tile": "1-1"},
        {"do": "draw", "by": 1, "tile": "2-2"},
        {"do": "lay", "by": 1, "tiles": ["2-2", "2-2"]},
        {"do": "end", "winner": 1, "pay": [-1, 1]},
    ]
