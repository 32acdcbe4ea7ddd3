"""The rule that a reader says what each field of a node means to it (tests/fields.py)."""

import ast
from functools import cache

import pytest

from tests import closed, fields

HEAD = """
from typing import assert_never
from golpae.ir import expr as ir
from golpae.syntax import tree as t
"""
MATCH = """
def read(node: ir.Effect) -> object:
    match node:
        {}
        case _:
            {}
"""
CLOSED = "assert_never(node)"


@cache
def package() -> list[fields.Module]:
    return fields.modules(closed.PACKAGE)


def missing(case: str, rest: str = "", last: str = CLOSED) -> list[str]:
    """Return the fields that each gap lacks in a module whose only `match` has this case."""
    text = HEAD + MATCH.format(case, last) + rest
    module = fields.Module("golpae.example", text, ast.parse(text))
    return [", ".join(gap.missing) for gap in fields.Reading([module]).gaps()]


@pytest.mark.parametrize(
    ("case", "without"),
    [
        ("case ir.Gain(seat=seat, amount=amount): return amount", []),
        ("case ir.Gain(seat=_, amount=amount): return amount", []),
        ("case ir.Gain(amount=amount): return amount", ["seat"]),
        ("case ir.Gain() | ir.Win(seat=_): return 1", ["seat, amount"]),
        ("case ir.Gain(): return node.seat, node.amount", []),
        ("case ir.Gain() as gain if node.seat: return gain.amount", []),
        ("case ir.Gain(): return node.amount", ["seat"]),
        ("case ir.Gain(): raise ValueError", []),
        ("case ir.Gain():  # by class\n            return 1", ["seat, amount"]),
        ("case t.Call() | t.Bag():  # by class\n            return 1", []),
        ("case t.Call() | t.Bag(): return 1", ["args, names, name", "items"]),
    ],
)
def test_a_case_has_to_read_every_field(case: str, without: list[str]) -> None:
    assert [set(fields.split(", ")) for fields in missing(case)] == [set(w.split(", ")) for w in without]


@pytest.mark.parametrize(
    ("function", "without"),
    [
        ("def given(n: ir.Gain) -> object: return n.seat, n.amount", []),
        ("def given(n: ir.Gain) -> object: return n.seat", ["amount"]),
        ("def given(n: ir.Gain | ir.Win) -> object: return n.seat", ["amount"]),
        ("def given(n: ir.Gain) -> object: return given(n)", ["seat, amount"]),
        ("def given(n: ir.Effect) -> object: return n.seat, n.amount", ["seat, amount"]),
        ("def given(n: object) -> object: return n", ["seat, amount"]),
        ("def given(x: int, n: ir.Gain) -> object: return n.seat, n.amount", ["seat, amount"]),
    ],
)
def test_a_function_for_a_class_reads_for_the_case_that_calls_it(function: str, without: list[str]) -> None:
    assert missing("case ir.Gain(): return given(node)", function) == without
    assert missing("case ir.Gain(): return given(n=node)", function.replace("x: int, ", "")) == (
        [] if "x: int" in function else without
    )


def test_a_match_that_is_not_closed_takes_the_general_way() -> None:
    assert missing("case ir.Gain(seat=seat): return seat", last="return 0") == []


@pytest.mark.parametrize(
    "reader",
    ["replay.codegen.effects", "kernel.emit.effects", "prove.encoding.effects", "lower.walk", "lower.text"],
)
def test_a_field_that_is_added_to_a_statement_is_a_gap_in_every_reader(reader: str) -> None:
    gaps = gaps_of_more()[f"golpae.{reader}"]
    assert gaps >= {n for n in fields.NODES if n.startswith("golpae.lower.statements.")}


@cache
def gaps_of_more() -> dict[str, set[str]]:
    """Return the classes that each module does not read whole if each has a field more."""
    out: dict[str, set[str]] = {}
    for gap in fields.Reading(package(), dict.fromkeys(fields.NODES, "more")).gaps():
        if "more" in gap.missing:
            out.setdefault(gap.module, set()).add(gap.node)
    return out


def test_a_field_that_is_added_to_a_node_is_a_gap_in_some_reader() -> None:
    without = fields.NODES.keys() - {node for gaps in gaps_of_more().values() for node in gaps}
    assert without == {"golpae.ir.expr.Implicit"}, "every case that lists it refuses it"


@pytest.mark.slow
def test_a_reader_that_forgets_a_field_has_a_gap(capsys: pytest.CaptureFixture[str]) -> None:
    tried, missed = closed.try_fields()
    assert tried > len(fields.NODES)
    assert not missed, capsys.readouterr().out
