"""Run programs as a user would, away from the checkout and its environment variables."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path


def run(*command: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without the variables of this Python. Return what it said."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def succeed(*command: str | Path, cwd: Path) -> None:
    """Run a command that has to end with status 0."""
    done = run(*command, cwd=cwd)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
