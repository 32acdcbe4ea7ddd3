"""No mutant of a rule text goes unnoticed: a recorded game is judged otherwise, or a property does not hold.

A mutant that still is a rule text is noticed by a trace under `traces/`, or stands in `jjak-properties.txt` with the
property that is refuted of it, or in `jjak-equivalent.txt` with the reason why it changes nothing. The slow tests
make these lists anew, with the solver. `python -m tests.mutation GAME` counts for any game.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from golpae.elaborate.load import Loaded
from golpae.prove.answer import REFUTED
from tests.mutation.judge import Bench, Judge, elaborates, silent, traces
from tests.mutation.listed import PROVED, equivalent, noticed_by_property
from tests.mutation.mutate import Mutant, mutants
from tests.mutation.prove import noticed, proved_same
from tests.replay.shared import rule_set, text

GAME = "jjak"
EXPLAINED = noticed_by_property(GAME) | equivalent(GAME)
LEAST = 700  # mutants of jjak


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing of so many short-lived trees goes in circles; looking for that takes a fifth of the time."""
    gc.disable()
    yield
    gc.enable()


def by_name(loaded: Loaded) -> dict[str, Mutant]:
    return {mutant.name: mutant for mutant in mutants(loaded)}


# ------------------------------------------------------------------ mutants


def test_what_a_condition_and_its_effects_become() -> None:
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


def test_mutants_are_told_apart_and_none_is_the_text_itself() -> None:
    found = mutants(text(GAME))
    assert len(found) >= LEAST
    assert len({m.name for m in found}) == len(found)
    assert all(m.loaded.decls != text(GAME).decls for m in found)


def test_mutants_of_a_text_without_words_are_the_same() -> None:
    assert list(by_name(text(GAME))) == list(by_name(silent(text(GAME))))


def test_properties_and_what_only_they_use_are_left_alone() -> None:
    places = {m.place.split(".")[0] for m in mutants(text(GAME))}
    assert not places & {"ordinary", "has-a-mate", "turns-left", "turn-begun"}
    assert not places & {p.name for p in rule_set(GAME).properties}
    assert places >= {"pair", "claim", "payout", "culin, pair", "end", "state owed", "players"}


def test_traces_are_judged_as_replay_judges_them() -> None:
    from golpae.replay.play import replay
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
                    assert f"{GAME}.{found[f'{path.name}:{outcome.line}']}" == outcome.clause


# ------------------------------------------------------------------ what notices them


@pytest.mark.usefixtures("uncollected")
def test_every_mutant_is_noticed_by_a_recorded_game_or_listed() -> None:
    bench = Bench(GAME)
    unnoticed = []
    refused = 0
    for mutant in mutants(silent(text(GAME))):
        if mutant.name in EXPLAINED:
            continue
        judge = Judge(mutant.loaded)
        if not elaborates(mutant, judge):
            refused += 1
        elif bench.notices(mutant, judge) is None:
            unnoticed.append(mutant.name)
    assert unnoticed == []
    assert refused < LEAST / 2


def test_what_is_listed_is_there() -> None:
    found = by_name(text(GAME))
    properties = {p.name for p in rule_set(GAME).properties}
    assert [name for name in EXPLAINED if name not in found] == []
    assert set(noticed_by_property(GAME).values()) <= properties
    assert not noticed_by_property(GAME).keys() & equivalent(GAME).keys()


def test_what_is_listed_is_a_rule_text() -> None:
    found = by_name(silent(text(GAME)))
    faulty = [name for name in EXPLAINED if not elaborates(found[name], Judge(found[name].loaded))]
    assert faulty == []


@pytest.mark.slow
def test_no_recorded_game_notices_what_is_listed() -> None:
    bench, found = Bench(GAME), by_name(silent(text(GAME)))
    assert [n for n in EXPLAINED if bench.notices(found[n], Judge(found[n].loaded)) is not None] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", noticed_by_property(GAME))
def test_a_property_is_refuted_of_what_no_recorded_game_notices(name: str) -> None:
    wanted = noticed_by_property(GAME)[name]
    assert any(n.name == wanted and n.verdict == REFUTED for n in noticed(by_name(text(GAME))[name]))


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, why in equivalent(GAME).items() if why.startswith(PROVED)])
def test_what_is_said_to_be_proved_the_same_is(name: str) -> None:
    assert proved_same(by_name(text(GAME))[name]) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, why in equivalent(GAME).items() if not why.startswith(PROVED)])
def test_no_property_notices_what_is_argued_to_be_the_same(name: str) -> None:
    assert next(noticed(by_name(text(GAME))[name]), None) is None


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
def test_what_recorded_games_notice_is_not_proved_the_same(name: str) -> None:
    assert proved_same(by_name(text(GAME))[name]) is not None
