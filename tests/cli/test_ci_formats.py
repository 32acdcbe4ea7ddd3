"""`--format junit|sarif|github|markdown`: one document a call, in the form that each service reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Tree

import pytest

from golpae.cli.rules import prove
from golpae.report.ci.forms import FORMS
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, INCOMPLETE, LEGAL, MALFORMED, OUT_OF_TURN, PUT, with_header, write
from tests.coverage.picks import MISFIT, WON, folder, traces
from tests.report.ci.schemas import valid_junit, valid_sarif
from tests.verify.made_up import finding

CITED = 'source 1 "a book"\n  T7 in "Turns": "players put tiles down in turn, {0} [x](y)"\n\n'
TURN = "  turn: p = mover"
SERVICES = ("GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR")


@pytest.fixture(autouse=True)
def no_service(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SERVICES:
        monkeypatch.delenv(name, raising=False)


def cited(here: Path) -> None:
    """Let a clause of the rules cite a number."""
    rules = PUT.replace("players 2 to 3\n", f"{CITED}players 2 to 3\n", 1)
    line = next(line for line in rules.splitlines() if line.startswith(TURN))
    (here / "rules" / "put.golpae").write_text(rules.replace(line, f"{line} [T7]", 1), encoding="utf-8")


def line_of(words: str) -> int:
    lines = Path("rules/put.golpae").read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if words in line)


def held_against_schemas(golpae: Golpae, *words: str, **options: Any) -> dict[str, Any]:
    """Run a call in every format. Return its SARIF; the status is the same, and a case fails if it is not 0."""
    runs = {form: golpae(*words, "--format", form, **options) for form in FORMS}
    [status] = {run.status for run in runs.values()}
    root = Tree.fromstring(valid_junit(runs["junit"].out))
    assert (int(root.attrib["failures"]) > 0) is (status != 0)
    assert len(list(root.iter("failure"))) == int(root.attrib["failures"])
    for line in runs["github"].out.splitlines()[:-1]:
        assert re.fullmatch(r"::(error|warning|notice) [^\n:]+::.+|and [\d,]+ more of the kind \w+", line), (
            line
        )
    assert runs["markdown"].out.startswith("# ")
    run = valid_sarif(runs["sarif"].out)
    assert run["invocations"][0]["exitCode"] == status
    return run


def test_a_broken_rule_is_shown_at_its_line_with_its_source_and_its_text(golpae: Golpae, here: Path) -> None:
    cited(here)
    write("games.jsonl", *with_header(id="g1"), *with_header(ILLEGAL, id="g2"), *MALFORMED, *INCOMPLETE)
    run = held_against_schemas(golpae, "check", "games.jsonl")
    illegal, malformed = run["results"]
    assert illegal["ruleId"] == "put/T7"
    [rule] = [rule for rule in run["tool"]["driver"]["rules"] if rule["id"] == "put/T7"]
    assert rule["shortDescription"]["text"] == r"players put tiles down in turn, {{0}} \[x\](y)"
    assert rule["fullDescription"]["text"].startswith("source 1, Turns (a book): players put")
    assert illegal["message"]["text"].startswith("it is not Bo's turn\nbroken: put.put.turn in put\n")
    [place] = illegal["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "games.jsonl", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 9},
    }
    assert place["logicalLocations"] == [{"name": "turn", "fullyQualifiedName": "put.put.turn"}]
    [text] = illegal["relatedLocations"]
    assert text["physicalLocation"]["artifactLocation"]["uri"] == "rules/put.golpae"
    assert text["physicalLocation"]["region"]["startLine"] == line_of(TURN)
    assert (malformed["ruleId"], malformed["level"]) == ("malformed-trace", "error")
    told = golpae("check", "games.jsonl", "--format", "github").out.splitlines()
    assert told[0].startswith(
        "::error file=games.jsonl,line=9,title=illegal%3A put.put.turn::it is not Bo's turn%0Abroken: "
    )
    assert told[-1] == "golpae check: 4 traces: 1 legal, 1 incomplete, 1 illegal, 1 malformed"


def test_a_fingerprint_stays_when_lines_move(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *with_header(ILLEGAL, id="g2"), *ILLEGAL, *ILLEGAL)
    before = valid_sarif(golpae("check", "games.jsonl", "--format", "sarif").out)["results"]
    write("games.jsonl", *LEGAL, *with_header(ILLEGAL, id="g2"), *ILLEGAL, *ILLEGAL)
    after = valid_sarif(golpae("check", "games.jsonl", "--format", "sarif").out)["results"]
    assert [r["partialFingerprints"] for r in before] == [r["partialFingerprints"] for r in after]
    assert [r["locations"] for r in before] != [r["locations"] for r in after]


def test_recorded_mistakes_are_as_expected_and_surprises_fail(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *LEGAL, *ILLEGAL)
    golpae("check", "games.jsonl", "--write-expected")
    assert not held_against_schemas(golpae, "check", "games.jsonl", "--expected")["results"]
    write("games.jsonl", *ILLEGAL, *LEGAL)
    first, second = held_against_schemas(golpae, "check", "games.jsonl", "--expected")["results"]
    assert first["ruleId"] == "put/put.turn"
    assert first["message"]["text"].startswith("it is not Bo's turn\nillegal, expected legal\n")
    assert second["ruleId"] == "not-as-expected"
    assert second["message"]["text"].startswith("legal, expected illegal at event 2")
    write("games.jsonl", *LEGAL)
    results = held_against_schemas(golpae, "check", "games.jsonl", "--expected")["results"]
    assert results[-1]["message"]["text"] == "1 more trace was expected"


def test_what_cannot_be_read_fails_too(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *LEGAL)
    write("other.jsonl", *with_header(rules="faulty"))
    (here / "rules" / "faulty.golpae").write_text('game faulty "f"\nplayers moo\n', encoding="utf-8")
    broken = {
        r["ruleId"]
        for r in held_against_schemas(golpae, "check", "games.jsonl", "other.jsonl", "--expected")["results"]
    }
    assert {"input", "malformed-trace"} < broken  # there is no file of verdicts
    assert any(re.fullmatch("[A-Z][0-9]{3}", rule) for rule in broken)
    assert held_against_schemas(golpae, "check", "nowhere.jsonl")["results"][0]["ruleId"] == "golpae-check"


def test_incomplete_games_fail_if_they_are_to_be_complete(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *INCOMPLETE)
    assert not held_against_schemas(golpae, "check", "games.jsonl")["results"]
    [found] = held_against_schemas(golpae, "check", "games.jsonl", "--complete")["results"]
    assert found["ruleId"] == "incomplete-game"


def test_a_trace_cannot_write_commands_of_its_own(golpae: Golpae, here: Path) -> None:
    evil = "x\n::error file=a::b\n::set-output name=a::b, %0A <b>|`y` ]]>\x1b[2J\u202e"
    write(
        "games.jsonl", *with_header(ILLEGAL, id=evil, players=[evil, "Bo"]), *with_header(ILLEGAL, rules=evil)
    )
    held_against_schemas(golpae, "check", "games.jsonl")
    for form in FORMS:
        out = golpae("check", "games.jsonl", "--format", form).out
        assert out.replace("\n", "").isprintable()
        commands = [line for line in out.splitlines() if line.startswith("::")]
        assert len(commands) == (2 if form == "github" else 0)


def test_paths_are_those_of_the_repository(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "my games").mkdir()
    write("my games/a b.jsonl", *ILLEGAL)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here.parent))
    [found] = valid_sarif(golpae("check", "my games", "--format", "sarif").out)["results"]
    place = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == f"{here.name}/my%20games/a%20b.jsonl"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here / "rules"))  # which this folder is not in
    whole = str(here / "my games" / "a b.jsonl")
    assert "file=my games/a b.jsonl,line=3," in golpae("check", whole, "--format", "github").out
    monkeypatch.chdir(here / "rules")
    monkeypatch.delenv("GITHUB_WORKSPACE")
    [found] = valid_sarif(golpae("check", "--spec-path", ".", whole, "--format", "sarif", own=False).out)[
        "results"
    ]
    assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


def test_the_summary_of_a_job_is_added_to_its_file(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("games.jsonl", *ILLEGAL)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    (here / "summary.md").write_text("before\n", encoding="utf-8")
    assert golpae("check", "games.jsonl", "--format", "github").status == 1
    summary = (here / "summary.md").read_text(encoding="utf-8")
    assert summary.startswith("before\n# golpae check\n\n**1 trace: 1 illegal**\n")
    assert "- **illegal** `games.jsonl:3`: it is not Bo's turn — `put/put.turn`\n" in summary
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "rules")
    done = golpae("check", "games.jsonl", "--format", "github")
    assert done.status == 2
    assert "`GITHUB_STEP_SUMMARY=rules` cannot be written to" in done.err


def test_an_event_that_stands_by_a_ruling_is_a_note_with_its_reason(golpae: Golpae, here: Path) -> None:
    cited(here)
    write("games.jsonl", *LEGAL, *OUT_OF_TURN)
    write(
        "rulings.jsonl", {"trace": "t", "event": 2, "clause": "put.put.turn", "reason": "An had left [x](y)"}
    )
    run = held_against_schemas(golpae, "check", "--rulings", "rulings.jsonl", "games.jsonl")
    assert run["invocations"][0]["exitCode"] == 0
    [found] = run["results"]
    assert (found["ruleId"], found["level"], found["properties"]) == (
        "put/T7",
        "note",
        {"kind": "legal by ruling"},
    )
    [suppression] = found["suppressions"]
    assert suppression == {
        "kind": "external",
        "status": "accepted",
        "justification": "An had left [x](y)",
    }
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 9}
    assert found["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == line_of(TURN)
    told = golpae("check", "--rulings", "rulings.jsonl", "games.jsonl", "--format", "github").out
    assert told.startswith(
        "::notice file=games.jsonl,line=9,title=legal by ruling%3A put.put.turn::it is not Bo's turn"
    )
    page = golpae("check", "--rulings", "rulings.jsonl", "games.jsonl", "--format", "markdown").out
    assert "| games.jsonl | 2 | 0 | 1 legal by ruling |" in page
    assert "ruling: An had left [x](y)" in page


def test_faults_and_notes_of_texts_are_at_their_words(golpae: Golpae, here: Path) -> None:
    rules = PUT.split("\nvariant")[0]
    (here / "rules" / "put.golpae").write_text(rules, encoding="utf-8")
    assert not held_against_schemas(golpae, "lint", "rules")["results"]
    rules += "\ndefine unused: 3\n"
    (here / "rules" / "put.golpae").write_text(rules, encoding="utf-8")
    [note] = held_against_schemas(golpae, "lint", "rules")["results"]
    assert (note["level"], note["ruleId"][0]) == ("warning", "W")
    region = note["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"]) == (line_of("define unused"), 8)
    assert region["endColumn"] == 8 + len("unused")
    (here / "rules" / "put.golpae").write_text(rules.replace("p = mover", "p = moover"), encoding="utf-8")
    results = held_against_schemas(golpae, "lint", "rules", "nowhere/no.golpae")["results"]
    assert [result["ruleId"] for result in results] == ["N001", "input"]


def test_properties_are_at_their_lines(golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from functools import partial

    from golpae.verify.scheduler import run
    from tests.verify import made_up

    monkeypatch.setattr(prove, "verify_all", partial(run, verify=made_up.verify))
    rules = PUT.split("\nvariant")[0] + "\nalways is-refuted: size of tiles = 12\n"
    (here / "rules" / "put.golpae").write_text(rules, encoding="utf-8")
    words = ("prove", "put", "--players", "2", "--spec-path", "rules", "--no-cache", "--jobs", "1")
    [refuted] = held_against_schemas(golpae, *words)["results"]
    assert refuted["ruleId"] == "put/is-refuted"
    region = refuted["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == line_of("is-refuted")
    [stale] = held_against_schemas(golpae, "prove", "put", "--locked", "--spec-path", "rules")["results"]
    assert stale["message"]["text"].startswith("there are no kept proofs\nhelp: ")
    place = stale["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uri"] == "rules/put.golpae"  # there is no file of proofs to point at


def test_what_differs_is_a_note_and_what_was_expected_may_fail(golpae: Golpae, here: Path) -> None:
    words = ("compare", "rules/put.golpae", "plus0", "--layer", "text")
    run = held_against_schemas(golpae, *words)
    assert [result["level"] for result in run["results"]] == ["note"]
    [place] = run["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "rules/put.golpae"
    first, *_ = held_against_schemas(golpae, *words, "--expect", "same")["results"]
    assert first["level"] == "error"
    assert first["message"]["text"].endswith("differ in 1 clause; expected: same")
    done = golpae("compare", "--matrix", "rules/put.golpae", "--format", "sarif")
    assert (done.status, valid_sarif(done.out)["invocations"][0]["exitCode"]) == (2, 2)
    assert "`--format sarif`" in done.err


def test_clauses_that_no_game_shows_are_notes(golpae: Golpae, here: Path) -> None:
    folder(here / "rules")
    (here / "games.jsonl").write_bytes(traces(("picks", WON), ("picks", MISFIT)))
    words = ("coverage", "games.jsonl", "--spec-path", "rules")
    run = held_against_schemas(golpae, *words)
    assert {result["level"] for result in run["results"]} == {"note"}
    assert "picks/R4" in [result["ruleId"] for result in run["results"]]
    first, *_ = held_against_schemas(golpae, *words, "--fail-under", "99")["results"]
    assert (first["level"], first["ruleId"]) == ("error", "coverage")


def test_a_long_list_of_findings_says_that_there_are_more(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *(line for _ in range(60) for line in ILLEGAL))
    assert "\nand 10 more of the kind error\n" in golpae("check", "games.jsonl", "--format", "github").out
    assert golpae("check", "games.jsonl", "--format", "markdown").out.endswith("\nAnd 10 more.\n")
    assert len(held_against_schemas(golpae, "check", "games.jsonl")["results"]) == 60


def test_results_of_a_run_that_disagree_fail() -> None:
    from golpae.report.ci.places import TextPlaces
    from golpae.report.ci.proofs import proofs

    run = proofs([finding()], {}, 4, TextPlaces(()), {}, ["about this"])
    assert [(case.suite, case.fails) for case in run.cases] == [("put", False), ("solvers", True)]


def test_a_format_that_does_not_go_with_a_call_is_refused(golpae: Golpae, here: Path) -> None:
    write("games.jsonl", *LEGAL)
    for words in (("--write-expected", "--format", "junit"), ("--view", "--format", "sarif")):
        done = golpae("check", "games.jsonl", *words)
        assert (done.status, done.out) == (2, "")
        assert f"`--format {words[-1]}`" in done.err


def test_what_other_rules_change_in_recorded_games_is_a_note_at_its_event(golpae: Golpae, here: Path) -> None:
    tighter = '\nvariant gate "only 1-1"\n  replace put.held: tile in p\'s hand and tile = 1-1 "{tile} is not 1-1"\n'
    (here / "rules" / "put.golpae").write_text(PUT + tighter, encoding="utf-8")
    write("games.jsonl", *LEGAL, *LEGAL)
    call = ("compare", "rules/put.golpae", "gate", "--traces", "games.jsonl")
    run = held_against_schemas(golpae, *call)
    [found] = run["results"]
    assert (found["level"], found["ruleId"]) == ("note", "put/put.held")
    assert found["message"]["text"].startswith(
        "legal → illegal by put.put.held (2 games)\nsoonest at event 3: "
    )
    assert found["locations"][0]["physicalLocation"]["region"] == {"startLine": 4}
    assert found["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == line_of(
        "replace put.held"
    )
    run = held_against_schemas(golpae, *call, "--expect", "same")
    assert [r["level"] for r in run["results"]] == ["error", "note"]
    assert run["results"][0]["message"]["text"].startswith(
        "0 the same under both, 2 not (100.0%); expected: same"
    )
    run = held_against_schemas(golpae, "compare", "rules/put.golpae", "plus0", "--traces", "games.jsonl")
    [found] = run["results"]
    assert found["ruleId"] == "recorded-payments"
    assert "by player: " in found["message"]["text"]
    run = held_against_schemas(golpae, "compare", "rules/put.golpae", "gate", "--traces", "rules/put.golpae")
    assert [r["ruleId"] for r in run["results"]] == ["golpae-compare"]


@pytest.mark.parametrize(
    "words", ["prove nosuch", "compare nosuch put", "coverage nosuch", "coverage empty.jsonl"]
)
def test_a_call_that_is_refused_is_a_document_with_a_failure(golpae: Golpae, here: Path, words: str) -> None:
    Path("empty.jsonl").touch()
    run = held_against_schemas(golpae, *words.split())
    assert run["invocations"][0]["exitCode"] == 2
    assert [found["level"] for found in run["results"]] == ["error"]
