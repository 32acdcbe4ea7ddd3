"""Cached answers to theorems, shared by all rule sets and tables that agree on what a theorem refers to.

Input: a property that does not depend on a game's course, its instance and the settings.
Output: the answer last stored for exactly these, whatever the rules are called, with the questions that it took.
Guarantee: the name of an entry depends on the property, on all parts of the rules that it refers to, on the set of
tiles and the options; and on the number of players if it refers to seats.
"""

from __future__ import annotations

from dataclasses import dataclass

from golpae import cache
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import Dependencies
from golpae.ir.ruleset import ArrangementDecl, Definition, PropertyDecl, ScoreDecl, ShapeDecl
from golpae.ir.scoring import given_labels
from golpae.ir.types import BOOL
from golpae.prove.answer import UNKNOWN, Answer
from golpae.verify.cache import CODE, packages_of
from golpae.verify.options import Settings

FORM = 4


@dataclass(frozen=True, slots=True)
class Decided:
    """An answer, how many questions and units it took, and the largest part of its effort that a question used."""

    answer: Answer
    queries: int
    units: int
    fullest: tuple[float, str]


def load(name: str) -> Decided | None:
    """Return the result that is stored under a name, if any."""
    return cache.load_as(name, Decided)


def store(name: str, decided: Decided) -> None:
    """Store an answer unless it is unknown."""
    if decided.answer.verdict != UNKNOWN:
        cache.store_as(name, decided)


def name_of(prop: PropertyDecl, score: str | None, instance: Instance, settings: Settings) -> str:
    """Return the name of the entry for a property; `score` names the score whose patterns it is about, if any."""
    rules = instance.rule_set
    exprs = [prop.expr, *([] if score is None else [ir.Ways("every", score, ir.Const(True, BOOL), BOOL)])]
    reached = Dependencies(rules, provided=True).reached_by(exprs)
    names = {name for _, name in reached}
    parts: list[Definition | ShapeDecl | ArrangementDecl | ScoreDecl]
    parts = [*rules.definitions, *rules.shapes, *rules.arrangements, *rules.scores]
    meaning = repr([exprs, [part for part in parts if part.name in names]])
    return cache.fingerprint(
        "theorem",
        FORM,
        prop.name,  # questions are about it
        meaning,
        rules.tiles,
        instance.kinds,
        instance.wild,
        instance.wild_as,
        rules.options,
        sorted(instance.options.items()),
        instance.players if "Seat(" in meaning else None,
        sorted(given_labels(rules)) if "Ways(" in meaning else None,
        settings.effort,
        settings.most,
        settings.solver_seed,
        code=CODE,
        packages=packages_of(settings),
    )
