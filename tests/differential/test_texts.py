"""Random texts have every construct, few faults, and games that end."""

from collections import Counter
from functools import cache
from itertools import islice

import pytest

from golpae.elaborate.instance import bounds, instantiate, options_of
from golpae.replay.machine import Machine
from tests.differential.checks import Limits, check_text
from tests.differential.coverage import ALL, NEVER, constructs_of
from tests.differential.mutants import EXAMPLES, mutant_of_found, random_mutants
from tests.differential.texts import RuleText, draft, random_text
from tests.differential.walk import walk

TEXTS = 500


@cache
def made(seed: int) -> RuleText:
    return random_text(seed)


def test_the_same_seed_gives_the_same_text() -> None:
    assert random_text(11).source == random_text(11).source
    assert random_text(11).source != random_text(12).source


def test_most_drafts_have_no_faults() -> None:
    drafts = [draft(seed) for seed in range(40)]
    assert sum(made is not None and not made.faults() for made in drafts) >= 32


def test_most_random_texts_have_a_hand_that_ends() -> None:
    ended = 0
    for seed in range(80):
        rules = made(seed).rule_set()
        low, _ = bounds(rules, options_of(rules, {}))
        ended += walk(Machine(instantiate(rules, low, {})), most=900).ended > 0
    assert ended >= 64


@pytest.mark.slow
def test_every_construct_is_made() -> None:
    found: Counter[str] = Counter()
    for seed in range(TEXTS):
        found.update(constructs_of(made(seed).rule_set()))
    assert sorted(ALL - set(found)) == sorted(NEVER)
    assert set(found) <= ALL


def test_a_text_of_the_pages_has_no_findings() -> None:
    text = RuleText("harbour", (EXAMPLES / "harbour.golpae").read_text())
    assert check_text(text, Limits(positions=40)).findings == []


def test_texts_found_once_are_changed_twice() -> None:
    for seed in (
        140000551,
        140003499,
    ):  # the first change takes the last state of its kind, the only line of an action
        assert mutant_of_found(seed).faults() == []


@pytest.mark.slow
def test_mutants_of_real_texts_are_texts() -> None:
    for mutant in islice(random_mutants(1), 5):
        assert mutant.rule_set().actions
