"""Expressions in the words of the language: read again, they are the same expressions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from golpae.bundled import spec_dir
from golpae.ir.ruleset import PROPERTY_KINDS
from golpae.lower.written import written
from tests.committed import TOP
from tests.differential.texts import RuleText
from tests.verify.refuted import STATED, TEXT, named

FOUND = TOP / "tests" / "differential" / "found"
GAMES = [file for file in spec_dir().glob("*.golpae") if not file.stem.endswith("-sources")]
A_GAME = re.compile(r"^game ", re.MULTILINE)  # other texts are there to be included
STATES = re.compile(r"^(?:theorem|claim|always|never|reachable|ends) ", re.MULTILINE)
INCLUDE = re.compile(r"^include ([\w-]+)$", re.MULTILINE)


def whole(file: Path) -> str:
    """Return a text with those that it includes."""
    return INCLUDE.sub(lambda name: whole(file.with_name(f"{name[1]}.golpae")), file.read_text("utf-8"))


TEXTS = {file: whole(file) for file in (*GAMES, *FOUND.glob("*.golpae"))}
FILES = sorted(file for file, text in TEXTS.items() if A_GAME.search(text) and STATES.search(text))
WORDS = {kind: word for word, kind in PROPERTY_KINDS.items()}


def read_again(name: str, text: str) -> int:
    """Check that the properties of a text are the same after they were written. Return how many it has."""
    rules = RuleText(name, text).rule_set()
    lines = [
        f"{WORDS[p.kind]} {p.name}-again{'' if p.after is None else f' after {p.after}'}: {written(p.expr, rules)}"
        for p in rules.properties
    ]
    again = {p.name: p.expr for p in RuleText(name, "\n".join((text, *lines, ""))).rule_set().properties}
    for prop in rules.properties:
        assert again[f"{prop.name}-again"] == prop.expr, written(prop.expr, rules)
    return len(rules.properties)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_what_is_written_is_read_as_the_same(file: Path) -> None:
    assert read_again(file.stem, TEXTS[file])


def test_each_form_is_read_as_the_same() -> None:
    stated = [named(words, f"p{number}") for number, words in enumerate(STATED)]
    stated += [f"claim q{number}: {words}" for number, words in enumerate(FORMS)]
    assert read_again("why", "\n".join((TEXT, *stated, ""))) == len(STATED) + len(FORMS)


FORMS = (
    "(the t in tiles: t = t1) otherwise t2 = t1",
    "(those t in tiles: t's rank > 1) - t2 + {t3, t4} = {t3, t3, t4, t4}",
    "size of {t's rank + 1 for t in tiles: t /= t1} = 3 and 2 in {1 to 3}",
    "(most of t's rank for t in kinds of tiles) > least of t's rank for t in tiles",
    "(number of a of 2 in tiles: size of a = 2) = 6",
    "2 ^ 3 mod 3 = -(1 - 3) and not yes implies no",
    "(if pips-in-all = 3 then t1 else none) is not none or t2 in pips",
    "every p in players: p's right's left = p",
)
