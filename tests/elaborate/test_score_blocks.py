"""Scores that a variant changes, in which lines of different kinds have one name."""

from __future__ import annotations

import pytest

from golpae.elaborate.blocks import clauses_of, with_clauses
from golpae.syntax import tree as t
from tests.differential.texts import RuleText
from tests.lint.silent import SILENT

TEXT = SILENT.replace(
    "  pattern all 1: yes\n", "  define twin: hand is two\n  pattern all 1: yes\n  pattern twin 2: twin\n"
)


@pytest.mark.parametrize(
    "change", ["replace worth.all: hand is same", "drop worth.all", "add worth.some: hand is two"]
)
def test_a_definition_and_a_pattern_of_one_name_stay_what_they_are(change: str) -> None:
    text = RuleText("silent", f'{TEXT}\nvariant v "v"\n  {change}\n')
    [score] = [decl for decl in text.loaded.decls if isinstance(decl, t.Score)]
    assert with_clauses(score, clauses_of(score)) == score
    rules = text.rule_set("v")
    [twin] = [pattern for pattern in rules.scores[0].patterns if pattern.name == "twin"]
    [before] = [pattern for pattern in text.rule_set().scores[0].patterns if pattern.name == "twin"]
    assert twin == before
