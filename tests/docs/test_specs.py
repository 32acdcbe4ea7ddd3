"""The texts of all games: they parse, can be formatted, and mean something with each of their switches."""

import re
from pathlib import Path

import pytest

from docs.generate.files import TOP
from golpae.diagnostics import Text, render
from golpae.elaborate.check import check, check_text
from golpae.elaborate.load import load
from golpae.elaborate.resolve import resolve
from golpae.syntax import tree as t
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse

FOLDERS = (TOP / "spec", TOP / "tests" / "games")
TEXTS = sorted(file for folder in FOLDERS for file in folder.glob("*.golpae"))
GAMES = [file for file in TEXTS if re.search(r"^game ", file.read_text("utf-8"), re.MULTILINE)]


def parsed(content: str, name: str) -> t.RuleText:
    return parse(Text.of(name, content))


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_formatting_a_text_keeps_its_meaning(file: Path) -> None:
    tree = parsed(file.read_text("utf-8"), file.name)
    formatted = format_text(tree)
    again = parsed(formatted, file.name)
    assert again == tree
    assert format_text(again) == formatted


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_every_text_is_free_of_faults(file: Path) -> None:
    assert [render(fault) for fault in check_text(load(file.stem, FOLDERS))] == []


def switches() -> list[tuple[str, str]]:
    return [
        (file.stem, name)
        for file in GAMES
        for name in re.findall(r"(?m)^variant ([\w-]+)", file.read_text("utf-8"))
    ]


@pytest.mark.corpus
@pytest.mark.parametrize(("game", "switch"), switches(), ids=lambda word: word)
def test_every_text_elaborates_with_each_of_its_switches(game: str, switch: str) -> None:
    rules = check(resolve(f"{game}+{switch}", load(game, FOLDERS)))
    assert rules.active == (switch,)
