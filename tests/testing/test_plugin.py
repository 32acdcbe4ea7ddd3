"""`pytest --golpae` collects recorded games, expected verdicts and rule texts."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.testing import collect, properties  # or every run in this process would load them anew

pytest_plugins = ("pytester",)
LOADED = (collect, properties)

HEADER = '{"golpae":1,"rules":"jjak","players":["An","Bo"],"id":"%s"}\n'
DEAL = '{"do":"deal","first":0,"hands":[["6-6","6-6","5-4","6-3","4-2","2-1"],["6-1","3-1","5-1","4-4","1-1"]]}\n'
LAY = '{"do":"lay","by":0,"tiles":["6-6","6-6"]}\n'
EARLY = '{"do":"end","winner":1,"pay":[-1,1]}\n'
GAMES = HEADER % "table 4" + DEAL + LAY + HEADER % "table 5" + DEAL + EARLY
OWN = Path(__file__).parents[2] / "docs" / "examples" / "harbour.golpae"


@pytest.fixture
def folder(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (pytester.path / "games.jsonl").write_text(GAMES)
    return pytester


def run(folder: pytest.Pytester, *words: str) -> pytest.RunResult:
    # The faulthandler of a second pytest would come before wasmtime's own handlers: the next module that traps, in
    # whatever test, would end the process.
    plugins = ("-p", "golpae.testing.plugin", "-p", "no:cacheprovider", "-p", "no:faulthandler")
    return folder.runpytest_inprocess(*plugins, *words)


def test_a_failure_is_what_check_prints(folder: pytest.Pytester, capsys: pytest.CaptureFixture[str]) -> None:
    result = run(folder, "--golpae")
    result.assert_outcomes(passed=1, failed=1)
    capsys.readouterr()
    assert main(["check", "games.jsonl"]) == 1
    _, *printed, _ = capsys.readouterr().out.splitlines()  # a game that is not over, and the number of games
    result.stdout.fnmatch_lines([line.replace("[", "[[]") for line in printed], consecutive=True)
    result.stdout.no_fnmatch_line("*Traceback*")


def test_without_the_option_nothing_is_collected(folder: pytest.Pytester) -> None:
    result = run(folder)
    result.assert_outcomes()
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_a_game_can_be_selected(folder: pytest.Pytester) -> None:
    run(folder, "--golpae", "games.jsonl::table 4").assert_outcomes(passed=1)
    run(folder, "--golpae", "-k", "table and 5").assert_outcomes(failed=1, deselected=1)


def test_games_without_an_id_of_their_own_have_their_line(folder: pytest.Pytester) -> None:
    game = HEADER % "one" + DEAL
    (folder.path / "games.jsonl").write_text(game + game)
    result = run(folder, "--golpae", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["games.jsonl::line 1", "games.jsonl::line 3"])


def test_expected_verdicts_decide(folder: pytest.Pytester) -> None:
    verdicts = folder.path / "games.verdicts"
    verdicts.write_text('{"verdict":"incomplete"}\n{"verdict":"illegal","event":2}\n')
    run(folder, "--golpae").assert_outcomes(passed=3)
    verdicts.write_text('{"verdict":"legal"}\n')
    result = run(folder, "--golpae")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["games.jsonl:1  incomplete  `table 4`  (expected legal)"])
    result.stdout.fnmatch_lines(["games.verdicts: 1 verdict for 2 traces"])
    verdicts.write_text('{"verdikt":"legal"}\n')
    run(folder, "--golpae", "-k", "verdicts").stdout.fnmatch_lines(
        ["games.verdicts: line 1 of *lacks the key*"]
    )


def test_rulings_let_events_stand_and_each_is_needed(folder: pytest.Pytester) -> None:
    early = '{"do":"discard","by":1,"tile":"6-1"}\n'
    (folder.path / "games.jsonl").write_text(GAMES.replace(EARLY, early))
    rulings = folder.path / "rulings.jsonl"
    one = '{"trace":"%s","event":2,"clause":"jjak.discard.turn","reason":"nobody noticed"}\n'
    rulings.write_text(one % "table 5")
    call = ("--golpae", "--golpae-rulings", "rulings.jsonl")
    run(folder, *call).assert_outcomes(passed=3)
    run(folder, "--golpae").assert_outcomes(passed=1, failed=2)  # then the rulings are no rulings
    rulings.write_text(one % "table 5" + one % "table 6")
    result = run(folder, *call)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["rulings.jsonl:2: nothing needs this ruling: event 2 of `table 6` *"])
    run(folder, *call, "rulings.jsonl").assert_outcomes(skipped=1)
    (folder.path / "pytest.ini").write_text("[pytest]\ngolpae_rulings = rulings.jsonl\n")
    run(folder, "--golpae", "games.jsonl").assert_outcomes(passed=2)
    rulings.write_text("{}")
    run(folder, "--golpae").stderr.fnmatch_lines(["*rulings.jsonl`, line 1: a ruling needs the key `trace`*"])


def test_verdicts_without_games_fail(folder: pytest.Pytester) -> None:
    (folder.path / "lost.verdicts").write_text('{"verdict":"legal"}\n')
    result = run(folder, "--golpae", "-k", "lost")
    result.assert_outcomes(failed=1, deselected=2)
    result.stdout.fnmatch_lines(["lost.verdicts: there is no `lost.jsonl` beside it*"])


def test_games_that_are_not_over_can_fail(folder: pytest.Pytester) -> None:
    result = run(folder, "--golpae", "--golpae-complete", "games.jsonl::table 4")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*incomplete  `table 4`  (counts as illegal)"])


def test_packed_and_damaged_files(folder: pytest.Pytester) -> None:
    packed = gzip.compress((HEADER % "packed" + DEAL).encode())
    (folder.path / "packed.jsonl.gz").write_bytes(packed)
    (folder.path / "cut.jsonl.gz").write_bytes(packed[:-30])
    (folder.path / "empty.jsonl").write_text("")
    (folder.path / "games.jsonl").unlink()
    result = run(folder, "--golpae")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["cut.jsonl.gz:* malformed*", "empty.jsonl: no trace in it"])


def test_rule_texts_are_read(folder: pytest.Pytester) -> None:
    (folder.path / "games.jsonl").unlink()
    (folder.path / "harbour.golpae").write_text(OWN.read_text("utf-8"), "utf-8")
    (folder.path / "broken.golpae").write_text("game broken\nplayers 2\n")
    (folder.path / "part.golpae").write_text("# no game\n")
    result = run(folder, "--golpae")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*broken.golpae::text*", "broken.golpae:*"])


def test_games_find_the_texts_beside_them_and_in_the_folders_of_the_settings(folder: pytest.Pytester) -> None:
    text = OWN.read_text("utf-8").replace("game harbour", "game haven")
    (folder.path / "games.jsonl").write_text('{"golpae":1,"rules":"haven","players":["A","B"]}\n')
    lost = run(folder, "--golpae")
    lost.assert_outcomes(failed=1)
    lost.stdout.fnmatch_lines(["*there are no rules called*", "*help: say with `--golpae-spec-path`*"])
    rules = folder.mkdir("rules")
    (rules / "haven.golpae").write_text(text, "utf-8")
    run(folder, "--golpae", "--golpae-spec-path", "rules", "games.jsonl").assert_outcomes(passed=1)
    (folder.path / "pytest.ini").write_text("[pytest]\ngolpae = true\ngolpae_spec_path = rules\n")
    run(folder).assert_outcomes(passed=2)
    run(folder, "--golpae-spec-path", "nowhere").stderr.fnmatch_lines(["*there is no `*nowhere`*"])


def test_files_without_games_can_be_left_out(folder: pytest.Pytester) -> None:
    data = folder.mkdir("data")
    (data / "users.jsonl").write_text('{"user":1}\n')
    run(folder, "--golpae", "data").stdout.fnmatch_lines(["  help: *`golpae_traces` which files do"])
    (folder.path / "pytest.ini").write_text("[pytest]\ngolpae_traces = games*.jsonl\n")
    run(folder, "--golpae").assert_outcomes(passed=1, failed=1)


@pytest.mark.solver
@pytest.mark.process
def test_properties_are_proved_if_asked(folder: pytest.Pytester) -> None:
    (folder.path / "games.jsonl").unlink()
    added = "\ntheorem six-boats: size of boats = 6\ntheorem one-boat: size of boats = 1\n"
    (folder.path / "harbour.golpae").write_text(OWN.read_text("utf-8") + added, "utf-8")
    result = run(folder, "--golpae-prove", "--collect-only", "-q")
    result.stdout.fnmatch_lines(["harbour.golpae::text", "harbour.golpae::harbour::six-boats"])
    ids = [f"harbour.golpae::harbour::{name}" for name in ("six-boats", "one-boat")]
    result = run(folder, "--golpae-prove", *ids)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*theorem one-boat",
            "  refuted, but proved is expected",
            "  again: golpae prove harbour.golpae one-boat*",
        ]
    )
