"""`golpae watch`: lint rule texts and check recorded games whenever somebody saves one.

Input: rule texts, recorded games, folders of them; those of the project, or the current folder, if a call names none.
Output: what `golpae lint` and `golpae check` print, first of all, then of what was saved and what depends on it.
Guarantee: it writes nothing. It ends when it is interrupted.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from golpae import exit_codes
from golpae.cli.terminal.output import printable
from golpae.elaborate.names import ENDING
from golpae.extras import how_to_install
from golpae.rule_names import UsageError
from golpae.trace import quoted
from golpae.trace.discover import SUFFIXES

WAIT = 300  # milliseconds in which what is saved together is told together
MISSING = "the package `watchfiles` is not installed"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="FILE",
        help="rule texts, recorded games, and folders of them (default: those of `golpae.toml`, or the current folder)",
    )
    parser.add_argument("--once", action="store_true", help="lint and check everything once, and end")


def run(args: argparse.Namespace) -> int:
    project = args.settings
    paths = args.paths or ([*project.rules, *project.traces] if project else []) or [os.curdir]
    _refuse_missing(paths)
    if args.once:
        return _told(*_files(paths))
    return _watched(paths)


def _refuse_missing(paths: Iterable[str]) -> None:
    """Check that what a call names is there. Raises `UsageError`."""
    for path in paths:
        if not os.path.exists(path):
            raise UsageError(
                path, f"there is no {quoted(path)}", "name rule texts, recorded games, or folders"
            )


def _files(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the rule texts and the recorded games that are there, by name."""
    texts, games = set[str](), set[str]()
    for path in map(Path, paths):
        for file in [path] if path.is_file() else _below(path):
            if file.name.endswith(ENDING):
                texts.add(str(file))
            elif file.name.endswith(SUFFIXES):
                games.add(str(file))
    return sorted(texts), sorted(games)


def _below(folder: Path) -> Iterable[Path]:
    """Yield the files in a folder and those below it, but for hidden ones."""
    for top, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(top) / name for name in files if not name.startswith("."))


def _told(texts: Sequence[str], games: Sequence[str]) -> int:
    """Lint texts, and check games unless a text has a fault. Return the exit status of what was done last."""
    status = None
    if texts:
        status = _called("lint", "--", *texts)
    if games and status != exit_codes.WRONG_INPUT:
        return _called("check", "--", *games)
    if status is None:
        sys.stdout.write(
            f"nothing to watch yet: neither rule texts (`*{ENDING}`) nor recorded games (`*.jsonl`)\n"
        )
    return exit_codes.HOLDS if status is None else status


def _called(*words: str) -> int:
    """Call golpae, and return its exit status. INVARIANT: it is a process of its own, since texts have changed."""
    sys.stdout.flush()
    return subprocess.run([sys.executable, "-P", "-m", "golpae", *words], check=False).returncode


def _watched(paths: Sequence[str]) -> int:
    """Tell everything, then what was saved, until somebody interrupts."""
    try:
        from watchfiles import watch
    except ModuleNotFoundError:
        raise UsageError("watch", MISSING, f"install it: {how_to_install('editor')}") from None
    changes = watch(*paths, watch_filter=_is_watched, debounce=WAIT, raise_interrupt=True)
    _told(*_files(paths))
    _wait()
    for changed in changes:
        saved = sorted({os.path.relpath(path) for _, path in changed})
        sys.stdout.write(f"\n--- saved: {', '.join(map(printable, saved))}\n")
        texts, games = _files(paths)
        if not any(name.endswith(ENDING) for name in saved):
            real = set(map(os.path.realpath, saved))
            texts, games = [], [name for name in games if os.path.realpath(name) in real]
        _told(texts, games)
        _wait()
    return exit_codes.HOLDS


def _is_watched(change: object, path: str) -> bool:
    """Return whether a file is a rule text or holds recorded games."""
    name = os.path.basename(path)
    return name.endswith((ENDING, *SUFFIXES)) and not name.startswith(".")


def _wait() -> None:
    sys.stdout.write("--- waiting for the next save; Ctrl-C ends\n")
    sys.stdout.flush()
