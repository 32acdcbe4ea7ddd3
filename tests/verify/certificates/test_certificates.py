"""Certificates: what is written, what is found wrong, and what strangers may send."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from golpae import exit_codes
from golpae.cli.main import main
from golpae.ir.ruleset import RuleSet
from golpae.report.rechecked import lines
from golpae.verify.certificates import recheck_table as table_module
from golpae.verify.certificates.commands import refusal
from golpae.verify.certificates.folder import (
    NoCertificate,
    check_files,
    read_manifest,
    refuse_place,
    written_beside,
)
from golpae.verify.certificates.manifest import Manifest, packed, schema, unpacked
from golpae.verify.certificates.recheck import Rechecked
from golpae.verify.certificates.recheck_table import Checked
from golpae.verify.certificates.status import exit_status
from tests.committed import TOP
from tests.verify.certificates.made import (
    ENDLESS,
    STATED,
    TABLE,
    certificate_in,
    checked,
    edit,
    forge,
    rules_in,
)

pytestmark = pytest.mark.solver
STEP, OTHER = f"{TABLE}/invariants-1/step-0002.smt2", f"{TABLE}/invariants-1/step-0003.smt2"
GOAL = f"{TABLE}/crowded/0001.smt2"


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> RuleSet:
    return rules_in(tmp_path_factory.mktemp("rules"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, rules: RuleSet) -> Path:
    return certificate_in(tmp_path_factory.mktemp("made"), rules)


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """A copy of the certificate, to spoil."""
    return Path(shutil.copytree(made, tmp_path / "certificate"))


def files_wrong(place: Path) -> dict[str, str]:
    return {bad.path: bad.what for bad in check_files(place, read_manifest(place))}


def wrong(place: Path, rules: RuleSet) -> dict[str, str]:
    return {f.where: f.what for f in checked(place, rules).findings}


# ------------------------------------------------------------------ what is written


def test_every_obligation_is_confirmed_by_two_solvers(made: Path, rules: RuleSet) -> None:
    outcome = checked(made, rules)
    assert not outcome.findings
    assert outcome.confirmed == {"z3": outcome.obligations, "cvc5": outcome.obligations}
    assert not files_wrong(made)


def test_a_certificate_has_each_kind_of_proof(made: Path) -> None:
    (table,) = read_manifest(made).tables
    assert {p.name: p.by for p in table.properties} == {
        "crowded": "induction",
        "flipped": "induction",
        "flips-stay": "induction",
        "two-kinds": "evaluation",
        "some-alike": "solver",
        "all-thrown": "game",
        "in-time": "induction",
        "tiles-are-kept": "induction",
        "some-event-is-legal": "induction",
    }
    assert {o.kind for p in table.properties for o in p.obligations} == {
        "goal",
        "after",
        "theorem",
        "ranking",
        "bound",
        "conservation",
        "legal",
    }
    assert {o.kind for i in table.inductions for o in i.obligations} == {"start", "step", "illegal"}


def test_values_that_no_state_allows_are_listed(made: Path) -> None:
    script = (made / TABLE / "invariants-1" / "illegal-show.smt2").read_text(encoding="ascii")
    assert "show (p = seat 0, tile = dark) is illegal (`show.pale-one` is false)" in script
    assert "tile = pale" not in script


def test_what_golpae_folds_stands_in_a_script_with_its_reason(made: Path) -> None:
    (table,) = read_manifest(made).tables
    obligations = [o for i in table.inductions for o in i.obligations]
    folded = next(o for o in obligations if o.trivial is not None)
    script = (made / folded.file).read_text(encoding="ascii")
    assert f"golpae answers it without a solver: {folded.trivial}" in script
    assert "(assert (not " in script


def test_a_script_names_tiles_seats_and_words(made: Path) -> None:
    script = (made / STEP).read_text(encoding="ascii")
    assert "; what it shows: throw (p = seat 0, tile = pale) keeps the invariants" in script
    assert "(declare-const |thrower| Int) ; 0: seat 0, 1: seat 1, 2: none" in script
    assert "|hand of seat 0: pale|" in script


def test_the_same_proofs_have_the_same_certificate(made: Path, rules: RuleSet, tmp_path: Path) -> None:
    again = certificate_in(tmp_path, rules)
    assert (again / "manifest.json").read_bytes() == (made / "manifest.json").read_bytes()


def test_the_schema_is_committed() -> None:
    file = TOP / "docs" / "certificate.schema.json"
    assert json.loads(file.read_text(encoding="utf-8")) == schema()


# ------------------------------------------------------------------ files


def test_changed_missing_additional_and_swapped_files_are_found(place: Path) -> None:
    one, other = (place / STEP).read_bytes(), (place / OTHER).read_bytes()
    (place / STEP).write_bytes(other)
    (place / OTHER).write_bytes(one)
    (place / GOAL).unlink()
    (place / f"{TABLE}/flipped/0001.smt2").write_bytes(b"(check-sat)\n")
    (place / "more.txt").write_text("more", encoding="utf-8")
    assert files_wrong(place) == {
        STEP: f"has the content of `{OTHER}`",
        OTHER: f"has the content of `{STEP}`",
        GOAL: "is missing",
        f"{TABLE}/flipped/0001.smt2": "is changed",
        "more.txt": "is not in the manifest",
    }


def test_links_and_pipes_are_not_followed(place: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (place / STEP).unlink()
    (place / STEP).symlink_to(tmp_path / "secret")
    (place / "folder").symlink_to(tmp_path, target_is_directory=True)
    os.mkfifo(place / "pipe")
    found = files_wrong(place)
    assert found["folder"] == "is a link"
    assert found["pipe"] == "is no plain file"
    assert found[STEP] in ("is a link", "is missing")


@pytest.mark.parametrize(
    "path", ["../outside.smt2", "/etc/passwd", "a/../b", "", "a//b", "a\nb", ".", "a\\b"]
)
def test_a_path_stays_in_the_folder(place: Path, path: str) -> None:
    edit(place, lambda manifest: manifest["files"][0].update(path=path))
    with pytest.raises(NoCertificate, match="is no manifest"):
        read_manifest(place)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[" * 200_000,
        b'{"certificate": 2}',
        b"\xff\xfe",
        b'{"certificate": 1}',
        b"1" * 90_000,
    ],
)
def test_a_spoilt_manifest_is_no_certificate(place: Path, content: bytes) -> None:
    (place / "manifest.json").write_bytes(content)
    with pytest.raises(NoCertificate):
        read_manifest(place)


def test_an_enormous_manifest_is_not_read(place: Path) -> None:
    with (place / "manifest.json").open("r+b") as file:
        file.truncate(10 << 30)
    with pytest.raises(NoCertificate, match="at most"):
        read_manifest(place)


# ------------------------------------------------------------------ obligations


def test_a_number_of_events_bounds_the_search_for_a_game_and_not_a_proof(tmp_path: Path) -> None:
    rules = rules_in(tmp_path, ENDLESS + "never crowded within 3 events: size of sand > 4\n")
    assert wrong(certificate_in(tmp_path, rules), rules) == {}


def test_a_weakened_goal_is_found_though_its_hash_is_right(place: Path, rules: RuleSet) -> None:
    forge(place, GOAL, lambda script: script.replace(b"(assert (not ", b"(assert (and false "))
    assert not files_wrong(place)
    assert wrong(place, rules) == {GOAL: "is not the obligation that the text yields"}


def test_an_obligation_that_is_left_out_is_found(place: Path, rules: RuleSet) -> None:
    def without(manifest: dict[str, Any]) -> None:
        del manifest["tables"][0]["inductions"][0]["obligations"][2]

    edit(place, without)
    found = wrong(place, rules)
    assert found[f"{TABLE}/invariants-1"] == f"lacks the obligation `{STEP}`"
    assert found[STEP] == "belongs to no obligation of the text"


def test_a_property_that_the_text_lacks_is_found(place: Path, rules: RuleSet) -> None:
    edit(place, lambda manifest: manifest["tables"][0]["properties"][0].update(name="crowded-never"))
    assert "the text has no such property" in wrong(place, rules).values()


def test_an_invariant_that_the_text_does_not_yield_is_found(place: Path, rules: RuleSet) -> None:
    def renamed(manifest: dict[str, Any]) -> None:
        manifest["tables"][0]["inductions"][0]["invariants"][0]["name"] = "a"

    edit(place, renamed)
    assert "the text yields no invariant `a`" in wrong(place, rules).values()


@pytest.mark.parametrize("numbers", ["9-1", "1 1", "900000000", "0-999999999"])
def test_hypotheses_that_there_are_not_are_found(place: Path, rules: RuleSet, numbers: str) -> None:
    def other(manifest: dict[str, Any]) -> None:
        manifest["tables"][0]["inductions"][0]["obligations"][2]["hypotheses"] = numbers

    edit(place, other)
    assert wrong(place, rules) == {STEP: "the manifest says something else of it than the text yields"}


def test_a_game_that_replay_does_not_accept_is_found(place: Path, rules: RuleSet) -> None:
    for change in (lambda lines: lines[: len(lines) // 2], lambda lines: b"{}\n[]\n", lambda lines: b"\x00"):
        forge(place, f"{TABLE}/all-thrown.jsonl", change)
        assert "replay does not accept its game" in wrong(place, rules)["all-thrown"]


def test_another_text_is_found(made: Path, tmp_path: Path) -> None:
    other = rules_in(tmp_path / "other", (ENDLESS + STATED).replace("size of sand > 4", "size of sand > 5"))
    assert list(wrong(made, other).values()) == ["the text has changed since the certificate was written"]


def test_a_comment_is_no_other_text(made: Path, tmp_path: Path) -> None:
    other = rules_in(tmp_path / "other", "# a comment\n" + ENDLESS + STATED)
    assert not wrong(made, other)


# ------------------------------------------------------------------ scripts of strangers

QUESTION = b"(set-logic ALL)\n(declare-const |a b| Int) ; x ) \n(assert (= |a b| 1))\n(check-sat)\n(exit)\n"


def test_a_question_passes() -> None:
    assert refusal(QUESTION) is None


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (QUESTION.replace(b"(exit)", b"(get-info :name)(exit)"), "the command `get-info`"),
        (b'(set-option :regular-output-channel "x")' + QUESTION, "the command `set-option`"),
        (b'(include "/etc/passwd")' + QUESTION, "the command `include`"),
        (QUESTION.replace(b"(= |a b| 1)", b"(! (= |a b| 1) :named x)"), "annotates"),
        (QUESTION + b"(assert false)", "something follows `exit`"),
        (QUESTION.replace(b"(check-sat)", b""), "asks 0 times"),
        (QUESTION.replace(b"(check-sat)", b"(check-sat)" * 2), "asks 2 times"),
        (QUESTION[:-2], "breaks off"),
        (b"((echo))" + QUESTION, "has no name"),
        (b"()" + QUESTION, "do not match"),
        (b")" + QUESTION, "do not match"),
        (b"echo" + QUESTION, "outside of a command"),
        (QUESTION.replace(b"|a b| 1", b"|a b 1"), ""),
        (b"(assert " * 5_000, "nested"),
        (b"\x00\xff", "outside of a command"),
        (b"", "asks 0 times"),
    ],
)
def test_other_scripts_are_refused(script: bytes, reason: str) -> None:
    refused = refusal(script)
    assert refused is not None
    assert reason in refused


def test_a_script_with_another_command_gets_to_no_solver(
    place: Path, rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def note(script: str, *_: object) -> str:
        asked.append(script)
        return "unsat"

    monkeypatch.setattr(table_module, "z3_status", note)
    monkeypatch.setattr(table_module, "cvc5_status", note)
    forge(place, STEP, lambda script: b'(set-option :regular-output-channel "x")\n' + script)
    found = wrong(place, rules)
    assert found[STEP] == "is no script of a certificate: it has the command `set-option`"
    assert not any("set-option" in script for script in asked)


# ------------------------------------------------------------------ status


def status_of(place: Path, outcome: Checked) -> int:
    return exit_status(Rechecked(read_manifest(place), tables=[outcome]))


def test_a_certificate_about_nothing_shows_nothing(made: Path) -> None:
    outcome = Rechecked(read_manifest(made), tables=[])
    assert exit_status(outcome) == exit_codes.UNKNOWN
    assert list(lines(outcome))[-1] == "the certificate is about no property, so it shows nothing"


@pytest.mark.parametrize(
    ("answer", "status"),
    [("unknown", exit_codes.UNKNOWN), ("sat", exit_codes.FAULT), ("error: x", exit_codes.UNKNOWN)],
)
def test_the_answer_of_the_second_solver_decides_the_status(
    made: Path, rules: RuleSet, monkeypatch: pytest.MonkeyPatch, answer: str, status: int
) -> None:
    monkeypatch.setattr(table_module, "cvc5_status", lambda *_: answer)
    outcome = checked(made, rules)
    assert outcome.confirmed["z3"] == outcome.obligations
    assert status_of(made, outcome) == status


def test_without_cvc5_nothing_is_confirmed_twice(
    made: Path, rules: RuleSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "has_cvc5", lambda: False)
    outcome = checked(made, rules)
    assert not outcome.findings
    assert status_of(made, outcome) == exit_codes.UNKNOWN


# ------------------------------------------------------------------ the verbs


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    out, err = capsys.readouterr()
    return status, out, err


def test_prove_writes_and_recheck_checks(
    rules: RuleSet, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOLPAE_CACHE", "off")
    rules_in(tmp_path / "texts")
    text, place = str(tmp_path / "texts" / "shells.golpae"), str(tmp_path / "certificate")
    status, _, err = run(capsys, "prove", text, "crowded", "--certificate", place, "--jobs", "1")
    assert status == exit_codes.HOLDS
    assert "1 proved property in 12 files" in err
    again = ("recheck", place, "--spec-path", str(tmp_path / "texts"), "--jobs", "1")
    status, out, _ = run(capsys, *again)
    assert status == exit_codes.HOLDS
    assert out.endswith("nothing is wrong with the certificate\n")
    status, out, _ = run(capsys, *again, "--format", "json")
    assert json.loads(out)["tables"][0]["confirmed"] == {"z3": 12, "cvc5": 12}
    (Path(place) / GOAL).write_bytes(b"(check-sat)")
    status, out, _ = run(capsys, *again)
    assert status == exit_codes.FAILS
    assert f"{GOAL}: is changed" in out


def test_nothing_outside_is_read_or_written(
    place: Path, rules: RuleSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of the certificate is a link to one with the same files: no solver reads a file in it."""
    rules_in(tmp_path / "texts")
    (place / TABLE / "crowded").rename(tmp_path / "outside")
    (place / TABLE / "crowded").symlink_to(tmp_path / "outside", target_is_directory=True)
    before = sorted(tmp_path.rglob("*"))
    status, out, _ = run(capsys, "recheck", str(place), "--spec-path", str(tmp_path / "texts"), "--jobs", "1")
    assert status == exit_codes.FAILS
    assert f"{TABLE}/crowded: is a link" in out
    assert f"{GOAL}: is missing" in out
    confirmed = next(line for line in out.splitlines() if line.startswith("z3"))
    assert confirmed.endswith("confirms 37 of 38")
    assert sorted(tmp_path.rglob("*")) == before


def test_an_enormous_file_is_not_read(place: Path) -> None:
    def larger(manifest: dict[str, Any]) -> None:
        (entry,) = (f for f in manifest["files"] if f["path"] == GOAL)
        entry["bytes"] = 10 << 30

    edit(place, larger)
    with (place / GOAL).open("r+b") as file:
        file.truncate(10 << 30)
    assert files_wrong(place) == {GOAL: "is changed"}


def test_the_certificate_of_another_version_is_not_checked(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(place, lambda manifest: manifest.update(golpae="0.1.0"))
    status, out, _ = run(capsys, "recheck", str(place))
    assert status == exit_codes.WRONG_INPUT
    assert "golpae 0.1.0 wrote it" in out


def test_rules_that_are_not_there(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("nowhere", "../texts/shells", "/etc/passwd", "x" * 9_000):
        edit(place, lambda manifest, name=name: manifest["tables"][0].update(rules=name))  # type: ignore[misc]
        status, _, err = run(capsys, "recheck", str(place))
        assert status == exit_codes.WRONG_INPUT
        assert "Traceback" not in err


@pytest.mark.parametrize("name", ["", "nothing", "file"])
def test_what_is_no_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    status, _, err = run(capsys, "recheck", str(tmp_path / name))
    assert status == exit_codes.WRONG_INPUT
    assert "is no certificate" in err


# ------------------------------------------------------------------ the folder


def write_into(folder: Path, manifest: Manifest, act: Callable[[Path], None] = lambda beside: None) -> None:
    with written_beside(folder) as beside:
        act(beside)


def test_a_folder_that_is_no_certificate_is_not_overwritten(place: Path, tmp_path: Path) -> None:
    manifest = read_manifest(place)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "thesis.txt").write_text("x", encoding="utf-8")
    (place / "notes.txt").write_text("x", encoding="utf-8")
    (tmp_path / "link").symlink_to(tmp_path / "empty", target_is_directory=True)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "own", place, tmp_path / "link", tmp_path / "own" / "thesis.txt"):
        with pytest.raises(NoCertificate):
            write_into(folder, manifest)
    assert (tmp_path / "own" / "thesis.txt").exists()
    assert (place / "notes.txt").exists()
    refuse_place(tmp_path / "empty")


def test_a_failure_leaves_the_old_certificate(place: Path) -> None:
    manifest = read_manifest(place)

    def fail(beside: Path) -> None:
        (beside / "half").write_text("x", encoding="utf-8")
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        write_into(place, manifest, fail)
    assert not files_wrong(place)
    assert [p.name for p in place.parent.iterdir()] == ["certificate"]


@pytest.mark.parametrize("numbers", [[], [0], [0, 1, 2, 5, 7, 8], [*range(3, 400)]])
def test_numbers_have_a_short_form(numbers: list[int]) -> None:
    assert unpacked(packed(numbers), 400) == numbers
