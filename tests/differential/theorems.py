"""Theorems held against the judge, which goes through all values.

Input: an instance of a rule set, and the same as the judge reads it. Output: findings and counts.
Guarantee: besides the theorems of the text, truths in it that read no game are asked, and whether some way of a score
has so many points.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import PropertyDecl, RuleSet
from golpae.ir.types import BOOL, INT
from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.options import Settings
from golpae.verify.verifier import Verifier
from tests.differential.against_judge import Say
from tests.differential.parts import NO_VALUE, parts_of
from tests.judge.evaluate import Scene, evaluate
from tests.judge.match import start
from tests.judge.values import truth

MOST_WORK = 60_000  # evaluations of the judge for one theorem
MOST = 8  # theorems of a rule set that are made of its parts
POINTS = (0, 1, 2, 3, 4)


def reads_a_game(expr: ir.Expr, rules: RuleSet) -> bool:
    """Return whether the value of an expression may change in a game."""
    return bool(Dependencies(rules).reads([expr]))


def theorems_of(rules: RuleSet, rng: random.Random) -> Iterator[PropertyDecl]:
    """Yield theorems about a table of some rules."""
    for prop in rules.properties:
        if prop.kind in ("theorem", "claim") and not reads_a_game(prop.expr, rules):
            yield prop
    parts = [part.expr for part in parts_of(rules) if part.expr.type == BOOL and part.by is None]
    truths: list[ir.Expr] = [expr for expr in parts if not reads_a_game(expr, rules)]
    truths = rng.sample(truths, min(len(truths), MOST))
    for score in rules.scores:
        for number in POINTS:
            same = ir.Op("eq", (ir.Local("points", INT), ir.Const(number, INT)), BOOL)
            of_ways = ir.Ways("some", score.name, same, BOOL)
            if not reads_a_game(of_ways, rules):  # which no text can ask for
                truths.append(of_ways)
    for number, expr in enumerate(truths):
        yield PropertyDecl("theorem", f"made-{number}", expr, None, None, ())


def check_theorems(
    instance: Instance,
    judged: Instance,
    settings: Settings,
    rng: random.Random,
    say: Say,
    counts: Counter[str],
) -> None:
    """Hold the verdicts on theorems against their values."""
    written = {prop.name: prop.expr for prop in judged.rule_set.properties}
    verifier = Verifier(instance, settings)
    for prop in theorems_of(instance.rule_set, rng):
        table, state = start(judged, most=MOST_WORK)
        table.begin()
        try:
            value = truth(evaluate(written.get(prop.name, prop.expr), Scene(table, state)))
        except NO_VALUE:
            counts["theorems not judged"] += 1
            continue
        result = verifier.verify(prop)
        counts["theorems judged"] += 1
        counts[f"theorems {result.verdict}"] += 1
        if result.fault is not None:
            say("theorem-fault", f"{prop.name}: {result.fault}: {prop.expr!r:.300}", [])
        elif result.verdict == (REFUTED if value else PROVED):
            say(
                "theorem",
                f"{prop.name}: judge {value}, {result.verdict}: {result.story} {prop.expr!r:.300}",
                [],
            )
