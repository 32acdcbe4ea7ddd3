"""A family is decided in groups of rule sets: each by itself, and so many of them in one call."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from golpae.progress import Progress
from golpae.prove.answer import PROVED, UNKNOWN, Witness
from golpae.report.families.proofs import more, table
from golpae.verify.families import scheduler as run
from golpae.verify.families.decide import stated_properties
from golpae.verify.families.results import FamilyPart, FamilyResult
from golpae.verify.families.scheduler import (
    Decided,
    FamilyCall,
    FamilyName,
    decide_family,
    group_names,
    groups,
)
from golpae.verify.options import Settings
from golpae.verify.properties import CONSERVATION
from golpae.verify.switches.changes import changes
from golpae.verify.switches.idle import where_unshown
from golpae.verify.switches.of_switch import SwitchGroup, having_both
from golpae.verify.switches.pairs import Pairs
from golpae.workers import OUT_OF_MEMORY, OUT_OF_TIME, Crash, Send
from tests.attribute.guilds import GUILDS

pytestmark = pytest.mark.solver


@pytest.fixture
def name(tmp_path: Path) -> FamilyName:
    (tmp_path / "guilds.golpae").write_text(GUILDS, encoding="utf-8")
    return FamilyName("guilds", (), (), (tmp_path,))


def test_a_group_is_the_same_without_the_others(name: FamilyName) -> None:
    _, made = groups(name)
    assert len(made) == 2  # with and without `short`, which changes the set
    for one, group in zip(made, group_names(name), strict=True):
        alone = group.choices()
        assert alone is not one
        assert (alone.region.cubes, alone.free, alone.rule_set) == (one.region.cubes, one.free, one.rule_set)


def test_groups_beyond_the_limit_are_unknown_with_a_short_condition(
    name: FamilyName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "MOST_GROUPS", 1)
    call = FamilyCall(name, (2,), {}, Settings(), CONSERVATION)
    (found,) = decide_family(call, 1, False, Progress())
    assert found.conditions == {PROVED: "without short", UNKNOWN: "short"}
    assert [line.split("  ")[-1].strip() for line in table([found])][1:] == [
        "holds without short; unknown with short",
        "unknown: 1 of 2 groups of rule sets are decided in one call",
    ]


def test_of_groups_beyond_the_limit_nobody_knows_what_a_switch_changes(
    name: FamilyName, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "MOST_GROUPS", 1)
    monkeypatch.setattr(SwitchGroup, "parts", lambda *_: iter(()))
    monkeypatch.setattr(Pairs, "left", lambda self, region: region.space.nothing)
    family, _ = groups(name)
    both, short = having_both(family, "free"), family.bits(["short"])
    [by_games] = where_unshown(name, [("free", both.cubes)], 2, {}, Settings())
    for found in (changes(name, "free", 2, {}, Settings()), by_games):
        assert family.space.region(found.unknown) == both.restrict((short, short))
        assert found.why == "1 of 2 groups of rule sets are decided in one call"


def test_what_is_reached_before_the_first_event_is_told_as_a_game() -> None:
    part = FamilyPart(((0, 0),), PROVED, "a game of 0 events", "guilds", Witness((), ()))
    reached = FamilyResult(
        "guilds+*", 2, {}, "reachable", "few", (), 4, 4, (part,), {PROVED: 4}, {PROVED: "always"}, None
    )
    assert [*more(reached)] == ["a game of 0 events: guilds"]


# ------------------------------------------------------------------ outer limits


def slow_at_the_second(send: Send, job: run._Job) -> None:
    send(None)
    for name in job.names:
        if name == job.call.only:
            time.sleep(60)
        send(Decided(name, "always", (), (), (), ()))


def slow_before_the_first(send: Send, job: run._Job) -> None:
    time.sleep(60)


def asked_of(name: FamilyName, seconds: float) -> tuple[run._Job, list[str]]:
    _, made = groups(name)
    names = [p.name for p in stated_properties(made[0])][:3]
    call = FamilyCall(name, (2,), {}, Settings(seconds=seconds), only=names[1])
    return run._Job(call, group_names(name)[0], 2, tuple(names)), names


def test_a_process_that_takes_too_long_costs_the_property_that_it_is_at(name: FamilyName) -> None:
    job, names = asked_of(name, 1.5)
    found = [one for _, one in run._answers([job, job], 2, lambda *_: None, slow_at_the_second)]
    decided = [one for one in found if one is not None]
    assert sorted(one.name for one in decided) == sorted(names * 2)
    unknown = [(one.name, part.verdict, part.story) for one in decided for part in one.parts]
    assert unknown == [(names[1], UNKNOWN, OUT_OF_TIME)] * 2
    assert found.count(None) == 2


def test_a_process_that_takes_too_long_before_it_begins_is_not_started_again(name: FamilyName) -> None:
    job, names = asked_of(name, 0.5)
    found = [one for _, one in run._answers([job], 1, lambda *_: None, slow_before_the_first)]
    assert [one and one.name for one in found] == [*names, None]


def test_a_solver_without_memory_is_a_limit_and_no_fault() -> None:
    import z3

    fault = z3.Z3Exception(b"max. memory exceeded")
    assert run.exceeded(Crash("Z3Exception", fault)) == OUT_OF_MEMORY
    assert run.exceeded(Crash("MemoryError", MemoryError())) == OUT_OF_MEMORY
    assert run.exceeded(Crash("its process was ended by SIGKILL")) == "its process was ended by SIGKILL"
    with pytest.raises(z3.Z3Exception, match="index out of bounds"):
        run.exceeded(Crash("Z3Exception", z3.Z3Exception(b"index out of bounds")))
