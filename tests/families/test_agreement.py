"""The agreement plays games about what games can contradict, and goes on where its log ends."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from golpae.prove.answer import PROVED, REFUTED
from golpae.verify.families.scheduler import FamilyName, groups
from tests.families.agreement import Playing, main
from tests.families.loaded import members

GAME = "three-dozen"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the rule sets under which games are played. Each of these contradicts one property."""
    numbers: list[int] = []

    def contradicted(self: Playing, number: int, kept: Mapping[str, str | None]) -> Iterator[str]:
        numbers.append(number)
        yield min(kept)

    monkeypatch.setattr(Playing, "contradicted", contradicted)
    return numbers


def test_games_go_on_where_the_log_ends(
    tmp_path: Path, played: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "log.jsonl"
    words = [GAME, "--players", "2", "--games", "3", "--log", str(file), "--samples"]
    assert main([*words, "2"]) == 1
    assert (len(played), len(file.read_text(encoding="utf-8").splitlines())) == (2, 2)
    capsys.readouterr()
    assert main([*words, "7"]) == 1
    every = len(members(groups(FamilyName(GAME, (), (), ()))[0]))
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"7 of {every:,} rule sets: 2 known before, 7 contradicted"
    assert len(played) == len(set(played)) == 7


def test_other_games_and_other_verdicts_are_asked_anew(tmp_path: Path, played: list[int]) -> None:
    file = tmp_path / "log.jsonl"
    words = [GAME, "--players", "2", "--samples", "1", "--log", str(file), "--games"]
    main([*words, "3"])
    main([*words, "4"])
    assert len(played) == 2
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["kept"][min(line["kept"])] = "unknown"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    main([*words, "4"])
    assert len(played) == 3


def test_counts_are_printed_after_a_few_rule_sets(
    played: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    main([GAME, "--players", "2", "--games", "1", "--samples", "7"])
    counts = [line.partition(" ")[0] for line in capsys.readouterr().out.splitlines() if "rule sets" in line]
    assert counts == ["5", "7"]


def test_positions_contradict_what_does_not_hold_in_them() -> None:
    """What speaks of the rules alone is not asked, although two pairs are not always forced."""
    playing = Playing(FamilyName("three-dozen", (), (), ()), 3, 4)
    of_rules = {"thirty-four-dozens": PROVED, "two-forced-pairs": PROVED}
    assert list(playing.contradicted(0, of_rules | {"some-event-is-legal": PROVED})) == []
    assert playing.positions > 100
    assert list(playing.contradicted(0, of_rules | {"two-can-claim": REFUTED})) == ["two-can-claim"]


@pytest.mark.parametrize(
    ("bounds", "found"), [("from best + 1 to best + 3", ["some-event-is-legal"]), ("", [])]
)
def test_a_dead_end_contradicts_that_some_event_is_legal(
    tmp_path: Path, bounds: str, found: list[str]
) -> None:
    """Bids go up to 13, and nothing else is left. Without bounds golpae cannot list them, so another may be legal."""
    text = (Path(__file__).parents[1] / "kernel" / "texts" / "numbers-between.golpae").read_text("utf-8")
    bids = text[: text.index("action raise")] + text[text.index("end\n") :]
    assert "from best + 1 to best + 3" in bids
    written = bids.replace("number from best + 1 to best + 3", f"number {bounds}".strip())
    (tmp_path / "numbers-between.golpae").write_text(written, encoding="utf-8")
    playing = Playing(FamilyName("numbers-between", (), (), (tmp_path,)), 2, 1)
    assert list(playing.contradicted(0, {"some-event-is-legal": PROVED})) == found
