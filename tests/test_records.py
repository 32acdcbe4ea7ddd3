"""Dataclasses of the IR are those of Python, but for how long it takes to make them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from golpae.records import dataclass


@dataclass(frozen=True, slots=True)
class Tree:
    """A value with leaves."""

    KIND = "tree"
    name: str
    leaves: tuple[Tree, ...] = ()
    place: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Empty:
    pass


@dataclasses.dataclass(frozen=True, slots=True)
class Plain:
    name: str
    leaves: tuple[Tree, ...] = ()
    place: int = field(default=0, compare=False)


def test_values_that_compare_equal_are_equal_whatever_else_they_hold() -> None:
    one, same, other = Tree("a", (Tree("b"),), 1), Tree("a", (Tree("b"),), 2), Tree("a")
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert len({one, same, other, Empty(), Empty()}) == 3
    plain: Any = Plain("a")
    assert Tree("a") != plain
    assert Empty() == Empty()


def test_they_are_shown_and_matched_like_those_of_python() -> None:
    assert repr(Tree("a", (Tree("b"),))) == repr(Plain("a", (Tree("b"),))).replace("Plain", "Tree")
    assert repr(Empty()) == "Empty()"
    match Tree("a", (), 3):
        case Tree(name, (), place):
            assert (name, place) == ("a", 3)
    assert [f.name for f in dataclasses.fields(Tree)] == ["name", "leaves", "place"]
    assert Tree.__match_args__ == Plain.__match_args__


def test_nothing_of_them_changes() -> None:
    tree: Any = Tree("a")
    with pytest.raises(FrozenInstanceError, match="name"):
        tree.name = "b"
    with pytest.raises(FrozenInstanceError, match="name"):
        del tree.name
    with pytest.raises(FrozenInstanceError):
        tree.other = 1
    assert not hasattr(tree, "__dict__")


def test_they_are_copied_replaced_and_pickled_with_all_they_hold() -> None:
    tree = Tree("a", (Tree("b", (), 4),), 5)
    for made in (copy.deepcopy(tree), pickle.loads(pickle.dumps(tree)), dataclasses.replace(tree)):
        assert dataclasses.astuple(made) == dataclasses.astuple(tree)
    assert dataclasses.replace(tree, name="c") == Tree("c", (Tree("b"),))


def test_a_value_that_is_missing_or_too_many_is_refused() -> None:
    make: Any = Tree
    with pytest.raises(TypeError, match="name"):
        make()
    with pytest.raises(TypeError):
        make("a", (), 1, 2)
