"""Proofs are about numbers of any size, also of those at which golpae stops a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import PROVED
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.ir.ruleset import RuleSet
from golpae.verify.certificates.prove_table import Proved, certify
from golpae.verify.families.decide import FamilyVerifier
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.properties import DEADLOCK_FREEDOM, properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.prove.meanings import SETTINGS, game, rule_set_of

COINS = 'two of each "{size}c" for size in 1 to 3'
STATE = "n: number = 0\nk: number = 0"
ADD = """
action add(c: tile) by p "add"
  turn: p = mover "no"
  have: c in p's hand "no"
  then k := k + 1
  then when c = 1c: n := n * 2 + 1
"""
# At most 502 until `k` is 100: then the bag is empty, and 2,000 or more.
MOST = "k mod 3 + 2000 - (most of x for x in (those y in {1500}: k < 100))"
MORE = "\ndefine fold(x: number): 2 ^ x\n"


def verified(text: str) -> dict[str, PropertyResult]:
    """Return what the prover says; it may not go through all games."""
    verifier = Verifier(instantiate(rule_set_of(text), 2, {}), SETTINGS)
    verifier.analysis._walks.known[()] = None
    return {p.name: verifier.verify(p) for p in properties_of(verifier.instance.rule_set)}


@pytest.mark.parametrize(
    ("prop", "verdict"),
    [
        ("always p: 2 ^ n > 0 or n > 5", "proved"),
        ("always p: n > 5 or 2 ^ n > 0", "proved"),
        ("never p: 2 ^ n < 0 and n < 5", "proved"),
        ("never p: n < 5 and 2 ^ n < 0", "proved"),
        ("reachable p: 2 ^ n < 0 and n < 5", "unknown"),
        ("reachable p expected refuted: n < 5 and 2 ^ n < 0", "refuted"),
        ("always p: n ^ 2 >= 0", "proved"),
        ("always p: some a in {1, 2}: a = 1 or 2 ^ (n * a) > 0", "proved"),
        ("always p: some a in {1, 2}: a = 1 or n > 5 or 2 ^ (n * a) > 0", "proved"),
        ("always p: (sum of 0 * 2 ^ n for q in players) = 0", "proved"),
        ("always p: (sum of 0 * 2 ^ (size of q's hand) for q in players) = 0", "proved"),
        (f"always p: 0 * 10 ^ ({MOST}) = 0", "proved"),
        ("always p: fold(n) > 0 or n > 5", "proved"),
        ("always p: n > 5 or fold(n) > 0", "proved"),
        ("always p after add: fold(n) > 0 or n > 5", "proved"),
        ("always p after add: earlier(2 ^ n > 0 or n > 5)", "proved"),
        ("always p after add: n > 5 or fold(n) > 0", "proved"),
        ("always p after add: 2 ^ (c's size) > 0", "proved"),
        ("claim p: every t in tiles: 10 ^ (t's size * 300) > 0", "proved"),
    ],
)
def test_a_property_of_a_power_is_decided(prop: str, verdict: str) -> None:
    result = verified(game(state=STATE, actions=ADD, coins=COINS, properties=prop, more=MORE))["p"]
    assert (result.verdict, result.fault) == (verdict, None)
    assert (verdict == "unknown") == ("more than 4,000 digits" in result.story)  # where games are searched


@pytest.mark.parametrize(
    ("effects", "verdict"),
    [
        ("then n := n + 1", "proved"),
        ("then n := n + n + 1", "proved"),
        ("then k := k + n + 1\n  then n := n + k", "proved"),
        ("then n := (most of x for x in {n, k}) + (most of x for x in {n, k}) + 1", "proved"),
        ("then n := n + 1 + ((the x in {n}: x > 0) otherwise 0)", "proved"),
        ("then n := (most of x for x in {n, k}) + 1", "proved"),
        ("then n := n + 1\n  then k := k + n", "proved"),
        ('big: 2 ^ n > 0 or n > 5 "no"\n  then n := n + 1', "proved"),
        ('big: n > 5 or 2 ^ n > 0 "no"\n  then n := n + 1', "proved"),
        ('big: n > 5 or fold(n) > 0 "no"\n  then n := n + 1', "proved"),
        ("then n := n + 1\n  then when 2 ^ n > 5 or n > 5: k := 1", "proved"),
        ("then n := n + 1\n  then when n < 7: k := 2 ^ n", "proved"),
        (
            "then n := n + 1\n  then for each x in {2 ^ n, 3}: k := 1",
            "proved",
        ),  # only its conditions can refuse it
    ],
)
def test_an_event_with_large_numbers_keeps_a_hand_going(effects: str, verdict: str) -> None:
    action = f'\naction go by p "go"\n  turn: p = mover "no"\n  {effects}\n'
    text = game(state=STATE, actions=action, more=MORE).replace(
        "p = mover and not over", "p = mover and n < 0 - 1"
    )
    assert verified(text)[DEADLOCK_FREEDOM].verdict == verdict


@pytest.mark.parametrize(
    ("amount", "verdict"),
    [("2 ^ n", "proved"), ("n * stake", "proved"), ("2 ^ (size of p's hand)", "proved")],
)
def test_a_large_payment_ends_a_hand(amount: str, verdict: str) -> None:
    action = '\naction go by p "go"\n  turn: p = mover "no"\n  then n := n + 1\n  then nobody wins\n'
    payout = f"\npayout\n  then for each p in players: p scores {amount}\n"
    assert verified(game(state=STATE, actions=action, end=END + payout))[DEADLOCK_FREEDOM].verdict == verdict


END = '\nend\n  due: over "the hand is not over"\n'
FAMILY = game(
    state=STATE,
    actions=ADD,
    coins=COINS,
    more=MORE,
    properties="""
always right: n > 5 or 2 ^ n > 0
always left: 2 ^ n > 0 or n > 5
always plain: n >= 0

variant more "it grows faster"
  replace add.have: c in p's hand or k > 3

variant squares "the same in other words"
  replace add.turn: p = mover and 0 * 10 ^ k = 0
""",
)


def rules(folder: Path, name: str) -> RuleSet:
    (folder / "coins.golpae").write_text(FAMILY, encoding="utf-8")
    return elaborate(name, [folder])


def test_a_power_is_decided_for_a_whole_family(tmp_path: Path) -> None:
    rules(tmp_path, "coins")
    name = FamilyName("coins", (), ("more",), (tmp_path,))
    [group] = groups(name)[1]
    verifier = FamilyVerifier(group, name.load, 2, {}, SETTINGS)
    found = {}
    for prop in verifier.properties:
        if prop.name in ("right", "left", "plain"):
            found[prop.name] = verifier.proved(prop, verifier.region_of(prop)) is not None
    assert found == {"right": True, "left": True, "plain": True}


def test_a_power_that_changes_nothing_is_no_difference(tmp_path: Path) -> None:
    a, b = rules(tmp_path, "coins"), rules(tmp_path, "coins+squares")
    found = at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000, seed=1, games=4))
    assert (found.a_in_b.verdict, found.b_in_a.verdict) == (PROVED, PROVED)


MATCH = "state of the match\n  hands: number = 0\n  y: number = {y}\n  z: number = {z}\n"
BEGINS = {"n": "0", "k": "0", "y": "0", "z": "0"}


@pytest.mark.parametrize(
    "begins",
    [
        {"n": "0 * 2 ^ 9"},
        {"n": "0 * 2 ^ hands"},
        {"n": "y", "y": "0 * 2 ^ 9"},
        {"z": "0 * stake"},
        {"z": "0 * 2 ^ 4000"},
        {"z": "10 ^ 600", "y": "10 ^ 600", "k": "y * z"},
    ],
)
def test_a_first_value_that_nothing_reads_is_no_difference(begins: dict[str, str]) -> None:
    texts = []
    for values in (BEGINS, BEGINS | begins):
        state = "n: number = {n}\nk: number = {k}".format(**values)
        end = f"{END}  then hands := hands + 1\n"
        texts.append(game(state=state, more=MATCH.format(**values), end=end))
    a, b = map(rule_set_of, texts)
    found = at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000, seed=1, games=4))
    assert (found.a_in_b.verdict, found.b_in_a.verdict) == (PROVED, PROVED)


def test_an_effect_with_a_large_stake_is_no_difference() -> None:
    effects = ("k := 0", "k := stake * 10")
    action = '\naction go by p "go"\n  turn: p = mover and n < 9 "no"\n  then n := n + 1\n  then {}\n'
    a, b = (rule_set_of(game(state=STATE, actions=action.format(effect))) for effect in effects)
    found = at_table(TablePair(a, b, 2, {}), Settings(most=20_000_000, seed=1, games=4))
    assert (found.a_in_b.verdict, found.b_in_a.verdict) == (PROVED, PROVED)


def test_a_property_of_a_power_has_a_certificate(tmp_path: Path) -> None:
    rule_set = rules(tmp_path, "coins")
    verifier = Verifier(instantiate(rule_set, 2, {}), SETTINGS)
    verifier.analysis._walks.known[()] = None
    proved = [Proved(p, verifier.verify(p)) for p in rule_set.properties if p.name in ("right", "plain")]
    certificate = certify(verifier.instance, proved, 1, 1)
    assert ([p.name for p in certificate.entry.properties], certificate.without) == (["right", "plain"], [])
