"""What is asked of each hand that is over, on both paths."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from golpae.bundled import spec_dir
from golpae.elaborate.instance import options_of
from golpae.ir import expr as ir
from golpae.ir.ruleset import RuleSet
from golpae.kernel.language.host import available
from golpae.progress import Progress
from golpae.rule_names import named, named_rule_set
from golpae.simulate import compiled
from golpae.simulate import series as running
from golpae.simulate.compiled import compiled_table
from golpae.simulate.series import Series, simulate
from golpae.simulate.tally import Tally
from tests.differential.texts import RuleText
from tests.simulate.shared import ENDLESS, SMALL, STUCK


def asking(source: str, *events: str) -> tuple[RuleSet, tuple[ir.Expr, ...]]:
    """Return the rules of a text, and these events."""
    claims = "".join(f"claim c{n}: about 1% of hands by random: {event}\n" for n, event in enumerate(events))
    rule_set = RuleText("small", source + claims).rule_set()
    return rule_set, tuple(share.event for share in rule_set.shares)


def played(rule_set: RuleSet, events: tuple[ir.Expr, ...], games: int, longest: int = 10_000) -> Tally:
    options = options_of(rule_set, {})
    series = Series(rule_set, 2, options, ("random",) * 2, 5, games, longest=longest, asked=events)
    return simulate(series, 1, Progress()).tally


def test_an_event_is_asked_after_the_last_event_of_each_hand() -> None:
    rule_set, events = asking(
        SMALL, "winner is not none", "some p in players: winner = p and p's hand is not empty", "over", "yes"
    )
    tally = played(rule_set, events, 30)
    assert [tally.asked[n] for n in range(4)] == [30, 0, 0, 30]  # after its `end`, no hand is over


def test_a_hand_is_broken_off_after_as_many_events_as_are_said() -> None:
    rule_set, events = asking(ENDLESS, "winner is none and shown is not empty")
    tally = played(rule_set, events, 4, longest=9)
    assert list(tally.endings.values()) == [4]
    assert tally.asked[0] == 4


def test_nothing_is_asked_of_a_hand_that_was_never_dealt() -> None:
    never = SMALL.replace("deal from purse\n", 'deal from purse\n  no: shown is not empty "no"\n')
    rule_set, events = asking(never, "winner is none", "mover in players")
    tally = played(rule_set, events, 3)
    assert (tally.hands, tally.ended, tally.asked[0]) == (3, 0, 0)


def test_dead_ends_are_asked_too() -> None:
    rule_set, events = asking(STUCK, "winner is none")
    tally = played(rule_set, events, 5)
    assert (tally.ended, tally.asked[0]) == (0, 5)


def test_patterns_are_counted_only_if_somebody_wants_them() -> None:
    rule_set = named_rule_set(named("ho-hpai", (spec_dir(),)))
    series = Series(rule_set, 4, {}, ("random",) * 4, 3, 20, longest=30)
    whole, less = (simulate(replace(series, scored=s), 1, Progress()).tally for s in (True, False))
    assert whole.scored == sum(whole.patterns.values()) > 0
    assert less == replace(whole, patterns=Counter(), scored=0)


@pytest.mark.skipif(not available(), reason="modules do not run here")
@pytest.mark.parametrize(
    ("rules", "policy", "games", "longest"),
    [("jjak", "greedy", 40, 10_000), ("ho-hpai", "random", 20, 60), ("korean-mahjong", "random", 1, 80)],
)
def test_both_paths_have_the_same_answers(
    rules: str, policy: str, games: int, longest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule_set = named_rule_set(named(rules, (spec_dir(),)))
    events = tuple(prop.expr for prop in rule_set.properties if prop.kind == "always" and prop.after is None)
    options = options_of(rule_set, {})
    policies = (policy,) * 4
    series = Series(rule_set, 4, options, policies, 3, games, longest=longest, asked=events)
    monkeypatch.setattr(compiled, "CHECKED", 1_000_000)
    found = []
    for path in (compiled_table, lambda table, traced: None):
        monkeypatch.setattr(running, "compiled_table", path)
        found.append(simulate(series, 1, Progress()))
    assert found[0] == found[1]
    assert found[0].tally.hands == games
