"""Whether the outcome of effects depends on the order in which they go through a bag.

Input: the effects of a `for each`. Output: whether two orders can end differently. Guarantee: "no" is certain; "yes"
may be too careful. Bags have no order, and the order of the players begins with a seat that rules cannot name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from golpae.ir import expr as ir
from golpae.ir.dependencies import reads_through, written_by
from golpae.ir.ruleset import Definition
from golpae.ir.traverse import exprs_of, flat, names_in, nodes
from golpae.ir.types import Tile


def depends_on_order(effects: Iterable[ir.Effect], name: str, definitions: Mapping[str, Definition]) -> bool:
    """Return whether the order of the values of a name matters to effects."""
    effects = list(effects)
    return any(_last_one_wins(e, name) for e in effects) or _reads_what_it_writes(effects, name, definitions)


def _last_one_wins(effect: ir.Effect, name: str) -> bool:
    """Return whether only the last value of a name determines what an effect leaves behind."""
    match effect:
        case ir.Win(seat=seat):
            return seat is not None and name in names_in(seat)
        case ir.SetState(name=var, seat=seat, value=value):
            own = seat is not None and name in names_in(seat)
            return name in names_in(value) and not own and not _accumulates(value, var)
        case ir.Move(what=what, target=target):
            if what is None or not isinstance(target, ir.Place) or target.end is None:
                return False
            own = target.seat is not None and name in names_in(target.seat)
            return name in names_in(what) and isinstance(what.type, Tile) and not own
        case ir.When(effects=inner) | ir.ForEach(effects=inner):
            return any(_last_one_wins(e, name) for e in inner)
        case ir.Pay() | ir.Gain() | ir.Shuffle() | ir.Arrange() | ir.PassOn():
            return False
        case _:
            assert_never(effect)


def _reads_what_it_writes(effects: list[ir.Effect], name: str, definitions: Mapping[str, Definition]) -> bool:
    """Return whether a later iteration reads what an earlier one changed."""
    written = written_by(effects)
    for effect in flat(effects):
        if isinstance(effect, ir.SetState) and _accumulates(effect.value, effect.name):
            others = [
                n for n in nodes(effect.value) if not isinstance(n, ir.StateRead) or n.name != effect.name
            ]
            exprs = others[1:]
        else:
            exprs = list(exprs_of(effect))
        if any(reads_through(e, definitions, name) & written for e in exprs):
            return True
    return False


def _accumulates(value: ir.Expr, var: str) -> bool:
    """Return whether a value is a variable plus something that does not read the variable."""
    if not isinstance(value, ir.Op) or value.op not in ("add", "bag_add"):
        return False
    own, other = value.args
    if not isinstance(own, ir.StateRead) or own.name != var:
        return False
    return not any(isinstance(n, ir.StateRead) and n.name == var for n in nodes(other))
