"""SECURITY.md: each promise has tests that hold it, and one is held here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.committed import TOP

HELD_BY = {
    "Rule texts": (
        "tests/ir/test_codec.py::test_only_names_get_into_the_code_that_is_made_of_a_rule_set",
        "tests/syntax/test_parse.py::test_a_text_beyond_the_bounds_is_refused",
    ),
    "Recorded games": (
        "tests/trace/test_read.py::test_the_longest_line_is_read_and_one_byte_more_refused",
        "tests/trace/test_read.py::test_nesting_is_bounded",
        "tests/trace/test_read.py::test_random_bytes_give_faults_at_the_right_lines_and_never_raise",
        "tests/cli/test_bad_input.py::test_spoilt_files_never_crash_anything",
    ),
    "Output": ("tests/cli/test_strangers.py::test_no_hidden_character_reaches_standard_output",),
    "Repositories": (
        "tests/elaborate/test_git_revision.py::test_no_name_in_a_repository_leads_out_of_the_folder",
        "tests/elaborate/test_git_revision.py::test_nothing_that_a_repository_names_is_run",
    ),
    "Signals": (
        "tests/cli/test_strangers.py::test_a_signal_at_any_moment_leaves_no_traceback_no_process_and_no_file",
    ),
    "Certificates": (
        "tests/verify/certificates/test_certificates.py::test_links_and_pipes_are_not_followed",
    ),
    "The cache": (
        "tests/cli/test_cache.py::test_a_damaged_entry_is_made_anew",
        "tests/cli/test_cache.py::test_an_entry_that_others_may_have_made_is_not_read",
        "tests/cli/test_cache.py::test_somebody_elses_entry_is_not_read",
        "tests/cli/test_cache.py::test_with_the_cache_off_nothing_is_written",
        "tests/ir/test_codec.py::test_spoilt_data_are_refused_or_hold_values_of_the_declared_types",
    ),
    "no network connection": ("tests/test_security.py::test_no_connection_is_opened",),
}
WITHOUT_NETWORK = """
import socket, sys

def refuse(event, args):
    if event == "socket.__new__" and args[1] in (socket.AF_INET, socket.AF_INET6):
        raise SystemExit("a connection")

sys.addaudithook(refuse)
if __name__ == "__main__":
    from golpae.cli.main import main
    sys.exit(main(sys.argv[1:]))
"""  # workers import this file, too


def promises() -> list[str]:
    """Return the entries of the list of promises."""
    page = (TOP / "SECURITY.md").read_text("utf-8")
    part = page.split("## What golpae promises\n")[1].split("\n## ")[0]
    return [" ".join(entry.split()) for entry in re.split(r"^- ", part, flags=re.MULTILINE)[1:]]


def test_every_promise_is_held_by_tests() -> None:
    entries = promises()
    assert len(entries) == len(HELD_BY)
    for entry, promise in zip(entries, HELD_BY, strict=True):
        assert promise in entry
        for test in HELD_BY[promise]:
            file, _, name = test.partition("::")
            assert f"\ndef {name}(" in (TOP / file).read_text("utf-8"), test


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [
        ["check", "traces/three-dozen", "--expected"],
        ["prove", "docs/examples/ferry.golpae", "--jobs", "2"],
        ["compare", "HEAD:spec/three-dozen.golpae", "spec/three-dozen.golpae", "--layer", "text"],
    ],
    ids=["check", "prove", "compare"],
)
def test_no_connection_is_opened(words: list[str], tmp_path: Path) -> None:
    script = tmp_path / "without_network.py"
    script.write_text(WITHOUT_NETWORK, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), *words],
        cwd=TOP,
        env={**os.environ, "GOLPAE_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 3), done.stderr
    assert "a connection" not in done.stderr


def test_the_refusal_of_connections_works(tmp_path: Path) -> None:
    script = tmp_path / "without_network.py"
    script.write_text(
        WITHOUT_NETWORK.split("if __name__", maxsplit=1)[0] + "socket.socket()\n", encoding="utf-8"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip()) == (1, "a connection")
