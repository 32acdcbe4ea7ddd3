"""Every fault that is planted is still one: its old lines are in the package once, and its new ones are Python."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from tests.planted.__main__ import OPTIONS
from tests.planted.fault import PACKAGE, Fault
from tests.planted.faults import FAULTS


def test_names_are_unique() -> None:
    assert [name for name, times in Counter(f.name for f in FAULTS).items() if times > 1] == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_can_be_planted(fault: Fault) -> None:
    before = (PACKAGE / fault.file).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(fault.planted())) != ast.dump(ast.parse(before))
    assert fault.part in OPTIONS


def test_old_lines_that_are_gone_are_an_error() -> None:
    gone = Fault("gone", "cache.py", "no such line\n", "another\n", "nothing")
    with pytest.raises(ValueError, match="has the old lines 0 times"):
        gone.planted()
