"""Sections 5 to 7 of docs/semantics.md, on the judge: matches, events, effects. Expected values are by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from golpae.elaborate.instance import instantiate
from tests.judge.events import Illegal, Legal, of_the_text
from tests.judge.faults import Unclear, Unset
from tests.judge.reading import Malformed
from tests.judge.rows import HIDDEN
from tests.judge.table import rules_of
from tests.judge.texts import DEAL, END, Game, begun, dealt, game
from tests.judge.values import Bag, Meld, bag

FINISH: Mapping[str, object] = {"do": "finish", "totals": [0, 0], "winners": [0, 1]}
STOP = 'action stop by p "stop"\n  then nobody wins\naction win by p "win"\n  then p wins\n'


def by(name: str, **keys: object) -> dict[str, object]:
    return {"do": name, "by": 0, **keys}


# ---------------------------------------------------------------- 5. A match


def test_5_1_stages() -> None:
    lot = 'action lot by p before the deal "draw a lot"\n  then lots := lots + 1\n'
    match = begun(game(STOP + lot, match="lots: number = 0"))
    assert [match.refuses(e) for e in (by("stop"), END, FINISH)] == ["open"] * 3
    match.plays(by("lot"), by("lot"), DEAL)
    assert match.stage() == "playing"
    assert [match.refuses(e) for e in (by("lot"), DEAL, FINISH)] == ["open"] * 3
    match.plays(by("stop"))
    assert match.stage() == "over"
    assert [match.refuses(e) for e in (by("lot"), by("stop"), DEAL, FINISH)] == ["open"] * 4
    match.plays(END)
    assert match.stage() == "ended"
    assert [match.refuses(e) for e in (by("lot"), by("stop"), END)] == ["open"] * 3
    match.plays(DEAL, END, FINISH)
    assert [match.refuses(e) for e in (by("lot"), by("stop"), END, FINISH, DEAL)] == ["open"] * 5
    assert match.var("lots") == 2


def test_5_1_a_deal_can_end_the_hand_at_once() -> None:
    match = begun(game(STOP, deal="then nobody wins")).plays(DEAL)
    assert match.stage() == "over"
    assert match.refuses(by("stop")) == "open"


def test_5_2_first_values_come_after_those_that_they_read() -> None:
    text = game(match="b: number = a + size of stall\na: number = 1 + size of p0\np0: tiles = {1c}")
    match = begun(text)
    assert (match.var("a"), match.var("b")) == (2, 8)
    assert match.row("stall") == (HIDDEN,) * 6
    assert match.zone("line") == match.zone("hand", 0) == Bag()


def test_5_3_a_state_without_first_value_has_none_before_its_deal() -> None:
    match = begun(game())
    with pytest.raises(Unset):
        match.var("mover")
    assert match.plays(DEAL).var("mover") == 0


def test_5_4_a_deal_begins_anew() -> None:
    parts = """
    action put(tile) by p "put"
      then move tile from p's hand to heap
      then n := n + 1
      then kept := kept + 1
      then p wins
    """
    text = game(
        parts, state="n: number = kept * 10", match="kept: number = 1", deal="then seen := size of stall"
    )
    match = begun(text.replace("mover: seat", "mover: seat\n  seen: number = 0")).plays(DEAL)
    assert (match.var("n"), match.var("kept"), match.var("seen")) == (10, 1, 2)
    match.plays(by("put", tile="1c"), {**END, "winner": 0})
    assert match.zone("heap") == bag([0])
    match.plays({**DEAL, "first": 1})
    assert match.zone("heap") == Bag()
    assert (match.var("n"), match.var("kept"), match.var("mover")) == (20, 2, 1)
    assert match.zone("hand", 0) == bag([0, 1])


def test_5_4_the_conditions_of_a_deal_see_the_hand_before() -> None:
    text = game(
        deal='left: stall is empty or size of stall = 6 or hands-played = 1 "no"', match="x: number = 0"
    )
    begun(text).plays(DEAL, END, DEAL)
    assert begun(text).plays(DEAL, END, DEAL, END).refuses(DEAL) == "left"


def test_5_4_the_tiles_are_dealt_from_another_zone_than_the_set_lies_in_before() -> None:
    text = game().replace("from stall", "from heap")
    match = begun(text)
    assert len(match.zone("stall")) == 6
    match.plays(DEAL)
    assert match.zone("stall") == Bag()
    assert match.zone("heap") == bag([1, 2])


def test_5_5_payout_sees_the_state_before_the_effects_of_end() -> None:
    text = game(
        end="then n := 100\nthen seen := hands-played\nthen gained := sum of q's total for q in players",
        match="n: number = 2\nseen: number = 9\ngained: number = 9",
        payout="some: for each q in players: q scores n",
    )
    match = begun(text).plays(DEAL)
    assert match.refuses({**END, "pay": [100, 100]}) == "pay"
    match.plays({**END, "pay": [2, 2]})
    assert (match.var("n"), match.var("seen"), match.var("gained")) == (100, 0, 0)
    assert (match.state.totals, match.state.hands_played) == ((2, 2), 1)


def test_5_6_payments() -> None:
    text = game(payout="a: mover pays mover's right 3\nb: mover pays mover 5\nc: mover's right scores -1")
    begun(text).plays(DEAL, {**END, "pay": [-3, 2]}, {**FINISH, "totals": [-3, 2], "winners": [1]})


def test_6_4_what_was_paid_may_be_left_out() -> None:
    text = game(
        end_keys="(optional pay)",
        payout="a: mover scores 3",
        parts="finish(optional totals, optional winners)",
    )
    done = begun(text).plays(DEAL, {"do": "end", "winner": None}, {"do": "finish"})
    assert done.state.totals == (3, 0)
    other = begun(text).plays(DEAL)
    assert other.refuses({**END, "pay": [2, 0]}) == "pay"
    other.plays({**END, "pay": [3, 0]})
    assert other.refuses({"do": "finish", "winners": [0, 1]}) == "winners"
    assert other.refuses({**FINISH, "totals": [3, 3]}) == "totals"


def test_5_6_payments_in_a_loop_go_round_for_each_copy() -> None:
    text = game(
        payout="a: for each q in {mover, other}: q scores 1", state="other: seat", deal="then other := first"
    )
    begun(text).plays(DEAL, {**END, "pay": [2, 0]})


# ---------------------------------------------------------------- 6. Events


KEYS = """
action keys(truth: yes or no, n: number, who: seat, tile, some-tiles: tiles, m: meld,
    groups: list of tiles, own: each player's number, r: number or none, optional o: number,
    word: one of up, down) by p "all keys"
  never: n = 0 "n is 0"
shape run(a, b): a /= b
"""
RIGHT: Mapping[str, object] = {
    "do": "keys",
    "by": 0,
    "truth": True,
    "n": 0,
    "who": 1,
    "tile": "1c",
    "word": "up",
    "some-tiles": ["1c", "1c"],
    "m": ["run", "1c", "2c"],
    "groups": [["1c"], []],
    "own": [1, 2],
    "r": None,
}


def test_6_2_an_event_of_the_right_types_can_be_read() -> None:
    match = dealt(game(KEYS))
    match.plays(RIGHT, {**RIGHT, "o": 3}, {**RIGHT, "note": "x", "time": 1})
    assert match.refuses({**RIGHT, "n": -1}) == "never"


@pytest.mark.parametrize(
    "change",
    [
        {"do": "other"},
        {"by": 2},
        {"by": -1},
        {"by": True},
        {"truth": 1},
        {"n": "1"},
        {"n": True},
        {"n": 1.0},
        {"who": 2},
        {"tile": "9c"},
        {"tile": "?"},
        {"word": "left"},
        {"some-tiles": "1c"},
        {"some-tiles": ["9c"]},
        {"m": ["flush", "1c"]},
        {"m": ["1c", "9c"]},
        {"m": ["run"]},
        {"m": ["run", ["1c", "9c"]]},
        {"groups": ["1c"]},
        {"own": 3},
        {"own": ["x", "y"]},
        {"r": "none"},
        {"extra": 1},
    ],
    ids=str,
)
def test_6_2_malformed(change: dict[str, object]) -> None:
    assert isinstance(dealt(game(KEYS)).tries({**RIGHT, **change}), Malformed)


@pytest.mark.parametrize("key", list(RIGHT))
def test_6_2_a_key_that_is_missing_is_malformed(key: str) -> None:
    event = {k: v for k, v in RIGHT.items() if k != key}
    assert isinstance(dealt(game(KEYS)).tries(event), Malformed)


def test_6_2_an_action_without_a_player_has_no_by() -> None:
    match = dealt(game("action rest\n  then nobody wins\n"))
    assert isinstance(match.tries(by("rest")), Malformed)
    match.plays({"do": "rest"})


def test_6_2_malformed_goes_before_illegal() -> None:
    assert isinstance(begun(game(KEYS)).tries({**RIGHT, "who": 5}), Malformed)
    assert begun(game(KEYS)).refuses(RIGHT) == "open"


ORDER = """
action try(n: number from 1 to 3, list: {a, b}, own: each player's number, optional o: number from 0 to 1) by p "try"
  first: n /= 2 "n is 2"
  second: a /= b or n = 3 "alike"
  then move {a, b} from p's hand to heap
"""


def trying(**changes: object) -> dict[str, object]:
    return {"do": "try", "by": 0, "n": 1, "list": ["1c", "2c"], "own": [0, 0], **changes}


def test_6_3_conditions_are_asked_in_order() -> None:
    match = dealt(game(ORDER))
    assert match.refuses(trying(n=0, list=["1c"], own=[])) == "n"
    assert match.refuses(trying(n=4)) == "n"
    assert match.refuses(trying(n=2, list=["1c"], own=[])) == "list"
    assert match.refuses(trying(n=2, list=["1c", "1c"], own=[1, 2, 3], o=7)) == "own"
    assert match.refuses(trying(n=2, list=["1c", "1c"], o=7)) == "o"
    assert match.refuses(trying(n=2, list=["1c", "1c"])) == "first"
    assert match.refuses(trying(n=1, list=["1c", "1c"])) == "second"
    assert match.refuses(trying(n=3, list=["1c", "1c"])) == "then"
    match.plays(trying())


def test_6_3_the_judge_asks_only_what_the_text_wrote() -> None:
    """The elaborated text lists golpae's own conditions too; a key and a condition of one name are told apart."""
    parts = ORDER.replace("  first: n /= 2", '  own: n /= 5 "n is 5"\n  first: n /= 2')
    table = instantiate(rules_of(game(parts)), 2, {})
    action = table.rule_set.action("try")
    assert action is not None
    assert [c.name for c in of_the_text(action)] == ["own", "first", "second"]


def test_6_3_no_key_names_more_copies_than_are_in_play() -> None:
    parts = """
    action name(these: tiles, groups: list of tiles) by p "name"
      yes: size of these = 0 or 1c in these "no"
    """
    match = dealt(game(parts))
    match.plays(by("name", these=["1c", "1c"], groups=[["1c"], ["1c"]]))
    assert match.refuses(by("name", these=["1c", "1c", "1c"], groups=[])) == "set"
    assert match.refuses(by("name", these=["1c"], groups=[["1c"], ["1c"], ["1c"]])) == "set"
    assert match.refuses(by("name", these=["2c", "2c", "2c"], groups=[])) == "yes"


def test_6_3_conditions_of_a_deal() -> None:
    lot = 'action lot by p before the deal "draw a lot"\n  then opener := p\n'
    text = game(lot, deal='opener: opener = first "no"', match="opener: seat or none = none")
    match = begun(text).plays(by("lot"))
    short: dict[str, object] = {"do": "deal", "first": 0, "hands": [["1c", "2c"]]}
    assert match.refuses({**short, "first": 1}) == "opener"
    assert match.refuses(short) == "hands"
    assert match.refuses({**DEAL, "hands": [["1c", "2c"], ["1c"]]}) == "hands"
    assert match.refuses({**DEAL, "hands": [["1c", "1c"], ["1c", "2c"]]}) == "set"
    assert match.refuses({**DEAL, "reserve": ["2c", "2c"]}) == "rest"
    assert match.refuses({**DEAL, "reserve": ["2c"]}) == "rest"
    assert isinstance(match.tries({**DEAL, "reserve": ["2c", "3c"]}), Legal)


def test_6_3_hands_can_be_larger_for_the_first_player() -> None:
    text = game(hands="2 for first, 1 for the others")
    assert begun(text).refuses(DEAL) == "hands"
    begun(text).plays({**DEAL, "first": 1, "hands": [["1c"], ["1c", "2c"]]})


def test_6_3_conditions_of_end_and_finish() -> None:
    match = dealt(game(STOP, payout="w: when winner is not none: winner scores 1")).plays(by("win"))
    assert match.refuses({**END, "winner": None}) == "winner"
    assert match.refuses({**END, "winner": 1, "pay": [5]}) == "winner"
    assert match.refuses({**END, "winner": 0, "pay": [0, 1]}) == "pay"
    assert match.refuses({**END, "winner": 0, "pay": [1]}) == "pay"
    match.plays({**END, "winner": 0, "pay": [1, 0]})
    assert match.refuses({**FINISH, "totals": [0, 1]}) == "totals"
    assert match.refuses({**FINISH, "totals": [1, 0]}) == "winners"
    match.plays({**FINISH, "totals": [1, 0], "winners": [0]})


def test_6_3_several_players_can_win_a_match_in_any_order() -> None:
    begun(game()).plays(DEAL, END, {**FINISH, "winners": [1, 0]})
    assert begun(game()).plays(DEAL, END).refuses({**FINISH, "winners": [0]}) == "winners"


def test_6_4_an_optional_key_left_out_is_none() -> None:
    parts = 'action maybe(optional n: number from 1 to 2, optional tile) by p "maybe"\n'
    parts += '  asked: n is none implies tile is none "no"\n'
    match = dealt(game(parts))
    match.plays(by("maybe"), by("maybe", n=2), by("maybe", n=1, tile="1c"))
    assert match.refuses(by("maybe", tile="1c")) == "asked"
    assert match.refuses(by("maybe", n=3)) == "n"


PAIR = """
action lay(these: {a, b}) by p "lay the larger and the smaller"
  held: {a, b} in p's hand "not held"
  larger: a's size > b's size "not larger"
  even: b's size mod 2 = 0 "not even"
  then big := a
  then move {a, b} from p's hand to line
"""
SIZED = 'coins: two of each "{size}c" for size in 1 to 3'


def test_6_5_the_first_order_that_holds_is_the_one() -> None:
    text = game(
        PAIR.replace('  even: b\'s size mod 2 = 0 "not even"\n', ""), tiles=SIZED, state="big: tile = 1c"
    )
    for order in (["1c", "2c"], ["2c", "1c"]):
        match = dealt(text).plays(by("lay", these=order))
        assert match.var("big") == 1
        assert match.row("line") == (1, 0)


def test_6_5_the_sorted_order_goes_first() -> None:
    parts = 'action lay(these: {a, b}) by p "lay"\n  then move {a, b} from p\'s hand to line\n'
    assert dealt(game(parts)).plays(by("lay", these=["2c", "1c"])).row("line") == (0, 1)


def test_6_5_the_condition_that_is_named_is_the_furthest_one() -> None:
    text = game(PAIR, tiles=SIZED, state="big: tile = 1c")
    assert dealt(text).refuses(by("lay", these=["1c", "2c"])) == "even"
    assert dealt(text).refuses(by("lay", these=["3c", "2c"])) == "held"
    same = dealt(text, hands=[["2c", "2c"], ["1c", "3c"]])
    assert same.refuses(by("lay", these=["2c", "2c"])) == "larger"


def test_6_5_effects_choose_no_order() -> None:
    parts = """
    action from-front(these: {a, b}) by p "two from the front"
      then move a from front of stall to heap
      then move b from front of stall to heap
    action as-they-lie(these: {a, b}) by p "two from the front, which lies first"
      first-lies: a fits front of stall
      then move a from front of stall to heap
      then move b from front of stall to heap
    """
    match = dealt(game(parts), reserve=["3c", "2c"])
    assert match.refuses(by("from-front", these=["3c", "2c"])) == "then"
    match.plays(by("as-they-lie", these=["2c", "3c"]))
    assert match.zone("heap") == bag([1, 2])


def test_6_7_an_illegal_event_changes_nothing() -> None:
    parts = 'action bad by p "bad"\n  then n := 5\n  then move 3c from p\'s hand to heap\n'
    match = dealt(game(parts, state="n: number = 1"))
    before = match.state
    assert match.refuses(by("bad")) == "then"
    assert match.state is before
    assert match.var("n") == 1


# ---------------------------------------------------------------- 7. Effects


def acting(effects: str, state: str = "n: number = 1", more: str = "", keys: str = "") -> str:
    """Return a text with an action `act` of these effects."""
    lines = "".join(f"  then {line}\n" for line in effects.split("\n") if line.strip())
    return game(f'{more}\naction act{keys} by p "act"\n  yes: p = p "never"\n{lines}', state=state)


def test_7_1_each_effect_sees_those_before_it() -> None:
    assert dealt(acting("n := n + 1\nn := n * 10")).plays(by("act")).var("n") == 20


def test_7_2_the_place_that_tiles_go_to_is_found_after_they_left() -> None:
    state = "n: number = 1"
    define = "define each player's full: its hand is not empty\n"
    define += "define other: (the q in players: q's full) otherwise mover"
    text = acting("move all from p's hand to other's hand", state, define)
    match = dealt(text).plays({"do": "act", "by": 0})
    assert match.zone("hand", 0) == Bag()
    assert match.zone("hand", 1) == bag([0, 0, 1, 2])


def test_7_2_a_tile_that_is_not_there_is_illegal_under_then() -> None:
    assert dealt(acting("move 3c from p's hand to heap")).refuses(by("act")) == "then"
    assert dealt(acting("move {1c, 1c} from p's hand to heap")).refuses(by("act")) == "then"
    named = acting("named: move 3c from p's hand to heap")
    assert dealt(named).refuses(by("act")) == "then"


MELDS = """
shape run(a, b): a /= b
shape trio(a, b, c): a = a and b = b and c = c
"""


def test_7_3_tiles_go_together_as_one_meld() -> None:
    match = dealt(acting("move {1c, 2c} from p's hand to shown as run", more=MELDS)).plays(by("act"))
    assert match.zone("shown") == bag([Meld(bag([0, 1]), "run")])
    all_ = dealt(acting("move all from p's hand to shown", more=MELDS)).plays(by("act"))
    assert all_.zone("shown") == bag([Meld(bag([0, 1]))])


def test_7_3_a_meld_keeps_its_label_unless_it_gets_another() -> None:
    lay = "move {1c, 2c} from p's hand to shown as run\n"
    kept = dealt(acting(lay + "for each m in shown: move m from shown to away", more=MELDS)).plays(by("act"))
    assert kept.zone("away") == bag([Meld(bag([0, 1]), "run")])
    new = dealt(acting(lay + "for each m in shown: move m from shown to away as trio", more=MELDS))
    assert new.plays(by("act")).zone("away") == bag([Meld(bag([0, 1]), "trio")])
    melds = (
        "move 1c from p's hand to shown as run\nmove 2c from p's hand to shown\nmove all from shown to away"
    )
    every = dealt(acting(melds, more=MELDS)).plays(by("act"))
    assert every.zone("away") == bag([Meld(bag([0]), "run"), Meld(bag([1]))])
    tiles = dealt(acting(lay + "move all from shown to heap", more=MELDS)).plays(by("act"))
    assert tiles.zone("heap") == bag([0, 1])


def test_7_4_a_meld_that_equals_it_has_to_lie_there() -> None:
    parts = (
        MELDS
        + 'action take(m: meld) by p "take"\n  yes: p = p "never"\n  then move m from shown to p\'s hand\n'
    )
    match = dealt(acting("move {1c, 2c} from p's hand to shown as run", more=parts)).plays(by("act"))
    assert match.refuses(by("take", m=["1c", "2c"])) == "then"
    assert match.refuses(by("take", m=["trio", "1c", "2c"])) == "label"
    match.plays(by("take", m=["run", "2c", "1c"]))
    assert match.zone("hand", 0) == bag([0, 1])
    assert match.zone("shown") == Bag()


def test_7_4_tiles_come_to_and_go_from_one_meld() -> None:
    lay = "move 1c from p's hand to shown as run\n"
    into = "move 2c from p's hand to (the m in shown: 1c in m)"
    grown = dealt(acting(lay + into, more=MELDS)).plays(by("act"))
    assert grown.zone("shown") == bag([Meld(bag([0, 1]), "run")])
    relabelled = dealt(acting(lay + into + " as trio", more=MELDS)).plays(by("act"))
    assert relabelled.zone("shown") == bag([Meld(bag([0, 1]), "trio")])
    out = "\nmove 1c from (the m in shown: 1c in m) to heap"
    shrunk = dealt(acting(lay + into + out, more=MELDS)).plays(by("act"))
    assert shrunk.zone("shown") == bag([Meld(bag([1]), "run")])
    gone = dealt(acting(lay + out, more=MELDS)).plays(by("act"))
    assert gone.zone("shown") == Bag()
    assert dealt(acting(into, more=MELDS)).refuses(by("act")) == "then"
    assert (
        dealt(acting(lay + "move 3c from (the m in shown: 1c in m) to heap", more=MELDS)).refuses(by("act"))
        == "then"
    )


def test_7_4_two_different_melds_are_not_one() -> None:
    lay = "move 1c from p's hand to shown as run\nmove 2c from p's hand to shown as run\n"
    assert (
        dealt(acting(lay + "move 1c from (the m in shown: m is run) to heap", more=MELDS)).refuses(by("act"))
        == "then"
    )


def test_7_5_states_get_values() -> None:
    match = dealt(acting("p's right's k := 7\nn := -1", "n: number = 1\neach player's k: number = 2"))
    match.plays(by("act"))
    assert (match.var("k", 0), match.var("k", 1), match.var("n")) == (2, 7, -1)


def test_7_6_winners_are_counted_together() -> None:
    for effects, winner in (
        ("p wins\np's right wins", None),
        ("p wins\nnobody wins\np's right wins", 1),
        ("p wins\np wins", 0),
        ("p wins\nnobody wins", None),
        ("nobody wins\np wins", 0),
    ):
        match = dealt(acting(effects + "\nn := 4")).plays(by("act"))
        assert (match.state.winner, match.stage(), match.var("n")) == (winner, "over", 4)


def test_7_7_everybody_passes_at_once() -> None:
    text = game(
        'action act by p "act"\n  then pass each player\'s hand to the right\n',
        players="3 to 3",
        hands="1 for everyone",
    )
    deal: dict[str, object] = {"do": "deal", "first": 0, "hands": [["1c"], ["2c"], ["3c"]]}
    right = begun(text, 3).plays(deal, by("act"))
    assert [right.zone("hand", seat) for seat in range(3)] == [bag([2]), bag([0]), bag([1])]
    left = begun(text.replace("to the right", "to the left"), 3).plays(deal, by("act"))
    assert [left.zone("hand", seat) for seat in range(3)] == [bag([1]), bag([2]), bag([0])]


def test_7_8_a_test_is_asked_at_its_moment() -> None:
    assert (
        dealt(acting("when n = 1: n := 2\nwhen n = 1: n := 3\nwhen n = 2: n := 4")).plays(by("act")).var("n")
        == 4
    )


def test_7_9_a_loop_goes_round_once_for_each_member_in_order() -> None:
    assert dealt(acting("for each k in {3, 1, 2, 1}: n := n * 10 + k")).plays(by("act")).var("n") == 11123
    twice = dealt(
        acting("for each q in {p, mover}: q's flag := not q's flag", "each player's flag: yes or no = no")
    )
    assert twice.plays(by("act")).var("flag", 0) is False
    seats = acting("for each q in players: last := q", "last: seat or none = none")
    assert dealt(seats).plays(by("act")).var("last") == 1


def test_7_9_the_bag_of_a_loop_is_evaluated_once() -> None:
    effects = "for each t in p's hand: move all from p's hand to heap; n := n + 1"
    assert dealt(acting(effects)).plays(by("act")).var("n") == 3
    grows = "for each t in noted: noted := noted + t"
    assert dealt(acting(grows, "noted: tiles = {1c, 2c}")).plays(by("act")).var("noted") == bag([0, 0, 1, 1])


def test_7_9_words_go_round_as_their_type_lists_them() -> None:
    effects = "for each w in {b, a, b}: n := if w = b then n * 10 + 1 else n * 10 + 2"
    match = dealt(acting(effects, "n: number = 0\na: one of up, down = down\nb: one of up, down = up"))
    assert match.plays(by("act")).var("n") == 112


def test_7_10_a_number_that_is_too_large_has_no_meaning() -> None:
    assert dealt(acting("n := 10 ^ 3999 * 9")).plays(by("act")).var("n") == 9 * 10**3999
    asks = 'action ask by p "ask"\n  huge: 9 ^ 9 ^ 9 > 0 "no"\n'
    too_large: list[tuple[Game, Mapping[str, object]]] = [
        (dealt(acting("square: n := 10 ^ 4000")), by("act")),
        (dealt(acting("square: n := n * n", "n: number = 10 ^ 2400")), by("act")),
        (dealt(game(asks)), by("ask")),
        (dealt(game(payout="rich: mover scores 0 - 10 ^ 4000")), END),
    ]
    for match, event in too_large:
        with pytest.raises(Unclear, match="4,000 digits"):
            match.plays(event)


def test_what_happens_before_an_end_is_not_seen_by_illegal_events() -> None:
    verdict = dealt(game(STOP)).tries({**END, "pay": [1, 1]})
    assert verdict == Illegal("pay", 5)
