"""Matches that people play: chance as in a simulation, a way back, hints that change nothing, words that are typed."""

from __future__ import annotations

import pytest

from golpae.replay.chance import Chance
from golpae.replay.legal_events import Event
from golpae.simulate.match import Match, Question
from golpae.simulate.policies import MADE, policies
from golpae.simulate.position import Positions
from golpae.simulate.sight import Sight
from golpae.simulate.typed import RefusedInput, Typed
from golpae.trace import Header
from tests.simulate.shared import SMALL, machine_of, table_of

HEADER = Header("small", "small", (), ("An", "Bo"), 1, {}, None)


def match_of(*names: str | None, seed: int = 1) -> Match:
    """Return a match in which these policies play, and people where there is none."""
    machine = machine_of(SMALL)
    made = iter(policies([name for name in names if name], Sight(machine)))
    return Match(machine, [next(made) if name else None for name in names], Chance(seed, 0))


def asked(match: Match) -> Question:
    """Return the next question."""
    while not isinstance(found := match.go_on(), Question):
        assert found is not None
    return found


@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "random"), ("towards", "greedy")])
def test_policies_alone_play_the_games_of_a_simulation(names: tuple[str, str]) -> None:
    for seed in range(5):
        match = match_of(*names, seed=seed)
        while isinstance(event := match.go_on(), Event) and event.action != "end":
            pass
        assert match.events == [*table_of(match.machine, *names).play(seed, 0).events]


def test_going_back_takes_chance_back() -> None:
    match = match_of(None, "random")
    question = asked(match)
    flat = Positions(match.machine).flat
    events, state = [*match.events], flat(match.state)
    take = next(n for n, c in enumerate(question.choices) if c.events[0].action == "take")
    found = []
    for _ in range(2):
        match.choose(question, take)
        asked(match)
        found.append([*match.events])
        assert match.undo()
        assert match.events == events
        assert flat(match.state) == state
        question = asked(match)
    assert found[0] == found[1]
    assert not match.undo()


def test_tiles_that_cannot_be_seen_are_one_choice() -> None:
    match = match_of(None, None)
    question = asked(match)
    typed = Typed(match.legal, match.sight, HEADER)
    words = [typed.words(choice) for choice in question.choices]
    assert words.count("take a tile") == 1
    assert not any(word.startswith("take") and word != "take a tile" for word in words)


def test_a_hint_changes_nothing() -> None:
    match = match_of(None, None)
    question = asked(match)
    flat = Positions(match.machine).flat
    state, drawn = flat(match.state), match.chance.draws
    for policy in MADE.values():
        assert match.hint(question, policy(match.sight)) in range(len(question.choices))
    assert (flat(match.state), match.chance.draws) == (state, drawn)


def test_people_are_asked_before_the_next_hand() -> None:
    match = match_of(None, "greedy")
    question = asked(match)
    while question.seat is not None:
        put = next(n for n, c in enumerate(question.choices) if c.events[0].action == "put")
        match.choose(question, put)
        question = asked(match)
    assert (question.seat, question.can_deal) == (None, True)
    deal = match.deal_again()
    assert deal is not None
    assert deal.action == "deal"


# ---------------------------------------------------------------------- words


def read(words: str) -> object:
    """Return how words are read by the first player of a match."""
    match = match_of(None, None)
    question = asked(match)
    typed = Typed(match.legal, match.sight, HEADER)
    found = typed.read(words.format(*held(match, question)), question.seat, question.choices, match.state)
    return found if isinstance(found, RefusedInput | Event) else typed.words(question.choices[found])


def held(match: Match, question: Question) -> list[str]:
    """Return a tile that the asked seat holds, and one that it does not hold."""
    tiles = {match.machine.tile(t) for t in match.state.z_hand[question.seat]}
    others = {kind.name for kind in match.machine.instance.kinds} - tiles
    return [min(tiles), min(others)]


@pytest.mark.parametrize("words", ["put {0}", "{0} put", "PUT {0}", "{0}"])
def test_a_choice_is_found_by_its_words(words: str) -> None:
    assert str(read(words)).startswith("put ")


def test_an_action_alone_is_enough_if_there_is_one_choice() -> None:
    assert (
        read("take")
        == read("take a tile")
        == read('{{"do":"take","by":0}}'[1:-1].join("{}"))
        == "take a tile"
    )


@pytest.mark.parametrize(
    ("words", "message", "advice"),
    [
        ("putt {0}", "`small` has no action `putt`", "did you mean `put`?"),
        ("put goldd", "there is no tile `goldd`; did you mean `gold`?", None),
        ('{{"do":"put"}}', "`put` lacks the key `tile`", None),
        (
            "put",
            "`put` can be several of your choices",
            "choose one by its number: 1 put copper; 2 put silver",
        ),
        ("put {0} {1}", "`put` takes no more words: ", None),
        (
            "take {0}",
            "`take` moves tiles that you cannot see",
            "write `take`, or its number: golpae says which tile it is",
        ),
        ("end", "`end` is nobody's to choose here", None),
        ('{{"do": 3}}', "`small` has no action `3`", None),
        ("{{", "this is no line of a trace", 'write it as `{"do": ...}`'),
    ],
)
def test_what_cannot_be_read_is_told(words: str, message: str, advice: str | None) -> None:
    found = read(words)
    assert isinstance(found, RefusedInput)
    assert found.message.startswith(message)
    assert found.advice == advice


def test_what_is_not_legal_is_refused_with_its_clause() -> None:
    found = read("put {1}")
    assert isinstance(found, RefusedInput)
    assert (found.message, found.clause) == ("no", "small.put.held")
