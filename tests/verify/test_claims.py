"""The properties of the bundled texts are verified as they expect."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.bundled import spec_dir
from golpae.elaborate.check import elaborate
from golpae.elaborate.instance import instantiate
from golpae.verify.options import Settings
from golpae.verify.result import PropertyResult
from golpae.verify.scheduler import tables
from golpae.verify.status import AS_EXPECTED, meaningful, status
from golpae.verify.verifier import Verifier

GAMES = ("jjak", "three-dozen", "ho-hpai", "korean-mahjong")
RULES = tuple(
    name
    for game in GAMES
    for name in (game, *(f"{game}+{switch.name}" for switch in elaborate(game).switches))
)


def findings(rules: str, kinds: tuple[str, ...] = (), players: int | None = None) -> list[PropertyResult]:
    from golpae.verify.properties import properties_of

    rule_set = elaborate(rules)
    found = []
    for seats, options in tables(rule_set):
        if players in (None, seats):
            verifier = Verifier(instantiate(rule_set, seats, options), Settings())
            found += [verifier.verify(p) for p in properties_of(rule_set) if not kinds or p.kind in kinds]
    return meaningful(found)


def wrong(found: list[PropertyResult]) -> list[str]:
    return [f"{f.players} {f.name}: {f.verdict}, {f.story}" for f in found if status(f) != AS_EXPECTED]


USUAL = ("jjak", "ho-hpai", "ho-hpai+nearest-end", "korean-mahjong")
CLAIMED = [r for r in RULES if "+" not in r or r.startswith("ho-hpai")]


@pytest.mark.parametrize(
    "rules", [pytest.param(r, marks=[pytest.mark.slow] * (r not in USUAL)) for r in CLAIMED]
)
def test_claims_of_bundled_games_are_verified_as_expected(rules: str) -> None:
    found = findings(rules, ("claim",))
    assert found
    assert wrong(found) == []


def test_every_property_of_jjak_for_two_is_verified_as_expected() -> None:
    found = findings("jjak", players=2)
    assert {f.kind for f in found} == {"theorem", "claim", "always", "ends", "reachable"}
    assert wrong(found) == []
    assert next(f.bound for f in found if f.kind == "ends") == 26


@pytest.mark.slow  # the game is also in the file of kept proofs, and replayed there
def test_a_short_game_shows_that_order_and_acquired_tile_differ() -> None:
    rules = elaborate("jjak+third-is-acquired")
    verifier = Verifier(instantiate(rules, 2, {}), Settings())
    found = verifier.verify(next(p for p in rules.properties if p.name == "six-six-is-not-last"))
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert [e["do"] for e in found.witness.events] == ["deal", "discard", "claim", "lay", "lay", "lay"]
    assert found.witness.events[-1]["tiles"] == ["6-6", "6-6"]


@pytest.mark.slow
def test_a_spoilt_count_of_a_players_own_pieces_is_refuted(tmp_path: Path) -> None:
    for file in spec_dir().glob("ho-hpai*.golpae"):
        text = file.read_text("utf-8").replace(
            "lying-at(turns-until(q) + 1) +", "lying-at(turns-until(q) + 2) +"
        )
        (tmp_path / file.name).write_text(text, "utf-8")
    rules = elaborate("ho-hpai", [tmp_path])
    verifier = Verifier(instantiate(rules, 3, {}), Settings())
    found = verifier.verify(next(p for p in rules.properties if p.name == "each-sees-his-own-pieces"))
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert found.witness.events[-1]["do"] == "exchange"


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_every_property_of_bundled_games_is_verified_as_expected(rules: str) -> None:
    assert wrong(findings(rules)) == []


def test_a_statement_about_all_ways_of_a_score_has_room_in_its_effort() -> None:
    """It is the hardest question of the bundled games, so it counts as two: it takes 133 of 400 million units."""
    rules = elaborate("korean-mahjong+premium-each")
    (claim,) = (p for p in rules.properties if p.name == "seventy-one-at-most")
    found = Verifier(instantiate(rules, 4, {}), Settings()).verify(claim)
    assert found.verdict == "proved"
    assert found.fullest[1] == claim.name
    assert found.fullest[0] < 2 / 5
