"""Mutants of a small text: what notices them, and that no process changes that."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from golpae.elaborate.load import load
from golpae.mutate.explained import Unreadable, explained
from golpae.mutate.mutants import mutants
from golpae.mutate.recorded import NotHands, hands
from golpae.mutate.trials import Series, Trial, trials
from golpae.progress import Progress
from golpae.trace import Source, sources
from tests.coverage.picks import MISFIT, NOT_MOVER, PICKS, WON, folder, traces


def series(at: Path, **more: object) -> Series:
    folder(at)
    (at / "games.jsonl").write_bytes(
        traces(("picks", WON), ("picks", MISFIT), ("picks", NOT_MOVER), ("picks+passing", NOT_MOVER))
    )
    files, _ = sources([str(at / "games.jsonl")])
    return Series("picks", (at,), tuple(files), **more)  # type: ignore[arg-type]


def found(one: Series) -> dict[str, Trial]:
    return {trial.name: trial for trial in trials(one, 1, Progress())}


def test_games_notice_mutants(tmp_path: Path) -> None:
    by_name = found(series(tmp_path))
    dropped = by_name["put.fits: dropped"]
    assert (dropped.fate, dropped.path) == ("noticed", "put.fits")
    assert PICKS.splitlines()[dropped.line - 1].startswith("  fits: every b")
    assert dropped.by == f"{tmp_path}/games.jsonl:7"
    assert by_name["put.then (3): p wins -> nobody wins"].path == "put.then 3"
    assert by_name["fits.star: dropped"].fate == "noticed"
    assert by_name["passing, put.turn: p = mover -> p /= mover"].path == "put.turn (passing)"
    assert by_name["put.held: dropped"].fate == "unnoticed"
    assert by_name["put.then (2): dropped"].fate == "noticed"
    assert any(trial.fate == "no rules" for trial in by_name.values())


def test_comments_are_no_words_of_a_mutant(tmp_path: Path) -> None:
    folder(tmp_path)
    text = tmp_path / "picks.golpae"
    block = "then\n    when p's hand is empty\n      mover := p\n      p wins"
    line = re.compile(r"then when p's hand is empty: p wins.*")
    source = line.sub(block, text.read_text(encoding="utf-8"))
    text.write_text(source, encoding="utf-8")
    before = mutants(load("picks", (tmp_path,)))
    text.write_text(source.replace("      p wins", "      # why\n      p wins  # here"), encoding="utf-8")
    after = mutants(load("picks", (tmp_path,)))
    assert [mutant.name for mutant in after] == [mutant.name for mutant in before]


def test_an_else_stands_behind_its_when_in_the_name_of_a_mutant(tmp_path: Path) -> None:
    folder(tmp_path)
    text = tmp_path / "picks.golpae"
    block = """then
    when p's hand is empty: p wins
    else when p = mover
      mover := p
      mover := p
    else
      mover := p
      nobody wins"""
    source = re.sub(r"then when p's hand is empty: p wins.*", block, text.read_text(encoding="utf-8"))
    text.write_text(source, encoding="utf-8")
    names = [mutant.name for mutant in mutants(load("picks", (tmp_path,)))]
    parts = "when p = mover; mover := p; mover := p else: mover := p; nobody wins"
    assert any(f"when p's hand is empty: p wins else {parts} -> " in name for name in names)


def test_what_is_explained_need_not_be_noticed(tmp_path: Path) -> None:
    by_name = found(series(tmp_path, explained={"put.held: dropped": "why not", "put.fits: dropped": "no"}))
    held = by_name["put.held: dropped"]
    assert (held.path, held.fate, held.by) == ("put.held", "explained", "why not")
    assert by_name["put.fits: dropped"].fate == "noticed"


def games(at: Path, text: str, *played: tuple[str, Iterable[Mapping[str, Any]]]) -> Series:
    """Return a series of a text with these games."""
    (at / "picks.golpae").write_text(text, encoding="utf-8")
    (at / "games.jsonl").write_bytes(traces(*played))
    files, _ = sources([str(at / "games.jsonl")])
    return Series("picks", (at,), tuple(files))


def test_games_of_rules_with_fewer_switches_notice_a_mutant_first(tmp_path: Path) -> None:
    by_name = found(
        games(tmp_path, PICKS, ("picks+passing+free", WON), ("picks+passing", WON), ("picks", WON))
    )
    assert by_name["put.then (3): p wins -> nobody wins"].by == f"{tmp_path}/games.jsonl:13"


def test_a_mutant_that_takes_too_many_steps_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.replay.steps.MOST_STEPS", 500)
    long = 'held: tile in p\'s hand or (some a, b in {1 to 40}: a * b < 0) "no"'
    text = PICKS.replace('held: tile in p\'s hand "{p} does not hold {tile}"', long)
    by_name = found(games(tmp_path, text, ("picks", WON)))
    name = next(name for name in by_name if name.endswith("-> some a, b in {1 to 40}: a * b < 0"))
    assert by_name[name].fate == "noticed"


def test_a_mutant_with_a_case_twice_is_no_rules(tmp_path: Path) -> None:
    cases = "define price by size of players: 1 5, 2 2, otherwise 3"
    by_name = found(games(tmp_path, PICKS.replace("define price: 2 * stake", cases), ("picks", WON)))
    assert by_name["price: 1 -> 2"].fate == "no rules"
    side = "kind side: one of left, right\ndefine price by side-now: left 1, right 2\ndefine side-now: right"
    by_name = found(games(tmp_path, PICKS.replace("define price: 2 * stake", side), ("picks", WON)))
    assert by_name["price: left -> right"].fate == "no rules"


@pytest.mark.process
def test_processes_change_nothing(tmp_path: Path) -> None:
    one = series(tmp_path)
    assert trials(one, 2, Progress()) == trials(one, 1, Progress())


@pytest.mark.solver
def test_a_proof_says_that_a_mutant_changes_nothing(tmp_path: Path) -> None:
    left = [trial.name for trial in found(series(tmp_path)).values() if trial.fate == "unnoticed"]
    asked = {"put.held: dropped", "price: 2 -> 3"}
    others = {name: "not asked" for name in left if name not in asked}
    by_name = found(series(tmp_path, explained=others, prove=True))
    assert by_name["put.held: dropped"].fate == "the same"


def test_a_list_says_what_is_wrong_with_it(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("# for people\n\na: dropped => because\n")
    assert explained(file) == {"a: dropped": "because"}
    for wrong in ("a: dropped\n", "a: dropped => \n", "a => b\na => c\n"):
        file.write_text(wrong)
        with pytest.raises(Unreadable):
            explained(file)


def test_hands_have_rules_and_points(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text('{"rules":"picks","points":null,"tiles":[]}\n\n')
    (hand,) = hands(Source(str(file)))
    assert (hand.rules, hand.worth, hand.given) == ("picks", None, {"rules": "picks", "tiles": []})
    for wrong in (b"x\n", b"[]\n", b'{"points":1}\n', b'{"rules":"picks"}\n', b"\xff\n", b"[" * 20_000):
        file.write_bytes(wrong)
        with pytest.raises(NotHands):
            hands(Source(str(file)))
