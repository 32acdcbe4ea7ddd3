"""What golpae says of a text is the same in whatever way it is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import same_verdicts
from tests.verify.shells import SHELLS

pytestmark = [pytest.mark.solver, pytest.mark.process]

# too many positions to go through: induction, more invariants and searches have to decide
SMALL, LARGE = (
    ("tiles 4 of 2 kinds", "two of each pale dark", "hands: 2", "sand = 4"),
    (
        "tiles 12 of 6 kinds",
        "two of each pale dark red blue grey green",
        "hands: 4",
        "sand = 8",
    ),
)
STATED = """
always thrown-lie-there: thrown = size of sand
always few: thrown < 3
always hands-are-even: thrown mod 2 = 0 or some p in players: size of p's hand mod 2 = 1
never bright-end: over and lit
reachable all-thrown: size of sand = 8
reachable nothing-in-box within 4 events: size of box = 0
theorem two-of-each: every t in tiles: number of u in tiles: u = t >= 1
claim lit-or-not: lit or not lit
ends every-throw after throw: 8 - thrown
ends every-event: 8 - thrown
"""


@pytest.fixture
def shells(tmp_path: Path) -> str:
    text = SHELLS
    for small, large in zip(SMALL, LARGE, strict=True):
        assert small in text
        text = text.replace(small, large)
    file = tmp_path / "shells.golpae"
    file.write_text(f"{text}\n{STATED}", encoding="utf-8")
    return str(file)


def test_hash_seeds_orders_and_processes_change_nothing(shells: str) -> None:
    asking, table = same_verdicts.Asking(), same_verdicts.Table(shells, None)
    first = asking.ordered(table, *same_verdicts.WAYS[0])
    assert {result["verdict"] for result in first.values()} >= {"proved", "refuted"}
    for order, seed in same_verdicts.WAYS[2:]:  # the others are the script's
        assert list(same_verdicts.differences(first, asking.ordered(table, order, seed))) == []
    assert list(same_verdicts.differences(first, asking.proved(table, 2, seed=3))) == []
    for _, kept in asking.cached(table, seed=4):
        assert list(same_verdicts.differences(first, kept)) == []


def test_differences_are_named() -> None:
    record = {
        "rules": "shells",
        "players": 2,
        "options": {},
        "kind": "always",
        "name": "few",
        "verdict": "proved",
        "seconds": 1,
    }
    one = same_verdicts.by_table([record])
    assert list(same_verdicts.differences(one, same_verdicts.by_table([record | {"seconds": 2}]))) == []
    [missing] = same_verdicts.differences(one, {})
    assert missing == "shells, 2 players: few: no result in one of the two"
    [line] = same_verdicts.differences(one, same_verdicts.by_table([record | {"verdict": "unknown"}]))
    assert line == "shells, 2 players: few: verdict: 'proved' and 'unknown'"
    assert same_verdicts.by_table([record | {"kind": "share"}]) == {}


def test_kept_answers_are_not_asked_for_again(
    shells: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, asked = same_verdicts.Table(shells, 2), list[int]()

    def run(self: same_verdicts.Asking, words: list[str], seed: int) -> list[object]:
        asked.append(seed)
        return []

    monkeypatch.setattr(same_verdicts.Asking, "_run", run)
    for seed in (1, 1, 2):
        assert same_verdicts.Asking(tmp_path).ordered(table, "backwards", seed) == {}
    assert asked == [1, 2]
    same_verdicts.Asking(tmp_path, beside=1).ordered(table, "backwards", 2)
    Path(shells).write_text(Path(shells).read_text().replace("size of sand = 8", "size of sand = 7"))
    same_verdicts.Asking(tmp_path).ordered(table, "backwards", 2)
    assert asked == [1, 2, 2, 2]


def test_one_table_of_each_game_comes_first() -> None:
    words = [str(table) for table in same_verdicts.in_turn(["jjak", "three-dozen"], None, whole=False)]
    assert words[:3] == ["jjak, 2 players", "three-dozen, 2 players", "jjak, 3 players"]
    assert "jjak+row, 4 players" in words
    calls = [str(table) for table in same_verdicts.in_turn(["jjak"], None, whole=True)]
    assert calls == ["jjak, 2 players", "jjak, 3 players", "jjak, 4 players"]
