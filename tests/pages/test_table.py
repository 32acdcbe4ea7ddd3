"""The table in a browser: it fits the screen, and shows a game as people at a table see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.cli.main import main
from tests.pages.browser import Browser
from tests.pages.games import lines_of

pytestmark = pytest.mark.process
SIZES = [(1280, 800), (768, 1024), (390, 844)]
GAMES = {  # the file of recorded games, and the number of the game in it
    "jjak": ("jjak/base", 0),
    "block-dominoes": ("block-dominoes/base", 1),
    "gin-rummy": ("gin-rummy/base", 0),
    "go-stop": ("go-stop/base", 1),
    "bridge": ("bridge/base", 0),
    "whist": ("whist/base", 0),
    "ho-hpai": ("ho-hpai/base", 0),
    "korean-mahjong": ("korean-mahjong/match", 1),
    "riichi": ("riichi/last-hand", 0),
}
# What does not lie wholly within the table, and tiles of different players or places that lie on each other.
OUTSIDE = """(() => {
  const all = document.getElementById("table").getBoundingClientRect();
  const isOut = (own) => own.left < all.left - 1 || own.top < all.top - 1
    || own.right > all.right + 1 || own.bottom > all.bottom + 1;
  return [...document.querySelectorAll("#table .tile, #table .chip, #table .plate .name")]
    .filter((one) => one.getBoundingClientRect().width && isOut(one.getBoundingClientRect()))
    .map((one) => one.outerHTML.slice(0, 120));
})()"""
OVERLAPPING = """(() => {
  const around = (group) => {
    const all = [...group.querySelectorAll(".tile")].map((tile) => tile.getBoundingClientRect());
    const least = (side) => Math.min(...all.map((box) => box[side]));
    const most = (side) => Math.max(...all.map((box) => box[side]));
    return all.length ? [least("left"), least("top"), most("right"), most("bottom")] : null;
  };
  const groups = [...document.querySelectorAll("#table .zones, #table .before, #table .middle")];
  const boxes = groups.map(around).filter((box) => box);
  const shared = (a, b, at) => Math.min(a[at + 2], b[at + 2]) - Math.max(a[at], b[at]);
  return boxes.flatMap((a, n) => boxes.slice(n + 1).filter((b) => shared(a, b, 0) > 3 && shared(a, b, 1) > 3));
})()"""
# Words in the middle under tiles, or over them.
COVERED = """(() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect());
  const chips = boxes("#table .middle .chip");
  const meet = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]) > 1;
  const covers = (a, b) => meet(a, b, "left", "right") && meet(a, b, "top", "bottom");
  return boxes("#table .tile").filter((tile) => tile.width && chips.some((chip) => covers(chip, tile))).length;
})()"""
ROOT = "document.documentElement"
SCROLLS = f"[{ROOT}.scrollWidth - innerWidth, {ROOT}.scrollHeight - innerHeight]"
HEIGHTS = "[...document.querySelectorAll('#table [data-side=\"south\"] .as-hand .tile')].map((one) => one.offsetHeight)"

# The heights of what lies before the players: one, so that nobody's discards look less than another's.
BEFORE = """[...new Set([...document.querySelectorAll("#table .front .as-rows, #table .front .as-middle")]
  .map((one) => Math.round(parseFloat(getComputedStyle(one).getPropertyValue("--u")))))]"""


# How high the smallest tile before the players is.
SMALLEST = (
    "Math.min(...[...document.querySelectorAll('#table .as-rows .tile')].map((one) => one.offsetHeight))"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="module", params=GAMES)
def page(request: pytest.FixtureRequest, folder: Path) -> Path:
    """The page of a recorded game."""
    name = str(request.param)
    file = folder / f"{name}.jsonl"
    file.write_text("\n".join(lines_of(*GAMES[name])) + "\n", encoding="utf-8")
    main(["report", str(file), "-o", str(folder / name)])
    return folder / name / "index.html"


def test_a_game_fits_one_screen_at_every_step(browser: Browser, page: Path) -> None:
    for width, height in SIZES:
        with browser.sized(width, height):
            browser.open(page)
            steps = int(browser.run("document.getElementById('slider').max"))
            for step in sorted({0, 1, steps // 3, steps // 2, (2 * steps) // 3, steps - 1, steps}):
                browser.open(page, f"event-{step}")
                browser.paint()
                where = f"{page.parent.name}, {width} x {height}, event {step}"
                assert browser.run(SCROLLS) == [0, 0], where
                assert browser.run(OUTSIDE) == [], where
                assert browser.run(OVERLAPPING) == [], where
                assert browser.run(COVERED) == 0, where
                assert min(browser.run(HEIGHTS), default=99) >= 26, where
                assert len(browser.run(BEFORE)) <= 1, where
    assert not browser.complaints()


@pytest.mark.parametrize(("size", "least"), [((1280, 800), 26), ((768, 1024), 20), ((390, 844), 13)])
def test_late_in_a_long_hand_tiles_are_seen(
    browser: Browser, folder: Path, size: tuple[int, int], least: int
) -> None:
    games, pages = folder / "late.jsonl", folder / f"late-{size[0]}"
    call = ["simulate", "riichi", "--players", "4", "--policy", "greedy", "--seed", "4", "--games", "2"]
    assert main([*call, "--traces", str(games)]) == 0
    main(["report", str(games), "-o", str(pages)])
    with browser.sized(*size):
        for number in (1, 2):
            browser.open(pages / f"game-{number}.html")
            last = int(browser.run("document.getElementById('slider').max")) - 1
            assert last > 140
            browser.open(pages / f"game-{number}.html", f"event-{last}")
            browser.paint()
            assert browser.run(SMALLEST) >= least
            assert browser.run(OUTSIDE) == browser.run(OVERLAPPING) == []
            assert browser.texts("#table .as-pile h3")[0].startswith("wall")  # which does not become a row


def test_a_contract_and_what_players_called_are_told(browser: Browser, folder: Path) -> None:
    file = folder / "board.jsonl"
    file.write_text("\n".join(lines_of("bridge/base", 0)) + "\n", encoding="utf-8")
    main(["report", str(file), "-o", str(folder / "board")])
    page = folder / "board" / "index.html"
    browser.open(page)
    words = browser.texts("#events .words")
    bid = next(at for at, one in enumerate(words) if " bids " in one)
    lead = next(at for at, one in enumerate(words) if " plays " in one)
    browser.open(page, f"event-{bid}")
    browser.paint()
    assert any(chip in words[bid] for chip in browser.texts("#table .plate .chip:not(.turn)"))
    browser.open(page, f"event-{lead}")
    browser.paint()
    assert not any("bids" in chip for chip in browser.texts("#table .chip"))
    strains = ("clubs", "diamonds", "hearts", "spades", "no trump")
    assert any(
        chip[0].isdigit() and chip[2:].startswith(strains) for chip in browser.texts("#table .middle .chip")
    )
    dummy = next(at for at, one in enumerate(words) if " plays " in one and " for " in one)
    browser.open(page, f"event-{dummy - 1}")
    browser.paint()
    lit = browser.labels("#table .seat.acts")
    assert len(lit) == 2
    assert words[dummy].endswith((f" for {lit[0]}", f" for {lit[1]}"))
    assert browser.texts("#table .chip.turn") == ["to act"]
    assert not browser.complaints()
