"""Texts of which the prover once said what replay does not do. Each property has the verdict that all games show."""

from __future__ import annotations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.verify.properties import properties_of
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, expected, game, rule_set_of, verdicts

SHAPES = "shape duo of 1: every t in it: t in coins\nshape mono of 1: every t in it: t in coins"

CASES = {
    "a loop goes round twice for a seat that comes twice": game(
        state="other: seat\neach player's flag: yes or no = no\nfired: yes or no = no",
        deal="then other := first",
        actions="""
action point(who: seat) by p "point"
  turn: p = mover and not fired "no"
  then other := who

action fire by p "fire"
  turn: p = mover and not fired "no"
  then for each q in {mover, other}: q's flag := not q's flag
  then fired := yes
""",
        properties="""
always apart expected refuted: fired implies other /= mover
always flagged expected refuted: fired implies mover's flag
always unflagged: not fired implies no q in players: q's flag
always both after fire: other /= mover implies mover's flag and other's flag
""",
    ),
    "the highest pattern of a score counts less than nothing": game(
        more="""
shape couple(a, b): a = b
arrangement whole: 1 couple
score top "top"
  given
    hand: tiles
  hand: hand
  as: whole
  total: highest
  pattern low 0 - 5: couple is couple
  pattern less 0 - 3: some t in hand: t = 1c
""",
        coins="two of each 1c 2c 3c",
        properties="""
theorem negative expected refuted: every way of top: points >= 0
theorem exact: every way of top: points = (if some t in hand: t = 1c then 0 - 3 else 0 - 5)
""",
    ),
    "a loop goes round twice for a tile that comes twice": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c",
        more="define each tile's size: if it = 1c then 1 else 2",
        state="old: tile or none = none\nnew: tile or none = none\nsum-of: number = 0",
        actions="""
action see(tile) by p "see"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then old := new
  then new := tile

action add by p "add up"
  turn: p = mover and old is not none and new is not none "no"
  then for each t in {old otherwise 1c, new otherwise 1c}: sum-of := sum-of + t's size
  then nobody wins
""",
        properties="""
always different expected refuted: over and sum-of > 0 implies old /= new
always twice after add: old = 1c and new = 1c implies sum-of = earlier(sum-of) + 2
""",
    ),
    "a payment counts a number as often as it is in a bag": game(
        hands=2,
        coins="two of each 1c 2c 3c",
        more="define each tile's size: if it = 1c then 1 else if it = 2c then 2 else 3",
        end="""
end
  due: over "no"

payout
  each: for each n in {t's size for t in mover's hand}: mover scores n
""",
        properties="""
always six after end expected refuted: no q in players: q's total - earlier(q's total) = 6
always all after end: some q in players: q's total - earlier(q's total) = sum of t's size for t in q's hand
""",
    ),
    "effects of a loop that follow the order of the seats": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c 5c",
        state="mark: one of none-yet, one, two = none-yet\neach player's to: seat or none = none",
        more="define each player's chief: the-mover\ndefine the-mover: mover",
        actions="""
action see by p "see"
  turn: p = mover and mark = none-yet "no"
  then for each q in players
    when q = mover: mark := one
    when q /= mover: mark := two
  then for each q in players: q's chief's to := q

action shift by p "shift"
  turn: p = mover "no"
  then for each q in players: when 1c in q's hand: move 1c from q's hand to q's right's hand
""",
        properties="""
always marks after see expected refuted: mark = two
always chiefs after see expected refuted: mover's to = mover's left
always keeps after shift expected refuted: earlier(1c in p's hand) implies 1c in p's hand
always last after see: mover's to is not none
""",
    ),
    "a deal from another zone than the one that holds the set": game(
        zones="box: tiles seen by nobody",
        state="boxed: number = size of box",
        properties="""
always full expected refuted: size of box = 3
always full-again after deal expected refuted: size of box = 3
always empty after deal: box is empty
always noted after deal: boxed = 0
""",
    )
    .replace("  stall: tiles seen by nobody, holds the set\n", "  stall: tiles seen by nobody\n")
    .replace("  box: tiles seen by nobody\n", "  box: tiles seen by nobody, holds the set\n"),
    "a definition that is asked before and after the hands are dealt": game(
        state="begun: number = held\nlater: number = 0",
        more="define held: sum of size of q's hand for q in players",
        deal="then later := held",
        properties="""
always begun-none after deal: begun = 0
always later-none after deal expected refuted: later = 0
always later-two after deal: later = 2
""",
    ),
    "an event that names tiles which are not in play": game(
        state="guessed: tile or none = none\nnoted: tiles = {}\ndoubled: yes or no = no",
        actions="""
action guess(tile) by p "guess"
  turn: p = mover "no"
  then guessed := tile

action note(tiles) by p "note"
  turn: p = mover "no"
  then noted := tiles

action name(tiles: {a, b}) by p "name two"
  turn: p = mover "no"
  then when a = b: doubled := yes
""",
        properties="""
always in-play: guessed is none or some k in kinds: k = guessed
always few: size of noted <= size of tiles
always not-doubled: not doubled
always one-of-each expected refuted: size of noted <= 2
""",
    ).replace(
        "  coins: one of each 1c 2c 3c",
        "  coins: one of each 1c 2c 3c\n"
        "  guests: one of each sun\n"
        "  withdrawn: if size of players = 2 then {sun} else {}",
    ),
    "melds of the same tiles under different labels": game(
        hands=2,
        coins="two of each 1c 2c",
        zones="shown: melds seen by everyone\naway: melds seen by everyone",
        more=SHAPES,
        actions="""
action first-one(tile) by p "one"
  turn: p = mover and shown is empty "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown as duo
  then mover := p's right

action second-one(tile) by p "another"
  turn: p = mover and size of shown = 1 and away is empty "no"
  held: tile in p's hand "no"
  then move tile from p's hand to away as mono
  then mover := p's right
""",
        properties="""
always never-same: away is not empty implies away /= shown
always two-kinds: size of kinds of (shown + away) = size of shown + size of away
always none-less: size of (shown - (those m in away: size of m = 1)) = size of shown
always same-tiles expected refuted: no m in away: some n in shown: size of (n - m) = 0
""",
    ),
    "a meld that is moved is the one with its label": game(
        hands=2,
        coins="two of each 1c 2c",
        zones="shown: melds seen by everyone\naway: melds seen by everyone",
        more=SHAPES,
        actions="""
action first-one(tile) by p "one"
  turn: p = mover and shown is empty "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown as duo
  then mover := p's right

action second-one(tile) by p "another"
  turn: p = mover and size of shown = 1 "no"
  held: tile in p's hand "no"
  then move tile from p's hand to shown as mono
  then mover := p's right

action take by p "take"
  turn: p = mover and size of shown = 2 "no"
  then for each m in (those n in shown: n is mono): move m from shown to away
  then nobody wins
""",
        properties="""
always gone after take: no m in shown: m is mono
always stays after take: every m in away: m is mono
always one expected refuted: size of away = 0
""",
    ),
    "melds whose tiles were named in another order": game(
        hands=2,
        coins="two of each 1c 2c",
        zones="shown: melds seen by everyone",
        more="shape duo(a, b): a /= b",
        actions="""
action show(tiles: {a, b}) by p "show"
  turn: p = mover "no"
  held: {a, b} in p's hand "no"
  differ: a /= b "no"
  then move {a, b} from p's hand to shown as duo
  then mover := p's right
  then when size of shown = 2: nobody wins
""",
        properties="""
always same-melds: shown is not empty implies (the m in shown: size of m = 2) is not none
always one-kind: size of kinds of shown <= 1
always alike: every m, n in shown: m = n
always twice expected refuted: size of shown <= 1
""",
    ),
    "a row that is turned over keeps its order": game(
        hands=2,
        coins="one of each 1c 2c 3c 4c 5c",
        zones="""line: row seen by everyone
  dark: row seen by nobody""",
        actions="""
action put(tile) by p "put"
  turn: p = mover "no"
  then move tile from p's hand to back of line
  then mover := p's right

action flip by p "turn over"
  turn: p = mover "no"
  then move all from line to front of dark
  then move all from dark to line
  then mover := p's right

action pick(tile) by p "pick"
  turn: p = mover and tile in line "no"
  then move tile from line to p's hand
""",
        properties="""
always turned after flip: front of line = earlier(back of line) and back of line = earlier(front of line)
always second after flip: size of line > 1 implies line at 2 = earlier(line at (size of line - 1))
always closed-up after pick: earlier(front of line) = tile implies front of line = earlier(line at 2)
always front-stays after pick: earlier(front of line) /= tile implies front of line = earlier(front of line)
always same after flip expected refuted: front of line = earlier(front of line)
always back-stays after pick expected refuted: earlier(size of line) > 1 implies back of line = earlier(back of line)
""",
    ),
    "a number that falls with one action says nothing about the others": game(
        zones="heap: tiles seen by everyone",
        actions="""
action discard(tile) by p "discard"
  turn: p = mover "no"
  held: tile in p's hand "no"
  then move tile from p's hand to heap
  then mover := p's right

action wait by p "wait"
  turn: p = mover "no"
  then mover := p's right
""",
        properties="""
ends discards after discard: sum of size of q's hand for q in players
ends hands expected refuted: sum of size of q's hand for q in players
""",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_prover_and_all_games_agree(name: str) -> None:
    seen = verdicts(CASES[name])
    for prop, verdict in expected(CASES[name]).items():
        assert seen[prop] == verdict, prop


def test_a_formula_of_too_many_choices_is_not_made() -> None:
    text = game(
        properties="""
theorem two: every a, b in {1 to 60000}: a + b > 0
theorem within: every a in {1 to 60000}: some b in {1 to 60000}: a = b
theorem few: every a, b in {1 to 60}: a + b > 0
"""
    )
    rules = rule_set_of(text)
    verifier = Verifier(instantiate(rules, 2, {}), SETTINGS)
    results = {prop.name: verifier.verify(prop) for prop in rules.properties}
    assert {name: result.verdict for name, result in results.items()} == {
        "two": "unknown",
        "within": "unknown",
        "few": "proved",
    }
    assert results["two"].story == "the prover does not support more than 500,000 choices"


def test_a_number_that_grows_leaves_somebody_an_event() -> None:
    text = game(
        state="n: number = 3",
        actions="""
action grow by p "grow"
  turn: p = mover and n > 0 "no"
  then n := n * 10 ^ 400
""",
    ).replace("turn: p = mover and not over", "turn: p = mover and n = 0")
    for factor in ("10 ^ 400", "1"):
        rules = rule_set_of(text.replace("10 ^ 400", factor))
        verifier = Verifier(instantiate(rules, 2, {}), SETTINGS)
        verifier.analysis._walks.known[()] = None
        prop = next(p for p in properties_of(rules) if p.name == "some-event-is-legal")
        assert verifier.verify(prop).verdict == "proved"
