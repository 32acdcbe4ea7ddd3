"""`python -m tests`: every check of the repository, in one command.

In: arguments for pytest, if any (`-n 0` runs the tests in one process). Out: what each step prints, under a
heading. All steps run, also after one that failed; the exit status is 0 where all of them passed and 1 otherwise.
pytest is the last step, so that its closing line is the last line printed.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-logo'])"

STEPS: list[tuple[str, list[str]]] = [
    ("ruff format --check", ["-m", "ruff", "format", "--check", "."]),
    ("ruff check", ["-m", "ruff", "check", "."]),
    ("mypy", ["-m", "mypy"]),
    ("lint-imports", ["-c", LINT_IMPORTS]),
    ("pytest", ["-m", "pytest", "--numprocesses", "auto", "--dist", "worksteal"]),
]


def main(pytest_arguments: list[str]) -> int:
    """Runs the steps in order; returns the exit status."""
    # Programs that a step starts by name are those of this interpreter's environment, activated or not.
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])}
    failed: list[str] = []
    for name, arguments in STEPS:
        last = name == "pytest"
        if last and failed:
            print(f"\nfailed so far: {', '.join(failed)}", flush=True)
        print(f"\n== {name}", flush=True)
        command = [sys.executable, *arguments, *(pytest_arguments if last else [])]
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
