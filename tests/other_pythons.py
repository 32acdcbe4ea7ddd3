"""Try the wheel on every other supported Python that this machine has: `python -m tests.other_pythons`.

It needs nothing but Python and pip. Input: none, or `--whole` for all recorded games and all quick tests, in an
environment for developers, which takes some minutes. Interpreters are `python3.N` on the path, and those of pyenv.
Output: a line for each step of each version as it begins, a line for each version, and what failed.
Guarantee: each version has an empty environment, in which the wheel is installed; recorded games of it get their
expected verdicts, and the tests in `TESTS` that `quick` runs pass. The exit status is 0 if all versions do, 1 if one
fails. A version that the machine lacks is said to be missing, and fails nothing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.__main__ import LONG_MARKS, QUICK, TOP, pytest_arguments

NEWEST = 14
NEEDED = ("pytest>=8.4", "hypothesis>=6.120")
GAMES = ("traces/jjak",)
# What depends on Python most: paths, archives, arguments and their messages.
TESTS = ("tests/trace", "tests/cli/test_bad_input.py")
WHOLE = "--whole"
STUCK = "faulthandler_timeout=900"  # seconds after which a test that hangs shows where


def versions() -> list[int]:
    """Return the second numbers of the supported versions of Python 3."""
    text = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'requires-python = ">=3\.(\d+)"', text)
    assert found is not None
    return list(range(int(found[1]), NEWEST + 1))


def interpreter(minor: int) -> Path | None:
    """Return an interpreter of Python 3 of this number, or None."""
    on_path = shutil.which(f"python3.{minor}")
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    of_pyenv = sorted(pyenv.glob(f"3.{minor}.*/bin/python"), key=lambda p: int(p.parts[-3].split(".")[-1]))
    for path in [*([] if on_path is None else [Path(on_path)]), *reversed(of_pyenv)]:
        code = "import sys, venv; print(sys.version_info[1])"
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip() == str(minor):
            return path
    return None


def failure(python: Path, wheel: Path, folder: Path, whole: bool, name: str) -> str | None:
    """Return which step fails with an interpreter, and what it prints; None if all succeed."""
    own = folder / "bin" / "python"
    install = (sys.executable, "-m", "pip", "--python", own, "install", "--quiet")
    marks = " and ".join(f"not {mark}" for mark in LONG_MARKS)
    steps: Sequence[Sequence[str | Path]] = (
        (python, "-m", "venv", "--without-pip", folder),
        (*install, wheel),
        (own, "-m", "golpae", "check", "--expected", *GAMES),
        (*install, *NEEDED),
        (own, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-m", marks, *TESTS),
    )
    if whole:
        quick = ("--numprocesses", "auto", "--dist", "worksteal", *pytest_arguments([QUICK]))
        steps = (
            (python, "-m", "venv", "--without-pip", folder),
            (*install, "--editable", f"{TOP}[dev]"),
            (own, "-m", "golpae", "check", "--expected", "traces"),
            (own, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-o", STUCK, *quick),
        )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"GOLPAE_CACHE": str(folder / "cache"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    for number, step in enumerate(steps, 1):
        print(f"{name}: step {number} of {len(steps)}: {' '.join(map(str, step[1:4]))}", flush=True)
        done = subprocess.run(
            [*step],
            cwd=TOP,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            return f"{' '.join(map(str, step))}\n{done.stdout}{done.stderr}"
    return None


def main(words: Sequence[str]) -> int:
    """Try all versions but the one that runs this. Return the exit status."""
    status, whole = 0, WHOLE in words
    with tempfile.TemporaryDirectory(prefix="golpae-") as temporary:
        folder = Path(temporary)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, TOP],
            check=True,
            capture_output=True,
        )
        [wheel] = folder.glob("*.whl")
        others = {minor: interpreter(minor) for minor in versions() if minor != sys.version_info[1]}
        with ThreadPoolExecutor(1 if whole else os.cpu_count()) as pool:
            runs = {
                minor: pool.submit(failure, python, wheel, folder / str(minor), whole, f"python3.{minor}")
                for minor, python in others.items()
                if python is not None
            }
        for minor, python in others.items():
            failed = runs[minor].result() if minor in runs else None
            words = (
                "not on this machine"
                if python is None
                else f"{'ok' if failed is None else 'FAILED'} ({python})"
            )
            print(f"python3.{minor}: {words}", flush=True)
            if failed is not None:
                print(failed, flush=True)
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
