"""Test an engine of your own with golpae: recorded games as tests, games to draw, a conformance driver.

`golpae.testing.plugin` is what pytest loads. Nothing else is imported before it is asked for, so a run of pytest
that does not use golpae pays nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from golpae.conform.engine import Adapter, Refused, Scorer
    from golpae.testing.conforming import (
        Conformed,
        ConformedTable,
        Disagreement,
        ScoreDifference,
        ScoresConformed,
        conform,
        conform_scores,
    )
    from golpae.testing.strategies import Spoilt, games, positions, spoilt

__all__ = [
    "Adapter",
    "Conformed",
    "ConformedTable",
    "Disagreement",
    "Refused",
    "ScoreDifference",
    "Scorer",
    "ScoresConformed",
    "Spoilt",
    "conform",
    "conform_scores",
    "games",
    "positions",
    "spoilt",
]

_HOMES = {
    "golpae.conform.engine": "Adapter Refused Scorer",
    "golpae.testing.conforming": "Conformed ConformedTable Disagreement ScoreDifference ScoresConformed conform "
    "conform_scores",
    "golpae.testing.strategies": "Spoilt games positions spoilt",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Return a name of this package, and import what it needs."""
    if name not in _HOME:
        raise AttributeError(f"module `golpae.testing` has no attribute `{name}`")
    from importlib import import_module

    value: object = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
