"""What golpae answers to the page of the playground."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from golpae import workers
from golpae.playground.answers import Playground
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
    assert "jjak" in asked(desk, "about")["games"]
