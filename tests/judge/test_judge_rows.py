"""Section 4 of docs/semantics.md, on the judge: rows whose order may be hidden. Expected values are by hand."""

from __future__ import annotations

from collections.abc import Mapping

from tests.judge.rows import HIDDEN
from tests.judge.texts import Game, dealt, game
from tests.judge.values import Bag, Meld, bag

DEALT: Mapping[str, object] = {"hands": [["1c", "2c"], ["1c", "3c"]]}
REST = ["3c", "2c"]  # what is not dealt, in one of its two orders

ROW = """
define pair-of(x, y: tile): {x, y}
action draw(tile) by p "draw from the front"
  fits: tile fits front of stall "does not fit"
  then move tile from front of stall to p's hand
action pick(tile) by p "take from anywhere"
  there: tile in stall "not there"
  then move tile from stall to p's hand
action give(tile, at: one of front, back) by p "put at an end"
  held: tile in p's hand "not held"
  then when at = front: move tile from p's hand to front of stall
  then when at = back: move tile from p's hand to stall
action third(tile, n: number) by p "take from a place"
  fits: tile fits stall at n "does not fit"
  then move tile from stall at n to p's hand
action behind(tile, n: number) by p "take from a place, counted from the back"
  fits: tile fits stall at n from the back "does not fit"
  then move tile from stall at n from the back to p's hand
action blind(tile) by p "take from the second place"
  then move tile from stall at 2 from the front to p's hand
action look(order: tiles) by p "say the order"
  then arrange stall as order
action fit(order: tiles) by p "does it fit"
  fits: order fits stall "does not fit"
action cut(n: number) by p "cut"
  then cut stall at n
action cut-line(n: number) by p "cut"
  then cut line at n
action mix by p "shuffle"
  then shuffle stall
  then shuffle heap
  then shuffle shown
action over by p "turn over into the line"
  then move all from stall to line
action back by p "turn over into the line, one before the other"
  then move all from stall to front of line
action two(tiles: {a, b}) by p "lay two in order"
  then move {a, b} from p's hand to line
action named(tiles: {a, b}) by p "lay two by the name of their key"
  down: a = 2c "in another order"
  then move tiles from p's hand to line
action defined(tiles: {a, b}) by p "lay two that a definition gives"
  then move pair-of(a, b) from p's hand to line
action both(these: tiles) by p "lay two at once"
  then move these from p's hand to line
action hand by p "lay the hand"
  then move all from p's hand to line
define first: front of line
define last: top of line
define second: line at 2
define none-there: line at 0
define far: line at 99
define second-last: line at 2 from the back
define before-all: line at 3 from the back
"""


def by(name: str, **keys: object) -> dict[str, object]:
    return {"do": name, "by": 0, **keys}


def test_4_1_a_row_dealt_without_reserve_is_hidden() -> None:
    match = dealt(game(ROW))
    assert match.row("stall") == (HIDDEN, HIDDEN)
    assert match.zone("stall") == bag([1, 2])


def test_4_2_hidden_and_missing_places_are_none() -> None:
    match = dealt(game(ROW))
    assert match.asks("first") is None
    match.plays(by("over"))
    assert match.asks("first") is None
    known = dealt(game(ROW), reserve=REST).plays(by("over"))
    values = [known.asks(name) for name in ("first", "last", "second", "none-there", "far")]
    assert values == [2, 1, 1, None, None]


def test_4_2_the_only_hidden_tile_is_still_hidden() -> None:
    match = dealt(game(ROW)).plays(by("draw", tile="3c"), by("over"))
    assert match.row("line") == (HIDDEN,)
    assert match.asks("first") is None


def test_4_3_a_tile_fits_an_end_if_it_can_lie_there() -> None:
    hidden = dealt(game(ROW))
    assert hidden.refuses(by("draw", tile="1c")) == "fits"
    hidden.plays(by("draw", tile="3c"))
    assert hidden.refuses(by("draw", tile="3c")) == "fits"
    hidden.plays(by("draw", tile="2c"))
    assert hidden.refuses(by("draw", tile="2c")) == "fits"
    known = dealt(game(ROW), reserve=REST)
    assert known.refuses(by("draw", tile="2c")) == "fits"
    known.plays(by("draw", tile="3c"))


def test_4_3_a_list_fits_a_row_if_it_agrees_with_every_known_place() -> None:
    match = dealt(game(ROW)).plays(by("give", tile="1c", at="front"))
    assert match.row("stall") == (0, HIDDEN, HIDDEN)
    match.plays(by("fit", order=["1c", "2c", "3c"]), by("fit", order=["1c", "3c", "2c"]))
    assert match.refuses(by("fit", order=["2c", "1c", "3c"])) == "fits"
    assert match.refuses(by("fit", order=["1c", "2c", "2c"])) == "fits"
    assert match.refuses(by("fit", order=["1c", "2c"])) == "fits"
    assert match.refuses(by("fit", order=["1c", "2c", "3c", "3c"])) == "fits"


def test_4_4_a_tile_that_arrives_is_known_and_goes_to_the_back() -> None:
    match = dealt(game(ROW)).plays(by("give", tile="1c", at="back"), by("give", tile="2c", at="front"))
    assert match.row("stall") == (1, HIDDEN, HIDDEN, 0)


def test_4_5_a_row_moves_in_its_order_known_and_hidden() -> None:
    match = dealt(game(ROW)).plays(by("give", tile="1c", at="front"), by("over"))
    assert match.row("line") == (0, HIDDEN, HIDDEN)
    assert match.zone("line") == bag([0, 1, 2])
    other = dealt(game(ROW)).plays(by("give", tile="1c", at="front"), by("back"))
    assert other.row("line") == (HIDDEN, HIDDEN, 0)


def test_4_5_written_tiles_arrive_in_order_and_a_bag_hidden() -> None:
    assert dealt(game(ROW)).plays(by("two", tiles=["2c", "1c"])).row("line") == (0, 1)
    assert dealt(game(ROW)).plays(by("named", tiles=["1c", "2c"])).row("line") == (1, 0)
    assert dealt(game(ROW)).plays(by("defined", tiles=["1c", "2c"])).row("line") == (HIDDEN, HIDDEN)
    assert dealt(game(ROW)).plays(by("both", these=["2c", "1c"])).row("line") == (HIDDEN, HIDDEN)
    assert dealt(game(ROW)).plays(by("hand")).row("line") == (HIDDEN, HIDDEN)
    one = dealt(game(ROW)).plays(by("give", tile="1c", at="back"), by("hand"))
    assert one.row("line") == (1,)


def test_4_6_a_tile_from_anywhere_is_taken_from_the_first_place_where_it_can_lie() -> None:
    match = dealt(game(ROW), hands=[["2c", "2c"], ["1c", "3c"]])
    match.plays(by("give", tile="2c", at="back"), by("pick", tile="1c"))
    assert match.row("stall") == (HIDDEN, 1)
    front = dealt(game(ROW), hands=[["1c", "2c"], ["1c", "3c"]])
    front.plays(by("give", tile="2c", at="back"), by("pick", tile="2c"))
    assert front.row("stall") == (HIDDEN, 1)
    assert front.zone("stall") == bag([1, 2])


def test_4_7_shuffle_hides_a_row_and_nothing_else() -> None:
    match = dealt(game(ROW), reserve=REST).plays(by("give", tile="1c", at="front"), by("mix"))
    assert match.row("stall") == (HIDDEN, HIDDEN, HIDDEN)
    assert match.zone("stall") == bag([0, 1, 2])
    assert match.zone("heap") == match.zone("shown") == Bag()


def test_4_8_arrange_makes_every_place_known_or_the_event_illegal() -> None:
    match = dealt(game(ROW))
    assert match.refuses(by("look", order=["1c", "2c"])) == "then"
    match.plays(by("look", order=["3c", "2c"]))
    assert match.row("stall") == (2, 1)
    assert match.refuses(by("look", order=["2c", "3c"])) == "then"


def test_5_4_a_reserve_is_the_order_of_the_row() -> None:
    assert dealt(game(ROW), reserve=REST).row("stall") == (2, 1)
    match = dealt(game(stall="tiles"), reserve=REST)
    assert match.zone("stall") == bag([1, 2])


def test_tiles_of_a_meld_arrive_in_a_row_hidden() -> None:
    parts = """
    action lay(tiles: {a, b}) by p "lay"
      then move {a, b} from p's hand to shown
      then move all from shown to line
    """
    match = dealt(game(parts)).plays(by("lay", tiles=["1c", "2c"]))
    assert match.row("line") == (HIDDEN, HIDDEN)
    assert Meld(bag([0, 1])) not in match.zone("shown").members


def test_4_9_a_tile_fits_a_place_counted_from_either_end() -> None:
    match = dealt(game(ROW)).plays(by("give", tile="1c", at="back"))
    assert match.row("stall") == (HIDDEN, HIDDEN, 0)
    for action, known in (("third", 3), ("behind", 1)):
        assert match.refuses(by(action, tile="2c", n=known)) == "fits"
        assert match.refuses(by(action, tile="1c", n=2)) == "fits"
        assert match.refuses(by(action, tile="2c", n=0)) == "fits"
        assert match.refuses(by(action, tile="2c", n=4)) == "fits"
    line = dealt(game(ROW)).plays(by("two", tiles=["2c", "1c"]))
    assert line.asks("second-last") == 0
    assert line.asks("before-all") is None


def test_4_10_a_tile_leaves_a_place_and_those_behind_it_move_up() -> None:
    match = dealt(game(ROW)).plays(by("give", tile="1c", at="back"), by("third", tile="2c", n=2))
    assert match.row("stall") == (HIDDEN, 0)
    assert match.zone("stall") == bag([0, 2])
    other = dealt(game(ROW)).plays(by("give", tile="2c", at="front"), by("behind", tile="2c", n=3))
    assert other.row("stall") == (HIDDEN, HIDDEN)
    twins = dealt(game(ROW), hands=[["2c", "2c"], ["1c", "3c"]])
    twins.plays(
        by("give", tile="2c", at="back"), by("give", tile="2c", at="front"), by("behind", tile="2c", n=1)
    )
    assert twins.row("stall")[0] == 1
    known = dealt(game(ROW), reserve=REST)
    assert known.refuses(by("blind", tile="3c")) == "then"
    known.plays(by("blind", tile="2c"))
    assert known.row("stall") == (2,)


def test_4_11_a_cut_puts_the_first_places_behind_the_others() -> None:
    known = dealt(game(ROW), hands=[["1c", "1c"], ["2c", "2c"]], reserve=["3c", "3c"])
    known.plays(by("give", tile="1c", at="front"), by("cut", n=1))
    assert known.row("stall") == (2, 2, 0)
    known.plays(by("cut", n=2))
    assert known.row("stall") == (0, 2, 2)
    for same in (0, 3):
        known.plays(by("cut", n=same))
        assert known.row("stall") == (0, 2, 2)


def test_4_11_hidden_places_stay_hidden_when_a_row_is_cut() -> None:
    match = dealt(game(ROW)).plays(by("give", tile="1c", at="front"), by("cut", n=2))
    assert match.row("stall") == (HIDDEN, 0, HIDDEN)
    assert match.zone("stall") == bag([0, 1, 2])


def test_4_11_a_row_cannot_be_cut_at_more_places_than_it_has() -> None:
    match = dealt(game(ROW))
    for number in (-1, 3):
        assert match.refuses(by("cut", n=number)) == "then"
    assert match.refuses(by("cut-line", n=1)) == "then"
    match.plays(by("cut-line", n=0), by("cut", n=2))


PARTS = """
part tail: last 2 of line
part body: all but the last 2 of line
part head: first many of line
part rest: all but the first many of line
part under: all but the first 1 of stall
define sizes: {size of tail, 10 * size of body, 100 * size of head, 1000 * size of rest}
define ends: {front of tail otherwise 3c, back of tail otherwise 3c}
define body-front: front of body
define body-back: body at 1 from the back
define head-back: back of head
define rest-second: rest at 2
define none-there: {tail at 3 is none, tail at 0 is none, head at 3 from the back is none, body at 2 is none}
define nothing: body is empty
action put(tile) by p "put"
  then move tile from p's hand to tail
action push(tile) by p "push"
  then move tile from p's hand to front of head
action count(n: number) by p "set the number"
  then many := n
action draw(tile) by p "draw"
  fits: tile fits front of body "does not fit"
  then move tile from front of body to p's hand
action second(tile) by p "take the second one of the tail, from the back"
  then move tile from tail at 2 from the back to p's hand
action dig(tile) by p "take the first one under the first"
  fits: tile fits front of under "does not fit"
  then move tile from front of under to p's hand
"""


def with_parts(*events: dict[str, object], **keys: object) -> Game:
    text = game(PARTS, state="many: number = 1", tiles="coins: three of each 1c 2c 3c")
    match = dealt(text, hands=[["1c", "2c"], ["3c", "3c"]], **keys)
    return match.plays(*events)


def test_4_12_a_part_of_a_row_has_as_many_places_as_it_says_or_as_the_row_has() -> None:
    match = with_parts()
    assert match.asks("sizes") == bag([0, 0, 0, 0])
    assert match.asks("nothing") is True
    match.plays(by("put", tile="1c"))
    assert match.asks("sizes") == bag([1, 0, 100, 0])
    match.plays(by("put", tile="2c"), by("put", tile="3c") | {"by": 1})
    assert match.asks("sizes") == bag([2, 10, 100, 2000])
    assert match.asks("nothing") is False
    for number, sizes in ((-2, [2, 10, 0, 3000]), (0, [2, 10, 0, 3000]), (7, [2, 10, 300, 0])):
        match.plays(by("count", n=number))
        assert match.asks("sizes") == bag(sizes)


def test_4_12_places_of_a_part_are_places_of_the_row() -> None:
    match = with_parts(by("put", tile="1c"), by("put", tile="2c"), by("put", tile="3c") | {"by": 1})
    assert match.asks("ends") == bag([1, 2])
    assert match.asks("body-front") == match.asks("body-back") == match.asks("head-back") == 0
    assert match.asks("rest-second") == 2
    assert match.asks("none-there") == bag([True, True, True, True])
    match.plays(by("count", n=2))
    assert match.asks("head-back") == 1
    assert match.asks("rest-second") is None
    match.plays(by("push", tile="3c") | {"by": 1})
    assert match.row("line") == (2, 0, 1, 2)


def test_4_12_tiles_leave_a_part_and_those_of_the_row_move_up() -> None:
    match = with_parts(by("put", tile="1c"), by("put", tile="2c"), by("put", tile="3c") | {"by": 1})
    assert match.refuses(by("draw", tile="2c")) == "fits"
    match.plays(by("draw", tile="1c"))
    assert match.refuses(by("draw", tile="2c")) == "fits"
    assert match.refuses(by("second", tile="3c")) == "then"
    match.plays(by("second", tile="2c"))
    assert match.row("line") == (2,)
    assert match.refuses(by("second", tile="3c")) == "then"


def test_4_12_a_hidden_part_shares_the_hidden_tiles_of_its_row() -> None:
    match = with_parts()
    match.plays(by("dig", tile="1c"))
    assert match.row("stall") == (HIDDEN,) * 4
    known = with_parts(reserve=["1c", "2c", "3c", "2c", "1c"])
    assert known.refuses(by("dig", tile="1c")) == "fits"
    known.plays(by("dig", tile="2c"))
    assert known.row("stall") == (0, 2, 1, 0)
