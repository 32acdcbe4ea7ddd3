"""The ADRs quote the specs as they are."""

import re

import pytest

from docs.generate.files import TOP
from docs.generate.pages import Block, blocks

PAGES = sorted((TOP / "docs" / "adr").glob("*.md"))
QUOTED = [block for page in PAGES for block in blocks(page.read_text("utf-8")) if block.language == "golpae"]
SPECS = [file.read_text("utf-8") for file in sorted((TOP / "spec").glob("*.golpae"))]


def plain(text: str) -> str:
    """Return a text without rule numbers, comments and line breaks, so that only words count."""
    return " ".join(re.sub(r"\[[A-Za-z0-9 ]*\]|#.*", "", text).split())


def test_the_adrs_quote_the_specs() -> None:
    assert len(QUOTED) > 10


@pytest.mark.parametrize("block", QUOTED, ids=lambda block: f"line-{block.line}")
def test_every_quoted_fragment_is_in_a_spec(block: Block) -> None:
    specs = [plain(spec) for spec in SPECS]
    for fragment in block.text.split("\n\n"):
        assert any(plain(fragment) in spec for spec in specs), fragment
