"""The STRUCTURE of each node agrees with its fields."""

from dataclasses import fields
from typing import Any, get_args

import pytest

from golpae.ir import expr as ir

NODES = (*get_args(ir.Expr), *get_args(ir.Effect), ir.Place, ir.MeldPlace)
HOLDS = ("Expr", "Place", "MeldPlace")


def words(annotation: object) -> set[str]:
    return set(
        str(annotation).replace("[", " ").replace("]", " ").replace(",", " ").replace("|", " ").split()
    )


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.__name__)
def test_a_node_states_every_field_that_holds_expressions_or_effects(node: Any) -> None:
    structure = node.STRUCTURE
    holding = [f.name for f in fields(node) if words(f.type) & set(HOLDS)]
    assert list(structure.children) == holding
    assert [f.name for f in fields(node) if "Effect" in words(f.type)] == list(structure.nested)


@pytest.mark.parametrize("node", NODES, ids=lambda node: node.__name__)
def test_the_structure_of_a_node_names_its_own_fields(node: Any) -> None:
    structure = node.STRUCTURE
    named = {*structure.scope, *structure.foreign}
    named |= {*structure.nested, *structure.unless}
    named |= {name for name in (structure.test, structure.binds) if name is not None}
    if structure.reads is not None:
        named |= {structure.reads.name, structure.reads.seat}
    for stated in (*structure.writes, *structure.refers):
        named |= {stated.field} - {None}
    assert named <= {f.name for f in fields(node)}
    assert set(structure.scope) <= {*structure.children, *structure.nested}
    assert set(structure.unless) <= set(structure.nested if structure.test in structure.children else ())
    assert (structure.binds is None) is (not structure.scope)
