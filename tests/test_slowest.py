"""The table of the slowest modules of a test run."""

from __future__ import annotations

from tests.slowest import table

REPORT = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest">
<testcase classname="tests.replay.test_ids" name="test_a[jjak]" time="30.5" />
<testcase classname="tests.replay.test_ids" name="test_b" time="9.5" />
<testcase classname="tests.test_cache" name="test_c" time="40" />
<testcase classname="tests.trace.test_read" name="test_d" time="20"><skipped /></testcase>
</testsuite></testsuites>
"""


def test_the_slowest_modules_come_first_with_their_shares() -> None:
    assert table(REPORT, 2) == [
        "| module | tests | seconds | share |",
        "|---|---|---|---|",
        "| `tests/replay/test_ids.py` | 2 | 40 | 40% |",
        "| `tests/test_cache.py` | 1 | 40 | 40% |",
        "| all | 4 | 100 | 100% |",
    ]
