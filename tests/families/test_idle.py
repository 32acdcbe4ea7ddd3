"""Where golpae says that a switch changes nothing, it changes nothing, however few cases it may ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.switches import idle
from golpae.verify.switches.idle import where_same
from golpae.verify.switches.of_switch import having_both
from tests.families.loaded import load_from
from tests.families.takes import TAKES, parted

pytestmark = pytest.mark.solver


def game(folder: Path) -> tuple[FamilyName, dict[str, dict[int, bool]]]:
    """Return a game with three switches, and whether two of them change anything, by settings of the others."""
    rules, *variants = TAKES.split("\nvariant ")
    text = "\nvariant ".join([rules, *(v for v in variants if v.startswith(("high", "quick", "slow")))])
    load = load_from(folder, "takes", text)
    name = FamilyName("takes", (), (), (folder,))
    family, _ = groups(name)
    return name, {
        switch: {
            number: bool(parted(load, family.called(number), family.called(number | family.bits([switch]))))
            for number in having_both(family, switch).members()
        }
        for switch in ("high", "slow")
    }


@pytest.mark.parametrize(("cases", "alone"), [(0, 6), (2, 6), (24, 0), (24, 6)])
def test_what_few_cases_do_not_settle_is_unknown(
    cases: int, alone: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idle, "CASES", cases)
    monkeypatch.setattr(idle, "ALONE", alone)
    monkeypatch.setattr(Settings, "scaled", lambda self, number: number)
    name, changed = game(tmp_path)
    family, _ = groups(name)
    assert all(changed["high"].values())
    assert not any(changed["slow"].values())
    asked = [(switch, having_both(family, switch).cubes) for switch in changed]
    for found in where_same(name, asked, 2, {}, Settings()):
        among, shown, open_ = (
            family.space.region(cubes) for cubes in (found.all, found.otherwise, found.unknown)
        )
        proved = among.difference(shown).difference(open_)
        of_switch = changed[found.switch]
        assert all(of_switch[number] for number in shown.members())
        assert not any(of_switch[number] for number in proved.members())
        if cases == 0:
            assert open_ == among
            assert found.why == "0 cases of settings are not enough"
        elif cases == 24:
            assert (not open_, found.why) == (True, None)
