"""All games of a small table are gone through: what that proves and refutes, and when it gives up."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.prove.induction.induction import Induction
from golpae.prove.symbolic.terms import Unsupported
from golpae.replay.machine import Machine
from golpae.search import all_games as module
from golpae.search import witness
from golpae.search.all_games import all_games
from golpae.verify import analysis
from golpae.verify.options import Settings
from golpae.verify.properties import properties_of
from golpae.verify.result import PropertyResult
from golpae.verify.verifier import Verifier
from tests.verify.shells import SHELLS, SIZED


def decided(folder: Path, stated: str, text: str = SHELLS) -> PropertyResult:
    """Return the result of the last property of the text, with `stated` added."""
    file = folder / "shells.golpae"
    file.write_text(f"{text}\n{stated}\n", encoding="utf-8")
    rules = elaborate("shells", [file])
    result = Verifier(instantiate(rules, 2, {}), Settings(games=5)).verify(rules.properties[-1])
    assert result.fault is None
    return result


def machine_of(folder: Path, text: str = SHELLS) -> Machine:
    file = folder / "shells.golpae"
    file.write_text(text, encoding="utf-8")
    return Machine(instantiate(elaborate("shells", [file]), 2, {}))


def test_every_position_comes_once_and_replay_accepts_the_way_to_it(tmp_path: Path) -> None:
    machine = machine_of(tmp_path)
    games = all_games(machine)
    assert games is not None
    assert games.whole
    for position in games.positions:
        assert len(games.game(position)) == position.depth
    depths = [position.depth for position in games.positions]
    assert depths == sorted(depths)


def test_a_property_that_holds_everywhere_is_proved_with_the_number_of_positions(tmp_path: Path) -> None:
    found = decided(tmp_path, "always counted: thrown = size of sand")
    assert (found.verdict, found.story, found.vacuous) == ("proved", f"all {found.positions} positions", None)
    assert found.queries == 0


@pytest.mark.parametrize("all_listed", [True, False])
def test_hands_may_be_as_large_as_the_game_says(
    all_listed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not all_listed:
        monkeypatch.setattr(analysis, "all_games", lambda machine, also=(): None)
    file = tmp_path / "sized.golpae"
    file.write_text(SIZED, encoding="utf-8")
    rules = elaborate("sized", [file])
    verifier = Verifier(instantiate(rules, 2, {}), Settings(games=5))
    results = {prop.name: verifier.verify(prop) for prop in properties_of(rules)}
    assert [r.fault for r in results.values()] == [None] * len(results)
    assert results["two"].verdict == results["some-event-is-legal"].verdict == "proved"
    wanted = ("proved", "refuted") if all_listed else ("bounded", "unknown")
    assert (results["counted"].verdict, results["three"].verdict) == wanted


def without_more_invariants(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the prover not support some of them, and let not all games be gone through."""

    def strengthened(self: analysis.Analysis, base: object) -> Induction:
        raise Unsupported("something among the invariants", "throw.turn")

    monkeypatch.setattr(analysis, "all_games", lambda machine, also=(): None)
    monkeypatch.setattr(analysis.Analysis, "_strengthened", strengthened)


@pytest.mark.solver
@pytest.mark.parametrize("stated", ["always few: thrown < 2", "ends never-ends: 1"])
def test_a_game_decides_what_more_invariants_cannot(
    stated: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_more_invariants(monkeypatch)
    found = decided(tmp_path, stated)
    assert found.verdict == "refuted"
    assert found.witness is not None


@pytest.mark.solver
def test_what_more_invariants_do_not_support_is_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_more_invariants(monkeypatch)
    found = decided(tmp_path, "never large within 2 events: size of thrower's hand = 3")
    assert found.verdict in ("unknown", "bounded")
    assert "something among the invariants, in `throw.turn`" in found.story
    assert found.unsupported is not None


def test_what_induction_cannot_show_is_proved(tmp_path: Path) -> None:
    """Nothing says why, but the throws alternate: whoever has more shells is to throw."""
    found = decided(
        tmp_path,
        "always even: not over and thrown = 2 implies size of thrower's hand = size of thrower's right's hand",
    )
    assert found.verdict == "proved"


@pytest.mark.parametrize(
    ("stated", "events"),
    [
        ("always few: thrown < 2", ["deal", "throw", "throw"]),
        ("never lit-late: lit and thrown = 1", ["deal", "throw", "flip"]),
        ("always dark after throw: tile in {dark}", ["deal", "throw"]),
        ("always in-hand: size of box = 0", []),
        ("always kept after throw: lit = earlier(lit) and not lit", ["deal", "flip", "throw"]),
    ],
)
@pytest.mark.solver
def test_what_fails_is_refuted_by_a_shortest_game(tmp_path: Path, stated: str, events: list[str]) -> None:
    found = decided(tmp_path, stated)
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert [e["do"] for e in found.witness.events] == events


@pytest.mark.solver
def test_what_fails_before_the_first_deal_counts_also_where_games_are_many(tmp_path: Path) -> None:
    many = SHELLS.replace("4 of 2 kinds", "40 of 2 kinds").replace("two of each", "20 of each")
    many = many.replace("hands: 2", "hands: 15")
    found = decided(tmp_path, "always dealt: size of box < 40", many)
    assert found.verdict == "refuted"
    assert found.story == "before the first event; `size of box` is 40, not less than 40"
    assert found.witness is not None
    assert found.witness.events == ()


def test_a_state_without_a_first_value_is_not_asked_before_the_first_deal(tmp_path: Path) -> None:
    found = decided(tmp_path, "always held: thrower = thrower and (size of box = 0 or thrower /= thrower)")
    assert found.verdict == "proved"


@pytest.mark.solver
def test_what_can_be_reached_is_shown_and_what_cannot_is_refuted(tmp_path: Path) -> None:
    shown = decided(tmp_path, "reachable all-thrown: thrown = 4 and lit")
    assert shown.verdict == "proved"
    assert shown.witness is not None
    assert len(shown.witness.events) == 6
    never = decided(tmp_path, "reachable five: thrown = 5")
    assert never.verdict == "refuted"
    assert never.story == f"no game gets there: all {never.positions} positions"


@pytest.mark.solver
def test_a_hand_that_goes_on_for_ever_is_shown_by_a_game_that_returns(tmp_path: Path) -> None:
    found = decided(tmp_path, "ends hand: 4 - thrown")
    assert found.verdict == "refuted"
    assert found.story == "after event 3 the game is in the same state as after event 1"


def test_an_action_that_comes_a_bounded_number_of_times_is_proved_for_itself(tmp_path: Path) -> None:
    found = decided(tmp_path, "ends throws after throw: 4 - thrown")
    assert (found.verdict, found.bound, found.after) == ("proved", 4, "throw")
    assert found.story.startswith("at most 4 `throw` events in a hand, which other events may prolong: all ")


@pytest.mark.solver
def test_hands_that_end_do_so_whatever_the_number(tmp_path: Path) -> None:
    text = SHELLS.replace("then lit := not lit", 'unlit: not lit "no"\n  then lit := yes')
    assert decided(tmp_path, "ends hand: 5 - thrown - (if lit then 1 else 0)", text).bound == 5
    found = decided(tmp_path, "ends hand: 4 - thrown", text)
    assert (found.verdict, found.bound) == ("proved", 5)
    assert found.story == f"within 5 events: all {found.positions} positions; the number does not show it"
    longer = decided(tmp_path, "ends hand within 4 events: 5 - thrown - (if lit then 1 else 0)", text)
    assert longer.verdict == "refuted"
    assert longer.witness is not None
    assert len(longer.witness.events) == 6


@pytest.mark.solver
def test_a_hand_in_which_nobody_can_act_is_found(tmp_path: Path) -> None:
    text = SHELLS.replace('"flip"\n', '"flip"\n  early: thrown = 0 "no"\n').replace(
        "size of sand = 4", "size of sand = 5"
    )
    machine = machine_of(tmp_path, text)
    rules = machine.rules
    from golpae.verify.properties import DEADLOCK_FREEDOM, properties_of

    (prop,) = [p for p in properties_of(rules) if p.name == DEADLOCK_FREEDOM]
    found = Verifier(machine.instance, Settings()).verify(prop)
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert len(found.witness.events) == 5


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ("always five: thrown = 5 implies lit", "its premise is never true"),
        ("always five: not (thrown = 5) or lit", "its premise is never true"),
        ("always none: every t in sand - tiles: t = t", "it goes through nothing"),
        ("never none: some t in sand - tiles: t /= t", "it goes through nothing"),
        ("always none: no u in {}: thrown = u", "it goes through nothing"),
        ("always many: every h of 9 in sand: size of h = 9", "it goes through nothing"),
        ("always late after throw: thrown = 5 implies lit", "its premise is never true"),
        ("always four: thrown = 4 implies size of sand = 4", None),
        ("always shown: every t in sand: t = t", None),
        ("always at-most: not (thrown = 5 and lit)", None),
    ],
)
def test_a_property_that_never_applies_is_vacuous(tmp_path: Path, stated: str, why: str | None) -> None:
    found = decided(tmp_path, stated)
    assert (found.verdict, found.vacuous) == ("proved", why)


def test_an_action_that_never_happens_makes_what_follows_it_vacuous(tmp_path: Path) -> None:
    text = SHELLS.replace('"flip"\n', '"flip"\n  never: thrown = 9 "no"\n')
    found = decided(tmp_path, "always lit-now after flip: not lit or thrown = 3", text)
    assert (found.verdict, found.vacuous) == ("proved", "`flip` can never happen")


@pytest.mark.parametrize(
    ("old", "new"),
    [("flip by p", "flip(count: number) by p"), ("size of sand = 4", "size of sand = 3 + stake")],
    ids=["number", "stake"],
)
def test_games_that_cannot_be_listed_are_not_gone_through(tmp_path: Path, old: str, new: str) -> None:
    assert all_games(machine_of(tmp_path, SHELLS.replace(old, new))) is None


def test_many_deals_are_not_begun(tmp_path: Path) -> None:
    machine = machine_of(tmp_path)
    assert all_games(machine, most_positions=2) is None


def test_a_limit_leaves_a_walk_that_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = all_games(machine_of(tmp_path), most_positions=20)
    assert games is not None
    assert not games.whole
    assert games.left < len(games.positions)


def test_names_of_an_event_are_those_of_its_action(tmp_path: Path) -> None:
    games = all_games(machine_of(tmp_path))
    assert games is not None
    event = next(e for _, e, _ in games.events() if e.action == "throw")
    assert [name for name, _ in witness.named(games.machine, event)] == ["p", "tile"]
    assert len(games.positions) < module.MOST_POSITIONS


def test_the_values_of_a_witness_are_words_of_the_rules(tmp_path: Path) -> None:
    both = """
action throw_both(tiles: {a, b}, loud: yes or no, spare: tile or none) by p "throw both"
  turn: p = thrower "no"
  held: {a, b} in p's hand "no"
  then move {a, b} from p's hand to sand
  then thrower := p's right
"""
    stated = "always apart after throw_both: not (a = pale and b = pale and loud and spare is none)"
    shown = decided(tmp_path, stated, SHELLS.replace("\nend\n", f"{both}\nend\n", 1)).witness
    assert shown is not None
    assert dict(shown.values).items() >= {"tiles": "pale pale", "loud": "yes", "spare": "none"}.items()
