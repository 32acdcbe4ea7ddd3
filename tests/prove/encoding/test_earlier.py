"""Properties after an event that read places of a row and the state before it: proved, or refuted by a game."""

from __future__ import annotations

from functools import cache

import pytest

from golpae.elaborate.instance import instantiate
from golpae.replay.runtime import HIDDEN, Row
from golpae.search import random_play as play
from golpae.search import witness
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.probe import rule_set

# A queue: a player puts a tile at its back, takes the one at its front, and sees their own again.
QUEUE = """
zones
  line: row seen by nobody
  shelf: row seen by everyone

state of the hand
  mover: seat or none = none
  told: yes or no = no
  puts: number = 0

action lay_out(tiles) by opener "a line of tiles, in an order that nobody knows"
  once: not told and line is empty
  two: size of tiles = 2 and tiles in pool
  then move tiles from pool to line
  then shuffle line
  then mover := opener

action tell(tiles) "its order"
  once: not told and line is not empty
  order: tiles fits line
  then arrange line as tiles
  then told := yes

action swap(put, take: tile) by p "one for one"
  turn: p = mover and line is not empty
  held: put in p's hand
  end: take fits front of line
  then move put from p's hand to back of line
  then move take from front of line to p's hand
  then mover := p's right
  then puts := puts + 1

action stack(tile) by p "onto the shelf"
  held: tile in p's hand
  then move tile from p's hand to back of shelf

action unstack(tile) by p "off the shelf"
  front: tile = front of shelf
  then move tile from front of shelf to p's hand

define at-place(n: number): if line at n is none then {} else {line at n}
define next-of(q: seat): if q = mover then 1 else 2
define own(q: seat): q's hand + at-place(next-of(q))
"""


PROVED = """
always counted after swap: puts = earlier(puts) + 1
always shrinks after stack: size of p's hand = earlier(size of p's hand) - 1 and earlier(tile in p's hand)
always others after swap: every q in players: q = p or q's hand = earlier(q's hand)
always moves-up after swap: earlier(size of line = 2 and told) implies line at 1 = earlier(line at 2)
always put-last after swap: earlier(size of line = 2) implies line at 2 = put
always put-behind after stack: shelf at (size of shelf) = tile
always rest-stays after stack: every n in {1 to 4}: n > earlier(size of shelf) or shelf at n = earlier(shelf at n)
always front-first after unstack: earlier(shelf at 1) = tile and shelf at 1 = earlier(shelf at 2)
always lies-there after stack: every n in {1 to 3}: shelf at n is none or (shelf at n otherwise x) in shelf
always nowhere after stack: shelf at 0 is none and shelf at (size of shelf + 1) is none and shelf at 99 is none
always own-again after swap: earlier(line at 1 is not none and line at 2 is not none and size of line = 2)
  implies every q in players: own(q) = earlier(own(q))
never moved after tell: some q in players: q's hand /= earlier(q's hand)
"""
REFUTED = """
always counted-twice after swap: puts = earlier(puts) + 2
always same after swap: p's hand = earlier(p's hand)
always stays after swap: line at 1 = earlier(line at 1)
always own-hand after swap: every q in players: own(q) = earlier(own(q))
always off-by-one after swap: earlier(told) implies every q in players:
  q's hand + at-place(next-of(q) + 1) = earlier(q's hand + at-place(next-of(q) + 1))
never other after unstack: earlier(shelf at 2) is not none
"""
OTHERS = """
always rare after stack: size of shelf /= 2 or earlier(shelf at 1) /= b1 or tile /= x
always none-held after stack: earlier(size of p's hand = 0) implies tile = x
"""


def names(text: str) -> list[str]:
    return [line.split()[1] for line in text.splitlines() if line[:1] not in ("", " ")]


@cache
def verifier() -> Verifier:
    """Return one verifier for all tests, so that its invariants are computed once."""
    return Verifier(instantiate(rule_set(QUEUE + PROVED + REFUTED + OTHERS), 2, {}), Settings(games=20))


def finding(name: str) -> PropertyResult:
    rules = verifier().instance.rule_set
    result = verifier().verify(next(p for p in rules.properties if p.name == name))
    if result.witness is not None:
        lines = witness.as_trace(verifier().analysis.machine, [dict(e) for e in result.witness.events])
        assert witness.replays(verifier().analysis.machine, lines[0], lines[1:]).accepted
    return result


@pytest.mark.parametrize("name", names(PROVED))
def test_true_properties_of_earlier_tiles_are_proved(name: str) -> None:
    result = finding(name)
    assert (result.verdict, result.vacuous) == ("proved", None), result.story


@pytest.mark.parametrize("name", names(REFUTED))
def test_false_properties_of_earlier_tiles_are_refuted_by_a_game(name: str) -> None:
    result = finding(name)
    assert result.verdict == "refuted", result.story
    assert result.witness is not None


def test_the_solver_finds_a_game_that_random_play_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "find", lambda *args, **settings: None)
    result = finding("rare")
    assert result.verdict == "refuted", result.story
    assert result.witness is not None
    assert result.witness.events[-1]["tile"] == "x"


def test_a_property_with_an_impossible_premise_is_vacuous() -> None:
    result = finding("none-held")
    assert result.verdict == "proved"
    assert result.vacuous is not None


def test_a_property_may_depend_on_an_order_that_its_action_ignores() -> None:
    """`keep` does not care which tile is named first; the property does. Tiles are tried in the order of the set."""
    keep = """
define worth(t: tile): if t in reds then 1 else 2
action gather(tile) by p
  there: tile in pool
  then move tile from pool to p's hand
action keep(tiles: {a, b}) by p
  held: {a, b} in p's hand
  then move {a, b} from p's hand to pool
always low-first after keep: worth(a) <= worth(b)
always high-first after keep: worth(b) <= worth(a)
"""
    rules = rule_set(keep)
    verifier = Verifier(instantiate(rules, 2, {}), Settings(games=20))
    assert [verifier.verify(prop).verdict for prop in rules.properties] == ["proved", "refuted"]


def test_a_row_gives_the_tile_at_a_place() -> None:
    row = Row([4, HIDDEN, 2], [7])
    assert [row.place(n) for n in range(-1, 5)] == [None, None, 4, None, 2, None]
