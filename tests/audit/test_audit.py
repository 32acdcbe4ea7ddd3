"""`golpae audit`: planted faults of shuffling are found, honest archives are not accused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from golpae.audit.chance import Count, alike, repeats
from golpae.cli.main import main
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate

GAMES = 400
Shuffle = Callable[[int, list[str]], list[str]]


def tiles(rules: str, players: int) -> list[str]:
    return [
        kind.name
        for kind in instantiate(elaborate_cached(rules, ()), players, {}).kinds
        for _ in range(kind.copies)
    ]


def fair(number: int, whole: list[str]) -> list[str]:
    random.Random(number).shuffle(whole)
    return whole


def constant(number: int, whole: list[str]) -> list[str]:
    return fair(7, whole)


def by_the_second(number: int, whole: list[str]) -> list[str]:
    """Several games begin within a second, and the second seeds the shuffle."""
    return fair(random.Random(number).randrange(600), whole)


def generous(number: int, whole: list[str]) -> list[str]:
    """The last seat gets 6-6 for one of its other tiles, every third time."""
    shuffled = fair(number, whole)
    if number % 3 == 0:
        here, there = shuffled.index("6-6"), random.Random(number).randrange(11, 16)
        shuffled[here], shuffled[there] = shuffled[there], shuffled[here]
    return shuffled


def lazy(number: int, whole: list[str]) -> list[str]:
    """The second hand of a match is the first one with few tiles moved."""
    shuffled = fair(number // 2, whole)
    if number % 2:
        for place in range(4):
            other = random.Random(number + place).randrange(len(shuffled))
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
    return shuffled


def archive(at: Path, shuffle: Shuffle, games: int = GAMES) -> str:
    """Write deals of jjak with three players; nothing is played."""
    whole = tiles("jjak", 3)

    def lines() -> Iterator[dict[str, Any]]:
        for number in range(games):
            yield {"golpae": 1, "rules": "jjak", "players": ["An", "Bo", "Cho"], "id": number}
            shuffled = shuffle(number, list(whole))
            yield {"do": "deal", "first": 0, "hands": [shuffled[:6], shuffled[6:11], shuffled[11:16]]}

    at.write_text("".join(json.dumps(line) + "\n" for line in lines()), encoding="utf-8")
    return str(at)


def audited(file: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, Any]]:
    status = main(["audit", file, "--format", "json", *more])
    return status, json.loads(capsys.readouterr().out)


def test_honest_deals_are_not_accused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = audited(archive(tmp_path / "fair.jsonl", fair), capsys)
    assert (status, found["findings"]) == (0, [])
    assert found["tables"] == [{"game": "jjak", "players": 3, "games": GAMES, "deals": GAMES, "draws": 0}]


@pytest.mark.parametrize(
    ("rules", "policy"),
    [("jjak", "random"), ("jjak+row", "greedy"), ("three-dozen", "random"), ("korean-mahjong", "greedy")],
)
def test_games_by_policies_are_not_accused(
    rules: str, policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = "10" if rules.startswith("k") else "800" if policy == "random" else "150"
    file = str(tmp_path / "games.jsonl")
    players = "4" if rules.startswith("k") else "3"
    call = ["simulate", rules, "--players", players, "--games", games, "--policy", policy, "--traces", file]
    assert main(call) == 0
    capsys.readouterr()
    status, found = audited(file, capsys)
    assert (status, found["findings"]) == (0, [])
    assert found["tables"][0]["draws"] > 0 or rules in ("jjak+row", "korean-mahjong")


def test_a_constant_wall_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = audited(archive(tmp_path / "constant.jsonl", constant, games=60), capsys)
    assert status == 1
    first = found["findings"][0]
    assert (first["about"], first["seen"], first["deals"], first["as_if"]) == ("deals", 59, 60, 1)
    assert min(one["p"] for one in found["findings"]) < first["p"]  # tiles that always come to the same seat
    assert first["spots"][0][0]["line"] == 1


def test_walls_seeded_by_the_second_are_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = archive(tmp_path / "seconds.jsonl", by_the_second, games=200)
    status, found = audited(file, capsys)
    assert status == 1
    repeated = next(one for one in found["findings"] if one["about"] == "deals")
    assert 400 < repeated["as_if"] < 900  # 600 seeds
    assert main(["audit", file]) == 1
    assert (
        "repeat the hands of an earlier deal, at the same seats, as if there were only about"
        in capsys.readouterr().out
    )


def test_a_seat_that_gets_a_tile_too_often_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = audited(archive(tmp_path / "generous.jsonl", generous), capsys)
    assert status == 1
    told = {(one["about"], one["where"], one["tiles"]) for one in found["findings"]}
    assert told == {("dealt", 2, "6-6"), ("dealt first", 2, "6-6")}
    assert "seat 2 was dealt 6-6 too often" in found["findings"][0]["words"]


DRAWN = """\
game drawn "Drawn" [1]

source 1 "a book"
  R1 in "Play": "tiles are dealt, and nobody does anything"

players 2 to 2

tiles
  coins: one of each "{size}c" for size in 1 to 24

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

deal from pool  [R1]
  hands: 6 for everyone

end
  due: yes

payout
  then when winner is not none: for each q in players - winner: q pays winner 1
"""


@pytest.mark.parametrize(("shuffle", "about"), [(lazy, {"kept"}), (fair, set())])
def test_hands_that_are_hardly_shuffled_are_found(
    shuffle: Shuffle, about: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "drawn.golpae").write_text(DRAWN, encoding="utf-8")
    whole, end = [f"{size}c" for size in range(1, 25)], {"do": "end", "winner": None, "pay": [0, 0]}
    lines: list[dict[str, Any]] = []
    for number in range(80):
        lines.append({"golpae": 1, "rules": "drawn", "players": ["An", "Bo"]})
        for hand in (0, 1):
            mixed = shuffle(2 * number + hand, list(whole))
            lines += [{"do": "deal", "first": 0, "hands": [mixed[:6], mixed[6:12]]}, end]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    _, found = audited(str(file), capsys, "--spec-path", str(tmp_path))
    assert found["tables"][0]["deals"] == 160
    assert {one["about"] for one in found["findings"]} == about


def test_games_that_are_recorded_twice_count_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(archive(tmp_path / "fair.jsonl", fair, games=20))
    file.write_bytes(file.read_bytes() * 2)
    status, found = audited(str(file), capsys)
    assert (status, found["recorded_twice"], found["games"]) == (0, 20, 20)


def test_the_level_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = archive(tmp_path / "generous.jsonl", generous, games=90)
    loud, quiet = (audited(file, capsys, "--level", level)[1]["findings"] for level in ("0.5", "1e-30"))
    assert loud
    assert not quiet
    assert main(["audit", file, "--level", "2"]) == 2
    assert "`--level` must be between 0 and 1" in capsys.readouterr().err


def test_input_without_deals_is_a_fault_of_the_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    assert main(["audit", str(empty)]) == 2
    assert "there is no deal to audit" in capsys.readouterr().err


def test_a_table_without_deals_is_not_called_honest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "begun.jsonl"
    file.write_text('{"golpae":1,"rules":"jjak","players":["An","Bo"]}\n')
    assert main(["audit", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == "jjak with 2 players: 1 game, 0 deals\n  no deals\n0 comparisons in 1 game, 1 file\n"
    assert err.startswith("golpae: there is no deal to audit\n  help: a game begins with its `deal`;")


def test_bounds_are_not_below_the_truth() -> None:
    chances, trials = random.Random(1), 4_000
    for chance, draws in ((0.5, 40), (0.03, 200)):
        unlikely = []
        for _ in range(trials):
            count = Count()
            count.add(sum(chances.random() < chance for _ in range(draws)), chance, draws)
            unlikely.append(count.unlikely())
        for level in (0.3, 0.1, 0.01):
            assert sum(one <= level for one in unlikely) <= level * trials


def test_what_cannot_be_is_never_usual() -> None:
    count = Count()
    count.add(5, 0.0, 5)
    assert count.unlikely() == 0.0
    assert Count().unlikely() == 1.0


def test_the_probability_of_like_deals_is_bounded() -> None:
    assert alike((1,), (1, 1, 1, 1)) == 0.25
    assert alike((2, 2), (1, 1, 1, 1)) == pytest.approx(1 / 6)
    assert alike((1,), (2, 2)) == 1.0  # four labelled ways, of which two look alike: a bound, not the value
    assert repeats(10, 0.001, 0) == 1.0
    assert repeats(10, 0.001, 2) == pytest.approx(0.005)
