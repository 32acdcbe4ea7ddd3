"""Every choice among the nodes of the IR is closed."""

import pytest

from tests import closed


def test_every_match_over_nodes_ends_in_assert_never() -> None:
    found = [d for file, module in closed.modules() for d in closed.dispatches(file, module)]
    assert found, "no backend takes the IR apart"
    where = [f"{d.file.relative_to(closed.PACKAGE)}:{d.line}" for d in found if not d.closed]
    assert not where, "end it with `case _: assert_never(...)`, or use the walks of ir.traverse"


@pytest.mark.slow
def test_the_type_check_notices_a_class_that_a_reader_forgets(capsys: pytest.CaptureFixture[str]) -> None:
    assert closed.main([]) == 0, capsys.readouterr().out
