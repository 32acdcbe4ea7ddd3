"""Games so small that all of their matches can be tried: putting tiles down by twos or by ones, fishing, and a fair
with many actions.
"""

from __future__ import annotations

TWOS = """\
game twos "Twos"

players 2 to 2

tiles 6 of 3 kinds
  plain: two of each 1-1 2-2 3-3
  written: "{high}-{low}"
  withdrawn: {}

zones
  pile: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat
  count: number = 0

deal from pile
  hands: 2 for everyone
  then mover := first

action put(tiles: {a, b}) by p "put"
  turn: p = mover "turn"
  held: {a, b} in p's hand "held"
  fit: a's high <= 9 "fit"
  then move {a, b} from p's hand to table
  then mover := p's right
  then when p's hand is empty: p wins

end
  due: over "due"

payout
  won: when winner is not none: for each q in players - winner: q pays winner stake
"""

ONES = """\
game ones "Ones"

players 2 to 3

tiles 6 of 3 kinds
  plain: two of each 1-1 2-2 3-3
  written: "{high}-{low}"
  withdrawn: {}

zones
  pile: tiles seen by nobody, holds the set
  table: tiles seen by everyone
  each player's hand: tiles seen by its owner

state of the match
  opener: seat or none = none
  rounds: number = 0

state of the hand
  mover: seat
  last: tile or none = none
  passed: number = 0
  calm: yes or no = yes

define follows(t: tile): last is none or t's high >= limit
define limit: if last is none then 0 else bonus + 1
define bonus: if last is not none and last = 3-3 then 1 else 0
define price(p: seat): stake + (if p = mover then passed else 0)

deal from pile
  opens: opener is none or first = opener "{first} does not begin"
  hands: 1 for everyone
  then mover := first

action put(tile) by p "put"
  turn: p = mover "turn"
  held: tile in p's hand "held"
  follows: follows(tile) or not calm "follows"
  then move tile from p's hand to table
  then last := tile
  then mover := p's right
  then when p's hand is empty: p wins
  then opener := p

action pass(tile) by p "pass"
  turn: p = mover and passed <= 1 "turn"
  left: tile in pile "left"
  then move tile from pile to p's hand
  then passed := passed + 1
  then calm := tile /= 1-1
  then mover := p's right

end
  due: over or pile is empty "due"
  then rounds := rounds + 1

payout
  won: when winner is not none: for each q in players - winner: q pays winner price(q)
"""

BOATS = """\
game boats "Boats"

players 2 to 2

tiles 6 of 6 kinds
  boats: one of each "{size}b" for size in 1 to 3
  nets: one of each "{size}n" for size in 1 to 3

zones
  sea: row seen by nobody, holds the set
  beach: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's catch: melds seen by everyone

state of the hand
  mover: seat
  drawn: yes or no = no
  stage: one of fish, calm = fish
  each player's score: number = 0

define pair(a, b: tile)
  catch: a in boats and b in nets and a's size = b's size
  odd: a in boats and b in boats and a's size + b's size = 3

deal from sea
  hands: 2 for first, 1 for the others
  then mover := first

action draw(tile) by p "draw"
  turn: p = mover and not drawn "turn"
  left: tile fits front of sea "left"
  then move tile from front of sea to p's hand
  then drawn := yes

action lay(tiles: {a, b}) by p "lay"
  turn: p = mover and drawn "turn"
  held: {a, b} in p's hand "held"
  pair: pair(a, b) or pair(b, a) "pair"
  then move {a, b} from p's hand to p's catch
  then p's score := p's score + 1
  then won: when p's score = 2 or stage = calm: p wins

action discard(tile) by p "discard"
  turn: p = mover and drawn "turn"
  held: tile in p's hand "held"
  then move tile from p's hand to top of beach
  then mover := p's right
  then drawn := no
  then when size of beach = 2: stage := calm
  then when sea is empty: nobody wins

action take(tile) by p "take"
  turn: p = mover and not drawn "turn"
  top: tile = top of beach "top"
  then move tile from top of beach to p's hand
  then drawn := yes

end
  due: over "due"

payout
  won: when winner is not none: for each q in players - winner: q pays winner stake + winner's score
"""

FAIR = """\
game fair "Fair"

players 2 to 3

tiles 5 of 4 kinds
  plain: one of each 1-1 2-2 3-3
  fancy: two of each 5-5
  written: "{high}-{low}"

zones
  stock: row seen by nobody, holds the set
  heap: tiles seen by everyone
  queue: row seen by everyone
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

state of the match
  lots: number = 0
  dealer: seat or none = none

state of the hand
  mover: seat
  stage: one of call, play, lay = call
  called: number = 0
  each player's claims: number = 0
  turns: number = 0

define worth(t: tile): if t in fancy then 2 else t's high
define most-called: if size of heap = 0 then 3 else 2

action toss(tile) by p before the deal "toss"
  few: lots <= 1 "few"
  then lots := lots + worth(tile)
  then dealer := p

deal from stock
  due: dealer is none or first = dealer "due"
  hands: 1 for everyone
  then mover := first

action bid(count: number) by p "bid"
  turn: stage = call and p = mover "turn"
  more: count > called and count <= most-called "more"
  then called := count
  then p's claims := p's claims + count
  then when count >= 2
    stage := play
    mover := p's left
  then when count < 2: mover := p's right

action draw(tile) by p "draw"
  turn: stage = play and p = mover "turn"
  there: tile fits front of stock "there"
  then move tile from front of stock to p's hand
  then stage := lay
  then turns := turns + 1

action lay(tile) by p "lay"
  turn: stage = lay and p = mover "turn"
  held: tile in p's hand and turns <= 3 "held"
  then when size of heap = 0
    move tile from p's hand to heap
  then when tile in p's hand and worth(tile) = 2: move tile from p's hand to back of queue
  then when every q in players: q's hand is empty: nobody wins
  then mover := p's right
  then stage := play

action show(tiles: {a, b}) by p "show"
  turn: stage = lay and p = mover "turn"
  held: {a, b} in p's hand "held"
  fits: worth(a) + worth(b) >= called "fits"
  then move {a, b} from p's hand to p's shown as pair
  then for each q in players - p: q's claims := 0
  then won: when p's claims >= 1 or turns >= 2: p wins
  then stage := play
  then pass each player's hand to the left

action grab(tile) by p "grab"
  turn: stage = play and p /= mover "turn"
  top: tile = top of queue "top"
  then move tile from top of queue to p's hand
  then stage := lay
  then mover := p

end
  due: over or stock is empty "due"
  then dealer := winner otherwise mover
  then lots := lots + 1

finish
  late: lots >= 2 "late"

payout
  won: when winner is not none: for each q in players - winner: q pays winner stake * (1 + winner's claims)
  lost: for each q in players: q scores size of q's shown
"""
