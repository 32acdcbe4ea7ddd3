"""Pages in Markdown of every verb show the texts of strangers as they are: no link, picture, mention or element."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.cli.verbs import VERBS
from golpae.elaborate.check import elaborate
from golpae.kernel.language.host import available
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import ILLEGAL, LEGAL, MALFORMED, PUT, with_header, write
from tests.markdown_reader import prose, shown

__all__ = ["cache", "golpae", "here"]
EVIL = "<script>x</script> ![p](http://e.example/x) [l](javascript:x) @team #1 www.e.example | `a` **b** ~~c~~ </title>"
NAME = f"An {EVIL}"
FILE = "a|b `c` <i> @d [l](x).jsonl"
SOURCE = f'source 1 "{EVIL}"\n  T7 in "{EVIL}": "{EVIL}"\n\n'
LIST = re.compile(
    r"(?:bullet_|ordered_)?list(?:_item)?_\w+|(?:paragraph|heading|strong|em|table|thead|tbody|tr|th|td)_\w+|hr"
)


@pytest.fixture
def evil(here: Path) -> None:
    """A text whose titles, messages, names of tiles and sources are hostile, and games of hostile names."""
    text = PUT.replace('"Put"', f'"{EVIL}"').replace("players 2 to 3\n", f"{SOURCE}players 2 to 3\n", 1)
    text = text.replace("it is not {p}'s turn\"", f'{{p}} {EVIL}" [T7]').replace(
        '"put a tile down"', f'"{EVIL}"'
    )
    text = text.replace("5-5 6-6\n", '5-5 6-6 "<b>|[l](x)@y"\n')
    text = text.replace('variant plus0 "1 more"', f'variant plus0 "{EVIL}"')
    text += f'\nvariant free "{EVIL}"\n  drop put.turn\n\nalways few: size of table <= 1 "{EVIL}"\n'
    (here / "rules" / "put.golpae").write_text(text, encoding="utf-8")
    assert elaborate("put", [here / "rules"]).title == EVIL
    games = [with_header(game, players=[NAME, "Bo"], id=EVIL) for game in (LEGAL, ILLEGAL, MALFORMED)]
    write(FILE, *(line for game in games for line in game))


def harmless(page: str) -> None:
    """Fail if a page has another mark than headings, lists, tables and code."""
    assert len(page.splitlines()) > 2, page
    marks, texts = shown(page)
    assert not [mark for mark in marks if not LIST.fullmatch(mark)], page
    assert texts
    assert not [text for text in prose(page) if re.search(r"@\w|://|www\.|#\d", text)], page


CALLS = [
    ("check", FILE),
    ("check", "--expected", FILE),
    ("lint", "rules/put.golpae"),
    ("prove", "put", "--players", "2", "--option", "dealt=1", "--spec-path", "rules"),
    ("compare", "put", "put+free", "--layer", "text", "--spec-path", "rules"),
    (
        "compare",
        "put",
        "put+free",
        "--layer",
        "text",
        "--name-a",
        EVIL,
        "--name-b",
        FILE,
        "--spec-path",
        "rules",
    ),
    ("compare", "--matrix", "put", "--layer", "text", "--spec-path", "rules"),
    ("compare", "put", "put+free", "--traces", FILE, "--spec-path", "rules"),
    ("coverage", "--spec-path", "rules", FILE),
]


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_a_page_shows_hostile_texts_as_they_are(
    golpae: Golpae, evil: None, here: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    done = golpae(*words, "--format", "markdown")
    harmless(done.out)
    if words[0] in ("check", "lint", "prove"):
        summary = here / "summary.md"
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
        golpae(*words, "--format", "github")
        harmless(summary.read_text(encoding="utf-8"))


@pytest.mark.skipif(not available(), reason="modules do not run here")
def test_the_page_of_a_module_shows_hostile_titles_as_they_are(evil: None, here: Path) -> None:
    assert main(["build", "put", "--spec-path", "rules", "--players", "2", "-o", "a_b_c@d[l](x).wasm"]) == 0
    [page] = here.glob("*.md")
    text = page.read_text(encoding="utf-8")
    harmless(text)
    assert "# a\\_b\\_c@<!-- -->d\\[l\\](x).wasm" in text.splitlines()[0]


def test_every_verb_with_a_page_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    tried = {words[0] for words in CALLS}
    for verb in VERBS:
        assert main([verb, "--help"]) == 0
        assert ("markdown" in capsys.readouterr().out.lower()) is (verb in tried), verb
