"""Whoever follows the tutorial sees what it shows, and ends with the text that the other pages speak of."""

from pathlib import Path

from tests.committed import TOP
from tests.docs.pages import follow

DOCS = TOP / "docs"


def test_the_tutorial_can_be_followed(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    follow(DOCS / "tutorial.md", folder)
    for name in ("harbour.golpae", "home.golpae"):
        finished = (DOCS / "examples" / name).read_text("utf-8")
        assert (folder / name).read_text("utf-8") == finished, f"docs/examples/{name}"
