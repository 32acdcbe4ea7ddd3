"""The reference of the language: its examples are real, and nothing of the language is left out."""

import io
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generate.files import TOP
from docs.generate.grammar import Grammar
from docs.generate.pages import Block, blocks
from golpae.diagnostics import CODES, SpecError, Text, render
from golpae.elaborate.check import check_text, elaborate
from golpae.elaborate.instance import bounds, options_of
from golpae.elaborate.load import load
from golpae.replay.machine import Machine
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from golpae.trace import Verdict
from tests.replay.play import match

DOCS = TOP / "docs"
PAGE = (DOCS / "language.md").read_text("utf-8")
EXAMPLES = sorted((DOCS / "examples").glob("*.golpae"))
AFTER_WORDS = re.compile(r"\s*(\[[A-Za-z0-9 ]*\])?\s*(#.*)?$")
ROW = re.compile(r"^\| `(.*?)` \| .* \|$", re.MULTILINE)


def plain(line: str) -> str:
    """A line without its indentation, rule numbers and comment."""
    return AFTER_WORDS.sub("", line.strip())


TEXTS = [[plain(line) for line in file.read_text("utf-8").splitlines()] for file in EXAMPLES]


def checked_table(what: str) -> list[str]:
    """What stands in the first column of the table behind `<!-- checked: what -->`."""
    table = PAGE.split(f"<!-- checked: {what} -->\n\n")[1].split("\n\n")[0]
    return [cell.replace("\\|", "|") for cell in ROW.findall(table)]


@pytest.mark.parametrize(
    "block", [b for b in blocks(PAGE) if b.language == "golpae"], ids=lambda b: f"line-{b.line}"
)
def test_every_example_stands_in_a_text_that_has_no_faults(block: Block) -> None:
    wanted = [plain(line) for line in block.text.splitlines()]
    assert any(
        lines[start : start + len(wanted)] == wanted for lines in TEXTS for start in range(len(lines))
    ), "\n".join(wanted)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_examples_have_no_faults_and_are_in_the_style(file: Path) -> None:
    text = file.read_text("utf-8")
    assert format_text(parse(Text.of(file.name, text))) == text
    if text.startswith("game "):
        assert [render(fault) for fault in check_text(load(file.stem, [file.parent]))] == []


# How many random matches are enough for all that can happen in a game.
@pytest.mark.parametrize(
    ("rules", "matches"),
    [("fair-bones", 6), ("fair-calls", 4), ("fair-cards", 2), ("fair-dice", 4)],
)
def test_the_games_of_the_reference_can_be_played(rules: str, matches: int) -> None:
    base = elaborate(rules, [DOCS / "examples"])
    library = Library(lambda name: base)
    low, high = bounds(base, options_of(base, {}))
    done = set()
    for seed in range(matches):
        table = library.machine(rules, low + seed % (high - low + 1), {})
        assert isinstance(table, Machine)
        trace = match(table, random.Random(seed), 12)
        lines = "\n".join(json.dumps(line) for line in trace)
        [report] = list(replay(io.BytesIO(lines.encode()), "-", library))
        assert report.outcome.verdict in (Verdict.LEGAL, Verdict.INCOMPLETE), report.outcome.message
        done |= {line["do"] for line in trace[1:]}
    assert done == {action.name for action in base.actions}


def faults_of(lines: Iterator[str], folder: Path) -> list[str]:
    """What is wrong with the game of the examples when these lines are added to it."""
    (folder / "more.golpae").write_text("".join(['game more ""\ninclude fair\n', *lines]), "utf-8")
    try:
        elaborate("more", [folder, DOCS / "examples"])
    except SpecError as fault:
        return [render(diagnostic) for diagnostic in fault.diagnostics]
    return []


def test_every_value_of_the_tables_has_a_meaning(tmp_path: Path) -> None:
    values = "p, q: seat, t, a, b: tile, n: number, s: tiles"
    shown = checked_table("expressions")
    assert len(shown) > 40
    lines = (f"define shown-{i}({values}): {value}\n" for i, value in enumerate(shown))
    assert faults_of(lines, tmp_path) == []


def test_every_effect_of_the_tables_has_a_meaning(tmp_path: Path) -> None:
    shown = checked_table("effects")
    assert len(shown) > 12
    lines = (f"action shown_{i}(tile) by p\n  then {effect}\n" for i, effect in enumerate(shown))
    assert faults_of(lines, tmp_path) == []


def test_every_kind_of_the_tables_has_a_meaning(tmp_path: Path) -> None:
    shown = checked_table("types")
    assert shown
    lines = (f"action shown_{i}(value: {kind}) by p\n  then nobody wins\n" for i, kind in enumerate(shown))
    assert faults_of(lines, tmp_path) == []


def test_every_rule_of_the_grammar_is_shown() -> None:
    shown = {name for names in re.findall(r"<!-- made: grammar (.*) -->", PAGE) for name in names.split()}
    assert shown == set(Grammar.read().rules) - {"ids", "block"}


def test_every_word_of_the_grammar_stands_in_an_example() -> None:
    examples = " ".join(file.read_text("utf-8") for file in EXAMPLES)
    tables = " ".join(cell for what in ("expressions", "effects", "types") for cell in checked_table(what))
    said = set(re.findall(r"[a-z]+(?:'s)?", f"{examples} {tables}"))
    grammar = Grammar.read()
    assert set().union(*(grammar.words(rule) for rule in grammar.rules)) <= said


def test_every_kind_of_fault_is_explained() -> None:
    assert re.findall(r"^### ([A-Z]\d{3}): ", PAGE, re.MULTILINE) == list(CODES)
