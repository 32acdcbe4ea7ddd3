"""Every mutant of a rule text is noticed: a recorded game gets another verdict, or a property does not hold.

A mutant that elaborates is noticed by a trace under `traces/` or a hand in `GAME-hands.jsonl`. If not, it is listed in
`GAME-properties.txt` with the property that is refuted, or in `GAME-equivalent.txt` with the reason why it changes
nothing. For some games only a sample of the mutants is tried by default; the slow tests try all of them and check the
lists with the solver. `golpae mutate` counts.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from golpae.diagnostics import Text
from golpae.elaborate.load import Loaded, load
from golpae.mutate.bench import Bench
from golpae.mutate.judge import Judge, elaborates, silent
from golpae.mutate.mutants import Mutant, mutants
from golpae.mutate.places import places
from golpae.mutate.properties import noticed, proved_same
from golpae.prove.answer import REFUTED
from golpae.syntax import tree as t
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.committed import TOP
from tests.mutation.listed import PROVED, equivalent, hands, noticed_by_property, traces
from tests.replay.shared import rule_set, text

pytestmark = pytest.mark.corpus

GAME = "jjak"
LEAST = 700  # mutants of jjak
LOOKED_AT = {  # one in so many, by default
    GAME: 32,
    "three-dozen": 30,
    "ho-hpai": 90,
    "korean-mahjong": 600,
    "block-dominoes": 60,
    "bridge": 150,
    "gin-rummy": 150,
    "go-stop": 150,
    "hearts": 80,
    "minibridge": 30,
    "riichi": 500,  # so many rule sets that a mutant which nothing notices takes ten seconds
    "spades": 80,
    "whist": 30,
}
SOME = [(game, step) for game, step in LOOKED_AT.items() if step > 1]
SLOW = [pytest.param(game, 1, marks=pytest.mark.slow) for game in LOOKED_AT]
ONLY = {
    "minibridge": "minibridge",  # what it includes is looked at in another game, whose recorded games notice more
}
"""The only text of a game that is looked at, if that is not all it includes."""
SOLVED = (GAME, "three-dozen", "ho-hpai")  # a solver takes minutes for each mutant of the others


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Switch the garbage collector off: the many short-lived trees have no cycles, and it takes a fifth of
    the time.
    """
    gc.disable()
    yield
    gc.enable()


def by_name(loaded: Loaded) -> dict[str, Mutant]:
    return {mutant.name: mutant for mutant in mutants(loaded)}


def looked_at(game: str) -> list[Mutant]:
    """Return the mutants of a game."""
    whole, spans = mutants(silent(text(game))), places(text(game))
    return [m for m in whole if game not in ONLY or Path(spans[m.place].text.name).stem == ONLY[game]]


def bench_of(game: str) -> Bench:
    return Bench(text(game), traces(game), hands(game))


def explained(game: str) -> dict[str, str]:
    return noticed_by_property(game) | equivalent(game)


def proved(game: str) -> dict[str, bool]:
    """Return the mutants that change nothing, and whether the solver shows that."""
    return {name: why.startswith(PROVED) for name, why in equivalent(game).items()}


# ------------------------------------------------------------------ mutants


def test_a_condition_and_its_effects_have_the_expected_mutants() -> None:
    found = {
        place: [m.change for m in mutants(text(GAME)) if m.place == place]
        for place in ("discard.owed", "lay.then (3)", "payout.claimed")
    }
    assert found["discard.owed"] == [
        "dropped",
        "owed is none -> owed is not none",
        "owed -> acquired",
    ]
    assert found["lay.then (3)"] == [
        "dropped",
        "when size of p's laid = 3: p wins -> when yes: p wins",
        "size of p's laid = 3 -> size of p's laid /= 3",
        "3 -> 4",
        "3 -> 2",
        "p wins -> nobody wins",
    ]
    price = "price(winner) * (size of players - 1)"
    assert {
        f"claimed-from pays winner {price} -> winner pays claimed-from {price}",
        "size of players - 1 -> size of players",
        "1 -> 2",
        "1 -> 0",
    } <= set(found["payout.claimed"])


def test_mutants_differ_in_name_and_from_the_text() -> None:
    found = mutants(text(GAME))
    assert len(found) >= LEAST
    assert len({m.name for m in found}) == len(found)
    assert all(m.loaded.decls != text(GAME).decls for m in found)


def test_a_text_without_messages_has_the_same_mutants() -> None:
    assert list(by_name(text(GAME))) == list(by_name(silent(text(GAME))))


def test_a_mutant_that_moves_the_last_state_of_its_kind_is_a_text() -> None:
    file = TOP / "tests" / "differential" / "found" / "inner-loop-in-order.golpae"
    loaded = load(file.stem, [file.parent])
    for name in ("state last: of the match", "state raised: of the hand"):
        moved = by_name(loaded)[name].loaded
        read = parse(Text.of("a", format_text(t.RuleText(moved.decls)))).decls
        states = [(d.scope, len(d.vars)) for d in read if isinstance(d, t.State)]
        assert states == [(name.split()[-1], 2)]


def test_properties_and_definitions_for_them_have_no_mutants() -> None:
    places = {m.place.split(".")[0] for m in mutants(text(GAME))}
    assert not places & {"ordinary", "has-a-mate", "turns-left", "turn-begun"}
    assert not places & {p.name for p in rule_set(GAME).properties}
    assert places >= {"pair", "claim", "payout", "culin, pair", "end", "state owed", "players"}


def test_the_judge_of_mutants_agrees_with_replay() -> None:
    from golpae.replay.replay import replay
    from tests.committed import TOP
    from tests.replay.shared import LIBRARY

    judge = Judge(silent(text(GAME)))
    found = {}
    for trace in traces(GAME):
        legal, why = judge.verdict(trace)
        found[trace.name] = why if legal < 0 or "." in why or why == "malformed" else "legal so far"
    for path in sorted((TOP / "traces" / GAME).glob("spoilt-*.jsonl")):
        with path.open("rb") as stream:
            for report in replay(stream, path.name, LIBRARY):
                outcome = report.outcome
                if outcome.clause is not None:
                    assert f"{GAME}.{found[f'{path}:{outcome.line}']}" == outcome.clause


# ------------------------------------------------------------------ what notices mutants


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(("game", "step"), [*SOME, *SLOW])
def test_every_mutant_is_noticed_by_a_recorded_game_or_listed(game: str, step: int) -> None:
    bench = bench_of(game)
    tried = looked_at(game)[::step]
    unnoticed = []
    refused = 0
    for mutant in tried:
        if mutant.name in explained(game):
            continue
        judge = Judge(mutant.loaded)
        if not elaborates(mutant, judge):
            refused += 1
        elif bench.notices(mutant, judge) is None:
            unnoticed.append(mutant.name)
    assert unnoticed == []
    assert refused < len(tried) / 2


@pytest.mark.parametrize("game", LOOKED_AT)
def test_every_listed_mutant_exists(game: str) -> None:
    whole = mutants(silent(text(game)))
    found = {mutant.name for mutant in whole}
    assert {mutant.place for mutant in whole} <= places(text(game)).keys()
    properties = {p.name for p in rule_set(game).properties}
    assert [name for name in explained(game) if name not in found] == []
    assert set(noticed_by_property(game).values()) <= properties
    assert not noticed_by_property(game).keys() & equivalent(game).keys()


@pytest.mark.usefixtures("uncollected")
@pytest.mark.parametrize(("game", "step"), [(GAME, LOOKED_AT[GAME]), *SLOW])
def test_every_listed_mutant_elaborates(game: str, step: int) -> None:
    found = by_name(silent(text(game)))
    listed = list(explained(game))[::step]
    assert [name for name in listed if not elaborates(found[name], Judge(found[name].loaded))] == []


@pytest.mark.parametrize("game", LOOKED_AT)
def test_listed_hands_have_the_listed_totals(game: str) -> None:
    judge = Judge(text(game))
    assert [hand.name for hand in hands(game) if judge.worth(hand) != hand.worth] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", LOOKED_AT)
def test_no_recorded_game_notices_a_listed_mutant(game: str) -> None:
    bench, found = bench_of(game), by_name(silent(text(game)))
    noticed_too = [n for n in explained(game) if bench.notices(found[n], Judge(found[n].loaded)) is not None]
    assert noticed_too == []


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), [(g, name) for g in SOLVED for name in noticed_by_property(g)])
def test_a_property_is_refuted_for_each_mutant_listed_with_it(game: str, name: str) -> None:
    wanted = noticed_by_property(game)[name]
    assert any(
        n.name == wanted and n.verdict == REFUTED for n in noticed(by_name(text(game))[name], text(game))
    )


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), [(g, n) for g in SOLVED for n, same in proved(g).items() if same])
def test_every_mutant_listed_as_proved_equivalent_is_proved_equivalent(game: str, name: str) -> None:
    assert proved_same(by_name(text(game))[name], text(game)) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name"), [(g, n) for g in SOLVED for n, same in proved(g).items() if not same]
)
def test_no_property_notices_a_mutant_argued_to_be_equivalent(game: str, name: str) -> None:
    assert next(noticed(by_name(text(game))[name], text(game)), None) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "pair.military: a's pips = b's pips -> a's pips /= b's pips",
        "claim.turn: dropped",
        "lay.owed: dropped",
        "discard.then (4): p's right -> p's left",
        "payout.claimed: dropped",
    ],
)
def test_a_mutant_that_recorded_games_notice_is_not_proved_equivalent(name: str) -> None:
    assert proved_same(by_name(text(GAME))[name], text(GAME)) is not None
