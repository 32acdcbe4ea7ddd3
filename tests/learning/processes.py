"""What a piece of Python prints in processes with several hash seeds."""

from __future__ import annotations

import os
import subprocess
import sys


def printed_with_two_seeds(code: str) -> set[bytes]:
    """Return what a piece of Python prints: one text, if nothing in it rests on the order of sets."""
    return {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
