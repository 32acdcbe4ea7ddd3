"""What a text means to the prover: each text has properties that tell two meanings apart.

A property is proved unless its text expects another verdict. All games of the text, gone through with replay, agree.
"""

from __future__ import annotations

import pytest

from tests.prove.meanings import expected, game, verdicts

CASES = {
    "a shuffled row may lie in any order": game(
        coins="one of each 1c 2c 3c 4c 5c",
        stall="row",
        actions="""
action look(order: tiles) by p "look"
  turn: p = mover "not yours"
  right: order fits stall "wrong"
  then arrange stall as order

action mix(order: tiles) by p "mix"
  turn: p = mover "not yours"
  right: size of order = 3 "wrong"
  then shuffle stall
""",
        properties="""
always forgotten after mix: earlier(order fits stall) implies order fits stall
always any-order after mix: order = stall implies order fits stall
always known after look: earlier(order fits stall)
""",
    ),
    "what is paid in the middle of a hand is paid at its end": game(
        coins="one of each 1c 2c 3c 4c",
        state="asked: number = 0",
        players=3,
        deal="then every other player pays first 1",
        actions="""
action ask by p "ask"
  turn: p = mover and asked < 2 "not yours"
  then
    when 1c in p's hand: p pays each player 2
    else: p's right pays p 3 - p's gains
    asked := asked + 1
    mover := p's right
""",
        end="""
end
  due: over "the hand is not over"

payout
  last: when mover's gains > 1: mover scores mover's gains
""",
        properties="""
always even: hands-played = 0 implies (sum of q's gains for q in players) = 0
always settled after end: every q in players: q's total = earlier(q's total) + q's gains
always from-the-start after deal: every q in players: q's gains = (if q = mover then 2 else -1)
always paid after ask: earlier(1c in mover's hand) implies earlier(mover's gains) = mover's left's gains + 4
always never-more expected refuted: every q in players: q's gains < 4
""",
    ),
    "partners have one value and win together": game(
        players=4,
        coins="one of each 1c 2c 3c 4c",
        more="state of the match\n  each team's games: number = 0",
        actions="""
action claim by p "claim"
  turn: p = mover "not yours"
  then each player's tries := it's partner's tries + 1
  then p's team wins
  then when 1c in p's hand: p's right wins

action lose by p "lose"
  turn: p = mover "not yours"
  then p's team wins
  then the hand is over
""",
        state="each player's tries: number = 0",
        end="""
end
  due: over "the hand is not over"
  then when mover in winners: mover's games := mover's games + size of winners
""",
        properties="""
always together: every q in players: q in winners implies q's partner in winners or size of winners = 3
always nobody-alone: winner is none
always same: every q in players: q's games = q's partner's games
always lost after lose: winners is empty and over
always won after claim expected refuted: size of winners = 2
""",
    ).replace("players 4 to 4", "players 4 to 4 in teams of 2"),
    "effects under a test that fails need not be possible": game(
        zones="line: row seen by everyone",
        coins="one of each 1c 2c 3c 4c",
        state="a: yes or no = no\nb: yes or no = no\nc: yes or no = no",
        actions="""
action sweep by p "sweep"
  turn: p = mover "not yours"
  then when 1c in p's hand: a := not a
  then when 2c in p's hand: b := not b
  then when 3c in p's hand: c := not c
  then when 1c in p's hand
    move 1c from p's hand to stall
    move all from p's hand to line
  then when 2c in p's hand
    move 2c from p's hand to stall
    move all from p's hand to line
  then nobody wins

action see by p "see the ends"
  turn: p = mover and front of line = 2c and back of line = 3c "no"
""",
        properties="""
always emptied after sweep expected refuted: 3c in p's hand implies 1c in p's hand
always gone after sweep: not (1c in p's hand)
always swept expected refuted: not over or line is not empty
""",
    ),
    "the order of the seats matters to a loop that sets and adds": game(
        state="n: number = 0\neach player's flag: yes or no = no",
        actions="""
action go by p "go"
  turn: p = mover and n = 0 "no"
  then for each q in players
    when q = mover: n := 0
    n := n + 1

action mark by p "mark"
  turn: p = mover and n = 0 "no"
  then for each q in players
    when not over: q's flag := yes
    nobody wins
""",
        properties="""
always two after go expected refuted: n = 2
always mine after mark expected refuted: p's flag
always small after go: n <= 2
always one after mark: (number of q in players: q's flag) <= 1
""",
    ),
    "the first player of a match is not seat 0 if the order of the seats matters": game(
        state="last: seat or none = none",
        deal="then for each q in players: last := q",
        properties="""
always last-first expected refuted: over or last is none or last = mover
always last-other after deal expected refuted: last /= mover
reachable at-first: over and last = mover
reachable at-other: over and last /= mover
""",
    ),
    "a place is asked again in each round of a loop": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        zones="each player's pile: tiles seen by everyone",
        more="define each player's goal: if size of it's hand = 0 then it else it's right",
        actions="""
action spill by p "spill"
  turn: p = mover "no"
  then for each t in p's hand: move t from p's hand to p's goal's pile
""",
        properties="""
always all-own after spill expected refuted: p's pile is empty
always none-own after spill expected refuted: p's right's pile is empty
""",
    ),
    "moving no tiles makes no meld": game(
        zones="shown: melds seen by everyone",
        actions="""
action show by p "show"
  turn: p = mover "no"
  then move all from p's hand to shown
""",
        properties="""
always twice after show expected refuted: earlier(p's hand is not empty)
always one: size of shown <= 1
always one-each: every m in shown: size of m = 1
""",
    ),
    "unknown tiles make melds and join them": game(
        zones="each player's shown: melds seen by everyone",
        coins="one of each 1c 2c 3c 4c 5c",
        hands=2,
        actions="""
action show by p "show"
  turn: p = mover and p's shown is empty "no"
  then move all from p's hand to p's shown

action pick(tile) by p "pick"
  turn: p = mover and p's hand is empty "no"
  held: tile in stall "no"
  then move tile from stall to p's hand

action grow by p "grow"
  turn: p = mover "no"
  then move all from p's hand to (the m in p's shown: size of m >= 1)
""",
        properties="""
always grown after grow expected refuted: every m in p's shown: size of m = 2
always most after grow: every m in p's shown: size of m <= 4
always few: every q in players: size of q's shown <= 1
""",
    ),
    "groups are asked only where the condition asks": game(
        hands=2,
        coins="two of each 1c 2c",
        more="shape couple(a, b): a = b\narrangement couples: 1 couple",
        actions="""
action lay(sets: list of tiles) by p "lay"
  turn: p = mover "no"
  right: p's hand is empty or sets lay out p's hand as couples "no"

action drop by p "drop"
  turn: p = mover "no"
  then move all from p's hand to stall
""",
        properties="""
always dropped after drop: p's hand is empty
""",
    ),
    "a state can hold a tile that is withdrawn": game(
        state="old: tile or none = none\nkept: tiles = {}",
        actions="""
action see by p "see"
  turn: p = mover "no"
  then old := sun
  then kept := kept + sun
""",
        properties="""
always old-sun expected refuted: old is none
always seen after see: old = sun
always counted after see: size of kept >= 1
always in-play expected refuted: every t in kept: t in tiles
""",
    ).replace(
        "  coins: one of each 1c 2c 3c",
        "  coins: one of each 1c 2c 3c\n"
        "  guests: one of each sun\n"
        "  withdrawn: if size of players = 2 then {sun} else {}",
    ),
    "a state can hold more copies than the set has": game(
        state="kept: tiles = {}",
        more="shape couple(a, b): a = b\narrangement couples: 1 couple",
        actions="""
action see(tile) by p "see"
  turn: p = mover and size of kept < 3 "no"
  then kept := kept + tile
""",
        properties="""
always no-couple expected refuted: not (kept is couple)
always no-couples expected refuted: not (kept is couples)
always two after see: kept is couple implies size of kept = 2
""",
    ),
    "the first order of a list that is legal is the one of the event": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        state="first-of: tile or none = none",
        more="define each tile's num: if it = 1c then 1 else if it = 2c then 2 else if it = 3c then 3 else 4",
        actions="""
action lay(tiles: {a, b}) by p "lay"
  turn: p = mover and first-of is none "no"
  held: {a, b} in p's hand "no"
  then first-of := a
""",
        properties="""
always sorted after lay: a's num < b's num
always smaller after lay: earlier(first-of is none) and first-of = a
never larger: first-of = 4c
reachable one: first-of = 1c
""",
    ),
    "what the end of a hand makes of melds that ended it": game(
        zones="shown: melds seen by everyone\nkept: melds seen by everyone",
        coins="two of each 1c 2c",
        actions="""
action lay(tile) by p "lay"
  turn: p = mover and not over "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown
  then nobody wins
""",
        end="""
end
  due: over "no"
  then for each m in shown: move m from shown to kept
""",
        properties="""
always nothing after end expected refuted: kept is empty
always small after end: size of kept <= 1
""",
    ),
    "a deal can turn up a tile": game(
        key="(upcard: tile)",
        state="turned: tile\nbeaten: yes or no = no",
        deal="then turned := upcard",
        zones="heap: tiles seen by everyone",
        actions="""
action play(tile) by p "play"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to heap
  then beaten := tile = turned
""",
        properties="""
always kept after play: turned = earlier(turned)
always dealt after deal: turned = upcard
never beaten-once expected refuted: beaten
always never-one after deal expected refuted: turned /= 1c
always beaten-is-gone: beaten implies turned in heap
""",
    ),
    "a deal can have numbers, and keys that may be left out": game(
        key="(upcard: tile, level: number from 1 to 3, optional extra: tile)",
        state="n: number = 0\nturned: tile or none = none",
        deal="then n := level * 2\nthen turned := extra",
        properties="""
always even after deal: n mod 2 = 0
always small: n <= 6
always four expected refuted: n /= 4
always none-turned expected refuted: turned is none
always told after deal: turned = extra
""",
    ),
    "a number that may be left out": game(
        state="bids: number = 0\nlast: number or none = none",
        actions="""
action bid(optional amount: number from 1 to 3) by p "bid"
  turn: p = mover "no"
  few: bids < 4 "no"
  then last := amount
  then bids := bids + 1
""",
        properties="""
always small after bid: amount is none or amount <= 3
always last-small: last is none or last <= 3
always three after bid expected refuted: amount is none or amount /= 3
always none after bid expected refuted: amount is not none
""",
    ),
    "who wins a trick leads the next": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        zones="heap: tiles seen by everyone\neach player's card: tiles seen by everyone",
        state="each player's tricks: number = 0",
        more="""
define each tile's size: if it = 1c then 1 else if it = 2c then 2 else if it = 3c then 3 else 4
define best: most of t's size for t in sum of q's card for q in players
define taker: the q in players: some t in q's card: t's size = best
""",
        actions="""
action play(tile) by p "play"
  turn: p = mover "no"
  held: tile in p's hand "no"
  none: p's card is empty "no"
  then move tile from p's hand to p's card
  then mover := p's right
  then when (every q in players: q's card is not empty)
    mover := taker otherwise p
    mover's tricks := mover's tricks + 1
    for each q in players: move all from q's card to heap
  then when (every q in players: q's hand is empty): nobody wins
""",
        properties="""
always taker-has-one after play: heap /= earlier(heap) implies mover's tricks >= 1
always right-leads after play expected refuted: mover = p's right
always best-leads after play: (heap /= earlier(heap) and tile = 4c) implies mover = p
never two expected refuted: some q in players: q's tricks = 2
""",
    ),
    "a bag of states that are numbers": game(
        more="define each tile's size: if it = 1c then 1 else if it = 2c then 2 else 3",
        state="left-end: number = 0\nright-end: number = 0",
        zones="heap: tiles seen by everyone",
        actions="""
action put(tile) by p "put"
  turn: p = mover "no"
  held: tile in p's hand "no"
  fits: heap is empty or tile's size in {left-end, right-end} or tile's size + 1 in {left-end, right-end} "no"
  then move tile from p's hand to heap
  then left-end := tile's size
  then right-end := tile's size + 1

action say(n: number) by p "say"
  turn: p = mover "no"
  fits: n in {left-end, right-end} "no"
""",
        properties="""
always apart: heap is not empty implies right-end = left-end + 1
always small: left-end <= 3
always none-three expected refuted: left-end /= 3
always fits after say: n = left-end or n = right-end
always left after say expected refuted: n = left-end
""",
    ),
    "a state of numbers": game(
        state="bids: numbers = {}\nlast: number = 0",
        actions="""
action bid(n: number from 1 to 3) by p "bid"
  turn: p = mover "no"
  few: size of bids < 3 "no"
  then bids := bids + n
  then last := sum of k for k in bids
""",
        properties="""
always small: every n in bids: n <= 3
always few: size of bids <= 3
always sum after bid: last <= 9
always twice expected refuted: size of kinds of bids = size of bids
always there after bid: n in bids
""",
    ),
    "a state of lists of tiles, and of tiles or none": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        state="sets: list of tiles = {}\nlast: tiles or none = none",
        actions="""
action note by p "note"
  turn: p = mover "no"
  few: size of sets < 2 "no"
  then sets := sets + {p's hand}
  then last := p's hand

action drop by p "drop"
  turn: p = mover "no"
  then move all from p's hand to stall
""",
        properties="""
always few: size of sets <= 2
always pairs: every s in sets: size of s <= 2
always empty expected refuted: every s in sets: size of s = 2
always last-there after note: last is not none and size of (last otherwise {}) <= 2
""",
    ),
    "states of melds": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        zones="shown: melds seen by everyone",
        state="last: meld or none = none\nall-of: melds = {}",
        actions="""
action show(tiles: {a, b}) by p "show"
  turn: p = mover "no"
  held: {a, b} in p's hand "no"
  then move {a, b} from p's hand to shown
  then all-of := shown

action see by p "see"
  turn: p = mover "no"
  then last := the m in shown: size of m = 2
""",
        properties="""
always seen after see: last is none or some m in shown: m = last
always two: last is none or size of (last otherwise {1c, 2c}) = 2
always none expected refuted: last is none
always noted after show: all-of = shown
""",
    ),
    "a key with a number for each player": game(
        state="each player's score: number = 0",
        actions="""
action give(points: each player's number) by p "give"
  turn: p = mover "no"
  some: every q in players: q's points >= 0 "no"
  then for each q in players: q's score := q's points
""",
        properties="""
always positive: every q in players: q's score >= 0
always given after give: every q in players: q's score = q's points
""",
    ),
    "a loop over a bag that holds a player many times": game(
        state="marked: seats = {}\neach player's flag: yes or no = no\nfired: yes or no = no",
        actions="""
action mark(who: seat) by p "mark"
  turn: p = mover and not fired and size of marked < 5 "no"
  then marked := marked + who

action toggle by p "toggle"
  turn: p = mover and not fired "no"
  then for each q in marked: q's flag := not q's flag
  then fired := yes
""",
        properties="""
always flagged expected refuted: fired implies every q in players: q in marked implies q's flag
always kept after toggle: marked = earlier(marked)
always once after toggle: earlier(every q in players: (number of r in marked: r = q) <= 1) implies
    every q in players: q in marked implies q's flag
always fired after toggle: fired
always unflagged: not fired implies no q in players: q's flag
""",
    ),
    "division rounds down": game(
        state="n: number = 7\nd: number = 1",
        actions="""
action choose(k: number) by p "choose"
  turn: p = mover "no"
  then d := k

action part by p "part"
  turn: p = mover "no"
  then n := 7 div d
""",
        properties="""
always rest after choose: (k div (0 - 2)) * (0 - 2) + k mod (0 - 2) = k
always not-positive after choose: k mod (0 - 2) <= 0
always none after part: d = 0 implies n = 0
always half after part: d = 2 implies n = 3
always below after part: d = 0 - 2 implies n = 0 - 4
always positive expected refuted: n >= 0
""",
    ),
    "what has no encoding costs the properties that need it": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        state="sizes: numbers = {}\nlargest: number = 0\ncount: number = 0",
        actions="""
action note(n: number) by p "note"
  turn: p = mover "no"
  new: n > largest and n < 20 "no"
  then sizes := sizes + (n + n)
  then largest := n
  then count := count + 1
""",
        properties="""
always counted after note: count = earlier(count) + 1
always largest after note: largest = n
always unmarked: largest >= 0
""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_prover_and_all_games_agree(name: str) -> None:
    seen = verdicts(CASES[name])
    for prop, verdict in expected(CASES[name]).items():
        assert seen[prop] == verdict, prop
