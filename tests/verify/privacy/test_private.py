"""Rules tell a player nothing that this player has not seen: by hand, and random texts held against all games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.hidden.hiding import seen_from
from golpae.prove.answer import PROVED, REFUTED
from golpae.replay.machine import Machine
from golpae.search.witness import replays
from golpae.verify.analysis import Analysis
from golpae.verify.deciders.all_games import decide_by_games
from golpae.verify.deciders.private import decide_if_taken, taken
from golpae.verify.options import Settings
from golpae.verify.privacy.beliefs import decide_by_beliefs
from golpae.verify.privacy.flow import Flow
from golpae.verify.privacy.pairs import PairOfGames, PairSearch
from golpae.verify.properties import PRIVATE
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import verify
from tests.hidden.tiny import table
from tests.verify.privacy.peeks import machine_of, peek, random_peek

SPEC = Path(__file__).parents[3] / "spec"

LEAKS = {
    # a menu that offers a move only if the hidden hand of another player allows it
    "menu": (
        {"call": "  theirs: 4c in p's right's hand \"no\"\n"},
        "call.theirs",
        "may choose `call` only in",
    ),
    # a refusal that names hidden tiles
    "message": (
        {"guard": "  said: tile /= 3c \"{p's right} holds {p's right's hand}\"\n"},
        "put.said",
        '`peek.put.said` says "P',
    ),
    # a state written from hidden tiles, which decides later on
    "state": (
        {"deal": "  then flag := rich(first)\n", "call": '  flag: flag "no"\n'},
        "call.flag",
        "may choose `call` only in",
    ),
    # a winner who is found by hidden tiles and ends the hand
    "end": (
        {"effect": "  then when 4c in p's right's hand: nobody wins\n"},
        "put.open",
        "`peek.put.open` refuses it",
    ),
    # a condition that turns on the tile which is drawn next
    "drawn": ({"drawn": '  odd: tile in {1c, 3c} "no"\n'}, "draw.odd", "may choose `draw` ? only in"),
    # a tile that another player drew
    "taken": (
        {"after_draw": "  then taken := tile\n", "call": '  taken: taken = 1c "no"\n'},
        "call.taken",
        "`call`",
    ),
    # a turn that says who holds a coin, and whether anybody does
    "turn": (
        {"deal": "  then mover := (the q in players: 1c in q's hand) otherwise first\n"},
        "put.turn",
        "may choose",
    ),
    # a coin that lies face down before another player
    "face-down": (
        {"target": "p's lent", "guard": "  lying: 4c in p's right's lent or tile /= 3c \"no\"\n"},
        "put.lying",
        "`put` 3c",
    ),
}

PRIVATE_PARTS = {
    "nothing": {},
    "own hand": {"guard": '  own: low(tile) or not rich(p) "{p} holds more"\n'},
    "a size": {"guard": "  sized: size of p's right's hand > 0 \"{p's right} holds nothing\"\n"},
    "a coin on the table": {"effect": "  then flag := low(tile)\n", "call": '  flag: flag "no"\n'},
    "an own state": {
        "effect": "  then p's mark := rich(p)\n",
        "guard": '  own-mark: not p\'s mark "{p} has a mark"\n',
    },
    "the coin drawn in this turn": {
        "after_draw": "  then mover := p\n  then taken := tile\n",
        "effect": "  then taken := none\n",
        "guard": '  taken: taken is none or tile /= taken "not {taken}"\n',
    },
    "whether a coin was drawn": {
        "after_draw": "  then taken := tile\n",
        "call": '  drawn: taken is not none "no"\n',
    },
    "two ways to the same": {
        "effect": "  then when rich(p): flag := yes else: flag := yes\n",
        "call": '  flag: flag "no"\n',
    },
    "the size of a hand": {
        "effect": "  then when p's hand is empty: flag := yes\n",
        "call": '  flag: flag "no"\n',
    },
    "a test that is asked twice": {
        "effect": "  then when size of table = 3: nobody wins\n"
        "  then also: when size of table = 3 and rich(p): p wins\n",
    },
}


def confirmed(machine: Machine, pair: PairOfGames) -> None:
    """Check that replay accepts two games, and that the hiding of logs shows a player the same of both."""
    header = table(machine)
    for game in (pair.one, pair.other):
        assert replays(machine, {}, game).accepted
    one, other = (seen_from(machine, header, game, pair.seat) for game in (pair.one, pair.other))
    assert one == other
    assert pair.one != pair.other


@pytest.mark.parametrize("name", LEAKS)
def test_what_leaks_is_refuted_by_two_games(name: str) -> None:
    parts, clause, words = LEAKS[name]
    machine = peek(**parts)
    assert clause in [leak.path for leak in Flow(machine.instance).leaks()]
    pair = PairSearch(machine, 1).find(80, 2_000)
    assert pair is not None
    confirmed(machine, pair)
    beliefs = decide_by_beliefs(machine)
    assert beliefs is not None
    assert beliefs.pair is not None
    confirmed(machine, beliefs.pair)
    assert words in beliefs.pair.difference.words


@pytest.mark.parametrize("name", PRIVATE_PARTS)
def test_what_follows_from_what_a_player_saw_is_private(name: str) -> None:
    machine = peek(**PRIVATE_PARTS[name])
    assert Flow(machine.instance).leaks() == []
    assert PairSearch(machine, 1).find(8, 60) is None


@pytest.mark.parametrize("name", ["own hand", "a coin on the table"])
def test_all_games_agree_that_it_is_private(name: str) -> None:
    beliefs = decide_by_beliefs(peek(**PRIVATE_PARTS[name]))
    assert beliefs is not None
    assert beliefs.pair is None
    assert beliefs.states > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_nothing_is_proved_private_that_all_games_contradict(seed: int) -> None:
    held_against_all_games(seed)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_proved_private_that_all_games_contradict_of_a_few_texts(seed: int) -> None:
    held_against_all_games(seed)


TAKEN = {
    "a zone that lies open when it is asked": {
        "sight": ", by everyone when flag",
        "guard": "  open: flag \"closed\"\n  theirs: rich(p's right) \"{p's right} holds {p's right's hand}\"\n",
    },
    "the one who holds a coin": {
        "dealt": "2",
        "deal": "  then mover := (the q in players: 1c in q's hand) otherwise first\n",
    },
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_the_flow_takes_for_granted_is_proved(name: str) -> None:
    machine = peek(**TAKEN[name])
    assert Flow(machine.instance).leaks()
    flow = Flow(machine.instance, assumes=True)
    assert flow.leaks() == []
    assert taken(flow)
    answer = decide_if_taken(Analysis(machine.instance, Settings()), flow)
    assert answer is not None
    assert answer.verdict == PROVED
    beliefs = decide_by_beliefs(machine)
    assert beliefs is None or beliefs.pair is None


UNTRUE = {
    "a zone that is closed when it is asked": {
        "sight": ", by everyone when flag",
        "guard": '  theirs: rich(p\'s right) "no"\n',
    },
    "the one who holds a coin that may lie in the box": {
        "deal": "  then mover := (the q in players: 1c in q's hand) otherwise first\n",
    },
}


@pytest.mark.parametrize("name", UNTRUE)
def test_what_the_flow_takes_for_granted_may_be_untrue(name: str) -> None:
    machine = peek(**UNTRUE[name])
    flow = Flow(machine.instance, assumes=True)
    assert flow.leaks() == []
    assert not are_true(machine, flow)
    pair = PairSearch(machine, 1).find(80, 2_000)
    assert pair is not None
    confirmed(machine, pair)


def are_true(machine: Machine, flow: Flow) -> bool:
    """Return whether what a flow takes for granted holds in all games of a table."""
    rules = replace(machine.rules, properties=taken(flow))
    analysis = Analysis(instantiate(rules, machine.instance.players, {}), Settings())
    answers = [decide_by_games(analysis, prop) for prop in rules.properties]
    return all(answer is not None and answer.verdict == PROVED for answer in answers)


def held_against_all_games(seed: int) -> None:
    """Check that nothing contradicts what the flow of information and a search say of a random text."""
    machine = machine_of(random_peek(seed))
    leaks = Flow(machine.instance).leaks()
    if leaks:
        flow = Flow(machine.instance, assumes=True)
        left = flow.leaks()
        leaks = leaks if left or not are_true(machine, flow) else []
    beliefs, pair = decide_by_beliefs(machine), PairSearch(machine, 1).find(20, 200)
    for found in (pair, None if beliefs is None else beliefs.pair):
        if found is not None:
            assert leaks
            confirmed(machine, found)
    assert beliefs is None or beliefs.pair is not None or pair is None


def decided(rules: str, players: int) -> PropertyResult:
    (result,) = verify(elaborate(rules, [SPEC]), players, {}, Settings(), PRIVATE.name)
    return result


@pytest.mark.parametrize(
    ("rules", "players"), [("whist", 4), ("spades", 4), ("three-dozen", 2), ("jjak+relaxed", 3)]
)
def test_bundled_games_are_private(rules: str, players: int) -> None:
    assert decided(rules, players).verdict == PROVED


def test_a_menu_that_shows_the_next_card_is_refuted() -> None:
    result = decided("go-stop", 3)
    assert result.verdict == REFUTED
    assert result.witness is not None
    machine = Machine(instantiate(elaborate("go-stop", [SPEC]), 3, {}))
    for lines in (result.witness.events, result.witness.alike):
        assert replays(machine, {}, lines).accepted
    assert "P" in result.story
    assert "`turn`" in result.story


def test_it_is_decided_only_if_a_call_names_it() -> None:
    whist = elaborate("whist", [SPEC])
    assert PRIVATE.name not in [prop.name for prop in whist.properties]
    assert [r.name for r in verify(whist, 4, {}, Settings(), PRIVATE.name)] == ["private"]
