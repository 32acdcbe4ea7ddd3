"""The file of rulings of a run of pytest.

Input: the call and the settings.
Output: the file, and the rulings in it, which note who needs them.
Guarantee: a fault of the file stops the run before anything is collected.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.corpus.rulings import UsedRulings
from golpae.rule_names import UsageError


def rulings_path(config: pytest.Config) -> Path | None:
    """Return the file of rulings that the call or else the settings name. Raises `pytest.UsageError`."""
    given: str | None = config.getoption("golpae_rulings")
    if given is not None:
        return Path(config.invocation_params.dir, given)
    paths: list[Path] = config.getini("golpae_rulings")
    if len(paths) > 1:
        raise pytest.UsageError("golpae: the setting `golpae_rulings` names one file")
    return paths[0] if paths else None


def rulings_in(path: str) -> UsedRulings:
    """Return the rulings of a file. Raises `pytest.UsageError`."""
    try:
        return UsedRulings(path)
    except UsageError as error:
        advice = f"; {error.fault.help}" if error.fault.help else ""
        raise pytest.UsageError(f"golpae: {error.fault.message}{advice}") from None


def comes_to_all(config: pytest.Config) -> bool:
    """Return whether a run collects all of its folders: it names no single file or test, and leaves none out."""
    given = [Path(config.invocation_params.dir, word) for word in config.args]
    return not config.getoption("lf", False) and all(path.is_dir() for path in given)
