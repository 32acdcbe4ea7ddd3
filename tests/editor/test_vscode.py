"""The extension for VS Code: what its files say is so, and its snippets are rule texts."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from golpae.diagnostics import Text
from golpae.syntax.parse import parse
from tests.as_a_user import run
from tests.committed import TOP, committed_files
from tests.editor.snippets import expanded

FOLDER = TOP / "editors" / "vscode"
PACKAGE: dict[str, Any] = json.loads((FOLDER / "package.json").read_text("utf-8"))
SNIPPETS: dict[str, Any] = json.loads((FOLDER / "snippets" / "golpae.json").read_text("utf-8"))
LANGUAGE: dict[str, Any] = json.loads((FOLDER / "language-configuration.json").read_text("utf-8"))


def test_files_that_the_extension_names_exist() -> None:
    given = PACKAGE["contributes"]
    named = [PACKAGE["main"], given["languages"][0]["configuration"]]
    named += [one["path"] for one in [*given["grammars"], *given["snippets"]]]
    assert all((FOLDER / name).is_file() for name in named)
    assert given["languages"][0]["extensions"] == [".golpae"]
    assert not [file for file in committed_files() if file.suffix == ".vsix" or "node_modules" in file.parts]


def test_the_client_reads_the_settings_that_the_extension_has() -> None:
    client = (FOLDER / "extension.js").read_text("utf-8")
    read = {f"golpae.{name}" for name in re.findall(r'settings\.get\("(\w+)"', client)}
    assert read == set(PACKAGE["contributes"]["configuration"]["properties"])
    # A folder of somebody else does not choose a program.
    assert read == set(PACKAGE["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"])


@pytest.mark.parametrize("name", sorted(SNIPPETS))
def test_a_snippet_is_a_rule_text(name: str) -> None:
    text = expanded(SNIPPETS[name]["body"])
    assert "$" not in text
    assert parse(Text("snippet", text + "\n")).decls


def test_the_snippet_of_a_game_is_a_whole_game(tmp_path: Path) -> None:
    game = tmp_path / "snippet.golpae"
    game.write_text(expanded(SNIPPETS["game"]["body"], TM_FILENAME_BASE="snippet") + "\n", "utf-8")
    done = run(sys.executable, "-m", "golpae", "simulate", game, "--games", "2", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "deeper"),
    [
        ("zones", True),
        ('action give(tile: {a, b}) by p "give: all"  [P1]', True),
        ("  then when all-drew", True),
        ("  then move tile from p's hand to pool", False),
        ("define each tile's pips: its high + its low", False),
        ("  six-six:", True),
        ("include pond-tiles", False),
        ("  # end", False),
    ],
)
def test_a_line_that_opens_a_block_is_followed_by_a_deeper_one(line: str, deeper: bool) -> None:
    assert any(re.search(rule["beforeText"], line) for rule in LANGUAGE["onEnterRules"]) is deeper
