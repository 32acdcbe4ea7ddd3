"""Shared by the tests of replay: rule sets from a text that is read once, traces judged in memory."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from golpae.elaborate.check import check
from golpae.elaborate.load import Loaded, load
from golpae.elaborate.resolve import resolve, split
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.replay.report import Report


@cache
def text(game: str) -> Loaded:
    """Return the rule text of a game."""
    return load(game)


@cache
def rule_set(rules: str) -> RuleSet:
    """Return the rule set `base+switch+...`."""
    return check(resolve(rules, text(split(rules)[0])))


LIBRARY = Library(rule_set)


def machine(rules: str, players: int) -> Machine:
    """Return the machine of a rule set at a table without options."""
    found = LIBRARY.machine(rules, players, {})
    assert isinstance(found, Machine), found
    return found


def all_judged(lines: Iterable[Any]) -> list[Report]:
    """Return the reports on the traces of a file of these lines."""
    data = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    return list(replay(io.BytesIO(data), "a trace", LIBRARY))


def judged(lines: Iterable[Any]) -> Report:
    """Return the report on one trace."""
    (report,) = all_judged(lines)
    return report
