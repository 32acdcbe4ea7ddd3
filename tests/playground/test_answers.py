"""What golpae answers to the page of the playground."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from golpae import workers
from golpae.assets.examples import EXAMPLES
from golpae.diagnostics import Text
from golpae.playground.answers import Playground
from golpae.syntax.parse import parse
from golpae.syntax.tree import RuleText
from tests.playground.texts import BEADS, GAME, SPOILT


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Playground:
    """A playground without other processes, as in a browser."""
    monkeypatch.setattr(workers, "HAS_PROCESSES", False)
    return Playground(tmp_path)


def asked(desk: Playground, do: str, **request: Any) -> dict[str, Any]:
    answered: dict[str, Any] = json.loads(desk.answer(json.dumps({"do": do, **request})))
    return answered


def test_a_fault_has_its_place_in_units_of_scripts(desk: Playground) -> None:
    text = BEADS.replace('"Beads"', '"Beads 𝄞"').replace("p = mover", "p = movre")
    [mark] = asked(desk, "faults", text=text, whole=False)["marks"]
    units = text.encode("utf-16-le")[2 * mark["start"] : 2 * mark["end"]].decode("utf-16-le")
    assert (units, mark["severity"], mark["code"]) == ("movre", "error", "N001")
    assert mark["message"] == "nothing here is called `movre`\nhelp: did you mean `mover`?"


def test_a_text_without_a_game_is_a_fault_and_one_with_a_game_has_none(desk: Playground) -> None:
    [mark] = asked(desk, "faults", text="players 2 to 2\n", whole=False)["marks"]
    assert mark["code"] == "L004"
    assert asked(desk, "faults", text=BEADS, whole=True) == {"marks": []}


def test_a_keystroke_costs_one_reading_of_the_text(desk: Playground, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Text] = []

    def noticed(text: Text) -> RuleText:
        read.append(text)
        return parse(text)

    monkeypatch.setattr("golpae.elaborate.load.parse", noticed)
    assert asked(desk, "faults", text=f"{BEADS}\n# typed\n", whole=False) == {"marks": []}
    assert len(read) == 1


def test_words_that_can_follow_and_what_a_name_means(desk: Playground) -> None:
    offers = asked(desk, "complete", text=BEADS, at=BEADS.index("mover :="))["offers"]
    assert {"word": "mover", "what": "state"} in offers
    told = asked(desk, "hover", text=BEADS, at=BEADS.index("twins(a, b)"))
    assert "Beads that go together." in told["words"]
    assert BEADS[told["start"] : told["end"]] == "twins"


def test_the_rules_say_what_they_offer(desk: Playground) -> None:
    rules = asked(desk, "rules", text=BEADS)
    assert (rules["title"], rules["players"]) == ("Beads", [2])
    assert [one["name"] for one in rules["switches"]] == ["anyone"]
    assert {"name": "nobody-wins", "kind": "never", "expected": "proved"} in rules["properties"]


def test_a_game_is_judged_by_the_text_and_shown(desk: Playground) -> None:
    [game] = asked(desk, "check", text=BEADS, trace=GAME)["games"]
    assert (game["verdict"], game["message"]) == ("incomplete", None)
    found = asked(desk, "check", text=BEADS, trace=SPOILT)
    [game] = found["games"]
    assert (game["verdict"], game["at"], game["clause"]) == ("illegal", 4, "beads.take.turn")
    assert game["message"] == "it is not An's turn to take a bead"
    assert "it is not An&#x27;s turn to take a bead" in found["page"]
    changed = BEADS.replace("  turn: p = mover", "  turn: p /= mover")
    assert asked(desk, "check", text=changed, trace=GAME)["games"][0]["at"] == 3


def test_a_game_by_chance_is_legal_and_the_same_again(desk: Playground) -> None:
    trace = asked(desk, "chance", text=BEADS, seed=4)["trace"]
    assert asked(desk, "check", text=BEADS, trace=trace)["games"][0]["verdict"] == "legal"
    assert asked(desk, "chance", text=BEADS, seed=4)["trace"] == trace


def test_a_match_has_a_page(desk: Playground) -> None:
    assert "<title>Beads</title>" in asked(desk, "play", text=BEADS)["page"]


def test_a_property_is_refuted_by_a_game_that_is_shown(desk: Playground) -> None:
    [proof] = asked(desk, "prove", text=BEADS, name="nobody-wins")["proofs"]
    assert (proof["verdict"], proof["status"]) == ("refuted", "not as expected")
    assert proof["trace"]
    assert proof["page"].startswith("<!doctype html>")


def test_a_variant_is_compared_with_the_rules(desk: Playground) -> None:
    found = asked(desk, "compare", text=BEADS, left=[], right=["anyone"])
    assert (found["games"], [one["clause"] for one in found["differences"]]) == ("wider", ["take.turn"])
    [wider] = [one for one in found["tables"][0]["answers"] if one["verdict"] == "refuted"]
    assert (wider["refused_by"], wider["clause"]) == ("beads", "beads.take.turn")
    assert wider["page"].startswith("<!doctype html>")


def test_a_request_that_cannot_be_met_says_why(desk: Playground) -> None:
    assert (
        "movre"
        in asked(desk, "prove", text=BEADS.replace("p = mover", "p = movre"), name="nobody-wins")["fault"]
    )
    assert "no-such" in asked(desk, "prove", text=BEADS, name="no-such")["fault"]


def test_a_text_that_comes_with_golpae_is_formatted(desk: Playground) -> None:
    text = asked(desk, "example", name="jjak")["text"]
    assert asked(desk, "format", text=text)["text"] == text
    assert "no-such" in asked(desk, "example", name="no-such")["fault"]


def test_no_more_than_some_games_are_judged_and_this_is_said(
    desk: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("golpae.playground.answers.MOST_GAMES", 2)
    few = asked(desk, "check", text=BEADS, trace=GAME * 2)
    assert (len(few["games"]), few["are_all"]) == (2, True)
    many = asked(desk, "check", text=BEADS, trace=GAME * 3)
    assert (len(many["games"]), many["are_all"]) == (2, False)


def test_every_player_has_a_name(desk: Playground) -> None:
    text = BEADS.replace("players 2 to 2", "players 2 to 12").replace("4 of 2", "24 of 2")
    text = text.replace("two of each", "12 of each")
    trace = asked(desk, "chance", text=text, players=12)["trace"]
    assert json.loads(trace.partition("\n")[0])["players"][7:] == ["Hal", "P8", "P9", "P10", "P11"]
    assert asked(desk, "check", text=text, trace=trace)["games"][0]["verdict"] == "legal"


def test_faults_are_told_in_words_with_their_lines(desk: Playground) -> None:
    text = BEADS.replace("p = mover", "p = movre")
    line = 1 + text[: text.index("movre")].count("\n")
    told = f"line {line}: nothing here is called `movre` (did you mean `mover`?)"
    assert asked(desk, "prove", text=text, name="nobody-wins")["fault"] == told
    assert asked(desk, "play", text=text)["fault"] == told
    many = BEADS + "".join(f"\ndefine d{n}: nowhere{n}\n" for n in range(5))
    assert asked(desk, "play", text=many)["fault"].endswith("; and 2 more")


def test_a_text_is_compared_with_what_it_was(desk: Playground) -> None:
    changed = BEADS.replace("  turn: p = mover ", "  turn: p = p ")
    found = asked(desk, "compare", text=changed, before=BEADS, left=[], right=[])
    assert (found["a"], found["b"], found["games"]) == ("the old text", "the new text", "wider")
    assert [one["clause"] for one in found["differences"]] == ["take.turn"]
    [wider] = [one for one in found["tables"][0]["answers"] if one["verdict"] == "refuted"]
    assert wider["question"] == "is every game of the new text one of the old text?"
    assert wider["refused_by"] == "the old text"
    same = asked(desk, "compare", text=changed, before=changed, left=[], right=["anyone"])
    assert same["games"] == "same"


# ------------------------------------------------------------------ the menu of examples


@pytest.mark.parametrize("name", [one.name for examples in EXAMPLES.values() for one in examples])
def test_each_example_has_a_text_that_golpae_understands(name: str, desk: Playground) -> None:
    state = asked(desk, "example", name=name)
    marks = asked(desk, "faults", text=state["text"], whole=True)["marks"]
    assert [mark["code"] for mark in marks] == (["N001"] if name == "fault" else [])


def test_the_menu_has_examples_and_games(desk: Playground) -> None:
    menu = asked(desk, "about")["examples"]
    assert [*menu] == [*EXAMPLES, "Games that come with golpae"]
    assert {"name": "jjak", "words": "jjak"} in menu["Games that come with golpae"]


@pytest.mark.parametrize(("name", "verdicts"), [("refused", ["illegal"]), ("hidden", ["legal", "illegal"])])
def test_recorded_games_of_examples_show_what_they_promise(
    name: str, verdicts: list[str], desk: Playground
) -> None:
    state = asked(desk, "example", name=name)
    games = asked(desk, "check", text=state["text"], trace=state["trace"])["games"]
    assert [game["verdict"] for game in games] == verdicts


@pytest.mark.solver
@pytest.mark.parametrize(("name", "verdict"), [("proved", "proved"), ("refuted", "refuted")])
def test_properties_of_examples_are_what_they_promise(name: str, verdict: str, desk: Playground) -> None:
    state = asked(desk, "example", name=name)
    [proof] = asked(desk, "prove", text=state["text"], name=state["property"], players=2)["proofs"]
    assert proof["verdict"] == verdict
    assert (proof["page"] is not None) == (verdict == "refuted")


@pytest.mark.solver
def test_the_compared_example_forbids_a_game(desk: Playground) -> None:
    state = asked(desk, "example", name="compared")
    found = asked(desk, "compare", text=state["text"], left=[], right=[state["right"]], players=2)
    assert found["games"] == "narrower"
    assert any(one["page"] for one in found["tables"][0]["answers"])


@pytest.mark.parametrize("name", [one.name for examples in EXAMPLES.values() for one in examples])
def test_no_example_speaks_of_commands(name: str, desk: Playground) -> None:
    text = asked(desk, "example", name=name)["text"]
    assert not any(
        word in text for word in ("HOW", "PROOF", "NAME", "TITLE", "golpae lint", "golpae prove", ".md")
    )
