"""Test an engine of your own with golpae: recorded games as tests, games to draw, a conformance driver.

`golpae.testing.plugin` is what pytest loads. Nothing else is imported before it is asked for, so a run of pytest
that does not use golpae pays nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from golpae.conform.engine import Adapter, Refused
    from golpae.testing.conforming import Conformed, Disagreement, conform
    from golpae.testing.strategies import Spoilt, games, positions, spoilt

__all__ = [
    "Adapter",
    "Conformed",
    "Disagreement",
    "Refused",
    "Spoilt",
    "conform",
    "games",
    "positions",
    "spoilt",
]

_HOMES = {
    "golpae.conform.engine": "Adapter Refused",
    "golpae.testing.conforming": "Conformed Disagreement conform",
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
