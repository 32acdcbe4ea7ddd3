"""What each variant and reading changes: shown by a proof, or by a game that replay confirms."""

from __future__ import annotations

import io
import json

import pytest

from golpae.compare.games.confirmed_game import TablePair
from golpae.compare.games.table_comparison import at_table
from golpae.compare.games.verdict import PROVED, REFUTED, AtTable, QuestionResult, WitnessGame
from golpae.elaborate.cache import elaborate_cached
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.trace import Verdict
from golpae.trace.written import trace_text
from golpae.verify.options import Settings
from tests.committed import TOP

PASSED_OVER = (
    "ho-hpai",
)  # the solver cannot search these games, because it does not see the counts of hands

# a, b, players; whether every game of a is one of b, and the reverse (the clause that refuses the shortest
# game, and its length); whether common games have the same payments
Found = tuple[str, int] | None
QUICK: list[tuple[str, str, int, Found, Found, Found]] = [
    ("jjak", "jjak+lay-optional", 2, None, ("jjak.discard.pairs", 2), None),
    ("ho-hpai", "ho-hpai+withdraw-single", 3, ("ho-hpai.deal.rest", 1), ("ho-hpai.deal.set", 1), None),
    # K6 says who starts the next round, whatever J12r says
    ("jjak+ten-rounds", "jjak+ten-rounds+any-lead", 2, None, None, None),
]
SLOW: list[tuple[str, str, int, Found, Found, Found]] = [
    ("jjak", "jjak+doubling", 2, None, None, ("jjak.end.pay", 5)),
    ("jjak", "jjak+row", 2, ("jjak.draw.place", 3), None, None),
    ("three-dozen", "three-dozen+lay-compulsory", 2, ("three-dozen.discard.pairs", 2), None, None),
    ("jjak", "jjak+culin", 2, ("jjak.discard.pairs", 2), ("jjak.lay.pair", 2), None),
    # the player who does not discard is next: with two players nobody else can claim
    ("jjak", "jjak+relaxed", 2, None, None, None),
    ("jjak", "jjak+relaxed", 3, None, ("jjak.claim.turn", 3), None),
    ("jjak", "jjak+relaxed", 4, None, ("jjak.claim.turn", 3), None),
    # a barred pair need not be laid: its tiles may be discarded (J9r)
    ("jjak", "jjak+reserve-win", 2, ("jjak.lay.closed", 6), ("jjak.discard.pairs", 6), None),
    ("jjak+lay-optional", "jjak+lay-optional+reserve-win", 2, ("jjak.lay.closed", 6), None, None),
    ("jjak", "jjak+third-is-acquired", 3, ("jjak.lay.third", 6), ("jjak.lay.third", 6), None),
    # with four, no pair is barred
    ("jjak", "jjak+third-is-acquired", 4, None, None, None),
    (
        "jjak",
        "jjak+ten-rounds",
        2,
        ("jjak.discard.pairs", 4),
        ("jjak.claim.mate", 3),
        ("jjak.end.pay", 5),
    ),
    # a whole hand, and another player opens the next
    ("jjak", "jjak+any-lead", 2, None, ("jjak.deal.opener", 6), None),
    # these two read source 002: without ten-rounds they change nothing
    ("jjak", "jjak+take-to-pair", 2, None, None, None),
    ("jjak", "jjak+six-six-stays", 2, None, None, None),
    ("jjak+ten-rounds", "jjak+ten-rounds+take-to-pair", 2, ("jjak.claim.mate", 3), None, None),
    (
        "jjak+ten-rounds",
        "jjak+ten-rounds+six-six-stays",
        2,
        ("jjak.lay.third", 4),
        ("jjak.discard.pairs", 4),
        None,
    ),
    ("three-dozen", "three-dozen+may-draw", 2, None, ("three-dozen.draw.claim", 3), None),
    ("ho-hpai", "ho-hpai+may-pass", 3, None, ("ho-hpai.exchange.winning", 4), None),
    (
        "ho-hpai",
        "ho-hpai+play-follows-pass",
        3,
        ("ho-hpai.exchange.turn", 5),
        ("ho-hpai.exchange.turn", 5),
        None,
    ),
    # `at` is optional in one, and in the other it has to name an end
    (
        "ho-hpai",
        "ho-hpai+nearest-end",
        3,
        ("ho-hpai.exchange.side", 4),
        ("ho-hpai.exchange.side", 4),
        None,
    ),
    # three play without 3-3, which a-ki has in both
    ("ho-hpai", "ho-hpai+a-ki-as-printed", 3, None, None, None),
]


@pytest.mark.parametrize(("a", "b", "players", "within", "without", "paid"), QUICK)
def test_a_switch_changes_games_and_payments_as_listed(
    a: str, b: str, players: int, within: Found, without: Found, paid: Found
) -> None:
    check(a, b, players, within, without, paid)


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b", "players", "within", "without", "paid"), SLOW)
def test_a_switch_that_takes_longer_changes_games_and_payments_as_listed(
    a: str, b: str, players: int, within: Found, without: Found, paid: Found
) -> None:
    check(a, b, players, within, without, paid)


@pytest.mark.slow
@pytest.mark.parametrize(
    "switch",
    [
        "three-dozen+winner-leads",
        "ho-hpai+a-ki-as-printed",
        "ho-hpai+counts-add",
        "ho-hpai+no-sok",
        "korean-mahjong+dealer-keeps",
        "korean-mahjong+four-as-two-pairs",
        "korean-mahjong+premium-each",
        "korean-mahjong+no-implied",
    ],
)
def test_a_switch_whose_shortest_game_is_long_is_told_apart_by_some_game(switch: str) -> None:
    """The game that shows it need not be the shortest."""
    base = switch.partition("+")[0]
    found = table(base, switch, 4)
    assert found.a_in_b.verdict == REFUTED
    assert found.b_in_a.verdict == (PROVED if switch.endswith("winner-leads") else REFUTED)
    assert found.paid.verdict == PROVED
    for held, ours, theirs in ((found.a_in_b, base, switch), (found.b_in_a, switch, base)):
        if held.game is not None:
            tells_apart(held.game, ours, theirs)


# Recorded games of korean-mahjong, whose shortest games the solver does not find: the game, which rules allow it,
# and at which event and by which clause the others refuse it. Nothing is here for the reverse of any-win-suffices,
# which only allows more.
BASE = "korean-mahjong"
RECORDED = [
    ("ready-2", f"{BASE}+any-win-suffices", BASE, 13, "ready.waits"),
    ("winds-4", f"{BASE}+fixed-seats", BASE, 9, "win.points"),
    ("winds-2", BASE, f"{BASE}+fixed-seats", 9, "win.points"),
    ("plum-1", f"{BASE}+plum-by-flower", BASE, 15, "win.points"),
    ("plum-2", BASE, f"{BASE}+plum-by-flower", 15, "win.points"),
    ("blessing-1", f"{BASE}+man-whole-round", BASE, 8, "win.minimum"),
    ("blessing-8", BASE, f"{BASE}+man-whole-round", 10, "win.points"),
    ("pairs-2", f"{BASE}+pairs-are-no-sets", BASE, 13, "win.points"),
    ("pairs-1", BASE, f"{BASE}+pairs-are-no-sets", 13, "win.points"),
    ("double-ready-2", f"{BASE}+readies-add", BASE, 9, "win.points"),
    ("double-ready-1", BASE, f"{BASE}+readies-add", 9, "win.points"),
]


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "ours", "theirs", "event", "clause"), RECORDED)
def test_a_recorded_game_tells_two_readings_apart(
    name: str, ours: str, theirs: str, event: int, clause: str
) -> None:
    text = (TOP / "traces" / BASE / "readings-in-play.jsonl").read_text("utf-8")
    (game,) = (trace for trace in text.split('{"golpae"') if f'"id":"{name}"' in trace)
    lines = [json.loads(line) for line in ('{"golpae"' + game).splitlines()]
    tells_apart(WitnessGame(tuple(lines[: event + 1]), theirs, f"{BASE}.{clause}", "", False), ours, theirs)


def table(a: str, b: str, players: int) -> AtTable:
    one, other = elaborate_cached(a), elaborate_cached(b)
    return at_table(TablePair(one, other, players, {}), Settings())


def check(a: str, b: str, players: int, within: Found, without: Found, paid: Found) -> None:
    found = table(a, b, players)
    for held, wanted, ours, theirs in (
        (found.a_in_b, within, a, b),
        (found.b_in_a, without, b, a),
        (found.paid, paid, a, b),
    ):
        as_wanted(held, wanted, ours, theirs)


def as_wanted(held: QuestionResult, wanted: Found, ours: str, theirs: str) -> None:
    if wanted is None:
        assert (held.verdict, held.game) == (PROVED, None), held.detail
        return
    assert held.verdict == REFUTED, held.detail
    assert held.game is not None
    assert (held.game.clause, held.game.events) == wanted
    assert held.game.shortest or ours.partition("+")[0] in PASSED_OVER
    tells_apart(held.game, ours, theirs)


def tells_apart(game: WitnessGame, ours: str, theirs: str) -> None:
    """Check that replay allows the game under one rule set and refuses its last event under the other."""
    library = Library(elaborate_cached)
    assert game.lines[0]["rules"] == ours
    assert game.refused_by == theirs
    lines = trace_text(game.lines)
    (allowed,) = replay(io.BytesIO(lines), "a game", library)
    assert allowed.outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE)
    (refused,) = replay(io.BytesIO(lines), "a game", library, theirs)
    assert refused.outcome.verdict == Verdict.ILLEGAL
    assert (refused.outcome.event, refused.outcome.clause) == (game.events, game.clause)
