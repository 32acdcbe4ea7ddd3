"""Write out the words that other words can say, before a text is typed.

Input: a `Resolved` text. Output: the same rule set without such words, as surface trees.
Guarantee: what is written out has the spans of what was written, so that faults and verdicts point to the text.
Nothing below this module knows these words: no checker of types, no reader of the IR, no statement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from golpae.diagnostics import SpecError
from golpae.elaborate.expand.groups import with_groups
from golpae.elaborate.expand.if_stated import without_if_stated
from golpae.elaborate.expand.number_words import number_words
from golpae.elaborate.expand.payments import payments_written_out
from golpae.elaborate.expand.repeat import without_repeat
from golpae.elaborate.expand.row_slices import row_slices_written_out
from golpae.elaborate.expand.score_defines import with_score_defines
from golpae.elaborate.expand.sights import sights_written_out
from golpae.elaborate.expand.teams import teams_written_out
from golpae.elaborate.expand.tile_patterns import tile_patterns
from golpae.elaborate.expand.wheres import with_the_ones, with_wheres, with_wheres_of_scores
from golpae.elaborate.expand.wild import wild_in_shapes
from golpae.elaborate.expand.winners import winners_written_out
from golpae.elaborate.resolve import Resolved
from golpae.syntax import tree as t

Step = Callable[[tuple[t.Decl, ...]], tuple[t.Decl, ...]]


def steps_of(resolved: Resolved) -> tuple[Step, ...]:
    """Return one function for each word or family of words, in the order in which they are written out."""
    return (
        number_words,
        tile_patterns,
        wild_in_shapes,
        row_slices_written_out,
        without_repeat,
        with_wheres_of_scores,
        with_score_defines,
        with_the_ones,
        with_groups,
        sights_written_out,
        teams_written_out,
        partial(winners_written_out, variants=resolved.variants),
        payments_written_out,
        with_wheres,
        without_if_stated,
    )


# What puts lines of the text in other places of it: these steps alone tell where a clause is written.
PLACING: tuple[Step, ...] = (with_score_defines, with_groups)


def placed(decls: tuple[t.Decl, ...]) -> tuple[t.Decl, ...]:
    """Return declarations with each line of a group in its places; as they are if they have faults."""
    try:
        for step in PLACING:
            decls = step(decls)
    except SpecError:
        pass
    return decls


def expanded(resolved: Resolved) -> Resolved:
    """Return the text with each such word written out. Raises `SpecError`."""
    decls = resolved.decls
    for step in steps_of(resolved):
        decls = step(decls)
    return replace(resolved, decls=decls)
