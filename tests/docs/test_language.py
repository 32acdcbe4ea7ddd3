"""The guide to the language and its chapters: the examples are real, and nothing of the language is left out."""

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
from docs.generate.reference import OTHER_WORDS, anchor
from golpae.bundled import language_pages
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
PAGES = language_pages()
PAGE = "\n".join(PAGES.values())
EXAMPLES = sorted((DOCS / "examples").glob("*.golpae"))
AFTER_WORDS = re.compile(r"\s*(\[[A-Za-z0-9 ]*\])?\s*(#.*)?$")
ROW = re.compile(r"^\| `(.*?)` \| .* \|$", re.MULTILINE)


def plain(line: str) -> str:
    """Return a line without its indentation, rule numbers and comment."""
    return AFTER_WORDS.sub("", line.strip())


SETS = sorted((DOCS.parent / "spec").glob("*.golpae"))  # a page may quote the sets that a game can include
TEXTS = [[plain(line) for line in file.read_text("utf-8").splitlines()] for file in (*EXAMPLES, *SETS)]


def checked_table(what: str) -> list[str]:
    """Return the first column of the table after `<!-- checked: what -->`."""
    table = PAGE.split(f"<!-- checked: {what} -->\n\n")[1].split("\n\n")[0]
    return [cell.replace("\\|", "|") for cell in ROW.findall(table)]


def lines_of(what: str, column: int) -> dict[str, list[str]]:
    """Return each row of the tables after `<!-- checked: what -->`: its first cell, and the lines in this column."""
    rows = {}
    for part in PAGE.split(f"<!-- checked: {what} -->\n\n")[1:]:
        for row in part.split("\n\n")[0].splitlines()[2:]:
            cells = [cell.strip() for cell in row.split("|")[1:-1]]
            assert len(cells) == 3, row
            rows[cells[0]] = re.findall(r"`(.*?)`", cells[column])
    return rows


@pytest.mark.parametrize(
    "block", [b for b in blocks(PAGE) if b.language == "golpae"], ids=lambda b: f"line-{b.line}"
)
def test_every_example_is_part_of_a_checked_text(block: Block) -> None:
    wanted = [plain(line) for line in block.text.splitlines()]
    assert any(
        lines[start : start + len(wanted)] == wanted for lines in TEXTS for start in range(len(lines))
    ), "\n".join(wanted)


@pytest.mark.parametrize(("what", "column"), [("tasks", 1), ("wishes", 2)])
def test_every_line_of_the_index_by_task_is_part_of_a_sound_text(what: str, column: int) -> None:
    rows = lines_of(what, column)
    assert len(rows) > 8
    missing = [
        line for lines in rows.values() for line in lines if not any(plain(line) in text for text in TEXTS)
    ]
    assert missing == []
    assert what == "wishes" or all(rows.values())


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_example_texts_are_formatted_and_have_no_faults(file: Path) -> None:
    text = file.read_text("utf-8")
    assert format_text(parse(Text.of(file.name, text))) == text
    if text.startswith("game "):
        assert [render(fault) for fault in check_text(load(file.stem, [file.parent]))] == []


# The games of the index, and how many random matches are enough for all that can happen in them.
@pytest.mark.parametrize(
    ("rules", "matches"),
    [
        ("fair-bids", 6),
        ("fair-bones", 6),
        ("fair-bones+lowest", 4),
        ("fair-bones+surrender", 8),
        ("fair-calls", 4),
        ("fair-cards", 2),
        ("fair-cards+five-deals+low-two", 2),
        ("fair-dice", 4),
        ("fair-feast", 4),
        ("fair-knock", 24),
        ("fair-market", 4),
        ("fair-wild", 12),
        ("fair-jokers+red", 24),
        ("fair-open", 8),
    ],
)
def test_the_games_of_the_index_can_be_played(rules: str, matches: int) -> None:
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


def test_a_match_that_goes_on_is_legal() -> None:
    lines = (DOCS / "traces.md").read_text("utf-8").split("## A match that goes on")[1].split("```")[1]
    library = Library(lambda name: elaborate(name, [DOCS / "examples"]))
    [report] = replay(io.BytesIO(lines.removeprefix("json\n").encode()), "-", library)
    assert report.outcome.verdict is Verdict.LEGAL, report.outcome.message


# What the page says cannot be said: replacements in a text that has no faults.
WISHES = {
    "a board with squares, or a line that branches": [
        ("  deck: tiles", "  each tile's square: tiles seen by everyone\n  deck: tiles")
    ],
    "something remembered of each tile": [("  bid: number = 0", "  each tile's bid: number = 0")],
}


@pytest.mark.parametrize("wish", WISHES)
def test_every_unsupported_wish_is_refused(wish: str, tmp_path: Path) -> None:
    assert wish in lines_of("wishes", 2)
    text = (DOCS / "examples" / "fair-cards.golpae").read_text("utf-8")
    for old, new in WISHES[wish]:
        assert old in text
        (tmp_path / "fair-cards.golpae").write_text(text.replace(old, new), "utf-8")
        with pytest.raises(SpecError):
            elaborate("fair-cards+five-deals", [tmp_path])


def faults_of(lines: Iterator[str], folder: Path) -> list[str]:
    """Return the faults of the example game with these lines added."""
    (folder / "more.golpae").write_text("".join(['game more ""\ninclude fair\n', *lines]), "utf-8")
    try:
        elaborate("more", [folder, DOCS / "examples"])
    except SpecError as fault:
        return [render(diagnostic) for diagnostic in fault.diagnostics]
    return []


def test_every_value_in_the_tables_is_accepted(tmp_path: Path) -> None:
    values = "p, q: seat, t, a, b: tile, n: number, s: tiles"
    shown = checked_table("expressions")
    assert len(shown) > 40
    lines = (f"define shown-{i}({values}): {value}\n" for i, value in enumerate(shown))
    assert faults_of(lines, tmp_path) == []


def test_every_effect_in_the_tables_is_accepted(tmp_path: Path) -> None:
    shown = checked_table("effects")
    assert len(shown) > 12
    lines = (f"action shown_{i}(tile, tiles) by p\n  then {effect}\n" for i, effect in enumerate(shown))
    assert faults_of(lines, tmp_path) == []


def test_every_kind_in_the_tables_is_accepted(tmp_path: Path) -> None:
    shown = checked_table("types")
    assert shown
    lines = (f"action shown_{i}(value: {kind}) by p\n  then nobody wins\n" for i, kind in enumerate(shown))
    assert faults_of(lines, tmp_path) == []


def test_every_rule_of_the_grammar_is_on_the_page() -> None:
    shown = {name for names in re.findall(r"<!-- made: grammar (.*) -->", PAGE) for name in names.split()}
    assert shown == set(Grammar.read().rules) - {"ids", "block"}


def sections() -> dict[str, str]:
    """Return the sections of the page, from the one after the glossary to the last one with examples."""
    parts = re.split(r"^##? (.*)$", PAGE, flags=re.MULTILINE)
    named = dict(zip(parts[1::2], parts[2::2], strict=True))
    titles = list(named)
    start, stop = titles.index("The words you need first") + 1, titles.index("Every word")
    return {title: named[title] for title in titles[start:stop]}


# Names that the examples choose, and words of the glossary, though they are words of a later section as well.
KNOWN = {"hand", "hands", "wins", "points"}


def test_an_example_links_to_the_sections_that_explain_its_words_later() -> None:
    texts, grammar = sections(), Grammar.read()
    titles = list(texts)
    explained: dict[str, list[str]] = {word: [] for words in OTHER_WORDS.values() for word in words}
    for title, text in texts.items():
        boxes = re.findall(r"<!-- made: grammar (.*) -->", text)
        for word in (word for names in boxes for name in names.split() for word in grammar.words(name)):
            explained.setdefault(word, []).append(title)
        for word in OTHER_WORDS.get(title, ()):
            explained[word].append(title)
    for title, text in texts.items():
        lines = "".join(b.text for b in blocks(text) if b.language == "golpae")
        used = set(re.findall(r"(?<![\w-])[a-z]+(?:'s)?(?![\w-])", re.sub(r'"[^"]*"|#.*', "", lines)))
        for word in sorted(used & set(explained) - KNOWN):
            where = explained[word]
            now = any(titles.index(other) <= titles.index(title) for other in where)
            assert now or any(f"#{anchor(other)})" in text for other in where), (title, word, where)


def test_every_name_in_a_box_of_the_grammar_has_a_box() -> None:
    boxes = "".join(re.findall(r"<!-- made: grammar .*? -->(.*?)<!-- end -->", PAGE, re.DOTALL))
    heads = re.findall(r"^([a-z-]+) → ", boxes, re.MULTILINE)
    assert len(heads) == len(set(heads))
    assert set(re.findall(r"<([a-z-]+)>", boxes)) <= set(heads)


def test_every_word_of_the_grammar_is_in_an_example() -> None:
    examples = " ".join(file.read_text("utf-8") for file in EXAMPLES)
    tables = " ".join(cell for what in ("expressions", "effects", "types") for cell in checked_table(what))
    said = set(re.findall(r"[a-z]+(?:'s)?", f"{examples} {tables}"))
    grammar = Grammar.read()
    assert set().union(*(grammar.words(rule) for rule in grammar.rules)) <= said


def test_every_kind_of_fault_is_explained() -> None:
    assert re.findall(r"^## ([A-Z]\d{3}): ", PAGE, re.MULTILINE) == list(CODES)
