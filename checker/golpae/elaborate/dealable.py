"""Whether the set of a table has enough tiles for its hands.

Input: an instance, and words for its options. Output: why nobody can be dealt a hand at this table, as a code and a
message; None if the numbers fit, or depend on a game in progress.
"""

from __future__ import annotations

from golpae.diagnostics.amounts import many
from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.instance import Instance

LARGER, NEGATIVE = (
    "G002",
    "G007",
)  # the codes of a deal larger than the set, and of a hand of less than no tiles


def undealable(instance: Instance, options: str = "") -> tuple[str, str] | None:
    """Return why the hands cannot be dealt; `options` are those that the message names: `with top 1`."""
    dealing = next(a for a in instance.rule_set.actions if a.kind == "deal").dealing
    if dealing is None:
        return None
    try:
        first = constant_int(dealing.first, instance.static)
        others = constant_int(dealing.others, instance.static)
    except NotConstant:
        return None
    seated = (first, *[others] * (instance.players - 1))
    if min(seated) < 0:
        return NEGATIVE, " ".join(filter(None, (options, f"a hand cannot have {min(seated)} tiles")))
    dealt, whole = sum(seated), sum(kind.copies for kind in instance.kinds)
    if dealt <= whole:
        return None
    but = " ".join(filter(None, ("but", options, f"the set has {whole}")))
    return LARGER, f"{many(instance.players, 'player')} need {many(dealt, 'tile')}, {but}"
