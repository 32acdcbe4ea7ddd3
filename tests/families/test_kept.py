"""What is kept about all rule sets of a game is what was found, and is told only about rules of the same meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.main import main
from golpae.families.family import Family
from golpae.pages.book.claims import Everywhere, KeptVerdicts, add_everywhere, kept_everywhere
from golpae.progress import Progress
from golpae.prove.answer import PROVED, REFUTED, UNKNOWN, Witness
from golpae.report.families.proofs import forbidden
from golpae.verify.families import scheduler as run
from golpae.verify.families.kept import beside, kept_games, read, save, schema
from golpae.verify.families.results import FamilyPart, FamilyResult
from golpae.verify.families.scheduler import (
    Decided,
    FamilyCall,
    FamilyName,
    decide_family,
)
from golpae.verify.options import Settings
from tests.committed import TOP
from tests.families.loaded import load_from
from tests.families.random_texts import no_small_families
from tests.families.shells import FAMILY
from tests.lint.piles import GAME, LONG, NEVER, ONCE, OTHERS

TEXT = GAME + ONCE + NEVER
START, *VARIANTS = FAMILY.split("\nvariant ")
TWO = "\nvariant ".join([START, *(v for v in VARIANTS if v.startswith(("double", "loud")))])
SWITCHES = ["once", "never"]
DEAL = {"do": "deal", "first": "An", "hands": [["1c", "1c"], ["2c", "2c"]]}


def result(players: int = 2) -> FamilyResult:
    """Return that `few` fails with `never` unless `once` is on too, where nobody knows."""
    parts = (
        FamilyPart(((0b10, 0b00),), PROVED, "by induction", None, None),
        FamilyPart(((0b11, 0b10),), REFUTED, "a game of 1 events", "piles+never", Witness((), (DEAL,))),
        FamilyPart(((0b11, 0b11),), UNKNOWN, "too many cases", None, None),
    )
    where = {PROVED: "without never", REFUTED: "never without once", UNKNOWN: "once with never"}
    counts = {PROVED: 2, REFUTED: 1, UNKNOWN: 1}
    return FamilyResult("piles+*", players, {}, "always", "few", (), 4, 4, parts, counts, where, None)


def kept(folder: Path, text: str = TEXT) -> Everywhere:
    return kept_everywhere("piles", [folder], load_from(folder, "piles", text), SWITCHES)


def test_what_is_kept_says_what_holds_for_each_rule_set(tmp_path: Path) -> None:
    load = load_from(tmp_path, "piles", TEXT)
    family = Family("piles", load)
    file = beside(tmp_path / "piles.golpae")
    save(file, [result()], family, load)
    first = file.read_bytes()
    save(file, [result()], family, load)
    assert file.read_bytes() == first
    everywhere = kept(tmp_path)
    assert everywhere.words("few") == (
        "with 2 players: holds without never; fails with never without once; unknown with once with never"
    )
    assert everywhere.words("short") == ""
    assert {on: everywhere.verdict("few", on) for on in ((), ("once",), ("never",), ("once", "never"))} == {
        (): "proved with 2 players",
        ("once",): "proved with 2 players",
        ("never",): "refuted with 2 players",
        ("once", "never"): "unknown with 2 players",
    }
    verdicts = KeptVerdicts()
    add_everywhere(verdicts, everywhere)
    assert verdicts.games == {("piles+never", "few", 2): [DEAL]}


def test_another_number_of_players_stays_and_other_rules_do_not(tmp_path: Path) -> None:
    load = load_from(tmp_path, "piles", TEXT)
    family = Family("piles", load)
    file = beside(tmp_path / "piles.golpae")
    save(file, [result(3)], family, load)
    save(file, [result(2)], family, load)
    assert [one.players for one in read(file)] == [2, 3]
    assert kept(tmp_path, f"# a remark\n{TEXT}").tables
    assert not kept(tmp_path, TEXT.replace("add put.once: taken < 2", "add put.once: taken < 1")).tables
    assert not kept(tmp_path, TEXT.replace("define goal: 2", "define goal: 3")).tables


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"format":2,"golpae":"","families":[]}', b"\xff" * 9, b"[" * 9999]
)
def test_a_file_of_any_content_costs_nothing(tmp_path: Path, content: bytes) -> None:
    beside(tmp_path / "piles.golpae").write_bytes(content)
    assert kept(tmp_path) == Everywhere()


def test_the_schema_is_committed() -> None:
    file = TOP / "docs" / "kept-families.schema.json"
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(json.dumps(schema()))


def test_what_is_no_whole_family_is_not_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load_from(tmp_path, "piles", TEXT)
    for words in (["piles+*", "few"], ["piles+once+*"], ["piles+*", "--except", "once"]):
        assert main(["prove", *words, "--write", "--spec-path", str(tmp_path)]) == 2
        assert "`golpae prove 'piles+*' --write`" in capsys.readouterr().err


def test_whether_the_file_belongs_to_its_text_is_asked_with_locked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load = load_from(tmp_path, "piles", TEXT)
    file = beside(tmp_path / "piles.golpae")

    def said() -> list[str]:
        assert main(["prove", "piles", "--locked", "--spec-path", str(tmp_path)]) == 1  # no proofs are kept
        lines = capsys.readouterr().out.splitlines()
        place = next((n for n, line in enumerate(lines) if file.name in line), len(lines))
        return [line.removeprefix(f"{file}: ") for line in lines[place:]]

    assert said() == []
    save(file, [result()], Family("piles", load), load)
    assert said() == ["belongs to its text (1 table)"]
    load_from(tmp_path, "piles", TEXT.replace("add put.once: taken < 2", "add put.once: taken < 1"))
    assert said() == [
        "does not belong to its text: the game or a switch changed",
        f"  help: `golpae prove 'piles+*' --spec-path {tmp_path} --write` writes it anew",
    ]
    file.write_text("mine", encoding="utf-8")
    assert said()[0] == "cannot be used"


def test_combinations_that_are_no_rule_sets_are_named(tmp_path: Path) -> None:
    family = Family("piles", load_from(tmp_path, "piles", TEXT + LONG + OTHERS))
    assert [*forbidden(family)] == ["long with clash, which change one clause in different ways"]


def in_this_process(jobs: Sequence[run._Job], *_: object) -> Iterator[tuple[int, Decided | None]]:
    """Yield what processes would find."""
    for number, job in enumerate(jobs):
        sent: list[Any] = []
        run._decide(sent.append, job)
        yield from ((number, one) for one in sent if isinstance(one, Decided))
        yield number, None


@pytest.mark.solver
def test_games_that_are_kept_are_played_again_and_nothing_else_is_taken_from_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = load_from(tmp_path, "shells", TWO)
    call = FamilyCall(FamilyName("shells", (), (), (tmp_path,)), (2,), {}, Settings(), "few")

    def decided(asked: FamilyCall) -> FamilyResult:
        (found,) = decide_family(asked, 1, False, Progress())
        return found

    first = decided(call)
    assert first.conditions == {PROVED: "without double", REFUTED: "double"}
    file = beside(tmp_path / "shells.golpae")
    save(file, [first], Family("shells", load), load)
    content = file.read_text(encoding="utf-8")
    monkeypatch.setattr(run, "_answers", in_this_process)
    with no_small_families():  # games of these are gone through anew
        again = decided(replace(call, kept=read(file)))
    monkeypatch.undo()
    assert again.conditions == first.conditions
    (shown,) = (part for part in again.parts if part.verdict == REFUTED)  # one game, for both rule sets
    assert shown.rules == "shells+double"
    assert len([part for part in first.parts if part.verdict == REFUTED]) == 2
    # a file that says otherwise changes no verdict, and the call says that it is wrong
    spoilt = content.replace('"do":"throw"', '"do":"flip"').replace('"refuted":"double"', '"refuted":"loud"')
    assert spoilt != content
    file.write_text(spoilt, encoding="utf-8")
    assert main(["prove", "shells+*", "few", "--spec-path", str(tmp_path), "--jobs", "1", "--no-cache"]) == 1
    told = capsys.readouterr()
    assert "holds unless double" in told.out
    assert "1 of 1 property holds elsewhere than `" in told.err


def test_pages_show_the_games_under_the_fewest_switches(tmp_path: Path) -> None:
    load = load_from(tmp_path, "piles", TEXT)
    more = FamilyPart(
        ((0b11, 0b11),), REFUTED, "a game of 1 events", "piles+once+never", Witness((), (DEAL,))
    )
    file = beside(tmp_path / "piles.golpae")
    save(file, [replace(result(), parts=(*result().parts[:2], more))], Family("piles", load), load)
    (table,) = read(file)
    assert [rules for rules, _ in kept_games([table], 2, {})["few"]] == ["piles+never", "piles+once+never"]
    verdicts = KeptVerdicts()
    add_everywhere(verdicts, kept(tmp_path))
    assert [*verdicts.games] == [("piles+never", "few", 2)]


@pytest.mark.slow
@pytest.mark.solver
def test_a_call_keeps_what_it_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load_from(tmp_path, "piles", TEXT)
    file = beside(tmp_path / "piles.golpae")
    file.write_text("mine", encoding="utf-8")
    assert main(["prove", "piles+*", "--write", "--spec-path", str(tmp_path), "--jobs", "1"]) == 0
    told = capsys.readouterr()
    assert "what was there is now" in told.err
    assert Path(f"{file}.old").read_text(encoding="utf-8") == "mine"
    (table,) = read(file)
    assert {prop.name: prop.where for prop in table.properties}["few"] == {"proved": "always"}
    assert all(f"  {prop.name}" in told.out for prop in table.properties)
