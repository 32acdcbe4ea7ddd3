"""The colours of rule texts: in Pygments, and in the TextMate grammar of the extension for VS Code."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from pygments import token
from pygments.lexers import load_lexer_from_file

from docs.generate import textmate
from docs.generate.grammar import Grammar
from golpae.bundled import grammar_text, spec_dir
from golpae.editor import pygments_lexer
from golpae.editor.pygments_lexer import GolpaeLexer
from golpae.syntax.highlighting import Kind, Piece, patterns, pieces
from tests.committed import TOP
from tests.editor.parsed_words import ParsedWord, parsed_words
from tests.editor.textmate import Reader
from tests.editor.texts import POND

TEXTS = sorted(spec_dir().glob("*.golpae"))
TEXTMATE = json.loads(textmate.FILE.read_text("utf-8"))
KEYWORDS: tuple[Kind, ...] = ("beginning", "keyword")


def kinds(text: str) -> list[tuple[str, str]]:
    """Return the pieces of a text that are more than blanks and signs."""
    plain = ("blank", "punctuation")
    return [(one.kind, one.characters.strip()) for one in pieces(text) if one.kind not in plain]


def kind_of_each(found: list[Piece]) -> list[Kind]:
    return [one.kind for one in found for _ in one.characters]


def wrongly_coloured(words: list[ParsedWord], colours: list[Kind]) -> Counter[str]:
    """Return the words that the parser takes otherwise, but names of clauses that are keywords elsewhere."""
    wrong: Counter[str] = Counter()
    for word, after in pairwise([*words, ParsedWord(0, "", "")]):
        last = word.start + len(word.characters) - 1
        if word.is_keyword != (colours[last] in KEYWORDS) and not (
            word.terminal == "NAME" and after.characters == ":"
        ):
            wrong[word.characters] += 1
    return wrong


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_keywords_of_a_text_are_those_of_the_parser(file: Path) -> None:
    """A line says less than a whole text: a name that reads `from` may keep the word behind it from being seen."""
    text = file.read_text("utf-8")
    found = list(pieces(text))
    assert "".join(one.characters for one in found) == text
    assert not [one for one in found if one.kind == "error"]
    assert all(left.start + len(left.characters) == right.start for left, right in pairwise(found))
    words = list(parsed_words(text))
    wrong = wrongly_coloured(words, kind_of_each(found))
    assert wrong.total() * 500 <= len(words), wrong


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_a_text_has_the_same_colours_in_textmate(file: Path) -> None:
    text = file.read_text("utf-8")
    scopes = Reader(TEXTMATE).scopes(text)
    wrong = Counter(
        (one.kind, scopes[at])
        for one in pieces(text)
        for at, char in enumerate(one.characters, one.start)
        if one.kind != "blank" and not char.isspace() and scopes[at] != textmate.SCOPES.get(one.kind, "")
    )
    assert not wrong


def test_pieces_are_what_they_are() -> None:
    assert kinds('action give(tile) by p "give {size of {tile}} away"  [P1 P2]  # to "all"\n') == [
        ("beginning", "action"),
        ("declared", "give"),
        ("name", "tile"),
        ("keyword", "by"),
        ("name", "p"),
        ("text", '"give'),
        ("value", "{"),
        ("keyword", "size of"),
        ("name", "tile"),
        ("value", "}"),
        ("text", 'away"'),
        ("citation", "[P1 P2]"),
        ("comment", '# to "all"'),
    ]
    assert kinds("  turn: 2-1 /= top of p's hand + 40\n") == [
        ("clause", "turn"),
        ("name", "2-1"),
        ("operator", "/="),
        ("keyword", "top of"),
        ("name", "p's"),
        ("name", "hand"),
        ("operator", "+"),
        ("number", "40"),
    ]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("state of the hand", "keyword"),
        ("  then move tile to p's hand", "name"),
        ("  hands: 6 for first, 5 for the others", "keyword"),
        ("  due: others", "name"),
        ("end", "beginning"),
        ("define end: yes", "declared"),
        ("  end: yes", "clause"),
        ("define each tile's end: its high", "declared"),
        ("  where end is 4", "declared"),
    ],
)
def test_a_word_is_a_keyword_only_where_the_grammar_has_it(line: str, kind: str) -> None:
    found = {one.characters.strip(): one.kind for one in pieces(line)}
    [word] = [word for word in ("hand", "others", "end") if word in found]
    assert found[word] == kind


def test_a_word_behind_one_that_declares_names_may_be_a_keyword() -> None:
    assert kinds('  add aim "win"\n')[:2] == [("beginning", "add"), ("keyword", "aim")]
    assert kinds("  add aim: define aim\n")[:2] == [("beginning", "add"), ("declared", "aim")]


def test_texts_with_faults_have_colours_too() -> None:
    assert kinds('action give "open {p\n\tend\n§\n')[-3:] == [
        ("name", "p"),
        ("beginning", "end"),
        ("error", "§"),
    ]
    assert not list(pieces(""))


def test_every_word_of_the_grammar_is_a_keyword() -> None:
    grammar = Grammar.read()
    words = {word for name in grammar.rules for word in grammar.words(name)}
    words |= set(re.findall(r'"([a-z][a-z\'-]+)"', grammar_text()))
    assert len(words) > 120
    held = " ".join(
        rule["match"]
        for rule in TEXTMATE["repository"]["code"]["patterns"]
        if rule.get("name") in [textmate.SCOPES[kind] for kind in KEYWORDS]
    )
    # What stands before and behind a keyword is no keyword by that.
    held = re.sub(r"\(\?<[=!][^()]*\)", " ", re.sub(r"\\[a-zA-Z]", " ", held))
    for _ in range(4):
        held = re.sub(r"\(\?[=!](?:[^()]|\(\?[:!=]?[^()]*\))*\)", " ", held)
    assert words - set(re.findall(r"[a-z][a-z'-]*", held.replace("\\", ""))) == set()


def test_the_textmate_grammar_is_that_of_the_language() -> None:
    assert textmate.FILE.read_text("utf-8") == textmate.textmate(), "run `python -m docs.generate.textmate`"
    assert all(not re.compile(one.regex).groups for one in patterns())


def test_pygments_reads_texts_by_the_same_patterns() -> None:
    tokens = list(GolpaeLexer(stripnl=False).get_tokens(POND))
    assert "".join(text for _, text in tokens) == POND
    assert token.Error not in {kind for kind, _ in tokens}
    for expected in [
        (token.Keyword.Declaration, "action"),
        (token.Name.Function, "take"),
        (token.String.Interpol, "{"),
        (token.Name.Decorator, "[P1]"),
        (token.Comment.Single, "# Whether two lanterns go together."),
        (token.Number, "3"),
        (token.Operator, ":="),
    ]:
        assert expected in tokens
    assert set(pygments_lexer.TOKENS) >= {one.kind for one in patterns()}


def test_pygments_finds_the_lexer_by_the_entry_point() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pygments.lexers"] == {
        "golpae": "golpae.editor.pygments_lexer:GolpaeLexer"
    }
    lexer = load_lexer_from_file(pygments_lexer.__file__, "GolpaeLexer")
    assert (lexer.aliases, lexer.filenames) == (["golpae"], ["*.golpae"])
