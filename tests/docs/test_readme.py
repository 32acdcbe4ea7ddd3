"""What the README shows is what golpae prints, and what the spec says."""

from pathlib import Path

import pytest

from tests.committed import TOP
from tests.docs.pages import Block, blocks, prints_what_it_shows

README = TOP / "README.md"
SHOWN = blocks(README)


@pytest.mark.parametrize(
    "block", [b for b in SHOWN if b.language == "console"], ids=lambda block: f"line-{block.line}"
)
def test_every_shown_command_prints_what_is_shown(block: Block, tmp_path: Path) -> None:
    prints_what_it_shows(block, TOP, tmp_path)


def test_every_clause_shown_stands_in_the_spec() -> None:
    spec = (TOP / "spec" / "jjak.golpae").read_text("utf-8")
    shown = [block.text for block in SHOWN if block.language == "golpae"]
    assert shown
    for text in shown:
        assert text in spec


def test_it_is_one_screen_or_little_more() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 80
