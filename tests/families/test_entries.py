"""What is cached of families is named by all that it depends on."""

from __future__ import annotations

import pytest

from golpae.verify.families import run
from golpae.verify.options import Settings


def test_results_with_and_without_the_compiled_path_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for is_there in (True, False):
        monkeypatch.setattr(run, "available", lambda there=is_there: there)
        names.add(run.entry("switches", ("takes",), Settings()))
    assert len(names) == 2
