"""Messages on pages say what players know, not what a trace or a text writes."""

from __future__ import annotations

import pytest

from golpae.elaborate.check import elaborate
from golpae.pages.players_words import in_players_words, legal_in_players_words

PLAYERS = ("An", "Bo", "Cho", "Dae")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "no hand has been dealt yet: `add_kong` has to wait for the `deal`",
            "no hand has been dealt yet: “add kong” has to wait for the “deal”",
        ),
        (
            "Bo's hand counts 2 (all-chows 1), not all-chows 1",
            "Bo's hand counts 2 (all chows 1), not all chows 1",
        ),
        (
            "`pay` should be [2, -2, 0, 0] (An +2, Bo -2, Cho 0, Dae 0), not `[1, -1, 0, 0]`",
            "the payments should be An +2, Bo -2, Cho 0, Dae 0, not An +1, Bo -1, Cho 0, Dae 0",
        ),
        (
            "`pay` should be [0, 0] (An 0, Bo 0), not `[1, true]`",
            "the payments should be An 0, Bo 0, not [1, true]",
        ),
        ("`winners` should be [0] (An), not [1]", "the winners should be An, not Bo"),
        ("`winners` should be [0] (An), not []", "the winners should be An, not nobody"),
        (
            "`reserve` is not the rest of the set: it lacks E",
            "the reserve is not the rest of the set: it lacks E",
        ),
        (
            "nobody has won this hand, but `winner` names An",
            "nobody has won this hand, but the record names An",
        ),
        ("An-Bo's `hand` has `2-tiles`", "An-Bo's `hand` has `2-tiles`"),
    ],
)
def test_a_message_is_told_in_the_words_of_players(message: str, words: str) -> None:
    assert in_players_words(message, elaborate("korean-mahjong", []), PLAYERS) == words


@pytest.mark.parametrize(
    ("legal", "words"),
    [
        ("perhaps add kong", "perhaps “add the tile just drawn to an open pung”"),
        ("perhaps win (too many hands)", "perhaps “win” (too many hands)"),
        ("An: discard 2 dot | 3 dot", "An: discard 2 dot | 3 dot"),
    ],
)
def test_what_was_perhaps_legal_is_said_by_its_title(legal: str, words: str) -> None:
    assert legal_in_players_words(legal, elaborate("korean-mahjong", [])) == words
