"""The tables that a call of `golpae.testing` names.

Input: rules, by their name, as a file or loaded; a table; a number of players, options.
Output: tables.
Guarantee: what is wrong is a `GolpaeError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from golpae.library.front import load
from golpae.library.origin import PathLike
from golpae.library.rules import Rules
from golpae.library.table import Table

Given = Rules | Table | PathLike


def tables_of(
    rules: Given,
    players: int | None,
    options: Mapping[str, int] | None,
    spec_path: PathLike | Iterable[PathLike],
) -> list[Table]:
    """Return the table that is meant; without a number of players, one for each number that the rules allow."""
    if isinstance(rules, Table):
        if players is not None or options:
            raise TypeError("a table has its players and options already")
        return [rules]
    loaded = rules if isinstance(rules, Rules) else load(rules, spec_path)
    return [*loaded.tables(options)] if players is None else [loaded.at(players, options)]
