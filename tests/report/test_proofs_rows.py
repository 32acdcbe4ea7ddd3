"""Results in rows: equal results for several numbers of players share a row."""

from __future__ import annotations

import pytest

from golpae.report.proofs_rows import rows
from tests.verify.made_up import finding


@pytest.mark.parametrize(
    ("numbers", "shown", "at"),
    [
        ([2, 3, 4], "2–4", "2–4 players"),
        ([2, 3, 5], "2–3, 5", "2–3, 5 players"),
        ([1], "1", "1 player"),
        ([0], "all", "every table"),
        ([0, 0], "all", "every table"),
    ],
)
def test_numbers_of_players_with_equal_results_share_a_row(numbers: list[int], shown: str, at: str) -> None:
    [row] = rows(finding(players=n) for n in numbers)
    assert (row.players, row.at) == (shown, at)


def test_different_numbers_in_equal_details_become_ranges() -> None:
    [row] = rows(finding(players=n, story=f"after {10 * n} events of 7") for n in (4, 2, 3))
    assert row.detail == "after 20–40 events of 7"


@pytest.mark.parametrize(
    "other",
    [{"verdict": "refuted"}, {"story": "otherwise"}, {"checked": "no answer"}],
)
def test_a_different_result_has_a_row_of_its_own(other: dict[str, str]) -> None:
    assert len(rows([finding(), finding(other.pop("verdict", "proved"), players=3, **other)])) == 2


def test_a_vacuous_result_has_no_row_beside_one_that_is_not_vacuous() -> None:
    [row] = rows([finding(), finding(players=3, vacuous="nobody acts")])
    assert (row.players, row.first.vacuous) == ("2", None)
    [row] = rows([finding(vacuous="nobody acts")])
    assert row.notable


def test_rows_of_one_rule_set_and_property_are_adjacent() -> None:
    found = rows(
        [
            finding(rules="b", name="x"),
            finding(rules="a", name="x"),
            finding(rules="b", name="y"),
            finding(rules="b", name="x", players=3, verdict="refuted"),
        ]
    )
    assert [(r.first.rules, r.first.name, r.players) for r in found] == [
        ("b", "x", "2"),
        ("b", "x", "3"),
        ("b", "y", "2"),
        ("a", "x", "2"),
    ]


def test_the_seconds_of_a_row_are_added_up() -> None:
    [row] = rows(finding(players=n, seconds=0.5) for n in (2, 3))
    assert row.seconds == 1.0
