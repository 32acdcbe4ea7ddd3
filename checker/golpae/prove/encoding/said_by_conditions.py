"""What the conditions of an action say of what its effects move.

Input: an action. Output: the tiles that the groups of a key are all of; what holds of a member of a zone that an effect
chooses.
Guarantee: if all conditions hold, and a choice has a value in the state before the event, the tests hold of this value.
"""

from __future__ import annotations

from collections.abc import Iterator

from golpae.ir import expr as ir
from golpae.ir.facts import LaidOut, facts
from golpae.ir.ruleset import Action
from golpae.ir.substitute import substituted
from golpae.ir.traverse import conjuncts, names_in, nodes
from golpae.ir.wellformed_expr import item_of

MADE_OF_KEYS = (ir.BagOf, ir.Local, ir.Const)


def tiles_of_groups(action: Action) -> dict[str, ir.Expr]:
    """Return the tiles of the keys whose groups are, by a condition, all of some tiles."""
    return {
        fact.groups.name: fact.tiles
        for condition in action.conditions
        for fact in facts(condition.expr)
        if isinstance(fact, LaidOut) and isinstance(fact.groups, ir.Local)
    }


def shapes_of(action: Action, tiles: ir.Expr) -> list[str]:
    """Return the shapes that tiles of the keys of an action have by its conditions."""
    keys = {name for param in action.params for name in (param.name, *param.parts)}
    if not names_in(tiles) <= keys or not all(isinstance(node, MADE_OF_KEYS) for node in nodes(tiles)):
        return []  # effects may have changed the state that decides which tiles they are
    parts = (part for condition in action.conditions for part in conjuncts(condition.expr))
    return [part.shape for part in parts if isinstance(part, ir.IsShape) and part.arg == tiles]


def said_of_chosen(action: Action, choice: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the conditions of an action about the value of a choice, by the name that the choice gives it.

    some m in melds: onto in m and m + tile is set        the condition
    the m in melds: onto in m                             the choice: m + tile is set
    """
    if not isinstance(choice, ir.Fold) or choice.kind != "the" or choice.test is None:
        return
    name, wanted = choice.names[0], {*conjuncts(choice.test)}
    for part in (part for condition in action.conditions for part in conjuncts(condition.expr)):
        if not isinstance(part, ir.Quant) or part.kind != "some" or part.size is not None:
            continue
        if part.domain != choice.domain or len(part.names) != 1:
            continue
        own = part.names[0]
        if own != name and name in names_in(part.body):
            continue  # there it is the name of something else
        named = substituted(part.body, {own: ir.Local(name, item_of(choice.domain.type))})
        said = [*conjuncts(named)]
        if wanted <= {*said}:
            yield from (one for one in said if one not in wanted)
