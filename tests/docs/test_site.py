"""The sources of the site: every page is in the contents, every link leads somewhere, every fault has an anchor."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from docs.site.accessible import MENDS, mend
from docs.site.stage import LINK, START, VERBS, stage
from golpae.assets.examples import EXAMPLES
from golpae.cli.verbs import VERBS as ALL
from golpae.diagnostics import CODES


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    stage(folder)
    return folder


def test_every_page_is_in_the_contents_once(sources: Path) -> None:
    lists = re.findall(
        r"^```\{toctree\}\n.*?\n\n(.*?)\n```$", (sources / START).read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    listed = [f"{name}.md" for one in lists for name in one.splitlines()]
    pages = {path.relative_to(sources).as_posix() for path in sources.rglob("*.md")} - {START}
    assert sorted(listed) == sorted(pages)


def test_the_first_page_leads_to_examples_of_the_playground(sources: Path) -> None:
    named = re.findall(r"index\.html#example=([\w-]+)", (sources / START).read_text("utf-8"))
    assert named
    assert {*named} <= {one.name for examples in EXAMPLES.values() for one in examples}


def test_every_link_leads_to_a_page_or_a_file(sources: Path) -> None:
    for page in sources.rglob("*.md"):
        for _, target in LINK.findall(page.read_text("utf-8")):
            name = target.partition("#")[0]
            if name and ":" not in name:
                assert Path(os.path.normpath(page.parent / name)).is_file(), (page.name, target)


def test_every_kind_of_fault_has_an_anchor_and_every_verb_a_heading(sources: Path) -> None:
    faults = (sources / "docs" / "language" / "faults.md").read_text("utf-8")
    assert [code for code in CODES if f'<a id="{code}"></a>' not in faults] == []
    verbs = (sources / VERBS).read_text("utf-8")
    assert [verb for verb in ALL if f"### golpae {verb}\n" not in verbs] == []


def test_pages_are_mended_for_a_keyboard_and_a_screen_reader(tmp_path: Path) -> None:
    page = tmp_path / "docs" / "page.html"
    page.parent.mkdir()
    page.write_text("".join(MENDS), encoding="utf-8")
    mend(tmp_path)
    assert page.read_text("utf-8") == "".join(MENDS.values())
