"""Texts that only count hands agree with the judge: a few of those that `tests.differential.counting` makes."""

import pytest

from tests.differential.calculators import calculator
from tests.differential.counting import check_calculator


@pytest.mark.parametrize("seed", [3, 100, 103, 1024, 3004])
def test_scores_proofs_and_comparisons_agree_with_the_judge(seed: int) -> None:
    text = calculator(seed)
    if text is not None:
        found, counts = check_calculator(text)
        assert found == []
        assert counts["texts"] + counts["texts not judged"] == 1
