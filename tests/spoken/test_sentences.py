"""Messages as sentences to whoever acts: verbs fit `you`, keys are named by words, values of a game are left out."""

from __future__ import annotations

from golpae.elaborate.check import elaborate
from golpae.ir.ruleset import Action, RuleSet
from golpae.spoken.sentences import is_plain, noun_of, says_what_is, sentence


def said(rules: RuleSet, name: str) -> list[str | None]:
    """Return the sentences about an action."""
    action = rules.action(name)
    assert isinstance(action, Action)
    return [sentence(rules, action, c) for c in action.of_text if not is_plain(rules, action, c)]


def test_a_message_is_said_to_whoever_acts() -> None:
    rules = elaborate("jjak", [])
    assert said(rules, "claim") == [
        "Only the last discard can be claimed.",
        "You hold no mate of the tile.",
        "The pair of the tile may not be your third pair.",
    ]
    assert said(rules, "discard") == [
        "You claimed the owed tile and have to lay its pair first.",
        "You hold a pair and have to lay it first.",
    ]


def test_what_goes_without_saying_is_left_out() -> None:
    rules = elaborate("jjak", [])
    action = rules.action("draw")
    assert action is not None
    plain = [c.name for c in action.of_text if is_plain(rules, action, c)]
    assert plain == ["turn", "place"]  # whose turn it is, and where the tile is taken from


def test_keys_of_records_are_left_out() -> None:
    rules = elaborate("riichi", [])
    assert said(rules, "tsumo") == [
        "You have not drawn the tile now.",
        "Your hand is not complete.",
        "Your hand has no yaku.",
    ]


def test_a_message_with_values_of_a_game_is_no_sentence() -> None:
    assert said(elaborate("bridge", []), "bid") == [None]


def test_tiles_are_called_what_the_text_calls_them() -> None:
    assert [noun_of(elaborate(game, [])) for game in ("jjak", "hearts", "ho-hpai")] == [
        "tile",
        "card",
        "piece",
    ]
    assert "Two cards match the card: one has to be chosen." in said(elaborate("go-stop", []), "play")


def test_a_message_that_says_what_is_right_forbids_nothing() -> None:
    action = elaborate("hearts", []).action("pass")
    assert action is not None
    assert {c.name: says_what_is(c) for c in action.of_text}["three"]  # three cards are passed, not 2
    action = elaborate("jjak", []).action("claim")
    assert action is not None
    assert not any(map(says_what_is, action.of_text))
