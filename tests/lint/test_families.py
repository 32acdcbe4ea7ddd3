"""Notes on all rule sets of a game: each is true of what all games of these rule sets show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import to_builtins

from golpae.cli.main import main
from golpae.elaborate.load import load
from golpae.families.family import Family
from golpae.lint.families import in_brackets, notes_of_family
from golpae.lint.family_group import GroupCheck
from golpae.lint.idle_switches import notes_on_switches
from golpae.lint.notes import Note, Where
from golpae.progress import Progress
from golpae.report.ci.texts_json import schema, vacuous_of
from golpae.verify.families.scheduler import FamilyName, group_names
from golpae.workers import UNLIMITED
from tests.committed import TOP
from tests.families.loaded import load_from, members
from tests.lint.beads import SETTINGS
from tests.lint.piles import GAME, LONG, NEVER, ONCE, OTHERS, TOGETHER, used

pytestmark = pytest.mark.solver


def found(tmp_path: Path, text: str) -> tuple[list[Note], Family]:
    family = Family("piles", load_from(tmp_path, "piles", text))
    name = FamilyName("piles", (), (), (tmp_path,))
    notes = notes_of_family(name, load("piles", [tmp_path]), SETTINGS, 1, Progress(), UNLIMITED)
    return notes, family


def lines(notes: list[Note]) -> list[str]:
    return [note.message for note in notes]


def agree(notes: list[Note], family: Family, folder: Path, text: str) -> None:
    """Go through all games of all rule sets: no game may do what a note says that none does."""
    load = load_from(folder, "piles", text)
    for number in members(family):
        mine = used(load(family.called(number)))
        for note in notes:
            assert note.where is not None
            if number in family.space.region(note.where.cubes) and not note.unknown:
                assert (note.kind, note.path) not in mine, family.called(number)


def test_a_note_says_under_which_rule_sets_it_is_true(tmp_path: Path) -> None:
    notes, family = found(tmp_path, GAME + ONCE + NEVER)
    assert lines(notes) == [
        "`put.once`: never refuses, because it holds whenever the conditions before it hold (without never)",
        "`pass`: never happens, because `stuck` never holds when the conditions before it hold (without never)",
        "`payout.won`: no property depends on what is paid",
        "`few`: its premise is never true (with once, or without never)",
    ]
    assert [note.where and (note.where.rule_sets, note.where.of) for note in notes] == [
        (1, 2),
        (2, 4),
        (4, 4),
        (3, 4),
    ]
    agree(notes, family, tmp_path, GAME + ONCE + NEVER)


def test_what_is_dead_only_in_some_combinations_is_found_without_looking_at_one_alone(tmp_path: Path) -> None:
    load_from(tmp_path, "piles", TOGETHER)
    (group,) = group_names(FamilyName("piles", (), (), (tmp_path,)))
    found = GroupCheck(group, SETTINGS).examine(())
    family = group.choices().family
    assert [(key, cubes) for key, cubes, _ in found.vacuous if "open" in key[1]] == [
        (("condition", "put.open"), ((family.bits(["lax", "hard"]), family.bits(["lax"])),))
    ]


@pytest.mark.slow
def test_no_game_of_any_rule_set_does_what_a_note_says_that_none_does(tmp_path: Path) -> None:
    text = GAME + ONCE + NEVER + LONG + OTHERS
    notes, family = found(tmp_path, text)
    assert {note.path for note in notes} == {"put.plain", "put.once", "pass", "payout.won", "few"}
    agree(notes, family, tmp_path, text)


@pytest.mark.slow
def test_a_switch_that_changes_nothing_is_noted_with_the_others_that_make_it_so(tmp_path: Path) -> None:
    (tmp_path / "piles.golpae").write_text(GAME + ONCE + NEVER + OTHERS, encoding="utf-8")
    name = FamilyName("piles", (), (), (tmp_path,))
    notes = notes_on_switches(name, load("piles", [tmp_path]), SETTINGS, 1, False, Progress())
    assert [note.message for note in notes if not note.unknown] == [
        "`once`: changes nothing (without never)",
        "`plain`: changes nothing",
        "`clash`: changes nothing (with never)",
    ]


def test_a_wrong_call_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "piles.golpae").write_text(GAME + ONCE, encoding="utf-8")
    (tmp_path / "faulty.golpae").write_text('game faulty "Faulty"\n', encoding="utf-8")
    for words, message in (
        (["piles+*"], "`piles+*` needs `--deep`"),
        (["--deep", "piles+onec+*"], "did you mean `once`?"),
        (["--deep", "heaps+*"], "heaps"),
        (["--deep", "piles+*", "--except", "onec"], "did you mean `once`?"),
        (["--deep", "piles", "--except", "once"], "`--except` needs a game with `+*`"),
        (["piles", "--except", "once"], "`--except` needs a game with `+*`"),
        (["--deep", "faulty+*"], "`faulty` has no `players`"),
    ):
        assert main(["lint", *words, "--spec-path", str(tmp_path)]) == 2
        told = capsys.readouterr()
        assert message in told.err + told.out, words


@pytest.mark.parametrize(
    ("words", "left_out", "said"),
    [
        ("always", (), ""),
        ("once without long", (), " (with once without long)"),
        ("always", ("never",), " (of all rule sets without never)"),
        ("once", ("never", "long"), " (with once, of all rule sets without never and long)"),
    ],
)
def test_a_note_names_what_is_left_out(words: str, left_out: Sequence[str], said: str) -> None:
    assert in_brackets(Where(words, (), 1, 2), left_out) == said


def test_json_says_for_which_rule_sets(tmp_path: Path) -> None:
    load_from(tmp_path, "piles", GAME + ONCE + NEVER)
    where = Where("without never", ((0b11, 0b01),), 1, 2)
    note = Note("put.once", "`put.once`: never refuses (without never)", None, False, "condition", where)
    assert to_builtins(vacuous_of(note, ["once", "never"])) == {
        "path": "put.once",
        "kind": "condition",
        "message": "`put.once`: never refuses (without never)",
        "unknown": False,
        "place": None,
        "where": {
            "words": "without never",
            "settings": [{"on": ["once"], "off": ["never"]}],
            "rule_sets": 1,
            "of": 2,
        },
    }


def test_json_has_the_faults_and_notes_of_each_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "piles.golpae").write_text(GAME, encoding="utf-8")
    (tmp_path / "faulty.golpae").write_text('game faulty "Faulty"\n', encoding="utf-8")
    assert main(["lint", str(tmp_path), "gone.golpae", "--format", "json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["status"] == 2
    faulty, piles, gone = document["texts"]
    first = faulty["said"][0]
    assert (first["code"], first["is_note"], first["place"]["line"]) == ("G004", False, 1)
    assert piles["summary"] == "no faults"
    assert gone["unreadable"] is not None


def test_the_schema_is_committed() -> None:
    file = TOP / "docs" / "lint.schema.json"
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(json.dumps(schema()))


@pytest.mark.slow
def test_the_verb_tells_all_about_all_rule_sets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "piles.golpae").write_text(GAME + ONCE + NEVER, encoding="utf-8")
    call = ["lint", "--deep", "piles+*", "--spec-path", str(tmp_path), "--jobs", "1"]
    assert main(call) == 1
    out = capsys.readouterr().out.splitlines()
    assert [line.rpartition("note: ")[2] for line in out][-1] == "`once`: changes nothing (without never)"
    assert main([*call, "--except", "never", "--format", "json"]) == 1
    (text,) = json.loads(capsys.readouterr().out)["texts"]
    (idle,) = [note for note in text["vacuous"] if note["kind"] == "switch"]
    assert idle["message"] == "`once`: changes nothing (of all rule sets without never)"
    assert idle["where"] == {
        "words": "always",
        "settings": [{"on": [], "off": ["once", "never"]}],
        "rule_sets": 1,
        "of": 1,
    }
