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
def test_attribution_agrees_with_replay_under_every_rule_set_of_a_bundled_game(base: str, count: int) -> None:
    game = Checked(base)
    parted = 0
    for trace in short_traces(game, BUNDLED[base], count, 7):
        found = game.same_as_replay(trace, game.all())
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


def test_attribution_agrees_with_replay_under_some_rule_sets_of_a_game_with_scores() -> None:
    """Some switches alone, and some combinations. A slow test tries all of them."""
    game = Checked("korean-mahjong")
    rng = random.Random(5)
    few = [r for r in game.all() if r.bit_count() < 2]
    among = [*rng.sample(few, 4), *rng.sample(game.all(), 2)]
    parted = 0
    for trace in islice(recorded("korean-mahjong", "no-implied"), 1):
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
    among = [*few, *rng.sample(game.all(), 20)]
    for trace in traces(game, (3,), 8, 11):
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
