"""What reading a trace imports."""

import subprocess
import sys


def test_the_import_leaves_alone_what_few_traces_need() -> None:
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
