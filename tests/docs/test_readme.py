"""The README is short, and its clauses are in the specs. test_pages.py runs its commands."""

from docs.generate.files import TOP
from docs.generate.pages import blocks

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
    assert len(README.splitlines()) <= 80


def test_it_says_how_to_activate_the_environment() -> None:
    assert ". .venv/bin/activate" in README
    assert r".venv\Scripts\activate" in README
