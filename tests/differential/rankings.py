"""Numbers that induction says fall with every event of a hand, held against a walk through the games.

Input: the analysis of a table, and a walk through its games. Output: findings and counts.
Guarantee: a number that is proved to fall does so in each event of the walk, and is not below 0; no hand begins with
more than it is said to be at most. The numbers are those of the text, of its `ends` first, and the sizes of zones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.ir.types import INT, MELDS, TILES
from golpae.prove.induction.ranking import check_ranking, highest_after_deal
from golpae.prove.symbolic.terms import Unsupported
from golpae.verify.analysis import Analysis
from tests.differential.against_judge import Say
from tests.differential.parts import NO_VALUE, parts_of
from tests.differential.walk import Walk

MOST = 4  # numbers of a table


def check_rankings(
    analysis: Analysis, games: Walk, rng: random.Random, say: Say, counts: Counter[str]
) -> None:
    """Check what induction says of some numbers."""
    found = dict.fromkeys(_numbers(games.machine.rules, rng))
    for number in [*found][:MOST]:
        try:
            falls = check_ranking(analysis.induction, number, None) is None
        except Unsupported:
            continue
        counts["numbers asked if they fall"] += 1
        if falls:
            counts["numbers that fall"] += 1
            _falls(analysis, games, number, say)


def _numbers(rules: RuleSet, rng: random.Random) -> Iterator[ir.Expr]:
    """Yield numbers of rules that have a value in each state of a hand."""
    yield from (p.expr for p in rules.properties if p.kind == "ends")
    parts = [part.expr for part in parts_of(rules) if part.expr.type == INT and part.by is None]
    for zone in rules.zones:
        if not zone.each_player:
            held = ir.ZoneRead(zone.name, None, MELDS if zone.kind == "melds" else TILES)
            parts.append(ir.Op("size", (held,), INT))
    yield from rng.sample(parts, len(parts))


def _falls(analysis: Analysis, games: Walk, number: ir.Expr, say: Say) -> None:
    machine = games.machine
    value = machine.function(number, ())
    for at, line, to in games.steps:
        if machine.actions[line.event.action].kind != "play":
            continue
        before, after = games.positions[at], games.positions[to]
        try:
            old, new = value(before.state), value(after.state)
        except NO_VALUE:
            return
        if old is None or new is None:  # out of its place it may read none, which the text asks first
            return
        if new >= old or new < 0:
            trace = [*games.trace(before), line.line]
            say("ranking", f"said to fall: {old} to {new}: {number!r:.300}", trace)
            return
    try:
        most = highest_after_deal(analysis.induction, number)
    except Unsupported:
        return
    for position in games.positions:
        if most is None or machine.stage(position.state) != "playing":
            continue
        try:
            held = value(position.state)
        except NO_VALUE:
            continue
        if held is not None and held > most:
            say("ranking", f"at most {most} is said: {number!r:.300}", games.trace(position))
            return
