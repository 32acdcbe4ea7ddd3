"""Faults that are planted in the flow of information: random texts notice each of them, held against all games."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from golpae.ir.ruleset import OWNER
from golpae.lower import statements as st
from golpae.verify.privacy import flow, levels, moments
from golpae.verify.privacy.flow import Flow
from golpae.verify.privacy.levels import HIDDEN, KNOWN, Level, Levels
from golpae.verify.privacy.pairs import PairSearch
from golpae.verify.privacy.shown_keys import ShownKeys
from tests.verify.privacy.peeks import machine_of, random_peek

Plant = Callable[[pytest.MonkeyPatch], None]


def all_hands_are_seen(patch: pytest.MonkeyPatch) -> None:
    seen = Levels.is_seen
    patch.setattr(
        Levels,
        "is_seen",
        lambda self, name, whose: self._zones[name].seen_by == OWNER or seen(self, name, whose),
    )


def all_keys_are_shown(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ShownKeys, "shows", lambda self, action, param: True)


def a_hidden_test_hides_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(moments.Moments, "_next", next_as_if_known)


def next_as_if_known(self: moments.Moments, statement: object, known: object, sure: bool) -> object:
    """Go through a branch as if everybody knew which way it went."""
    if not isinstance(statement, st.Branch):
        return [self._one(statement, known, sure)]  # type: ignore[arg-type]
    both = [self._ways(part, [known], sure) for part in (statement.yes, statement.no)]  # type: ignore[list-item]
    return [*both[0], *both[1]]


def a_value_of_one_player_is_known_to_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(moments.Moments, "_own", lambda self, before, seat, value, known: before)


def whoever_drew_does_not_matter(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(flow, "_said_of", lambda state, known: levels.OTHER)


def draws_turn_on_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Flow, "_turns_on_size", lambda self, part, action, known, unseen: True)


def messages_say_nothing(patch: pytest.MonkeyPatch) -> None:
    of = Levels.of

    def told(self: Levels, expr: object, known: object) -> Level:
        level = of(self, expr, known)  # type: ignore[arg-type]
        return KNOWN if level is HIDDEN and type(expr).__name__ == "ZoneRead" else level

    patch.setattr(Levels, "of", told)


def the_end_of_a_hand_is_known(patch: pytest.MonkeyPatch) -> None:
    note = Flow._note

    def noted(self: Flow, after: object) -> None:
        note(self, after)  # type: ignore[arg-type]
        self.states = {**self.states, "over": KNOWN}

    patch.setattr(Flow, "_note", noted)


# each with the number of a text that notices it
PLANTED: dict[Plant, int] = {
    all_hands_are_seen: 6,
    all_keys_are_shown: 23,
    a_hidden_test_hides_nothing: 40,
    a_value_of_one_player_is_known_to_all: 53,
    whoever_drew_does_not_matter: 23,
    draws_turn_on_nothing: 6,
    messages_say_nothing: 1,
    the_end_of_a_hand_is_known: 40,
}


def is_contradicted(seed: int) -> bool:
    """Return whether a text is said to be private, while two games show that it is not."""
    machine = machine_of(random_peek(seed))
    return not Flow(machine.instance).leaks() and PairSearch(machine, 1).find(20, 200) is not None


@pytest.mark.parametrize(("plant", "seed"), PLANTED.items(), ids=[plant.__name__ for plant in PLANTED])
def test_a_planted_fault_is_noticed(plant: Plant, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_contradicted(seed)
    plant(monkeypatch)
    assert is_contradicted(seed)
