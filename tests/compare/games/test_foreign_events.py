"""What the effects of an event need is not confused with a condition of the text, whatever that is called."""

from __future__ import annotations

import pytest

from golpae.compare.games.foreign_events import tiles_missing
from tests.prove.induction.pile import PUT, system_of
from tests.prove.probe import rule_set


@pytest.mark.parametrize("name", ["moves", "when"])
def test_the_name_of_a_condition_does_not_matter(name: str) -> None:
    assert _missing(PUT.replace("turn:", f"{name}:")) == _missing(PUT)


def _missing(text: str) -> list[str]:
    """Return what holds where an event cannot be carried out, in an unknown state."""
    system = system_of(rule_set(text))
    state = system.unknown_state()
    (put,) = (action for action in system.rules.actions if action.name == "put")
    return [str(truths) for truths in tiles_missing(system, put, state, {"p": 0, "tile": 0})]
