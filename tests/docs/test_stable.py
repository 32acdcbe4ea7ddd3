"""The page on what is stable has the numbers of the formats, the verdicts and the exit statuses as they are."""

from __future__ import annotations

import re

from docs.generate.files import TOP
from golpae.build.templates import FORMAT as MODULE
from golpae.coverage.kept import FORMAT as COUNTS
from golpae.trace.header import VERSION as TRACE
from golpae.trace.outcome import Verdict
from golpae.trace.packed import VERSION as PACKED
from golpae.verify.families.kept import FORMAT as FAMILIES
from golpae.verify.kept_proofs import FORMAT as PROOFS

PAGE = (TOP / "docs" / "stable.md").read_text("utf-8")


def test_the_formats_have_their_numbers() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d+) \|", PAGE, re.MULTILINE))
    assert {name: int(number) for name, number in rows.items()} == {
        "recorded games": TRACE,
        "packed games (`.parquet`)": int(PACKED),
        "kept proofs (`.proofs.json`)": PROOFS,
        "kept families (`.families.json`)": FAMILIES,
        "kept counts of coverage": COUNTS,
        "modules (`golpae build`)": MODULE,
    }


def test_the_page_names_every_verdict() -> None:
    [row] = re.findall(r"^\| verdicts \((.*?)\) \|", PAGE, re.MULTILINE)
    assert re.findall(r"`([^`]+)`", row) == [verdict.value for verdict in Verdict]
