"""Text in Markdown shows as it is, wherever it comes from; and nothing writes Markdown in another way."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from golpae.diagnostics.markdown import code, escaped, fenced, grid
from tests.committed import TOP
from tests.markdown_reader import shown

MARKUP = st.text(st.sampled_from("\\`*_[]()<>|&~$#!@:/.-+=0a \n\"'{}"), max_size=12)


@given(MARKUP)
def test_escaped_text_has_no_mark(text: str) -> None:
    marks, texts = shown(f"x{escaped(text)}x")
    assert marks == ["paragraph_open", "paragraph_close"]
    assert "".join(texts).split() == f"x{text}x".split()


@given(MARKUP, MARKUP)
def test_text_and_code_stay_in_their_cells(text: str, other: str) -> None:
    marks, texts = shown("\n".join(grid(("a", "b"), [(code(f"x{text}x"), f"x{escaped(other)}x")])))
    assert marks.count("td_open") == 2
    assert not {mark for mark in marks if not re.match(r"t\w+_|table|thead|tbody", mark)}
    assert "".join(texts).count("x") == 4


@given(st.lists(MARKUP.map(lambda text: text.replace("\n", "`")), max_size=3))
def test_nothing_ends_a_block_of_code(lines: list[str]) -> None:
    marks, texts = shown("\n".join(fenced("text", lines)))
    assert (marks, texts) == ([], ["".join(f"{line}\n" for line in lines)])


def test_no_site_makes_links_of_numbers_and_people() -> None:
    assert escaped("#12 GH-7 @an x#y") == "#<!-- -->12 GH-<!-- -->7 @<!-- -->an x#y"


def test_markdown_is_written_by_one_module_alone() -> None:
    """No other module escapes, draws tables or fences code; what has a heading or a list calls `escaped`."""
    own = re.compile(r"\\\\\||\| ?---|&lt;|&#|```")
    head = re.compile(r"""f["'](?:#+|- \*\*|\*\*|\|) ?\{""")
    top = TOP / "checker" / "golpae"
    files = [file for folder in ("report", "build", "cli") for file in (top / folder).rglob("*.py")]
    assert len(files) > 50
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not own.search(text), file
        if head.search(text):
            assert "from golpae.diagnostics.markdown import" in text, file
