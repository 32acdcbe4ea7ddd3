"""The door for pytest: options, and nothing else until a call asks for golpae.

Input: the options of a call of pytest.
Output: with `--golpae`, the collector of `golpae.testing.collect`.
Guarantee: without it nothing of golpae is imported, and no hook is called.
"""

from __future__ import annotations

import pytest

TRACES = ("*.jsonl", "*.jsonl.gz", "*.jsonl.zst")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and the settings of golpae."""
    group = parser.getgroup("golpae", "recorded games and rule texts as tests")
    add = group.addoption
    add("--golpae", action="store_true", help="collect recorded games, expected verdicts and rule texts")
    add(
        "--golpae-prove",
        action="store_true",
        help="collect the properties of rule texts too, and prove them (implies --golpae)",
    )
    add("--golpae-complete", action="store_true", help="a game that is not over fails")
    add(
        "--golpae-spec-path",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder of rule texts, or one text; the folder of the games is searched last",
    )
    add(
        "--golpae-rulings",
        metavar="FILE",
        help="events that break a rule and stand by a director's ruling, as `golpae check --rulings` reads them",
    )
    ini = parser.addini
    ini("golpae", "collect recorded games, expected verdicts and rule texts in every call", "bool", False)
    ini("golpae_complete", "a game that is not over fails", "bool", False)
    ini("golpae_spec_path", "folders of rule texts, from the folder of this file", "paths", [])
    ini("golpae_rulings", "a file of rulings, from the folder of this file", "paths", [])
    ini("golpae_traces", "which files hold recorded games", "args", list(TRACES))


def pytest_configure(config: pytest.Config) -> None:
    """Load the collector if the call asks for it."""
    prove = bool(config.getoption("golpae_prove"))
    if prove or config.getoption("golpae") or config.getini("golpae"):
        from golpae.testing.collect import Collector

        config.pluginmanager.register(Collector(config, prove), "golpae-collector")
