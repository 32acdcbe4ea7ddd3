"""Where golpae's two ways to decide disagree, it writes a report that can be sent in."""

from __future__ import annotations

import json
import pickle
import platform
from dataclasses import replace
from pathlib import Path

import pytest

from golpae import __version__, exit_codes
from golpae.attribute import compiled as attributing
from golpae.cli.rules import compare as comparing
from golpae.compare.size.paired_hands import HandsDiffer
from golpae.corpus import paths
from golpae.corpus import scored_files as scoring
from golpae.kernel import runner
from golpae.kernel.language.host import available
from golpae.kernel.player import Hand
from golpae.replay.score_hand import Fault
from golpae.simulate import compiled as playing
from golpae.simulate.play import SimulatedGame
from tests.cli.conftest import Golpae
from tests.corpus.games import games

pytestmark = pytest.mark.process


@pytest.fixture
def disagreeing(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> Golpae:
    """Runs golpae with a compiled path that takes every file and counts one event too many."""
    real = runner.Notes.__getitem__

    def wrong(notes: runner.Notes, number: int) -> runner.NotedTrace:
        return replace(real(notes, number), events=real(notes, number).events + 1)

    monkeypatch.setattr(paths, "LARGE", 0)
    monkeypatch.setattr(runner.Notes, "__getitem__", wrong)
    return golpae


def reports() -> list[Path]:
    return sorted(Path().glob("golpae-report-*.json"))


def test_a_report_holds_the_trace_and_what_it_takes_to_see_the_fault(disagreeing: Golpae) -> None:
    text = games("jjak", 2, 3)
    Path("games.jsonl").write_bytes(b"\n" + text)
    found = disagreeing("check", "games.jsonl", own=False)
    [path] = reports()
    report = json.loads(path.read_text("utf-8"))
    assert found.status == exit_codes.FAULT
    assert (
        f"{report['place']}: a fault in golpae: its two ways to check this trace disagree"
        in found.out + found.err
    )
    assert f"send {path}, which holds only this trace" in found.out + found.err
    line = int(report["place"].removeprefix("games.jsonl:"))
    lines = Path("games.jsonl").read_text("utf-8").splitlines()
    starts = [at for at, one in enumerate(lines, 1) if one.startswith('{"golpae"')]
    end = next((at for at in starts if at > line), len(lines) + 1)
    assert line in starts
    assert report["lines"] == lines[line - 1 : end - 1]
    assert (report["report"], report["call"]) == (1, "check")
    assert (report["golpae"], report["python"]) == (__version__, platform.python_version())
    assert report["reference"]["verdict"] == "legal"
    assert report["reference"]["spec_hash"] is not None

    Path("sent.jsonl").write_text("\n".join(report["lines"]) + "\n", encoding="utf-8")
    again = json.loads(disagreeing("check", "--format", "json", "sent.jsonl", own=False).out.splitlines()[0])
    assert again["trace_hash"] == report["reference"]["trace_hash"]


def test_a_report_that_is_there_stays_and_a_written_result_has_one_too(disagreeing: Golpae) -> None:
    Path("games.jsonl").write_bytes(games("jjak", 2, 2))
    disagreeing("check", "games.jsonl", own=False)
    [path] = reports()
    before = path.stat().st_mtime_ns
    found = disagreeing("check", "games.jsonl", "-o", "verdicts.jsonl", own=False)
    assert found.status == exit_codes.FAULT
    assert str(path) in found.out + found.err
    assert reports() == [path]
    assert path.stat().st_mtime_ns == before


def test_a_trace_of_standard_input_cannot_be_read_again(disagreeing: Golpae) -> None:
    found = disagreeing("check", "-", stdin=games("jjak", 2, 2), own=False)
    assert found.status == exit_codes.FAULT
    assert f"please report it with this trace (golpae {__version__}, wasmtime " in found.out + found.err
    assert reports() == []


def test_a_report_that_cannot_be_written_is_said(
    disagreeing: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("golpae.cli.games.two_ways.write_whole", full)
    Path("games.jsonl").write_bytes(games("jjak", 2, 2))
    found = disagreeing("check", "games.jsonl", own=False)
    assert found.status == exit_codes.FAULT
    assert "cannot be written: no space left on device" in found.out + found.err


def test_a_hand_has_a_report_too(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "LARGE_HANDS", 0)
    monkeypatch.setattr(scoring, "score_hand", lambda *_: Fault("otherwise"))
    hand = {"rules": "korean-mahjong", "hand": "1m 2m 3m 7m 8m 9m 2p 3p 4p 6p 7p E E".split(), "win": "5p"}
    Path("hands.jsonl").write_text((json.dumps({**hand, "seat_wind": "S", "self_drawn": True}) + "\n") * 3)
    found = golpae("score", "hands.jsonl")
    assert found.status == exit_codes.FAULT
    [path] = reports()
    report = json.loads(path.read_text("utf-8"))
    assert (report["call"], report["place"]) == ("score", "hands.jsonl:1")
    assert [json.loads(line)["win"] for line in report["lines"]] == ["5p"]
    assert f"send {path}, which holds only this hand" in found.err


@pytest.mark.skipif(not available(), reason="wasmtime does not load here")
def test_a_game_that_is_played_differently_has_a_report(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = playing.CompiledTable._whole

    def wrong(
        table: playing.CompiledTable, seed: int, number: int, hands: int, found: tuple[Hand, ...]
    ) -> SimulatedGame:
        game = real(table, seed, number, hands, found)
        assert game is not None
        return replace(game, hands=())

    monkeypatch.setattr(playing.CompiledTable, "_whole", wrong)
    words = ("simulate", "put", "--spec-path", "rules", "--players", "3", "--games", "2", "--seed", "5")
    found = golpae(*words, "--policy", "greedy,greedy,random", "--option", "dealt=1")
    assert found.status == exit_codes.FAULT
    [path] = reports()
    assert "its two ways to play game 0 disagree; the game of the reference counts\n" in found.err
    assert f"help: please report it: send {path}, which holds only this game" in found.err
    report = json.loads(path.read_text("utf-8"))
    assert (report["call"], report["rules"], len(report["spec_hash"])) == ("simulate", "put", 64)
    assert (report["players"], report["options"], report["seed"]) == (3, {"dealt": 1}, 5)
    assert (report["policies"], report["game"]) == (["greedy", "greedy", "random"], 0)
    assert (report["golpae"], report["python"]) == (__version__, platform.python_version())
    Path("sent.jsonl").write_text("\n".join(report["lines"]) + "\n", encoding="utf-8")
    assert golpae("check", "sent.jsonl").out == "1 trace: 1 legal\n"


@pytest.mark.skipif(not available(), reason="wasmtime does not load here")
def test_a_trace_that_is_attributed_differently_has_a_report(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = games("jjak", 2, 3)
    Path("games.jsonl").write_bytes(text)
    monkeypatch.delenv("GOLPAE_DEBUG", raising=False)
    monkeypatch.setattr(attributing, "FIRST", 1)
    every = lambda family, *_: (family.universe, False)  # noqa: E731
    monkeypatch.setattr(attributing.CompiledFamily, "accepting", every)
    found = golpae("attribute", "games.jsonl")
    assert found.status == exit_codes.FAULT
    [path] = reports()
    report = json.loads(path.read_text("utf-8"))
    assert (report["call"], report["place"]) == ("attribute", "games.jsonl:1")
    assert (report["game"], report["rules"], len(report["spec_hash"])) == ("jjak", None, 64)
    lines = text.decode().splitlines()
    end = next(at for at, line in enumerate(lines) if at and line.startswith('{"golpae"'))
    assert report["lines"] == lines[:end]
    assert "attributes the trace in line 1 of games.jsonl differently\n" in found.err
    assert f"  help: please report it: send {path}, which holds only this trace" in found.err


def test_a_hand_that_is_compared_differently_has_a_report(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    def differing(*_: object) -> tuple[()]:
        raise pickle.loads(
            pickle.dumps(HandsDiffer("played differently", {"call": "compare", "hand": 20_000}))
        )

    monkeypatch.delenv("GOLPAE_DEBUG", raising=False)
    monkeypatch.setattr(comparing, "_compare_sizes", lambda: differing)
    words = ("compare", "put", "put+plus0", "--spec-path", "rules", "--layer", "size", "--layer", "text")
    found = golpae(*words)
    assert found.status == exit_codes.FAULT
    [path] = reports()
    report = json.loads(path.read_text("utf-8"))
    assert (report["report"], report["call"], report["hand"]) == (1, "compare", 20_000)
    assert report["golpae"] == __version__
    assert "lines" not in report
    assert f"played differently; please report it: send {path}, which holds only this hand" in found.err
