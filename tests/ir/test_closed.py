"""Every choice among the nodes of the IR is closed."""

import pytest

from tests import closed, fields


def test_every_match_over_nodes_ends_in_assert_never() -> None:
    found = [d for file, module in closed.modules() for d in closed.dispatches(file, module)]
    assert found, "no backend takes the IR apart"
    where = [f"{d.file.relative_to(closed.PACKAGE)}:{d.line}" for d in found if not d.closed]
    assert not where, "end it with `case _: assert_never(...)`, or use the walks of ir.traverse"


def test_every_case_over_nodes_says_what_each_field_means() -> None:
    gaps = [str(gap) for gap in fields.Reading(fields.modules(closed.PACKAGE)).gaps()]
    assert not gaps, "name the fields in the pattern, `field=_` if they mean nothing there (tests/fields.py)"


@pytest.mark.slow
def test_the_type_check_notices_a_class_that_a_reader_forgets(capsys: pytest.CaptureFixture[str]) -> None:
    assert closed.main([]) == 0, capsys.readouterr().out
