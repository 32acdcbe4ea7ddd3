"""Recorded games from Python: the verdicts of `golpae check`, and faults as exceptions."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import golpae
from golpae.cli.main import main
from golpae.corpus import paths
from tests.committed import TOP

HEADER: dict[str, Any] = {"golpae": 1, "rules": "jjak", "players": ["An", "Bo"]}
DEAL: dict[str, Any] = {
    "do": "deal",
    "first": 0,
    "hands": [["6-6", "6-6", "5-4", "6-3", "1-1", "3-2"], ["5-5", "4-4", "4-1", "6-2", "2-1"]],
}
ILLEGAL = {"do": "discard", "by": 1, "tile": "5-5"}
GAME: list[dict[str, Any]] = [HEADER, DEAL, {"do": "lay", "by": 0, "tiles": ["6-6", "6-6"]}]


@pytest.mark.corpus
@pytest.mark.parametrize("step", [60, pytest.param(1, marks=pytest.mark.slow)])
def test_verdicts_are_those_of_golpae_check(step: int, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(file) for file in sorted((TOP / "traces").rglob("*.jsonl"))[::step]]
    files.append(str(TOP / "traces" / "jjak" / "malformed-headers.jsonl"))
    main(["check", "--format", "json", *files])
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one.to_json() for one in golpae.check_all(files, cited=True)] == printed
    found = list(golpae.check_all(files))
    assert all(one.to_json().items() <= told.items() for one, told in zip(found, printed, strict=True))
    assert len({one.verdict for one in found}) == 4
    for one in found:
        assert one.ok == (one.refused is None) == (one.event is None)
    counted = golpae.count_verdicts(files)
    assert counted == {v: sum(one.verdict is v for one in found) for v in {one.verdict for one in found}}


def test_a_refused_event_is_told_in_parts() -> None:
    found = golpae.check([*GAME, ILLEGAL])
    assert found.verdict is golpae.Verdict.ILLEGAL
    assert (found.event, found.at, found.events, found.ok) == (3, 4, 3, False)
    assert found.refused is not None
    assert found.refused.clause == found.clause == "jjak.discard.turn"
    assert found.message is not None
    assert found.message.startswith(found.refused.message)
    assert all(source in found.message for source in found.refused.sources)
    assert pickle.loads(pickle.dumps(found)) == found


def test_rulings_let_events_stand(tmp_path: Path) -> None:
    clause, reason = "jjak.discard.turn", "nobody noticed in time"
    file = tmp_path / "rulings.jsonl"
    ruling = {"trace": "table 5", "event": 3, "clause": clause, "reason": reason}
    file.write_text(json.dumps(ruling), "utf-8")
    game = [{**HEADER, "id": "table 5"}, *GAME[1:], ILLEGAL]
    found = golpae.check(game, rulings=file)
    assert found.ok
    assert [(one.event, one.clause, one.reason) for one in found.rulings] == [(3, clause, reason)]
    trace = tmp_path / "game.jsonl"
    trace.write_text("".join(json.dumps(line) + "\n" for line in game), "utf-8")
    for processes in (1, 2):  # the file of rulings lies in this folder, too
        verdicts = golpae.check_all(tmp_path, rulings=file, processes=processes)
        assert [one.rulings for one in verdicts] == [found.rulings]
    [row] = golpae.verdicts_table(trace, rulings=file).to_pylist()
    assert (row["verdict"], row["rulings"]) == ("incomplete", [one.to_json() for one in found.rulings])
    with pytest.raises(golpae.TraceError, match="nothing needs this ruling"):
        golpae.check(GAME, rulings=file)
    with pytest.raises(golpae.TraceError, match="cannot be read"):
        golpae.check(GAME, rulings=tmp_path / "nowhere")
    file.write_text("{}", "utf-8")
    with pytest.raises(golpae.TraceError, match="line 1: a ruling needs the key `trace`"):
        golpae.check(GAME, rulings=file)


def test_a_game_comes_in_many_forms(tmp_path: Path) -> None:
    text = "".join(json.dumps(line) + "\n" for line in GAME)
    file, packed = tmp_path / "game.jsonl", tmp_path / "game.jsonl.gz"
    file.write_text(text, "utf-8")
    packed.write_bytes(gzip.compress(text.encode()))
    forms: list[golpae.Trace] = [
        file,
        str(file),
        packed,
        text,
        text.encode(),
        GAME,
        iter(GAME),
        text.splitlines(keepends=True),
    ]
    for form in forms:
        assert golpae.check(form).verdict is golpae.Verdict.INCOMPLETE
    assert golpae.check(file).file == str(file)
    assert golpae.check(text).file == "<text>"


def test_rules_of_the_caller_replace_those_of_the_header() -> None:
    rules = golpae.load("jjak+relaxed")
    assert rules.check(GAME).rules == "jjak+relaxed"
    assert golpae.check(GAME, rules).rules == golpae.check(GAME, "jjak+relaxed").rules == "jjak+relaxed"


def test_rules_of_a_text_check_games_that_name_other_ones() -> None:
    text = (TOP / "spec" / "three-dozen.golpae").read_text("utf-8")
    rules = golpae.load_text(text)
    assert rules == golpae.load("three-dozen") or rules.name == "three-dozen"
    assert rules.check([{**HEADER, "rules": "three-dozen"}]).verdict is golpae.Verdict.INCOMPLETE


@pytest.mark.parametrize(
    ("trace", "message"),
    [
        ("nowhere.jsonl", "no file or folder `nowhere.jsonl`"),
        ("spec/jjak.golpae", "is a rule text, not traces"),
        ("traces/jjak", "holds"),
        ("traces/jjak/base.jsonl", "there are several games"),
        (b"", "there is no game in this text"),
        ([], "there is no game in this text"),
        ("", "no file or folder ``"),
    ],
)
def test_what_cannot_be_read_is_an_exception(
    trace: golpae.Trace, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(TOP)
    with pytest.raises(golpae.TraceError, match=message) as raised:
        golpae.check(trace)
    assert raised.value.message in str(raised.value)


@pytest.mark.parametrize("trace", [None, 5, {"golpae": 1}, [5], [{"a": object()}]])
def test_what_is_no_game_is_a_type_error(trace: object) -> None:
    with pytest.raises(TypeError):
        golpae.check(trace)  # type: ignore[arg-type]


def test_malformed_games_are_verdicts() -> None:
    fly: list[dict[str, Any]] = [*GAME, {"do": "fly"}]
    headers = [{**HEADER, "rules": "jjk"}, {**HEADER, "players": ["An"]}]
    games: list[golpae.Trace] = ["{", fly, headers[:1], headers[1:]]
    for game in games:
        found = golpae.check(game)
        assert found.verdict is golpae.Verdict.MALFORMED
        assert found.refused is not None
        assert found.refused.malformed


def test_faults_of_the_text_of_a_game_are_an_exception(tmp_path: Path) -> None:
    (tmp_path / "broken.golpae").write_text('game broken "Broken"\nfoo\n', "utf-8")
    game = [{**HEADER, "rules": "broken"}]
    with pytest.raises(golpae.RulesError, match="no part of a rule text starts with `foo`"):
        golpae.check(game, spec_path=tmp_path)
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(game[0]) + "\n", "utf-8")
    [found] = golpae.check_all(file, spec_path=[tmp_path])
    assert found.verdict is golpae.Verdict.MALFORMED
    assert isinstance(found.rules_error, golpae.RulesError)


def test_a_file_that_breaks_off_is_told_after_its_games(tmp_path: Path) -> None:
    whole, cut = tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"
    text = "".join(json.dumps(line) + "\n" for line in [*GAME, ILLEGAL]) + " \n" * 100_000
    whole.write_text(text, "utf-8")
    cut.write_bytes(gzip.compress(text.encode())[:-20])
    games = golpae.check_all([cut, whole])
    assert next(games).file == str(cut)
    with pytest.raises(golpae.TraceError, match=r"b\.jsonl\.gz:"):
        next(games)
    faults: list[golpae.TraceError] = []
    assert len(list(golpae.check_all([cut, whole], on_fault=faults.append))) == 2
    assert len(faults) == 1


def test_large_files_go_the_compiled_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasmtime")
    monkeypatch.setattr(paths, "LARGE", 1)
    game = (TOP / "traces" / "jjak" / "base.jsonl").read_text("utf-8")
    file = tmp_path / "many.jsonl"
    file.write_text(game * 20, "utf-8")
    found = list(golpae.check_all(file))
    monkeypatch.undo()
    assert found == list(golpae.check_all(file))


def test_several_processes_say_the_same_in_the_same_order() -> None:
    files = [TOP / "traces" / "jjak" / name for name in ("any-lead.jsonl", "culin.jsonl", "lots.jsonl")]
    alone, together = list(golpae.check_all(files)), list(golpae.check_all(files, processes=2))
    assert together == alone
    rules = golpae.load_text((TOP / "spec" / "jjak.golpae").read_text("utf-8"))
    assert list(rules.check_all(files, processes=2)) == list(rules.check_all(files))
    with pytest.raises(ValueError, match="`processes`"):
        golpae.check_all(files, processes=0)


def test_recorded_games_are_data(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    header = {**HEADER, "id": 7, "options": {}}
    file.write_text(
        "\n".join(json.dumps(line) for line in [*GAME, ILLEGAL, DEAL, header, DEAL]) + "\n", "utf-8"
    )
    first, second = golpae.recorded_games(file)
    assert (first.file, first.line, first.id, first.rules) == (str(file), 1, None, "jjak")
    assert (second.line, second.id, second.header["options"]) == (6, 7, {})
    assert [event["do"] for event in first.events] == ["deal", "lay", "discard", "deal"]
    steps = list(first.steps())
    assert [bool(found) for found, _ in steps] == [True, True, False]
    assert steps[1][1] == steps[2][1]
    assert golpae.live(second.header).header == second.header
    assert pickle.loads(pickle.dumps(second)) == second
    with pytest.raises(golpae.TableError):
        list(second.steps("ho-hpai"))


def test_a_game_played_again_is_refused_as_it_is_when_it_is_checked() -> None:
    files = sorted((TOP / "traces" / "jjak").glob("*.jsonl"))[::3]
    verdicts = {(one.file, one.line): one for one in golpae.check_all(files)}
    refused = 0
    for game in golpae.recorded_games(files, on_fault=lambda fault: None):
        verdict = verdicts[game.file, game.line]
        if verdict.event == 0:
            with pytest.raises(golpae.GolpaeError):
                next(game.steps())
            continue
        found = [found for found, _ in game.steps()]
        if verdict.ok:
            assert all(found)
        else:
            assert (len(found), found[-1]) == (verdict.event, verdict.refused)
            refused += 1
    assert refused > 10


def test_lines_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    good = "\n".join(json.dumps(line) for line in GAME)
    file.write_text(f"{{}}\n{good}\n[\n{{}}\n{good}\n", "utf-8")
    with pytest.raises(golpae.TraceError, match="an event before any header"):
        list(golpae.recorded_games(file))
    faults: list[golpae.TraceError] = []
    [game] = golpae.recorded_games(file, faults.append)
    assert (game.line, [fault.diagnostics[0].line for fault in faults]) == (7, [1, 5])
