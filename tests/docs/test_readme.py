"""The README is short, and its clauses are in the specs. test_pages.py runs its commands.

Its table has commands that golpae takes. The list of all pages has all pages.
"""

import re
import shlex

from docs.generate.files import TOP
from docs.generate.pages import blocks, pages
from docs.site.stage import contents
from golpae.cli.main import parser_of

README = (TOP / "README.md").read_text("utf-8")


def test_every_clause_in_the_readme_is_in_a_spec() -> None:
    specs = [" ".join(file.read_text("utf-8").split()) for file in (TOP / "spec").glob("*.golpae")]
    shown = [block.text for block in blocks(README) if block.language == "golpae"]
    assert shown
    for text in shown:
        assert any(" ".join(text.split()) in spec for spec in specs)


def test_the_readme_shows_a_verdict() -> None:
    assert any("broken: " in block.text for block in blocks(README) if block.language == "console")


def test_the_readme_is_hardly_longer_than_one_screen() -> None:
    assert len(README.splitlines()) <= 60


def test_it_says_how_to_activate_the_environment() -> None:
    assert ". .venv/bin/activate" in README
    assert r".venv\Scripts\activate" in README


def test_golpae_takes_every_command_of_the_table() -> None:
    commands = re.findall(r"^\| .* \| `golpae (.*)` \| \[.*\) \|$", README, re.MULTILINE)
    assert len(commands) == 10
    for command in commands:
        verb, *words = shlex.split(command.partition(" -- ")[0])
        parser_of(verb).parse_args(words)


def test_the_list_of_all_pages_has_every_page_once() -> None:
    listed = [page for entries in contents().values() for page in entries if page.startswith("docs/")]
    assert sorted(listed) == sorted(
        page.relative_to(TOP).as_posix() for page in pages() if page.name != "README.md"
    )
