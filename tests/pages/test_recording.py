"""What a page shows of a recorded game: positions, words, and why an event was refused."""

from __future__ import annotations

from pathlib import Path

from golpae.pages.clause_text import ClauseTexts
from golpae.trace import Verdict
from tests.cli.table import HEADER, ILLEGAL, INCOMPLETE, LEGAL, MALFORMED, PUT, with_header
from tests.pages.games import recordings, rules_in


def test_each_step_has_its_words_and_what_it_changed(tmp_path: Path) -> None:
    [game] = recordings(rules_in(tmp_path), *LEGAL)
    assert game.outcome.verdict is Verdict.LEGAL
    assert game.first["zone/hand/0"] == []
    assert game.first["zone/pile"][:3] == ["1-1", "1-1", "2-2"]
    deal, put, *_, end = game.steps
    assert deal["new"]["zone/hand/1"] == ["3-3", "4-4"]
    assert deal["new"]["stage"] == "playing"
    assert (put["words"], put["at"]) == ("put 1-1", 3)
    assert put["new"] == {"zone/table": ["1-1"], "zone/hand/0": ["2-2"], "state/mover": 1}
    assert end["new"]["totals"] == [1, -1]


def test_a_refused_event_has_the_clause_its_text_and_what_it_asked(tmp_path: Path) -> None:
    [game] = recordings(rules_in(tmp_path), *ILLEGAL)
    assert len(game.steps) == 1
    told = game.refused
    assert told is not None
    assert told["message"] == "it is not Bo's turn"
    assert told["clause"] == "put.put.turn"
    assert ClauseTexts([tmp_path]).of("put")["put.turn"] == 'turn: p = mover "it is not {p}\'s turn"'
    assert told["asked"] == [["p", "Bo"], ["mover", "An"]]
    assert told["facts"] == [["Bo's hand", "3-3 4-4"]]
    assert told["legal"] == ["An: put 1-1 | 2-2"]


def test_what_was_asked_has_titles_and_leaves_out_hidden_states(tmp_path: Path) -> None:
    text = PUT.replace("  mover: seat\n", '  mover: seat "whose turn it is"\n  hidden lives: number = 3\n')
    text = text.replace("turn: p = mover", "turn: p = mover and lives > 2")
    [game] = recordings(rules_in(tmp_path, text), *ILLEGAL)
    assert game.refused is not None
    assert game.refused["asked"] == [["p", "Bo"], ["whose turn it is", "An"]]


def test_what_is_so_for_every_player_is_told_once(tmp_path: Path) -> None:
    text = PUT.replace("  mover: seat\n", "  mover: seat\n  each player's lives: number = 3\n")
    text = text.replace("turn: p = mover", "turn: p = mover and p's lives > 2")
    [game] = recordings(rules_in(tmp_path, text), *ILLEGAL)
    assert game.refused is not None
    assert game.refused["asked"] == [["p", "Bo"], ["mover", "An"], ["everybody's lives", "3"]]
    once = text.replace("  then mover := first", "  then mover := first\n  then first's lives := 2")
    [game] = recordings(rules_in(tmp_path, once.replace("lives > 2", "lives > 1")), *ILLEGAL)
    assert game.refused is not None
    assert game.refused["asked"][2:] == [["An's lives", "2"], ["Bo's lives", "3"]]


def test_the_traces_of_a_file_are_told_apart_whatever_is_wrong_with_them(tmp_path: Path) -> None:
    lost = with_header(LEGAL, rules="nothing-of-this-name")
    held = recordings(rules_in(tmp_path), *MALFORMED, "{", *lost, *INCOMPLETE, HEADER, *ILLEGAL, *LEGAL)
    found = [(game.outcome.verdict.value, len(game.steps), game.events) for game in held]
    assert found == [
        ("malformed", 1, 2),
        ("malformed", 0, 0),
        ("incomplete", 3, 3),
        ("incomplete", 0, 0),
        ("illegal", 1, 2),
        ("legal", 5, 5),
    ]
    assert held[0].refused is not None
    assert held[0].refused["message"] == "there is no tile `9-9`"
    assert held[1].instance is None
