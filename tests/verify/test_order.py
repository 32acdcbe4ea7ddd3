"""In which order properties are decided: easy ones first. Results come in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import Listener
from golpae.verify.verifier import Verifier, verify
from tests.verify.shells import SHELLS

PROPERTIES = """
reachable bright: lit

always few: thrown <= 4

always none-lost: size of sand <= 4

theorem four: size of tiles = 4
"""


@pytest.fixture
def shells(tmp_path: Path) -> RuleSet:
    file = tmp_path / "shells.golpae"
    file.write_text(SHELLS + PROPERTIES, encoding="utf-8")
    return elaborate("shells", [file])


def test_theorems_come_before_what_is_about_games(shells: RuleSet) -> None:
    begun: list[str] = []
    decided: list[str] = []
    results = verify(
        shells,
        2,
        {},
        Settings(),
        listener=Listener(on_result=lambda result: decided.append(result.name), on_begin=begun.append),
    )
    assert decided[:4] == ["four", "few", "none-lost", "bright"]
    assert begun == decided
    assert [r.name for r in results] == [p.name for p in properties_of(shells)]
    assert [r.verdict for r in results[:4]] == ["proved"] * 4


def test_what_the_first_invariants_show_comes_before_what_needs_more(
    shells: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def apart(name: str) -> Iterator[None]:
        yield

    verifier = Verifier(instantiate(shells, 2, {}), Settings())
    few, lost = (p for p in shells.properties if p.name in ("few", "none-lost"))
    found = SimpleNamespace(games=None, induction=None, unaided={"none-lost"}, apart=apart)
    monkeypatch.setattr(verifier, "analysis", found)
    monkeypatch.setattr(verifier, "effort", lambda prop: 2)
    assert verifier.easiest([few, lost]) is lost
    assert verifier.easiest([few]) is few
    found.unaided = set()
    assert verifier.easiest([few, lost]) is few
