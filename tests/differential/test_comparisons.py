"""Changes of texts and their comparison: random ones, and the pairs on which something was wrong."""

from __future__ import annotations

import random

import pytest

from tests.differential.changes import CHANGES, NOTHING, changed
from tests.differential.checks import Report
from tests.differential.comparisons import check_comparison
from tests.differential.texts import random_text


def test_changes_are_other_texts_without_faults() -> None:
    kinds = set()
    for seed in range(12):
        text = random_text(seed)
        found = changed(text, random.Random(seed))
        if found is not None:
            kind, other = found
            assert other.source != text.source
            assert not [f for f in other.faults() if f.code[0] in "SLN"]
            kinds.add(kind.split(":")[0])
    assert len(kinds) >= 4
    assert set(CHANGES) > NOTHING


@pytest.mark.slow
@pytest.mark.parametrize("seed", [22, 23])
def test_a_random_comparison_has_no_findings(seed: int) -> None:
    report = Report()
    check_comparison(random_text(seed), report)
    assert report.findings == []
    assert report.counts["comparisons"] == 1
