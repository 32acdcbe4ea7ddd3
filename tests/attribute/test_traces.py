"""`attribute` on one trace, compared with replay under every rule set."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from golpae.diagnostics import SpecError
from golpae.replay.simulate import DeadEnd, header, play
from tests.attribute.attributed import Checked, Lines, won
from tests.attribute.guilds import GUILDS, spoilt
from tests.committed import TOP
from tests.replay.play import match

pytestmark = pytest.mark.corpus

BUNDLED = {"jjak": (2, 3, 4), "ho-hpai": (3, 4), "three-dozen": (2, 3, 5), "korean-mahjong": (4,)}


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    (folder / "guilds.golpae").write_text(GUILDS, encoding="utf-8")
    return folder


def traces(game: Checked, players: tuple[int, ...], count: int, seed: int) -> Iterator[Lines]:
    """Random matches by random rule sets, more than half of them spoilt."""
    rng = random.Random(seed)
    among = game.all()
    while count:
        machine = game.machine(rng.choice(among), rng.choice(players))
        try:
            trace = match(machine, rng, rng.choice((1, 1, 2)))
        except (AssertionError, IndexError):  # a hand without an end, or a dead end
            continue
        yield trace if rng.random() < 0.4 else spoilt(trace, rng)
        count -= 1


def short_traces(game: Checked, players: tuple[int, ...], count: int, seed: int) -> Iterator[Lines]:
    rng = random.Random(seed)
    among = game.all()
    while count:
        machine = game.machine(rng.choice(among), rng.choice(players))
        try:
            trace = [header(machine), *play(machine, machine.new_state(1), rng, longest=30)]
        except DeadEnd:
            continue
        yield trace if rng.random() < 0.4 else spoilt(trace, rng)
        count -= 1


@pytest.mark.parametrize(("base", "count"), [("ho-hpai", 2), ("three-dozen", 15)])
def test_attribution_agrees_with_replay_under_rule_sets_of_a_bundled_game(base: str, count: int) -> None:
    """At most 20 of them. A slow test tries all."""
    game = Checked(base)
    among = random.Random(2).sample(game.all(), min(20, len(game.all())))
    parted = 0
    for trace in short_traces(game, BUNDLED[base], count, 7):
        found = game.same_as_replay(trace, among)
        parted += bool(found.accepting) and bool(found.refused)
    assert parted  # some trace that some rule sets accept and some refuse


def recorded(base: str, names: str = "*") -> Iterator[Lines]:
    """Yield the well-formed traces of the repository."""
    for file in sorted((TOP / "traces" / base).glob(f"{names}.jsonl")):
        if "malformed" in file.name:
            continue
        trace: Lines = []
        for line in file.read_text("utf-8").splitlines():
            with suppress(json.JSONDecodeError):
                event = json.loads(line)
                if "golpae" in event and trace:
                    yield trace
                    trace = []
                trace.append(event)
        yield trace


@pytest.mark.slow
def test_attribution_agrees_with_replay_under_some_rule_sets_of_a_game_with_scores() -> None:
    """Some switches alone, and some combinations. A slow test tries all of them."""
    game = Checked("korean-mahjong")
    rng = random.Random(5)
    few = [r for r in game.all() if r.bit_count() < 2]
    among = [*rng.sample(few, 3), *rng.sample(game.all(), 1)]
    parted = 0
    for trace in islice(recorded("korean-mahjong", "readings"), 1, 2):
        found = game.same_as_replay(trace, among)
        parted += bool(found.accepting) and bool(found.refused)
    assert parted


@pytest.mark.slow
@pytest.mark.parametrize("base", BUNDLED)
def test_attribution_agrees_with_replay_on_all_recorded_games(base: str) -> None:
    game = Checked(base)
    for trace in recorded(base):
        game.same_as_replay(trace, game.all())


def test_attribution_agrees_with_replay_under_some_rule_sets_of_jjak() -> None:
    """No switch, each switch alone, and some combinations. A slow test tries all of them."""
    game = Checked("jjak")
    rng = random.Random(3)
    few = [r for r in game.all() if r.bit_count() < 2]
    among = [*few, *rng.sample(game.all(), 6)]
    for trace in traces(game, (3,), 3, 11):
        game.same_as_replay(trace, among)


@pytest.mark.slow
@pytest.mark.parametrize("base", BUNDLED)
@pytest.mark.parametrize("seed", range(3))
def test_attribution_agrees_with_replay_under_every_rule_set_of_every_game(base: str, seed: int) -> None:
    game = Checked(base)
    for trace in traces(game, BUNDLED[base], 25, seed):
        game.same_as_replay(trace, game.all())


def test_attribution_agrees_with_replay_under_some_rule_sets_of_a_made_up_game(own: Path) -> None:
    game = Checked("guilds", own)
    few = [r for r in game.all() if r.bit_count() < 2]
    among = [*few, *random.Random(4).sample(game.all(), 25)]
    parted = 0
    for trace in traces(game, (3,), 15, 5):
        found = game.same_as_replay(trace, among)
        parted += bool(found.accepting) and bool(found.refused)
    assert parted > 3


@pytest.mark.slow
def test_attribution_agrees_with_replay_under_every_rule_set_of_a_made_up_game(own: Path) -> None:
    game = Checked("guilds", own)
    for trace in traces(game, (2, 3), 150, 6):
        game.same_as_replay(trace, game.all())


def test_the_family_holds_exactly_the_rule_sets_that_load(own: Path) -> None:
    game = Checked("guilds", own)
    there = set(game.all())
    for switches_on in range(1 << len(game.family.names)):
        if switches_on.bit_count() <= 2:
            try:
                game.load(game.family.called(switches_on))
            except SpecError:
                assert switches_on not in there
            else:
                assert switches_on in there
    assert game.family.clashes == (("falling", "climbing"),)


def test_a_refusal_has_the_words_of_its_rule_set() -> None:
    """The amount that a player had to be paid differs from rule set to rule set, and so do the words."""
    game = Checked("jjak")
    [found] = game.found(won("jjak"))
    doubling, ten = game.family.bits(["doubling"]), game.family.bits(["ten-rounds"])
    for switches_on, amount in ((doubling, 4), (ten, 3), (doubling | ten, 12)):
        refusal = found.refusal(switches_on)
        assert refusal is not None
        assert (refusal.event, refusal.clause) == (10, "jjak.end.pay")
        assert refusal.words(switches_on).startswith(f"`pay` should be [{-amount}, {amount}]")


CIRCLE = """game circle "Pairs are shown"

players 2 to 2

tiles
  coins: two of each copper silver

zones
  pool: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner
  each player's shown: melds seen by everyone

shape pair(a, b): a = b
define long: no

action show(coins: {a, b}) by p
  has: {a, b} in p's hand
  then own: move {a, b} from p's hand to p's shown as pair

action count(m: meld, n: number) by p
  has: m in p's shown
  fine: long or n > 0
  then win: nobody wins

deal from pool
  hands: 2 for everyone

end
  due: over

variant twins "another label"
  replace show.own: move {a, b} from p's hand to p's shown as twins

variant endless "a condition that takes too long"
  replace long: every x in {1 to 90000}: every y in {1 to 1000}: x + y > 0

variant slow "an effect that takes too long"
  replace count.win: when (every x in {1 to 90000}: every y in {1 to 1000}: x + y > 0): nobody wins

variant first-slow "a condition of the deal that takes too long"
  add deal.slow: every x in {1 to 90000}: every y in {1 to 1000}: x + y > 0
"""


@pytest.fixture(scope="module")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    folder = tmp_path_factory.mktemp("circle")
    (folder / "circle.golpae").write_text(CIRCLE, encoding="utf-8")
    return Checked("circle", folder)


def counted(label: str, tile: str = "copper") -> Lines:
    """Return a game in which An shows two coppers and counts a meld."""
    return [
        {"golpae": 1, "rules": "circle", "players": ["An", "Bo"]},
        {"do": "deal", "first": 0, "hands": [["copper", "copper"], ["silver", "silver"]]},
        {"do": "show", "by": 0, "coins": ["copper", "copper"]},
        {"do": "count", "by": 0, "m": [label, tile, tile], "n": 1},
    ]


def test_an_event_that_is_malformed_under_some_rule_sets_is_refused_by_these(circle: Checked) -> None:
    [found] = circle.found(counted("twins"))
    assert found.fault is None
    assert found.accepting is not None
    twins, endless, _, first = (1 << n for n in range(4))
    for switches_on in circle.all():
        refusal = found.refusal(switches_on)
        assert (switches_on in found.accepting) == (switches_on == twins)
        if switches_on == twins:
            assert refusal is None
            continue
        assert refusal is not None
        assert refusal.clause is None
        assert refusal.event == (1 if switches_on & first else 3)
        if switches_on & first:
            words = "evaluating `deal.slow` takes more than"
        elif not switches_on & twins:
            words = "there is no shape `twins`"
        else:
            words = f"evaluating `count.{'fine' if switches_on & endless else 'win'}` takes more than"
        assert refusal.words(switches_on).startswith(words)


def test_an_event_that_is_malformed_under_all_rule_sets_that_get_there_makes_the_trace_malformed(
    circle: Checked,
) -> None:
    [found, after] = circle.found(counted("triplets"), counted("pair"))
    assert found.fault is not None
    assert (found.fault.event, found.fault.message) == (3, "there is no shape `triplets`")
    assert after.accepting is not None
    assert 0 in after.accepting
