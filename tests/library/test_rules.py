"""Rules and tables: what they say of themselves, and wrong names."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import golpae
from tests.committed import TOP

SPECS = TOP / "spec"


def test_rules_say_what_they_are() -> None:
    rules = golpae.load("jjak+relaxed")
    assert (rules.name, rules.game, rules.players) == ("jjak+relaxed", "jjak", range(2, 5))
    assert [switch.name for switch in rules.switches if switch.on] == ["relaxed"]
    claim = next(action for action in rules.actions if action.name == "claim")
    assert (claim.kind, claim.by_player) == ("play", True)
    assert claim.keys == (golpae.Key("tile", "a tile", False),)
    assert golpae.Condition("jjak.claim.last", ("J7",)) in claim.conditions
    assert "every-tile-has-one-mate" in {prop.name for prop in rules.properties}
    assert repr(rules) == "<Rules jjak+relaxed>"


def test_options_have_bounds_and_a_usual_value() -> None:
    [option] = golpae.load("three-dozen").options or golpae.load("ho-hpai").options or [None]
    if option is not None:
        assert option.low <= option.default <= option.high
    assert "jjak" in golpae.names()


def test_a_file_and_a_name_are_the_same_rules(tmp_path: Path) -> None:
    by_name, by_file = golpae.load("jjak+relaxed"), golpae.load(str(SPECS / "jjak.golpae") + "+relaxed")
    assert by_name == by_file
    assert golpae.load(SPECS / "jjak.golpae").plus("relaxed") == by_name
    assert len({by_name, by_file}) == 1
    assert golpae.load("jjak") != by_name
    copied = tmp_path / "jjak.golpae"
    copied.write_text(copied_text := (SPECS / "three-dozen.golpae").read_text("utf-8"), "utf-8")
    assert copied_text
    with pytest.raises(golpae.RulesError, match="this file is called `jjak`"):
        golpae.load("jjak", spec_path=tmp_path)


def test_a_text_makes_rules_with_its_variants() -> None:
    text = (SPECS / "jjak.golpae").read_text("utf-8")
    rules = golpae.load_text(text, ["relaxed"])
    assert rules.name == "jjak+relaxed"
    assert rules == golpae.load("jjak+relaxed")
    assert rules.plus("culin").name == "jjak+relaxed+culin"
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.compare("culin", games=False).b == "jjak+culin"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jjk", "there are no rules called `jjk`"),
        ("jjak+relxed", "has no variant or reading `relxed`"),
        ("jjak+", "`jjak\\+` lacks a name"),
        ("", "the name of the rules is empty"),
        ("nowhere/jjak.golpae", "there is no file"),
        ("games.jsonl", "is a file of traces, not rules"),
    ],
)
def test_wrong_names_are_exceptions_with_advice(name: str, message: str) -> None:
    with pytest.raises(golpae.RulesError, match=message) as raised:
        golpae.load(name)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (str(again), again.diagnostics) == (str(raised.value), raised.value.diagnostics)


def test_a_game_that_is_not_found_is_told_how_to_name_texts_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(golpae.RulesError, match="there are no rules called `lantern`") as raised:
        golpae.load("lantern")
    assert str(raised.value).endswith(
        "; `spec_path` names folders of rule texts, and a text can be named by its path"
    )


def test_faults_of_a_text_have_their_places() -> None:
    with pytest.raises(golpae.RulesError) as raised:
        golpae.load_text('game x "X"\nfoo\n')
    [fault] = raised.value.diagnostics
    assert (fault.code, fault.file, fault.line, fault.column, fault.words) == ("S001", "<text>", 2, 1, "foo")
    assert "^^^" in str(fault)
    assert isinstance(raised.value, golpae.GolpaeError)


@pytest.mark.parametrize("rules", [None, 5, b"jjak"])
def test_other_types_are_type_errors(rules: object) -> None:
    with pytest.raises(TypeError):
        golpae.load(rules)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        golpae.load_text(rules)  # type: ignore[arg-type]


def test_a_table_is_rules_with_players_and_options() -> None:
    rules = golpae.load("jjak")
    table = rules.at(3)
    assert (table.players, table.rules, len(table.tiles)) == (3, rules, 32)
    assert rules.at() == rules.at(2) != table
    assert [one.players for one in rules.tables()] == [2, 3, 4]
    assert pickle.loads(pickle.dumps(table)) == table
    assert repr(table) == "<Table jjak, 3 players>"


def test_tables_that_there_are_not_are_exceptions() -> None:
    rules = golpae.load("jjak")
    for players in (1, 5, 0, -1):
        with pytest.raises(golpae.TableError, match="is for 2 to 4 players"):
            rules.at(players)
    with pytest.raises(golpae.TableError, match="no option `x`"):
        rules.at(2, {"x": 1})
    with pytest.raises(golpae.TableError, match="for 2 players, not for 3"):
        rules.at(2).game(["An", "Bo", "Cho"])
    with pytest.raises(golpae.TableError, match="`stake`"):
        rules.at(2).game(stake=0)
    for wrong in ("3", 2.0, True):
        with pytest.raises(TypeError):
            rules.at(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        rules.at(2).game("AB")


def test_texts_of_a_folder_come_first(tmp_path: Path) -> None:
    with pytest.raises(golpae.RulesError, match="there is no"):
        golpae.load("jjak", spec_path=tmp_path / "nowhere")
    text = (SPECS / "jjak.golpae").read_text("utf-8").replace("Jjak-mat-chu-gi", "Mine")
    (tmp_path / "jjak.golpae").write_text(text, "utf-8")
    for place in (tmp_path, str(tmp_path), [tmp_path]):
        assert golpae.load("jjak", spec_path=place).title == "Mine"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: list(golpae.check_all(None)), "named by paths, not NoneType"),  # type: ignore[arg-type]
        (lambda: list(golpae.check_all([b"x"])), "named by paths, not bytes"),  # type: ignore[list-item]
        (lambda: golpae.load("jjak", spec_path=None), "`spec_path` is a path, or several"),  # type: ignore[arg-type]
        (lambda: golpae.load("jjak").at(2, [1]), "`options` is a dict"),  # type: ignore[arg-type]
        (lambda: golpae.load("jjak").at(2, {"a": "b"}), "`options` is a dict"),  # type: ignore[dict-item]
        (lambda: golpae.score("korean-mahjong", 5), "`tiles` are names of tiles, not int"),  # type: ignore[arg-type]
        (lambda: golpae.compare_rules("jjak", 5), "`Rules` or a name, not with int"),  # type: ignore[arg-type]
        (lambda: golpae.load("jjak").prove(5), "named by texts, not int"),  # type: ignore[arg-type]
        (lambda: golpae.load("jjak").prove(players="2"), "`players` is a number"),  # type: ignore[arg-type]
    ],
)
def test_values_of_other_types_are_told_as_such(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_variants_of_a_text_may_be_one_name() -> None:
    text = (SPECS / "jjak.golpae").read_text("utf-8")
    for switches in ("relaxed+culin", "+relaxed+culin", ["relaxed", "culin"]):
        assert golpae.load_text(text, switches).name == "jjak+relaxed+culin"
