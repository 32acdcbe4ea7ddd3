"""Times of clauses: each counts for itself, and together they are the whole."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from golpae.simulate import profile as module
from golpae.simulate.profile import ELSE, Profile


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until a test moves it."""
    now = [0.0]
    monkeypatch.setattr(module, "perf_counter", lambda: now[0])
    return now


def test_a_clause_has_its_own_time_and_that_of_what_it_asks(clock: list[float]) -> None:
    profile = Profile()

    def passing(seconds: float) -> None:
        clock[0] += seconds

    inner = profile.timed("inner", lambda: passing(2))

    def asks() -> None:
        profile.at("outer.first")
        passing(1)
        inner()
        profile.at("outer.second")
        passing(4)

    outer = profile.timed("outer", asks)
    profile.begin()
    passing(8)
    outer()
    profile.end()
    spent = {path: (one.own, one.whole, one.times) for path, one in profile.spent.items()}
    assert spent == {
        ELSE: (8, 8, 1),
        "outer": (0, 0, 1),
        "outer.first": (1, 3, 1),
        "outer.second": (4, 4, 1),
        "inner": (2, 2, 1),
    }
    assert profile.seconds == 15


def test_a_clause_that_asks_itself_counts_once(clock: list[float]) -> None:
    profile = Profile()

    def down(n: int) -> None:
        clock[0] += 1
        if n:
            again(n - 1)

    again = profile.timed("down", down)
    profile.begin()
    again(2)
    profile.end()
    assert (profile.spent["down"].own, profile.spent["down"].whole, profile.spent["down"].times) == (3, 3, 3)


def test_time_of_a_clause_that_fails_counts(clock: list[float]) -> None:
    profile = Profile()

    def fails() -> None:
        clock[0] += 1
        raise ValueError("slow")

    profile.begin()
    with pytest.raises(ValueError, match="slow"):
        profile.timed("one", profile.timed("two", fails))()
    clock[0] += 1
    profile.end()
    assert (profile.spent["two"].own, profile.spent["one"].whole, profile.spent[ELSE].own) == (1, 1, 1)


def test_values_are_passed_on_and_the_time_between_them_is_not_theirs(clock: list[float]) -> None:
    profile = Profile()

    def values() -> Iterator[object]:
        for value in (None, 1, ()):
            clock[0] += 1
            yield value

    profile.begin()
    found = []
    for value in profile.each("values", values()):
        clock[0] += 10
        found.append(value)
    profile.end()
    assert found == [None, 1, ()]
    assert (profile.spent["values"].own, profile.spent[ELSE].own) == (3, 30)
