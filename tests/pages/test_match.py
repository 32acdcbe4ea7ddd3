"""The page of a match: people choose, policies play, and what is hidden stays hidden."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from golpae.kernel.language.host import available
from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import PUT, SCORED
from tests.pages.browser import Browser

__all__ = ["cache", "golpae", "here"]
pytestmark = [pytest.mark.process, pytest.mark.skipif(not available(), reason="modules do not run here")]
MOST_CHOICES = 200  # of one player in one hand, and steps of them
WEB = ("play", "put", "--web", "-o", "game.html", "--seed", "1", "--spec-path", "rules")

# Buttons of which the middle is not what somebody would click there.
HIDDEN = """[...document.querySelectorAll("#hint, #undo, #tries .guard")].filter((button) => {
  const own = button.getBoundingClientRect();
  const there = document.elementFromPoint((own.left + own.right) / 2, (own.top + own.bottom) / 2);
  return !there || !button.contains(there);
}).map((button) => button.textContent)"""


def test_a_match_against_a_policy_is_saved_as_a_trace_that_check_judges_alike(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    assert golpae(*WEB).out == "game.html: Put, 2 players\n"
    browser.open(here / "game.html")
    browser.wait('#play[data-step="1"]')
    first = browser.labels("#tries button")
    assert browser.text("#now") == "1. deal"
    assert "2 tiles, face down" in browser.labels('[data-seat="1"] .zone')[0]
    browser.click("#hint")
    assert browser.text("#hinted").startswith("hint: put ")
    browser.click("#tries button")
    browser.wait('#play[data-step="3"]')  # Bo has played
    browser.click("#undo")
    browser.wait('#play[data-step="1"]')
    assert browser.labels("#tries button") == first
    browser.run("document.querySelector('#tries button').focus()")
    browser.press("ENTER")
    browser.wait('#play[data-step="3"]')
    browser.press("ENTER", "ENTER")  # the focus is on the question: nothing is chosen by accident
    assert browser.run("document.activeElement.id") == "play-title"
    assert browser.attributes("#play", "data-step") == ["3"]
    browser.press("1")
    browser.wait('#play[data-step="5"]')
    assert browser.text("#play-title") == "The hand is over"
    browser.click("#save")
    saved = str(browser.run("document.getElementById('saved').value"))
    (here / "saved.jsonl").write_text(saved, "utf-8")
    assert golpae("check", "--verbose", "saved.jsonl").out.endswith("1 trace: 1 legal\n")
    browser.click("#tries button")
    browser.wait('#play[data-step="6"]')
    assert browser.text("#now").startswith("6. deal")
    assert not browser.complaints()


@pytest.mark.parametrize("size", [(640, 650), (390, 844)])
def test_a_narrow_page_has_room_for_what_is_read(
    browser: Browser, golpae: Golpae, here: Path, size: tuple[int, int]
) -> None:
    golpae(*WEB)
    with browser.sized(*size):
        browser.open(here / "game.html")
        browser.wait('#play[data-step="1"]')
        browser.click("#tab-keys")
        assert browser.run("document.querySelector('#panel-keys').clientHeight") >= 180
        root = "document.documentElement"
        assert browser.run(f"[{root}.scrollWidth - innerWidth, {root}.scrollHeight - innerHeight]") == [0, 0]


@pytest.mark.parametrize("size", [(1280, 800), (768, 1024), (390, 844)])
def test_what_a_player_may_need_is_in_sight_beside_all_choices(
    browser: Browser, golpae: Golpae, here: Path, size: tuple[int, int]
) -> None:
    golpae("play", "hearts", "--web", "-o", "hand.html", "--seed", "3")
    with browser.sized(*size):
        browser.open(here / "hand.html")
        browser.wait("#tries button")
        for _ in range(2):  # all choices; those of one action, with a way back to all
            hidden = browser.run(HIDDEN)
            assert hidden == [], hidden
            browser.press("1")
        assert browser.texts("#tries .guard")[-1] == "something else"


def test_the_hand_that_wins_is_shown_as_it_was_laid_out(browser: Browser, golpae: Golpae, here: Path) -> None:
    (here / "rules" / "put.golpae").write_text(SCORED, encoding="utf-8")
    golpae(*WEB, "--policy", "person,random", "--seed", "3")
    browser.open(here / "game.html")
    browser.wait('#tries [aria-label^="An: put"]')
    browser.click('#tries [aria-label^="An: put"]')
    browser.wait('#tries [aria-label="An: show"]')
    browser.click('#tries [aria-label="An: show"]')
    browser.wait("#score .melds")
    assert browser.text("#score h2") == "worth: 3"
    assert browser.labels("#score figure .tile") == ["6-6"]
    assert browser.texts("#score .patterns li") == ["plain 1", "high 2"]
    browser.wait('#play[data-step="4"]')  # the hand ends by itself, and its score stays
    assert browser.text("#score h2") == "worth: 3"
    browser.press("ARROW_LEFT", "ARROW_LEFT")
    assert not browser.is_shown("#score")
    assert not browser.complaints()


DRAW = """\
game draw "Draw"

players 2 to 2

tiles
  metals: 8 of each copper silver gold iron tin
  gems: 1 of each opal ruby jade onyx pearl coral agate amber jet beryl

zones
  pile: tiles seen by nobody, holds the set
  each player's hand: tiles seen by its owner

state of the hand
  mover: seat

deal from pile
  hands: 1 for everyone
  then mover := first

action draw(tile) by p "draw"
  turn: p = mover "it is not {p}'s turn"
  left: tile in pile "{tile} is not in the pile"
  then move tile from pile to p's hand
  then mover := p's right
  then when pile is empty: nobody wins

end
  due: over "the hand is not over"
"""


def test_a_seat_at_random_draws_tiles_that_nobody_else_learns(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    (here / "rules" / "draw.golpae").write_text(DRAW, encoding="utf-8")
    golpae(*WEB[:1], "draw", *WEB[2:], "--policy", "person,random")
    browser.open(here / "game.html")

    def played() -> str:
        for step in range(1, 17, 2):
            browser.wait(f'#play[data-step="{step}"]')
            assert browser.labels("#tries button") == ["An: draw a tile"]  # one choice, whatever comes
            browser.click("#tries button")
        browser.wait('#play[data-step="17"]')
        browser.click("#save")
        return str(browser.run("document.getElementById('saved').value"))

    saved = played()
    words = browser.run("[...document.querySelectorAll('#events .words')].map((e) => e.textContent)")[2:18]
    assert words[1::2] == ["Bo: draw a tile"] * 8
    assert "An: draw a tile" not in words
    assert "9 tiles, face down" in browser.labels('[data-seat="1"] .zone')[0]
    (here / "saved.jsonl").write_text(saved, "utf-8")
    assert golpae("check", "--verbose", "saved.jsonl").out.endswith("1 trace: 1 incomplete\n")
    drawn = [json.loads(line).get("tile") for line in saved.splitlines()]
    metals = [tile for tile in drawn if tile in ("copper", "silver", "gold", "iron", "tin")]
    assert len(metals) > 10  # of 16: each copy has the same chance, not each kind
    for _ in range(8):
        browser.click("#undo")
    assert played() == saved  # chance goes back too
    assert not browser.complaints()


READY = """
action ready by p before the deal "be ready"
  once: readies = 0 "somebody is ready"
  then readies := readies + 1

deal from pile
  ready: readies = 1 "nobody is ready"
"""


def test_what_comes_before_a_deal_is_played_and_the_deal_follows(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    text = PUT.replace("state of the hand", "state of the match\n  readies: number = 0\n\nstate of the hand")
    (here / "rules" / "put.golpae").write_text(text.replace("\ndeal from pile\n", READY), encoding="utf-8")
    assert golpae(*WEB).status == 0
    browser.open(here / "game.html")
    browser.wait('#tries [aria-label="An: ready"]')
    browser.click("#tries button")
    browser.wait('#play[data-step="2"]')
    assert browser.text("#now").startswith("2. deal")
    browser.click("#undo")
    browser.wait('#tries [aria-label="An: ready"]')
    browser.click("#tries button", 1)  # let others act
    browser.wait('#play[data-step="2"]')
    assert browser.texts("#events .words")[1] == "Bo: ready"
    done = golpae("play", "put", "--seed", "1", "--spec-path", "rules", stdin=b"ready\nundo\nwait\n")
    assert done.out.count("\nAn: ready\ndeal\n") == done.out.count("\nBo: ready\ndeal\n") == 1


def test_people_at_one_screen_do_not_see_each_others_tiles(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    golpae(*WEB, "--policy", "person", "--names", "Ada,Bea")
    browser.open(here / "game.html")
    for step, name in enumerate(("Ada", "Bea"), 1):
        browser.wait(f'#play[data-step="{step}"]')
        assert browser.text("#tries button") == f"show the tiles of {name}"
        assert all("face down" in label for label in browser.labels(".seat .zone"))
        browser.click("#tries button")
        assert ["face down" in label for label in browser.labels(".seat .zone")] == [False, True]
        browser.click("#tries button")
    assert not browser.complaints()


def test_a_wish_is_refused_without_what_the_player_cannot_see(
    browser: Browser, golpae: Golpae, here: Path
) -> None:
    golpae(*WEB)
    browser.open(here / "game.html")
    browser.wait('#play[data-step="1"]')
    browser.click("#play summary")
    browser.write('#try [name="tile"]', "1-1")
    browser.click("#try button")
    browser.click("#answer summary")
    answer = browser.text("#answer")
    assert "An does not hold 1-1" in answer
    assert "tile: 1-1" in answer
    assert "Bo" not in answer
    browser.choose('#try [name="by"]', "Bo")
    browser.click("#try button")
    assert "it is An who is asked" in browser.text("#answer")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--policy", "towards"), "`towards` does not play in a page"),
        (("--hands", "2"), "`--hands` has no meaning with `--web`"),
        (("-o", "none/game.html"), "`none/game.html` cannot be written to"),
    ],
)
def test_a_wrong_call_is_told(golpae: Golpae, here: Path, words: tuple[str, ...], message: str) -> None:
    done = golpae(*WEB, *words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"golpae: {message}")


@pytest.mark.parametrize("rules", ["whist", "korean-mahjong"])
def test_a_whole_hand_is_played_by_mouse(browser: Browser, golpae: Golpae, here: Path, rules: str) -> None:
    golpae("play", rules, "--web", "-o", "hand.html", "--seed", "1")
    browser.open(here / "hand.html")
    root, tries = "document.documentElement", "document.getElementById('tries')"
    shown = f"document.getElementById('play').dataset.step + {tries}.textContent"
    before = ""
    for _ in range(MOST_CHOICES):
        browser.until(f"{tries}.querySelector('button') && {shown} !== {json.dumps(before)}", 60)
        if browser.text("#play-title") == "The hand is over":
            break
        assert browser.run(f"[{root}.scrollWidth - innerWidth, {root}.scrollHeight - innerHeight]") == [0, 0]
        before = browser.run(shown)
        browser.click("#tries button")
    assert browser.text("#play-title") == "The hand is over"
    assert not browser.complaints()


@pytest.mark.parametrize(
    ("rules", "seed", "hint"),
    [
        (
            "whist",
            3,
            r"hint: An shows \w+ of \w+, for trumps, but any other choice looks as good: none gains anything",
        ),
        (
            "hearts",
            3,
            r"hint: An passes (\w+ of \w+(, )?){3}, but any other choice looks as good: none gains anything",
        ),
        ("jjak", 1, r"hint: An lays .*, since nothing else can be done"),
        ("jjak+lay-optional", 1, r"hint: An lays .*, since this makes a set"),
    ],
)
def test_a_hint_has_a_reason_that_is_true(
    browser: Browser, golpae: Golpae, here: Path, rules: str, seed: int, hint: str
) -> None:
    golpae("play", rules, "--web", "-o", "match.html", "--seed", str(seed))
    browser.open(here / "match.html")
    browser.wait("#tries button")
    browser.click("#hint")
    assert re.match(hint, browser.text("#hinted"))
    others = [
        browser.run(f"document.querySelectorAll('#new select')[{seat}].selectedOptions[0].text")
        for seat in (0, 1)
    ]
    known = "" if rules.startswith("jjak") else ", not knowing what is worth keeping"
    assert others == ["a person", "greedy"]
    told = browser.run("document.querySelector('#new p').textContent")
    assert told == f"greedy wins, takes and melds when it can{known}; random plays any legal move."
    assert not browser.complaints()
