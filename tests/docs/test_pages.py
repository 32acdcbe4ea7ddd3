"""Commands print what the pages show, generated parts are current, and links have targets."""

import re
from pathlib import Path

import pytest

from docs.generate.files import TOP
from docs.generate.games import PAGES
from docs.generate.pages import pages, run_page
from docs.generate.reference import anchor, renewed_parts

EXAMPLES = TOP / "docs" / "examples"
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)]*)\)")

LONG = (
    TOP / "docs" / "attribute.md",
    TOP / "docs" / "compare.md",
    TOP / "docs" / "learn.md",
    TOP / "docs" / "proofs.md",
    TOP / "docs" / "testing.md",
    *PAGES.glob("*.md"),
)  # their commands take many seconds, or minutes
PAGES_TO_RUN = [
    pytest.param(page, marks=[pytest.mark.slow] * (page in LONG), id=page.relative_to(TOP).as_posix())
    for page in pages()
]


@pytest.mark.solver
@pytest.mark.process
@pytest.mark.parametrize("page", PAGES_TO_RUN)
def test_every_command_prints_what_the_page_shows(page: Path) -> None:
    text = page.read_text("utf-8")
    found, written = run_page(text)
    assert found.splitlines() == text.splitlines(), "run `python -m docs.generate` and read what it changed"
    for name in written:
        if name.endswith(".golpae"):
            assert written[name] == (EXAMPLES / name).read_text("utf-8"), f"docs/examples/{name}"


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(TOP).as_posix())
def test_generated_parts_of_the_pages_are_current(page: Path) -> None:
    text = page.read_text("utf-8")
    assert renewed_parts(text).splitlines() == text.splitlines(), "run `python -m docs.generate`"


@pytest.mark.parametrize("page", sorted((TOP / "docs").glob("*.md")), ids=lambda page: page.name)
def test_every_page_leads_home(page: Path) -> None:
    assert "README.md" in page.read_text("utf-8")


@pytest.mark.parametrize(
    "page", [*pages(), TOP / "CHANGELOG.md"], ids=lambda page: page.relative_to(TOP).as_posix()
)
def test_every_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text("utf-8")):
        if link.startswith("https://"):
            continue
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        assert target.exists(), link
        if heading:
            headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in {anchor(found) for found in headings}, link
