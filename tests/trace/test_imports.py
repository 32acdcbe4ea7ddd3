"""The imports of the trace reader."""

import subprocess
import sys


def test_importing_the_trace_reader_loads_nothing_rarely_needed() -> None:
    code = "import sys, golpae.trace; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(result.stdout.split())
    assert "golpae.trace" in modules
    assert not modules & {
        "zstandard",
        "gzip",
        "json",
        "difflib",
        "rich",
        "z3",
        "lark",
        "numpy",
        "golpae.diagnostics",
    }
