"""The page of each game is made from its rule text, and is current."""

from __future__ import annotations

import re

import pytest

from docs.generate import matrix
from docs.generate.files import TOP
from docs.generate.games import OF_ANY, PAGES, games, page, refuted
from docs.generate.reasons import REASONS, UNDECIDED
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import load
from golpae.prove.answer import Pattern
from golpae.prove.scoring_ways import implied_patterns
from golpae.verify.properties import OF_ANY_GAME


@pytest.mark.corpus
@pytest.mark.parametrize("name", games())
def test_the_page_of_a_game_is_current(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == page(name), (
        "run `python -m docs.generate.games`"
    )


def test_every_game_has_its_page() -> None:
    assert {p.stem for p in PAGES.glob("*.md")} == set(games())


def test_every_expected_refutation_has_a_reason() -> None:
    expected = {f"{rules} {name}" for game in games() for rules, name in refuted(game, load(game))}
    assert expected == set(REASONS), "tell it in docs/generate/reasons.py"


@pytest.mark.parametrize("name", games())
def test_every_property_is_on_the_page_of_its_game(name: str) -> None:
    claims = (PAGES / f"{name}.md").read_text("utf-8").partition("## Claims")[2]
    text = (TOP / "spec" / f"{name}.golpae").read_text("utf-8")
    found = re.findall(
        r"^ *(?:theorem|always|never|reachable|ends|claim) ([a-z-]+)[^:\"]*: ", text, re.MULTILINE
    )
    assert found
    assert [p for p in found if f"| `{p}` |" not in claims] == []


@pytest.mark.parametrize("name", games())
def test_no_table_is_torn_by_an_empty_line(name: str) -> None:
    words = (PAGES / f"{name}.md").read_text("utf-8")
    assert re.findall(r"\n\n(\|.*)\n(?!\| ?-)", words) == []


def test_only_games_are_undecided() -> None:
    assert set(UNDECIDED) <= set(games())


def test_every_general_property_is_explained() -> None:
    assert set(OF_ANY) == {asked.name for asked in OF_ANY_GAME}


def test_the_committed_matrices_agree_with_the_rule_texts() -> None:
    matrices = matrix.load()
    assert list(matrices) == [r.rules for r in matrix.rule_sets(games())]
    for rules, scores in matrices.items():
        decls = {s.name: s for s in elaborate(rules).scores if s.brings}
        assert scores.keys() == decls.keys()
        for name, patterns in scores.items():
            never = {p.name for p in patterns if p.never}
            assert [p.name for p in patterns] == [p.name for p in decls[name].patterns]
            stated = implied_patterns(decls[name])
            for pattern in patterns:
                said = set() if pattern.never else stated.get(pattern.name, set()) - never
                assert set(pattern.brings) == said, (
                    f"{rules} {pattern.name}: run `python -m docs.generate.matrix`"
                )
                assert all(pattern.name in p.excludes for p in patterns if p.name in pattern.excludes)


def test_a_grid_has_a_row_and_a_column_for_each_pattern() -> None:
    patterns = (
        Pattern("one", False, ("two",), ("three",)),
        Pattern("two", False, (), ()),
        Pattern("three", False, (), ("one",)),
        Pattern("four", True, (), ()),
    )
    assert matrix.grid(patterns) == [
        "         1 2 3 4",
        " 1 one   \\ b x",
        " 2 two   · \\ ·",
        " 3 three x · \\",
        " 4 four",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("rules", matrix.load())
def test_the_matrices_are_proved(rules: str) -> None:
    assert matrix.load()[rules] == matrix.proved(elaborate(rules)), "run `python -m docs.generate.matrix`"
