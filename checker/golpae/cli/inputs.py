"""What several verbs take: rules by name, folders of the user's own texts, faults of both."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from golpae.diagnostics import SpecError, render
from golpae.elaborate.cache import elaborate_cached
from golpae.replay.library import Library


def add_spec_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--spec-path",
        metavar="DIR",
        action="append",
        default=[],
        help="a folder (or file) of rule texts to look in before the bundled ones; may be given several times",
    )


def spec_path(found: argparse.Namespace) -> list[Path] | None:
    """The folders named, or None after a complaint about one that is not there."""
    places = [Path(p) for given in found.spec_path for p in given.split(os.pathsep) if p]
    for place in places:
        if not place.exists():
            sys.stderr.write(f"golpae: there is no `{place}`\n  help: --spec-path names a folder of rule texts\n")
            return None
    return places


def library(places: list[Path]) -> Library:
    return Library(lambda rules: elaborate_cached(rules, places))


def complain(fault: SpecError) -> None:
    """Print every fault of a rule text."""
    for diagnostic in fault.diagnostics:
        sys.stderr.write(render(diagnostic) + "\n")
