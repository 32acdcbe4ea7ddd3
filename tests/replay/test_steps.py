"""No clause goes on for ever: golpae counts its steps, and names it."""

from __future__ import annotations

import io
import json
import random
import re
from itertools import combinations

import pytest

from golpae.elaborate.instance import instantiate
from golpae.ir.limits import TooManySteps
from golpae.replay import steps
from golpae.replay.codegen.length import LONG, Lengths
from golpae.replay.event_planner import _parts_of
from golpae.replay.legal_events import Legal
from golpae.replay.machine import Machine, State
from golpae.replay.machine_cache import Library
from golpae.replay.random_deal import random_deal
from golpae.replay.replay import replay
from golpae.trace import Verdict
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, game, rule_set_of

COINS = 'four of each "{size}c" for size in 1 to 30'
FOUR = "every t in tiles: every u in tiles: every v in tiles: every w in tiles: n >= 0"
DEEP = """
define one(t: tile): every u in tiles: n >= 0 or t = u
define two(t: tile): every u in tiles: one(u)
define three(t: tile): every u in tiles: two(u)
define four: every u in tiles: three(u)
"""


def machine(actions: str, more: str = "") -> Machine:
    text = game(coins=COINS, state="n: number = 0", actions=actions, more=more)
    return Machine(instantiate(rule_set_of(text), 2, {}))


def looking(condition: str) -> str:
    return f"""
action look by p "look"
  turn: p = mover "no"
  slow: {condition} "no"
  then n := n + 1
"""


@pytest.mark.parametrize(
    "condition",
    [
        FOUR,
        "every t, u, v, w in tiles: n >= 0",
        "four",
        "every h of 12 in tiles: n >= 0",
        "(number of h of 12 in tiles: n >= 0) > 0",
    ],
)
def test_a_condition_that_takes_too_many_steps_is_named(
    condition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if condition != FOUR:  # that one counts up to the real limit
        monkeypatch.setattr(steps, "MOST_STEPS", 1_000_000)
    long = machine(actions=looking(condition), more=DEEP)
    said = f"evaluating `look.slow` takes more than {steps.MOST_STEPS:,} steps"
    with pytest.raises(TooManySteps, match=re.escape(said)):
        _dealt_and_looked(long)


def _dealt(long: Machine) -> State:
    state = long.new_state()
    deal = long.read("deal", {"do": "deal", "first": 0, "hands": [["1c"], ["1c"]]})
    assert isinstance(deal, tuple)
    long.apply("deal", state, deal)
    return state


BIG = "define big: {1 to 50000}"
DOUBLED = "define b0: big + big\n" + "\n".join(f"define b{n + 1}: b{n} + b{n}" for n in range(12))


@pytest.mark.parametrize(
    ("condition", "more", "state", "named"),
    [
        ("some a in kinds of {1 to 50000}: some b in {1 to 50000}: a + b < n", "", "", r"look\.slow"),
        ("some a in big: some b in big: a + b < n", BIG, "", r"look\.slow"),
        ("no a, b in pile: a + b < n", "", "pile: numbers = {1 to 50000}", r"look\.slow"),
        ("size of (sum of {1 to 50000} for v in {1 to 50000}) > 0", "", "", r"look\.slow"),
        ("size of b12 > 0", f"{BIG}\n{DOUBLED}", "", r"look\.slow"),
        ("p's hand is odd", "shape odd of 1: no a, b in {1 to 50000}: a + b < 0", "", "odd"),
        ("p's hand is odd", "shape odd(t): no a, b in {1 to 50000}: a + b < 0", "", "odd"),
    ],
)
def test_bags_that_the_text_does_not_bound_are_counted(
    condition: str, more: str, state: str, named: str
) -> None:
    text = game(coins=COINS, state=f"n: number = 0\n{state}", actions=looking(condition), more=more)
    long = Machine(instantiate(rule_set_of(text), 2, {}))
    with pytest.raises(TooManySteps, match=f"evaluating `{named}` takes more than"):
        _dealt_and_looked(long)


def test_what_a_message_says_is_counted() -> None:
    says = '"{number of x in {1 to 50000}: some z in {1 to 50000}: x + z < 0}"'
    text = game(
        coins=COINS, state="n: number = 0", actions=looking("n > 0").replace('n > 0 "no"', f"n > 0 {says}")
    )
    assert Lengths(instantiate(rule_set_of(text), 2, {})).may_be_long()


def _dealt_and_looked(long: Machine) -> None:
    state = _dealt(long)
    long.check("look", state, (0,))


def test_loops_inside_one_another_are_counted() -> None:
    loops = "".join(f"{'  ' * depth}for each t{depth} in tiles\n" for depth in range(2, 7))
    action = f"""
action look by p "look"
  turn: p = mover "no"
  then n := 0
  then
{loops}              n := n + 1
"""
    long = machine(actions=action)
    with pytest.raises(TooManySteps, match=r"evaluating `look\.then 2` takes more"):
        long.apply("look", long.new_state(), (0,))


def test_other_clauses_are_not_counted() -> None:
    short = machine(actions=looking("every t in tiles: every u in tiles: n >= 0"))
    assert Lengths(short.instance).longest() < LONG
    _dealt_and_looked(short)


def test_a_list_with_too_many_orders_is_an_answer() -> None:
    names = ", ".join("abcdefghij")
    action = f"""
action show(tiles: {{{names}}}) by p "show"
  turn: p = mover "no"
  never: a = b and n > 0 "no"
  then n := 1
"""
    long = machine(actions=action)
    state = long.new_state()
    deal = long.read("deal", {"do": "deal", "first": 0, "hands": [["1c"], ["1c"]]})
    assert isinstance(deal, tuple)
    long.apply("deal", state, deal)
    event = long.read("show", {"do": "show", "by": 0, "tiles": [f"{n}c" for n in range(1, 11)]})
    assert isinstance(event, tuple)
    with pytest.raises(TooManySteps, match="the lists of this `show` have more than 400,000 orders to try"):
        long.first("show", state, event)


def showing(names: str, *conditions: str) -> str:
    clauses = "".join(f'  c{n}: {condition} "no"\n' for n, condition in enumerate(conditions))
    return f"""
action show(tiles: {{{names}}}) by p "show"
  turn: p = mover "no"
{clauses}  then n := 1
"""


HEAVY = "every t in tiles: every u in tiles: a = b or n >= 0"  # 14,400 steps
FEW = {"do": "show", "by": 0, "tiles": [f"{n}c" for n in range(1, 8)]}


def test_the_orders_of_a_list_share_one_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_OF_EVENT", 100_000)
    long = machine(actions=showing("a, b, c, d, e, f, g", HEAVY, "a = b"))
    state = _dealt(long)
    event = long.read("show", FEW)
    assert isinstance(event, tuple)
    with pytest.raises(TooManySteps, match=r"one event takes more than 100,000 steps, up to `show\.c[01]`"):
        long.first("show", state, event)
    assert long.check("show", state, event) >= 0  # one order by itself


def looking_often(many: int) -> str:
    clauses = [*["every t in tiles: every u in tiles: n >= 0"] * many]  # 14,520 steps each
    clauses.append("some t in tiles: some u in tiles: some v in tiles: n >= 0")  # may be long, and is short
    lines = "".join(f'  c{n}: {clause} "no"\n' for n, clause in enumerate(clauses))
    return looking("yes").replace('  slow: yes "no"\n', lines)


def test_the_clauses_of_an_event_share_one_count_which_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_OF_EVENT", 50_000)
    event = {"do": "look", "by": 0}
    short = machine(actions=looking_often(3))
    state = _dealt(short)
    for _ in range(3):
        assert short.steps["look"](state, event) is None
    long = machine(actions=looking_often(5))
    with pytest.raises(TooManySteps, match=r"one event takes more than 50,000 steps, up to `look\.c\d`"):
        long.steps["look"](_dealt(long), event)


def test_the_last_clause_of_an_event_counts_as_the_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_OF_EVENT", 20_000)
    dear = "  then n := number of t in tiles: every u in tiles: n >= 0\n"  # 14,520 steps
    cheap = "  then nobody wins\n"
    may_be_long = '  c0: some t in tiles: some u in tiles: some v in tiles: n >= 0 "no"\n'
    for effects in (dear + dear + cheap, dear + cheap + dear):
        action = (
            looking("yes").replace('  slow: yes "no"\n', may_be_long).replace("  then n := n + 1\n", effects)
        )
        asked = machine(actions=action)
        with pytest.raises(TooManySteps, match="one event takes more than 20,000 steps"):
            asked.steps["look"](_dealt(asked), {"do": "look", "by": 0})


def test_a_trace_of_rules_that_take_too_many_steps_says_that_the_rules_are_at_fault() -> None:
    text = game(coins=COINS, state="n: number = 0", actions=looking(FOUR))
    lines = (
        {"golpae": 1, "rules": "coins", "players": ["A", "B"]},
        {"do": "deal", "first": 0, "hands": [["1c"], ["1c"]]},
        {"do": "look", "by": 0},
    )
    stream = io.BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode())
    [report] = replay(stream, "game.jsonl", Library(lambda _: rule_set_of(text)))
    outcome = report.outcome
    assert (outcome.verdict, outcome.event, outcome.at, outcome.clause) == (Verdict.MALFORMED, 2, 3, None)
    words = "takes more than 10,000,000 steps; the fault is in the rules, not in this game"
    assert outcome.message == f"evaluating `look.slow` {words}"


CHAIN = "\n".join(
    ["define a0: every p in players: size of p's hand <= 1"]
    + [f"define a{n}: every p in players: a{n - 1}" for n in range(1, 25)]
)


@pytest.mark.solver
def test_an_invariant_that_replay_cannot_evaluate_costs_no_other_property() -> None:
    text = game(coins=COINS, more=CHAIN, properties="always few: size of stall <= 120\nalways deep: a24")
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    found = {prop.name: verifier.verify(prop) for prop in verifier.instance.rule_set.properties}
    assert (found["few"].verdict, found["deep"].fault) == ("proved", None)


@pytest.mark.solver
def test_a_property_that_takes_too_many_steps_is_unknown_and_the_others_are_decided() -> None:
    text = game(coins=COINS, state="n: number = 0", properties=f"always slow: {FOUR}\nalways quick: n = 0")
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    slow, quick = (verifier.verify(prop) for prop in verifier.instance.rule_set.properties)
    assert (slow.verdict, quick.verdict, slow.fault, quick.fault) == ("unknown", "proved", None, None)
    assert slow.story == "evaluating `slow` takes more than 10,000,000 steps"
    assert slow.unsupported is not None
    assert slow.unsupported.clause == "property slow"


@pytest.mark.parametrize(
    ("shape", "named"),
    [
        ("shape six(a, b, c, d, e, f): a's size + b's size > 33", "six"),
        ("shape six of 6: (sum of t's size for t in it) > 93", "whole"),
    ],
)
def test_a_search_for_an_arrangement_ends(shape: str, named: str) -> None:
    long = machine(actions=looking("tiles is whole"), more=f"{shape}\narrangement whole: 20 six")
    with pytest.raises(TooManySteps, match=f"evaluating `{named}` takes more than 1,000,000 steps"):
        _dealt_and_looked(long)


@pytest.mark.solver
def test_what_was_asked_before_decides_nothing() -> None:
    """A table of pairs is filled row by row, and what is there already costs nothing."""
    tests = "every u, v in tiles: every w, x in tiles: size of {t, u, v, w, x} > 0"
    slow = f"define slow(a, b: tile): some t in {{a, b}}: {tests}"
    equal = "".join(f"always p{n}: every a, b in tiles: slow(a, b)\n" for n in range(7))
    coins = 'two of each "{size}c" for size in 1 to 12'
    verifier = Verifier(
        instantiate(rule_set_of(game(coins=coins, more=slow, properties=equal)), 2, {}), SETTINGS
    )
    found = [verifier.verify(prop) for prop in verifier.instance.rule_set.properties]
    assert {(f.verdict, f.fault) for f in found} == {("unknown", None)}


@pytest.mark.parametrize(
    "condition",
    ["every h of 1 in {1 to 20000}: size of h = 1", "size of ({1 to 90000} - {1 to 80000}) = 10000"],
)
def test_large_bags_take_no_longer_than_their_members(condition: str) -> None:
    """These took steps for every two members, or a call inside another for each."""
    _dealt_and_looked(machine(actions=looking(condition)))


def test_a_bag_that_a_state_is_set_to_has_a_limit() -> None:
    """A bag that doubles for each tile of a set of 16: 65,536 members; with 17 it has 131,072."""
    verdicts = []
    double = looking("yes").replace(
        "  then n := n + 1\n", "  then for each t in tiles: pile := pile + pile\n"
    )
    state = "n: number = 0\npile: tiles = {1c}"
    for kinds in (16, 17):
        coins = f'one of each "{{size}}c" for size in 1 to {kinds}'
        rules = rule_set_of(game(coins=coins, state=state, actions=double))
        lines = (
            {"golpae": 1, "rules": "coins", "players": ["A", "B"]},
            {"do": "deal", "first": 0, "hands": [["1c"], ["2c"]]},
            {"do": "look", "by": 0},
        )
        stream = io.BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode())
        [report] = replay(stream, "game.jsonl", Library({"coins": rules}.__getitem__))
        verdicts.append((report.outcome.verdict, report.outcome.clause))
    assert verdicts == [(Verdict.INCOMPLETE, None), (Verdict.MALFORMED, None)]


MANY_KEYS = """
action name(a: tile, b: tile, c: tile, d: tile, e: tile, f: tile, g: tile) by p "name seven tiles"
  turn: p = mover "no"
  then n := n + 1
"""


def test_the_values_that_are_tried_for_events_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven keys of thirty kinds have 22 thousand million values."""
    monkeypatch.setattr(steps, "MOST_VALUES", 5_000)
    named = machine(MANY_KEYS)
    named.limit_steps(steps.MOST_IN_ALL)
    state, legal = named.new_state(), Legal(named)
    deal = legal.first_dealt([random_deal(named, state, 0, random.Random(1))], state)
    assert deal is not None
    named.apply(deal.action, state, deal.args)
    with pytest.raises(TooManySteps) as fault:
        list(legal.events(state))
    assert str(fault.value) == "more than 5,000 values have to be tried to list the legal events of `name`"
    assert named.steps_taken >= (5_000 - steps.FREE_VALUES) * steps.EACH_VALUE
    following = legal.can_follow(state)
    assert {*following.endless} == {"name"}
    assert not [event for event in following.events if event.action == "name"]  # all of them, or none
    assert "`tile in p's hand`" in fault.value.advice
    monkeypatch.setattr(steps, "MOST_VALUES", 1_000_000)
    named.limit_steps(100_000)
    with pytest.raises(TooManySteps, match="in all positions"):
        list(legal.events(state))


def test_the_choices_of_a_bag_are_those_of_its_tiles_each_once() -> None:
    for tiles in ([], [1], [1, 1, 1], [1, 1, 2, 3, 3], [1, 2, 2, 2, 4, 5]):
        for size in range(8):
            assert list(_parts_of(tiles, size)) == list(dict.fromkeys(combinations(tiles, size)))
    assert list(_parts_of([1] * 2_000, 1_000)) == [(1,) * 1_000]
    assert next(_parts_of([*range(2_000)], 1_500)) == (*range(1_500),)


def test_the_values_that_a_game_adds_to_an_end_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifteen tiles of the stall can be chosen in more ways than anybody can list."""
    monkeypatch.setattr(steps, "MOST_VALUES", 5_000)
    text = game(coins=COINS, state="n: number = 0", actions=looking("yes"))
    assert text.count("\nend\n") == 1
    chosen = '\nend(lot: tiles)\n  there: lot in stall "no"\n  fifteen: size of lot = 15 "no"\n'
    named = Machine(instantiate(rule_set_of(text.replace("\nend\n", chosen)), 2, {}))
    state, legal = named.new_state(), Legal(named)
    deal = legal.first_dealt([random_deal(named, state, 0, random.Random(1))], state)
    assert deal is not None
    named.apply(deal.action, state, deal.args)
    named.apply("stop", state, (state.v_mover,))
    assert {*legal.can_follow(state).endless} == {"end"}
