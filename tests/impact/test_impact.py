"""What other rules would have changed in recorded games: verdicts, payments, points, patterns."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.check import elaborate
from golpae.impact.game import Course, Follower, ImpactTable
from golpae.impact.tally import End, ImpactTally
from golpae.impact.two_replays import Impact, ImpactSide
from golpae.ir.ruleset import RuleSet
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.trace import Verdict, is_header, lines, read_header
from tests.committed import TOP
from tests.coverage.picks import MISFIT, NOT_MOVER, PICKS, WON, put, traces

DEARER = """
variant dearer "every payment is one more"
  replace price: 2 * stake + 1
"""


def impact(at: Path, a: str, b: str, data: bytes, large: bool = False) -> ImpactTally:
    """Return what `b` changes in games of `picks`."""
    (at / "picks.golpae").write_text(PICKS + DEARER, encoding="utf-8")
    return _of(_side(elaborate(a, [at])), _side(elaborate(b, [at])), data, large)


def bundled(a: str, b: str, data: bytes, large: bool) -> ImpactTally:
    return _of(_side(elaborate_cached(a, ())), _side(elaborate_cached(b, ())), data, large)


def _side(rules: RuleSet) -> ImpactSide:
    return ImpactSide(rules.rules, rules.game, Library(lambda name: rules))


def _of(a: ImpactSide, b: ImpactSide, data: bytes, large: bool) -> ImpactTally:
    found = Impact(a, b)
    for _ in found.file("games.jsonl", lambda: io.BytesIO(data), large, lambda stream: stream):
        pass
    assert not found.paths.disagree
    return found.tally


def test_a_game_that_turns_illegal_is_counted_with_its_clause_and_words(tmp_path: Path) -> None:
    tally = impact(tmp_path, "picks+free", "picks", traces(("picks", WON), ("picks", MISFIT)))
    ((ends, row),) = tally.flips.items()
    assert ends == (End(Verdict.INCOMPLETE), End(Verdict.ILLEGAL, "picks.put.fits"))
    assert (row.games, row.place.line, row.place.event, row.place.message) == (1, 7, 3, "2c does not fit")
    assert (tally.games, tally.same) == (2, 1)


def test_a_game_that_turns_legal_names_the_clause_that_refused_it(tmp_path: Path) -> None:
    tally = impact(tmp_path, "picks", "picks+passing", traces(("picks", NOT_MOVER)))
    assert list(tally.flips) == [(End(Verdict.ILLEGAL, "picks.put.turn"), End(Verdict.INCOMPLETE))]


def test_payments_shift_by_seat_and_by_player_and_the_game_goes_on(tmp_path: Path) -> None:
    later = {"do": "deal", "first": 1, "hands": [["1c", "2c"], ["1c", "1s"]]}
    second = (later, put(1, "1c"), put(0, "1c"), put(1, "1s"), {"do": "end", "winner": 1, "pay": [-2, 2]})
    data = traces(("picks", (*WON, *second)), ("picks", WON), ("picks", MISFIT[:1]))
    tally = impact(tmp_path, "picks", "picks+dearer", data)
    assert not tally.flips
    assert tally.paid is not None
    assert (tally.paid.games, tally.paid.events, tally.moved) == (2, 3, 3)
    assert dict(tally.seats) == {0: 1, 1: -1}
    assert dict(tally.players) == {"An": 1, "Bo": -1}
    assert (tally.paid.place.line, tally.paid.place.event) == (1, 5)
    assert (tally.games, tally.same) == (3, 1)


def test_games_of_other_rules_and_headers_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    data = traces(("jjak", ()), ("picks", WON)) + b'{"golpae":1,"rules":"picks"}\n'
    tally = impact(tmp_path, "picks", "picks+free", data)
    assert (tally.games, tally.same, tally.other_games, tally.unread) == (1, 1, 1, 1)


def test_a_table_that_one_side_does_not_have_is_told_by_its_reason(tmp_path: Path) -> None:
    data = traces(("jjak+relaxed", ())).replace(b'["An","Bo"]', b'["An"]')
    tally = bundled("jjak", "jjak+relaxed", data, False)
    assert (tally.games, tally.same) == (1, 1)  # neither has it


def test_points_and_patterns_of_a_winning_hand_shift() -> None:
    data = (TOP / "traces/korean-mahjong/pairs-are-no-sets.jsonl").read_bytes()
    tally = bundled("korean-mahjong", "korean-mahjong+four-as-two-pairs", data, False)
    points = tally.amounts["win", "points"]
    assert points.changes == Counter({3: points.events})
    assert tally.patterns["seven-pairs"].changes == Counter({4: tally.patterns["seven-pairs"].events})
    assert tally.paid is not None
    assert sum(tally.seats.values()) == 0
    assert tally.moved > 0


RECORDED = ("jjak/culin", "jjak/spoilt-base", "ho-hpai/counts-add", "three-dozen/base")


@pytest.mark.parametrize("name", RECORDED)
def test_a_course_without_amended_amounts_has_the_verdict_of_check(name: str) -> None:
    data = (TOP / "traces" / f"{name}.jsonl").read_bytes()
    game = name.split("/", maxsplit=1)[0]
    library = Library(lambda rules: elaborate_cached(rules, ()))
    reports = {
        report.outcome.line: report.outcome for report in replay(io.BytesIO(data), name, library, game)
    }
    amended = 0
    for line, course in _courses(data, library, game):
        amended += bool(course.amended)
        if not course.amended:
            outcome = reports[line]
            assert (course.verdict, course.event, course.clause) == (
                outcome.verdict,
                outcome.event,
                outcome.clause,
            ), line
    assert amended < len(reports) / 2


def _courses(data: bytes, library: Library, rules: str) -> Iterable[tuple[int, Course]]:
    tables: dict[int, ImpactTable] = {}
    follower: Follower | None = None
    began = 0
    for at, line, fault in lines(io.BytesIO(data)):
        if line is not None and is_header(line):
            if follower is not None:
                yield began, follower.finish()
            header = read_header(line)
            assert not isinstance(header, str)
            machine = library.machine(rules, len(header.players), header.options)
            began, follower = at, None
            if not isinstance(machine, str):
                table = tables.setdefault(id(machine), ImpactTable(machine))
                follower = Follower(table, header)
        elif follower is not None and not follower.stopped:
            follower.line(line, fault)
    if follower is not None:
        yield began, follower.finish()


def test_both_paths_find_the_same(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert main(["simulate", "jjak", "--players", "3", "--games", "60", "--traces", str(file)]) == 0
    data = file.read_bytes() + (TOP / "traces/jjak/doubling.jsonl").read_bytes()
    for b in ("doubling", "culin"):
        slow, fast = (bundled("jjak", f"jjak+{b}", data, large) for large in (False, True))
        assert slow == fast
        assert 0 < slow.same < slow.games


def test_tallies_of_files_add_up(tmp_path: Path) -> None:
    one, two = traces(("picks", WON)), traces(("picks", MISFIT), ("picks", WON))
    tallies = [impact(tmp_path, "picks", "picks+dearer", data) for data in (one, two, two + one)]
    tallies[0].add(tallies[1])
    del tallies[1]
    added, whole = (_counts(tally) for tally in tallies)
    assert added == whole


def _counts(tally: ImpactTally) -> Mapping[str, Any]:
    assert tally.paid is not None
    return {
        "games": tally.games,
        "same": tally.same,
        "paid": (tally.paid.games, tally.paid.events),
        "seats": dict(tally.seats),
        "players": dict(tally.players),
    }


def test_json_output_has_every_part(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, games = tmp_path / "picks.golpae", tmp_path / "games.jsonl"
    text.write_text(PICKS + DEARER, encoding="utf-8")
    games.write_bytes(traces(("picks", WON), ("picks", MISFIT)))
    call = ["compare", str(text), "dearer", "--traces", str(games)]
    assert main([*call, "--format", "json", "--expect", "same"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["payments"] == {
        "games": 1,
        "events": 1,
        "soonest": {"file": str(games), "line": 1, "event": 5, "at": 6},
        "moved": 1,
        "seats": {"0": 1, "1": -1},
        "players": {"An": 1, "Bo": -1},
        "further_players": 0,
    }
    assert main([*call, "--format", "markdown"]) == 0
    assert "| 1 paid otherwise in all | 1 game, 1 hand |" in capsys.readouterr().out
    assert main(["compare", str(text), "dearer", "--traces", str(games), "--layer", "text"]) == 2
    assert "without `--layer`" in capsys.readouterr().err
