"""Which keys of events have so few values that all of them can be listed.

Input: an instance, a key, and where its values come from. Output: whether they are few.
"""

from __future__ import annotations

from typing import assert_never

from golpae.elaborate.constant import NotConstant, constant_int
from golpae.elaborate.instance import Instance
from golpae.ir import event_plan as plans
from golpae.ir.event_plan import all_bags
from golpae.ir.ruleset import ParamDecl
from golpae.ir.types import TILES, Opt

MOST_LISTED = 10_000  # numbers between two bounds


def can_list(instance: Instance, param: ParamDecl, source: plans.Source) -> bool:
    """Return whether the values that a key can come from are few enough to list as legal events."""
    match source:
        case plans.AnyBag(ordered=ordered):
            bare = param.type.item if isinstance(param.type, Opt) else param.type
            whole = instance.whole
            return bare == TILES and all_bags(whole, ordered) is not None
        case plans.Between(low=low, high=high):
            static = instance.static
            try:
                return constant_int(high, static) - constant_int(low, static) < MOST_LISTED
            except NotConstant:
                return True
        case (
            plans.Single()
            | plans.Nothing()
            | plans.Only()
            | plans.Members()
            | plans.Layouts()
            | plans.RowEnd()
            | plans.Either()
            | plans.Selected()
            | plans.AnyList()
            | plans.AnyValue()
        ):
            return True
        case _:
            assert_never(source)
