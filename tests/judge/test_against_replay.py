"""Replay and the judge agree on every event of texts that are made to tell meanings apart."""

from __future__ import annotations

import pytest

from tests.judge.beside_replay import hold
from tests.judge.texts import game

LOOPS = """
action look by p "look"
  then for each q in players
    when q = mover: mark := one
    when q /= mover: mark := two
  then for each t in {3c, 1c, 2c, 1c}: noted := {t} + noted
  then for each q in {p, mover}: q's flag := not q's flag
  then when mark = one: nobody wins
action shift by p "shift"
  then for each q in players: when 1c in q's hand: move 1c from q's hand to q's right's hand
"""
MELDS = """
shape couple(a, b): a /= b
shape twin(a, b): a /= b
shape triple(a, b, c): a /= b or b /= c
action lay(tiles: {a, b}) by p "lay"
  held: {a, b} in p's hand
  apart: a /= b
  then when p = mover: move {a, b} from p's hand to shown as couple
  then when p /= mover: move {b, a} from p's hand to shown as twin
action grow(tile) by p "grow"
  then move tile from p's hand to (the m in shown: tile in m) as triple
action break(tile) by p "break"
  then move tile from (the m in shown: tile in m and m is not twin) to p's hand
action sweep(melds) by p "sweep"
  some: size of melds = 1
  then for each m in melds: move m from shown to away
action clear by p "clear"
  more: size of kinds of shown > 1
  then move all from shown to away
action scatter by p "scatter"
  then move all from away to line
"""
KEYS = """
action guess(tile) by p "guess"
  then noted := noted + tile
  then when size of noted > 2: p wins
action name(tiles: {a, b}) by p "name"
  larger: a = 2c and b = 1c or a = 3c
  then noted := {a}
action list(tiles) by p "list"
  few: size of tiles <= 2
  then noted := tiles
action say(optional m, optional n: number from 1 to 2, who: seat, word: one of up, down) by p "say"
  up: word = up implies who = p
  then count := n otherwise 3
action own(votes: each player's number from 0 to 1) by p "own"
  then count := p's votes
"""
ROWS = """
action put(tile) by p "put"
  held: tile in p's hand
  then move tile from p's hand to front of line
action pour by p "pour"
  then move all from p's hand to line
action mix by p "mix"
  then shuffle line
action take(tile) by p "take"
  place: tile fits front of line
  then move tile from front of line to p's hand
action sort(tiles) by p "sort"
  right: tiles fits line
  then arrange line as tiles
action top by p "top"
  seen: top of line is not none
  then count := size of line
action draw(tile) by p "draw"
  next: tile fits front of stall
  then move tile from stall to p's hand
"""
ROUNDS = """
action turn by p "turn"
  once: count < 20
  then mover := (the next q after mover: not q's flag) otherwise p
  then repeat count times: noted := noted + {t for t in {1c, 2c}: size of noted < 4}
action back by p "back"
  then mover := (the last q before p: q's flag) otherwise mover
  then repeat at most 3 times until count mod 2 = 0: count := count + 1
action leave by p "leave"
  then p's flag := not p's flag
  then repeat at most 2 times while size of noted > 1
    noted := noted - {1c}
    when 1c not in noted: noted := {}
"""
AFTERWARDS = """
action give(tile) by p "give"
  held: tile in p's hand
  then move tile from p's hand to p's right's hand
  twins: afterwards (number of t in p's right's hand: t = tile) < 2
  few: afterwards size of p's right's hand + count < 6
  then count := (count + 1) mod 4
action count by p "count"
  even: afterwards count mod 2 = 0 or p /= mover
  then count := count + size of p's hand
  last: afterwards count < 9
  then when count > 7: nobody wins
"""
STATE = """
noted: tiles = {}
count: number = 0
mark: one of one, two, three = one
each player's flag: yes or no = no
"""
TEAMED = """
action win by p "win"
  then p's team wins
action pair by p "two of them"
  then p wins; p's right wins
  then when size of winners > 2: the hand is over
action add(n: number from 0 to 2) by p "add"
  then p's partner's bags := p's bags + n
  then when size of {q for q in teams: q's bags > 2} = 2: each team's bags := 0
  then when p's bags = 4: each player wins
  then mover := (the next q after p: q in p's team) otherwise p
always won: over implies winner is none or winners = {winner}
always many: not over and every q in winners: q's team = q's partner's team
"""
PARTS = """
part tail: last 2 of line
part body: all but the last 2 of line
part head: first count of line
part rest: all but the first count of line
action pour by p "pour"
  then move all from p's hand to line
  then count := count + size of tail - 1
action lay(tile) by p "lay"
  held: tile in p's hand
  then move tile from p's hand to tail
  then count := size of rest - 1
action cut(n: number from 0 to 3) by p "cut"
  then cut line at n
action take(tile, n: number from 0 to 2) by p "take"
  place: tile fits front of body or tile fits rest at n from the back
  then when tile fits front of body: move tile from front of body to p's hand
    else: move tile from rest at n from the back to heap
action shift(tile) by p "shift"
  place: tile fits head at count and tail is not empty
  then move tile from head at count to p's right's hand
  then count := size of head + size of body
action mix by p "mix"
  then shuffle line
"""
TEXTS = {
    "loops": LOOPS,
    "melds": MELDS,
    "keys": KEYS,
    "rows": ROWS,
    "rounds": ROUNDS,
    "afterwards": AFTERWARDS,
    "parts": PARTS,
}


@pytest.mark.parametrize("stall", ["row", "tiles"])
@pytest.mark.parametrize("parts", TEXTS)
def test_replay_and_the_judge_agree_on_every_event(parts: str, stall: str) -> None:
    actions = (
        TEXTS[parts] if stall == "row" else TEXTS[parts].replace("tile fits front of stall", "tile in stall")
    )
    hold(game(actions, state=STATE, stall=stall), 2)


def test_replay_and_the_judge_agree_about_teams() -> None:
    coins = "coins: two of each 1c 2c 3c 4c"
    state = f"{STATE}each team's bags: number = 0\n"
    payout = "won: for each q in winners: q scores 1; q pays q's partner q's bags"
    hold(game(TEAMED, tiles=coins, state=state, players="4 to 4 in teams of 2", payout=payout), 4)


CLOSINGS = {
    "plain": (
        "then count := count + 1; mover scores count",
        "then mover scores 5; mover pays mover's right count",
    ),
    "gains": (
        """then count := mover's gains; mover pays mover's right 2
then more: for each q in players: when q's gains > 0: q scores q's gains; count := count + 1
then last: ((the q in players: q's gains = 4) otherwise mover) scores count""",
        """then rank: for each q in players: when q's total > mover's total: q scores 3
then second: for each q in players: when q's total + q's gains > 3: mover pays q q's gains + 1""",
    ),
    "moves": (
        "then for each t in {1c, 2c}: move t from mover's hand to heap; mover scores 1",
        "then move 3c from stall to heap; mover scores 2; count := size of heap",
    ),
}


@pytest.mark.parametrize("closings", CLOSINGS)
@pytest.mark.parametrize("paying", ["", "then p scores 1"])
def test_replay_and_the_judge_agree_about_payments_at_the_end(closings: str, paying: str) -> None:
    end, finish = CLOSINGS[closings]
    parts = f'action go by p "go"\n  few: count < 3\n  then count := count + 1\n  {paying}\n'
    state = STATE.replace("count: number = 0", "")
    payout = "paid: for each q in players: q scores count"
    text = game(parts, state=state, match="count: number = 0", end=end, finish=finish, payout=payout)
    hold(text, 2, fewest=50)
