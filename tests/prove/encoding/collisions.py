"""A little game whose actions put and take the same tile, in every way that the language has, and ways through it."""

from __future__ import annotations

import random
from functools import cache

from hypothesis import settings

from golpae.replay.legal_events import Event
from golpae.replay.machine import State
from golpae.replay.random_deal import random_deal
from tests.prove.play import any_event, spoilt
from tests.prove.shared import Both, both_of, replayed

# Nothing has an end here but by `stop`; every action is open to everyone, so that all orders of them happen.
COLLISIONS = """
game collisions "Collisions"

players 2 to 3

tiles 11 of 5 kinds
  red: three of each "{n}r" for n in 1 to 3
  blue: one of each b
  odd: one of each x

zones
  heap: tiles seen by nobody, holds the set
  path: row seen by everyone
  well: row seen by nobody
  table: melds seen by everyone
  each player's hand: tiles seen by its owner
  each player's lane: row seen by everyone
  each player's melds: melds seen by everyone

state of the match
  leader: seat or none = none
  each player's wins: number = 0

state of the hand
  mover: seat
  last: tile or none = none
  seen: tiles = {}
  mood: one of calm, wild = calm
  sure: yes or no or none = none
  count: number = 0
  each player's mark: tile or none = none

shape twin(a, b): a = b
shape three(a, b, c): a = b and b = c
shape any-two: twin

define worth(t: tile): t's n
define high-front: worth(front of path otherwise 1r) > 1

deal from heap
  hands: 3 for first, 2 for the others
  then mover := first

action stay(tile) by p "from the hand to the hand"
  held: tile in p's hand "no"
  then move tile from p's hand to p's hand
  then count := count + 1

action swap(put, take: tile, q: seat) by p "one to the other and one back"
  held: put in p's hand "no"
  other: take in q's hand "no"
  then move put from p's hand to q's hand
  then move take from q's hand to p's hand

action twice(tile, q: seat) by p "to the path and back, and out again"
  held: tile in p's hand "no"
  then move tile from p's hand to front of path
  then move tile from front of path to q's hand
  then move tile from q's hand to back of path
  then last := tile

action blind(tile, q: seat) by p "moved twice, which has to be there twice or come back"
  then move tile from p's hand to q's hand
  then move tile from p's hand to q's lane

action through(put, take: tile) by p "put at the back, take at the front"
  held: put in p's hand "no"
  then move put from p's hand to back of path
  then move take from front of path to p's hand

action hidden(put, take: tile) by p "put at the back, take at the front, unseen"
  held: put in p's hand "no"
  end: take fits front of well "no"
  then move put from p's hand to back of well
  then move take from front of well to p's hand

action take_first(take, put: tile) by p "take at the front, then put at the back"
  end: take fits front of well "no"
  then move take from front of well to p's hand
  then move put from p's hand to back of well

action to_front(tile) by p "put at the front, unseen"
  held: tile in p's hand "no"
  then move tile from p's hand to front of well

action from_back(tile) by p "take at the back, unseen"
  then move tile from back of well to p's hand

action pour "all of the path into the well, which is shuffled"
  then move all from path to well
  then shuffle well

action pick(tile) by p "from anywhere in the well"
  there: tile in well "no"
  then move tile from well to p's hand

action lie(tiles) "the well is known"
  pieces: tiles fits well "no"
  then arrange well as tiles

action lane(tile, q: seat) by p "on the lane of any, or off it"
  then when tile in q's lane: move tile from back of q's lane to p's hand
  then when tile not in q's lane: move tile from p's hand to front of q's lane

action when_not(tile) by p "what does not happen moves nothing"
  then when mood = wild: move tile from front of path to p's hand
  then when mood = calm: move tile from p's hand to front of path
  then mood := if mood = calm then wild else calm

action everyone(tile) by p "each gives one to p, p too"
  every: every q in players: tile in q's hand "no"
  then for each q in players: move tile from q's hand to p's hand
  then for each q in players: q's mark := tile

action empty_hand by p "each tile by itself to the heap and those of a kind back"
  then for each t in p's hand: move t from p's hand to heap
  then seen := seen + p's hand

action lay(tiles: {a, b}) by p "two alike"
  held: {a, b} in p's hand "no"
  alike: {a, b} is twin "no"
  then move {a, b} from p's hand to p's melds as twin
  then last := a
  then when size of p's melds = 2: p wins

action lay_plain(tiles: {a, b}) by p "two, of no name"
  held: {a, b} in p's hand "no"
  then move {a, b} from p's hand to p's melds

action lay_shared(tiles: {a, b}) by p "two, for all"
  held: {a, b} in p's hand "no"
  then move {a, b} from p's hand to table

action grow(tile, q: seat) by p "one more on a meld"
  there: some m in q's melds: m is twin and tile in m "no"
  then move tile from p's hand to (the m in q's melds: tile in m) as three

action shrink(tile, q: seat) by p "one off a meld"
  then move tile from (the m in q's melds: tile in m and m is three) to p's hand

action juggle(tile, q: seat) by p "one on a meld and off it again"
  held: tile in p's hand "no"
  there: some m in q's melds: tile in m "no"
  then move tile from p's hand to (the m in q's melds: tile in m)
  then move tile from (the m in q's melds: tile in m) to p's hand

action scatter by p "all melds back to the heap"
  then move all from p's melds to p's hand
  then move all from table to heap

action turn_round(to: one of right, left) by p "hands and lanes go round"
  then round
    when to = right
      pass each player's hand to the right
      pass each player's lane to the left
      mover := mover's right
  then when to = left: pass each player's hand to the left
  then leader := mover's left

action draw(tile, n: number) by p "from the heap, with a number in a bag"
  there: tile in heap "no"
  few: n in {1, 2, 3} "no"
  many: n = size of p's hand + 1 "no"
  then move tile from heap to p's hand
  then count := count + n
  then sure := n = 2

action odd(n: number or none) by p "numbers asked before they are told"
  more: n is none or n >= 2 "no"
  told: n = count "no"
  then sure := if n is none then none else n > 3
  then count := (count * 2) mod 5 + (0 - count) div 3

action sure_thing by p "what may be none"
  sure: sure otherwise no "no"
  kind: high-front or count in {0 to 3} "no"
  then sure := none
  then count := 0
  then p's wins := p's wins + (if last is none then 1 else 2 ^ (size of p's hand))

action stop by p "enough"
  then p wins

action nobody "enough, for nobody"
  then nobody wins

end
  due: over "no"
  then leader := winner

payout
  then won: when winner is not none: for each q in players - winner: q pays winner stake * size of q's hand
  then lost: when winner is none: for each q in players: q scores sum of t's n for t in q's hand

finish
"""

ENDS = ("stop", "nobody", "end", "finish")
quick = settings(max_examples=6, deadline=None, derandomize=True, database=None)
long = settings(max_examples=400, deadline=None)


@cache
def collisions(players: int) -> Both:
    return both_of(COLLISIONS, players)


def wander(both: Both, rng: random.Random, length: int) -> list[tuple[State, list[Event]]]:
    """Yield the states of a random game, each with some events, legal or not."""
    machine = both.machine
    state = machine.new_state()
    out: list[tuple[State, list[Event]]] = []
    for _ in range(length):
        if machine.stage(state) in ("before", "ended"):
            deal = random_deal(machine, state, rng.randrange(machine.instance.players), rng)
            out.append((state, [deal]))
            state = machine.copy(state)
            machine.apply(deal.action, state, deal.args)
            continue
        legal = list(both.legal.events(state))
        dull = [e for e in legal if e.action in ENDS and machine.stage(state) == "playing"]
        if rng.random() < 0.9:
            legal = [e for e in legal if e not in dull]
        by_action: dict[str, list[Event]] = {}
        for event in legal:
            by_action.setdefault(event.action, []).append(event)
        events = [rng.choice(group) for group in by_action.values()]
        events = rng.sample(events, min(4, len(events)))
        events += [e for _ in range(3) if (e := any_event(machine, state, rng)) is not None]
        events += [spoilt(machine, state, rng.choice(events), rng)] if events else []
        out.append((state, events))
        accepted = [e for e in events if not isinstance(replayed(machine, state, e), str)]
        if accepted:
            after = replayed(machine, state, rng.choice(accepted))
            assert not isinstance(after, str)
            state = after
    return out
