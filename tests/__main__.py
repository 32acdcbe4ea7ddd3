"""The checks of the repository in one command: `python -m tests`, `python -m tests quick` or `python -m tests whole`.

Input: `quick` to run only the unit tests, `whole` for those, too, that take longest (`tests/costly.py`); then arguments
for pytest (`-k deal`, `-n 0`, a path). All tests of a path run, those that take longest among them.
Output: a line with the time that it takes, and what is skipped where there is no browser; then what each step prints,
under a heading. Every step runs, even if an earlier one failed.
pytest is the last step, so that its closing line is the last line printed.
The exit status is 0 if all steps passed, 1 if one failed, and 2 if the call is wrong.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.browsers import found, how_to_install

TOP = Path(__file__).resolve().parents[1]
QUICK, WHOLE = "quick", "whole"
# The marks of tests that each form leaves out; pyproject.toml describes them.
SLOW_MARKS = ("slow", "fuzz")
LONG_MARKS = ("solver", "property", "process", "corpus", "whole", "long", *SLOW_MARKS)
# The folders that it leaves out: they hold golpae against a second implementation, and test that one.
LONG_FOLDERS = ("tests/differential", "tests/judge")

# What each form took on a machine with two cores and nothing else to do; "" is the form without a word.
TIMES = {QUICK: "1 minute", "": "10 minutes", WHOLE: "20 minutes"}

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-logo'])"

STEPS: list[tuple[str, list[str]]] = [
    ("ruff format --check", ["-m", "ruff", "format", "--check", "."]),
    ("ruff check", ["-m", "ruff", "check", "."]),
    ("mypy", ["-m", "mypy"]),
    ("lint-imports", ["-c", LINT_IMPORTS]),
    ("pytest", ["-m", "pytest", "--numprocesses", "auto", "--dist", "worksteal"]),
]


def pytest_arguments(words: list[str]) -> list[str]:
    """Return the arguments for pytest. Raises `ValueError` if the first word means nothing."""
    if not words or words[0].startswith("-"):
        return ["-m", without("whole", *SLOW_MARKS), *words]
    if words[0] == WHOLE:
        return ["-m", without(*SLOW_MARKS), *words[1:]]
    if words[0] == QUICK:
        ignored = [f"--ignore={folder}" for folder in LONG_FOLDERS]
        return ["-m", without(*LONG_MARKS), *ignored, *words[1:]]
    if not (TOP / words[0].partition("::")[0]).exists():
        raise ValueError(
            f"there is no `{words[0]}`\n  help: write `quick`, `whole`, a path of tests, "
            "or options of pytest such as `-k deal`"
        )
    return words


def without(*marks: str) -> str:
    """Return the expression for `-m` that leaves marks out."""
    return " and ".join(f"not {mark}" for mark in marks)


def first_line(words: list[str]) -> str:
    """Return how long the checks take, and what is skipped where there is no browser."""
    form = words[0] if words and words[0] in TIMES else ""
    chosen = words[1:] if form else words
    line = f"python -m tests: {'at most ' if chosen else ''}{TIMES[form]} on two idle cores"
    if chosen and not chosen[0].startswith("-"):
        line = "python -m tests: format, lint, types, layers and all tests of these paths"
    if found() is None:
        line += f"; without a browser, tests in tests/pages are skipped: {how_to_install()}"
    return line


def main(words: list[str]) -> int:
    """Run the steps in order. Return the exit status."""
    try:
        last_arguments = pytest_arguments(words)
    except ValueError as wrong:
        print(f"python -m tests: {wrong}", file=sys.stderr)
        return 2
    # Programs that a step starts by name are those of this interpreter's environment, activated or not.
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])}
    # Tests start hundreds of processes. Each would compile the package anew if none may keep what it compiled.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    print(first_line(words), flush=True)
    failed: list[str] = []
    for name, arguments in STEPS:
        last = name == "pytest"
        if last and failed:
            print(f"\nfailed so far: {', '.join(failed)}", flush=True)
        print(f"\n== {name}", flush=True)
        command = [sys.executable, *arguments, *(last_arguments if last else [])]
        start = time.monotonic()
        status = subprocess.run(command, cwd=TOP, env=environment, check=False).returncode
        if status:
            failed.append(name)
        if not last:
            verdict = f"failed with status {status}" if status else "ok"
            print(f"-- {name}: {verdict}, {time.monotonic() - start:.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
