"""Take the pictures of the pages anew: `python -m docs.generate.pictures [NAME ...]`.

It needs the browser that tests of pages use. Input: none, or names of pictures. Output: `docs/pictures/NAME.webp`, and
`simulate.svg`, which golpae draws itself.
Guarantee: each shows what a command of golpae writes, as `PICTURES` says.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
import threading
import time
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs.generate.files import TOP
from docs.generate.pages import blocks
from golpae.playground.serve import address, server
from tests.browsers import found, how_to_install
from tests.pages.browser import FLAGS

FOLDER = TOP / "docs" / "pictures"
WIDTH, QUALITY = 1400, 82
DRAWN = 1.5  # seconds that a page may take to draw
LOADED = 180  # seconds that the playground may take to load and to show an example
IS_IDLE = (
    "return document.body.dataset.ready !== undefined && document.querySelector('#doing').textContent === ''"
)


@dataclass(frozen=True)
class Picture:
    """What to call in an empty folder, which page to open, how high the picture is, and what to do with the page.

    A page below `playground` is an example of the playground, which a server has to send.
    """

    calls: tuple[str, ...]
    page: str
    height: int
    script: str = ""


PICTURES = {
    "fault": Picture(("report bad.jsonl -o out",), "out/index.html", 760),
    "table": Picture(
        (
            "simulate korean-mahjong --players 4 --games 1 --policy greedy --seed 3 --traces games.jsonl",
            "report games.jsonl -o out",
        ),
        "out/index.html#event-60",
        1000,
    ),
    "index": Picture(("report traces/jjak -o out",), "out/index.html", 830),
    "play": Picture(
        ("play jjak --players 3 --web --seed 4 -o game.html",),
        "game.html",
        760,
        "[...document.querySelectorAll('button')].find((b) => b.textContent === 'hint')?.click()",
    ),
    "coverage": Picture(
        ("coverage traces/jjak/base.jsonl --html jjak.html",),
        "jjak.html",
        880,
        "document.getElementById('next').click()",
    ),
    "rule-book": Picture(("show beads.golpae --html -o beads.html",), "beads.html#+anyone", 900),
    "hands": Picture(
        ("show korean-mahjong --html -o book.html",),
        "book.html",
        760,
        "[...document.querySelectorAll('h2')].find((h) => /counts/i.test(h.textContent))?.scrollIntoView()",
    ),
    "proof": Picture(("playground -o playground",), "playground/#example=refuted", 820),
    "hidden": Picture(("playground -o playground",), "playground/#example=hidden", 820),
}
DRAWN_BY_GOLPAE = {"simulate.svg": "simulate jjak --players 3 --games 2000 --seed 1 --plot simulate.svg"}


def main(names: Sequence[str]) -> int:
    """Take pictures, and return the exit status."""
    from selenium import webdriver

    for name, call in DRAWN_BY_GOLPAE.items():
        if not names or Path(name).stem in names:
            _run(call, FOLDER)
    names = [name for name in names or PICTURES if name in PICTURES]
    if not names:
        return 0
    here = found()
    if here is None:
        print(f"there is no browser: {how_to_install()}")
        return 1
    driver, program = here
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(f"--{flag}")
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                content = _taken(browser, PICTURES[name], Path(folder))
            (FOLDER / f"{name}.webp").write_bytes(content)
            print(f"{name}: {len(content) // 1000} KB")
    finally:
        browser.quit()
    return 0


def _taken(browser: Any, picture: Picture, folder: Path) -> bytes:
    """Return a picture of what calls write into a folder."""
    game = next(b.text for b in blocks((TOP / "docs" / "report.md").read_text("utf-8")) if "lot" in b.text)
    (folder / "bad.jsonl").write_text(game.replace('"tile":"4-2"', '"tile":"4-4"', 1), "utf-8")
    beads = (TOP / "docs" / "examples" / "beads.golpae").read_text("utf-8")
    (folder / "beads.golpae").write_text(beads, "utf-8")
    (folder / "traces").symlink_to(TOP / "traces")
    for call in picture.calls:
        _run(call, folder)
    size = {"width": WIDTH, "height": picture.height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    page, mark, fragment = picture.page.partition("#")
    if page == "playground/":
        with server(folder / page, 0) as serving:
            threading.Thread(target=serving.serve_forever, daemon=True).start()
            browser.get(address(serving) + mark + fragment)
            _wait_until_idle(browser)
            content = _shot(browser)
            serving.shutdown()
        return content
    browser.get((folder / page).as_uri() + mark + fragment)
    time.sleep(DRAWN)
    if picture.script:
        browser.execute_script(picture.script)
        time.sleep(DRAWN)
    return _shot(browser)


def _run(call: str, folder: Path) -> None:
    """Call golpae in a folder. Raises CalledProcessError."""
    subprocess.run(
        [sys.executable, "-m", "golpae", *shlex.split(call)], cwd=folder, check=True, capture_output=True
    )


def _wait_until_idle(browser: Any) -> None:
    """Wait until the playground shows its example. Raises TimeoutError."""
    for _ in range(LOADED):
        time.sleep(1)
        if browser.execute_script(IS_IDLE):
            time.sleep(DRAWN)
            return
    raise TimeoutError("the playground does not become ready")


def _shot(browser: Any) -> bytes:
    taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    return b64decode(taken["data"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
