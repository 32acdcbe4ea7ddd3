"""Comparisons kept between runs, so that nothing is decided twice.

In: two rule sets at one table and the settings. Out: what was last kept of just these. The name of an entry is a hash
over all that an answer depends on, golpae's own code and the solvers' versions among it. What is not decided is not
kept: more time may decide it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping

from golpae import cache as kept
from golpae.compare.games.verdict import PROVED, QUESTIONS, REFUTED, AtTable
from golpae.ir.ruleset import RuleSet
from golpae.verify import cache as keep
from golpae.verify.options import Settings

FORM = 1
PARTS = (*keep.PARTS, "compare", "trace")


def recall(name: str) -> AtTable | None:
    """What is kept under a name, if anything."""
    found: AtTable | None = kept.recall_as(name, AtTable)
    return found


def remember(name: str, found: AtTable) -> None:
    """Keep what was found at a table, if all of it is decided."""
    if all(getattr(found, q).verdict in (PROVED, REFUTED) for q in QUESTIONS):
        kept.keep_as(name, found)


def name(a: RuleSet, b: RuleSet, players: int, options: Mapping[str, int], settings: Settings) -> str:
    """A hash over everything that the answers depend on."""
    about = [
        FORM,
        keep.meaning_of(a),
        keep.meaning_of(b),
        players,
        sorted(options.items()),
        settings.milliseconds,
        settings.megabytes,
        settings.seed,
        keep.code_of(PARTS),
        keep.solvers(settings),
        sys.version_info[:2],
    ]
    return "compared-" + hashlib.sha256(repr(about).encode()).hexdigest()
