"""Theorems kept by what they speak of, so that rule sets and tables that agree on it decide them once.

In: a property that asks for no game under way, its table and the settings. Out: the answer last kept for just this,
whatever the rules are called. The name of an entry is a hash over the property, over all parts of the rules that it
refers to, the set of tiles and the options; and over the number of players, where seats come into it.
"""

from __future__ import annotations

import hashlib
import sys

from golpae import cache as kept
from golpae.elaborate.instance import Instance
from golpae.ir import expr as ir
from golpae.ir.dependencies import reached_by
from golpae.ir.ruleset import ArrangementDecl, Definition, PropertyDecl, ScoreDecl, ShapeDecl
from golpae.ir.types import BOOL
from golpae.prove.answer import UNKNOWN, Answer
from golpae.verify import cache as keep
from golpae.verify.options import Settings

FORM = 1


def recall(name: str) -> Answer | None:
    """The answer kept under a name, if any."""
    found: Answer | None = kept.recall_as(name, Answer)
    return found


def remember(name: str, answer: Answer) -> None:
    """Keep an answer, if it is one."""
    if answer.verdict != UNKNOWN:
        kept.keep_as(name, answer)


def name(prop: PropertyDecl, score: str | None, table: Instance, settings: Settings) -> str:
    """A hash over all that an answer depends on; `score` is the one whose patterns it is about, if it is."""
    rules = table.rule_set
    exprs = [prop.expr, *([] if score is None else [ir.Ways("every", score, ir.Const(True, BOOL), BOOL)])]
    reached = reached_by(rules, exprs)
    called = {name for _, name in reached}
    parts: list[Definition | ShapeDecl | ArrangementDecl | ScoreDecl]
    parts = [*rules.definitions, *rules.shapes, *rules.arrangements, *rules.scores]
    spoken = repr([exprs, [part for part in parts if part.name in called]])
    about = [
        FORM,
        spoken,
        rules.tiles,
        table.kinds,
        rules.options,
        sorted(table.options.items()),
        table.players if "Seat(" in spoken else None,
        settings.milliseconds,
        settings.megabytes,
        keep.code_of(keep.PARTS),
        keep.solvers(settings),
        sys.version_info[:2],
    ]
    return "theorem-" + hashlib.sha256(repr(about).encode()).hexdigest()
