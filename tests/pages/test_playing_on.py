"""The rules in a page: what can follow, playing on, saving, and wishes that are refused in golpae's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from golpae.kernel.language.host import available
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.report import Report
from tests.cli.table import INCOMPLETE, PUT, write
from tests.pages.browser import Browser
from tests.pages.games import recordings, rules_in

pytestmark = [pytest.mark.process, pytest.mark.skipif(not available(), reason="modules do not run here")]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of one game, which is not over."""
    folder = tmp_path_factory.mktemp("report")
    report = Report(folder, ClauseTexts([folder]))
    for recording in recordings(rules_in(folder), *INCOMPLETE):
        report.add(recording)
    report.finish()
    return folder / "index.html"


def following(step: int) -> str:
    """Return what a page has when it shows what can follow at a step."""
    return f'#play[data-step="{step}"]'


def test_a_reader_plays_on_and_saves_a_trace_that_golpae_judges_alike(
    browser: Browser, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    browser.open(page)
    browser.click("#tab-play")
    browser.press("END")
    browser.wait(following(3))
    assert browser.labels("#tries button") == ["An: put 2-2"]
    browser.click("#tries button")
    assert browser.text("#now") == "4. An: put 2-2 (played here)"
    browser.wait(following(4))
    assert browser.texts("#tries button") == ["An wins"]
    browser.click("#tries button")
    browser.wait(following(5))
    assert browser.text("#now") == "5. An wins: An +1, Bo −1 (played here)"
    browser.click("#save")
    saved = str(browser.run("document.getElementById('saved').value"))
    (tmp_path / "saved.jsonl").write_text(saved, "utf-8")
    assert main(["check", "--verbose", "--spec-path", str(page.parent), str(tmp_path / "saved.jsonl")]) == 0
    assert "1 trace: 1 legal" in capsys.readouterr().out
    browser.click("#restore")
    assert browser.run("document.querySelectorAll('#events .played').length") == 0
    assert browser.text("#now") == "3. Bo: put 3-3"
    assert not browser.complaints()


def test_another_event_is_tried_at_any_step(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("#tab-play")
    browser.wait(following(1))
    assert browser.labels("#tries button") == ["An: put 1-1", "An: put 2-2"]
    browser.click("#tries button", 1)
    assert browser.text("#now") == "2. An: put 2-2 (played here)"
    browser.wait(following(2))
    assert browser.labels("#tries button") == ["Bo: put 3-3", "Bo: put 4-4"]
    assert not browser.complaints()


def test_what_others_can_do_is_not_told_in_a_players_view(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("#tab-play")
    browser.choose("#view", "what Bo sees")
    browser.wait("#tries .quiet")
    assert browser.text("#tries").split("\n") == ["An: put a tile down", "what, only that player sees"]
    browser.choose("#view", "what An sees")
    browser.wait('#tries [aria-label="An: put 1-1"]')


def test_a_refused_wish_is_told_in_the_words_of_check(
    browser: Browser, page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    browser.open(page)
    browser.click("#tab-play")
    browser.press("END")
    browser.wait(following(3))
    browser.click("#play summary")
    browser.write('#try [name="tile"]', "5-5")
    browser.click("#try button")
    browser.click("#answer summary")
    answer = browser.text("#answer").split("\n")
    write(str(tmp_path / "wish.jsonl"), *INCOMPLETE, {"do": "put", "by": 0, "tile": "5-5"})
    assert main(["check", "--spec-path", str(page.parent), str(tmp_path / "wish.jsonl")]) == 1
    told = capsys.readouterr().out.split("\n")
    assert answer[1] == told[1].strip() == "An does not hold 5-5"
    assert 'held: tile in p\'s hand "{p} does not hold {tile}"' in answer
    assert "put.put.held" in answer
    assert "An: put 2-2" in answer
    assert answer[answer.index("the event") + 1 :][:2] == ["p: An", "tile: 5-5"]
    browser.write('#try [name="tile"]', "7-7")
    browser.click("#try button")
    assert browser.text("#answer").split("\n")[1] == "there is no tile 7-7"
    assert not browser.complaints()


OF_SIDE = "  then put: when at = front: side := front\n"
SWAP = """
state of the hand
  side: one of front, back = back

action swap(give, take: tile, optional at: one of front, back) by p "swap a tile with the table"
  turn: p = mover "it is not {p}'s turn"
  held: give in p's hand "{p} does not hold {give}"
  there: take in table "{take} is not on the table"
  then move give from p's hand to table
  then move take from table to p's hand
  then side := back
  then put: when at = front: side := front

end
"""


def test_choices_of_several_keys_say_which_tile_is_which(browser: Browser, tmp_path: Path) -> None:
    report = Report(tmp_path, ClauseTexts([tmp_path]))
    rules = PUT.split("\nvariant")[0].replace("\nend\n", SWAP, 1)
    for recording in recordings(rules_in(tmp_path, rules), *INCOMPLETE[:3]):
        report.add(recording)
    report.finish()
    browser.open(tmp_path / "index.html")
    browser.click("#tab-play")
    browser.press("END")
    browser.wait(following(2))
    told = [*zip(browser.labels("#tries button"), browser.texts("#tries button"), strict=True)]
    assert ("Bo: put 3-3", "3-3") in told
    assert [words.split() for label, words in told if label.startswith("Bo: swap")][:3] == [
        ["give", "3-3", "take", "1-1"],
        ["give", "3-3", "take", "1-1", "at", "front"],  # but not at the back, where it is put without a word
        ["give", "4-4", "take", "1-1"],
    ]


def test_a_tile_is_chosen_where_the_event_takes_it_from(browser: Browser, tmp_path: Path) -> None:
    """Bo holds a 1-1 too, but swaps a 3-3 for the one on the table."""
    report = Report(tmp_path, ClauseTexts([tmp_path]))
    rules = PUT.split("\nvariant")[0].replace(
        "\nend\n", SWAP.replace(", optional at: one of front, back", "").replace(OF_SIDE, ""), 1
    )
    deal = {"do": "deal", "first": 0, "hands": [["1-1", "2-2"], ["1-1", "3-3"]]}
    game = [INCOMPLETE[0], deal, {"do": "put", "by": 0, "tile": "1-1"}]
    for recording in recordings(rules_in(tmp_path, rules), *game):
        report.add(recording)
    report.finish()
    browser.open(tmp_path / "index.html")
    browser.click("#tab-play")
    browser.press("END")
    browser.wait(following(2))
    browser.click('[data-zone="zone/hand/1"] .tile.can[data-tile="3-3"]')
    browser.paint()
    assert len(browser.labels('[data-zone="zone/table"] .tile.can')) == 1
    assert browser.run("document.querySelectorAll('[data-zone=\"zone/hand/1\"] .tile.can').length") == 0
    browser.click('[data-zone="zone/table"] .tile.can')
    browser.paint()
    assert browser.text("#now") == "3. Bo: swap give 3-3 take 1-1 (played here)"
    assert not browser.complaints()


def test_without_modules_everything_recorded_still_shows(browser: Browser, page: Path) -> None:
    with browser.without("WebAssembly"):
        browser.open(page)
        browser.press("END")
        assert browser.text("#now") == "3. Bo: put 3-3"
        assert not browser.is_shown("#play")
        assert not browser.complaints()
