"""What a step through a game costs in a browser, beside an empty frame.

Input: nothing. Output: a table on standard output; a frame of a screen is 16.7 ms.
Guarantee: milliseconds are those of the processor, in the main thread of the page, which draws without a graphics card:
a busy machine makes them no larger. `recorded` is a page without the rules, `with the rules` also works out and shows
what can follow, in a frame of its own.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.report import write_games
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import options_of
from golpae.pages.clause_text import ClauseTexts
from golpae.pages.recording import Recorder
from golpae.pages.report import INDEX, Report
from golpae.replay.machine_cache import Library
from golpae.simulate.series import Series
from golpae.trace.read import lines
from tests.pages.browser import FLAGS

TABLES = (("jjak", 4), ("three-dozen", 3), ("ho-hpai", 4), ("korean-mahjong", 4))
STEPS = 60
SETTLED = 1.5  # seconds until a page has been drawn and has loaded its rules

STEP = """
const [isStep, done] = arguments;
const element = (id) => document.getElementById(id);
const later = () => new Promise((next) => setTimeout(next, 0));
requestAnimationFrame(async () => {
  if (isStep) document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  await later();
  while (isStep && !element("play").hidden && element("play").dataset.step !== element("slider").value) await later();
  requestAnimationFrame(() => setTimeout(done, 0));
});
"""


def main() -> None:
    print("| processor ms a step | steps | empty frame | recorded | longest | with the rules | longest |")
    print("|---|---|---|---|---|---|---|")
    driver = _driver()
    try:
        for rules, players in TABLES:
            with tempfile.TemporaryDirectory() as folder:
                page = _page(rules, players, Path(folder))
                empty, recorded, without_rules = _cost(driver, page, "delete globalThis.WebAssembly")
                _, with_rules, longest = _cost(driver, page, "")
            figures = (empty, recorded, without_rules, with_rules, longest)
            print(f"| {rules} | {STEPS} | {' | '.join(f'{one:.1f}' for one in figures)} |", flush=True)
    finally:
        driver.quit()


def _driver() -> Any:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium") or shutil.which("google-chrome"))
    for flag in (*FLAGS, "window-size=1400,1000"):
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_script_timeout(120)
    driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
    return driver


def _page(rules: str, players: int, folder: Path) -> Path:
    """Write the page of the first random game that is long enough."""
    path = folder / "games.jsonl"
    rule_set = elaborate_cached(rules)
    asked = Series(rule_set, players, options_of(rule_set, {}), ("random",) * players, 1, 1, 9)
    write_games(asked, path)
    report = Report(folder, ClauseTexts(()))
    with path.open("rb") as stream:
        for recording in Recorder(path.name, Library(elaborate_cached)).recordings(lines(stream)):
            report.add(recording)
    report.finish()
    return folder / INDEX


def _cost(driver: Any, page: Path, script: str) -> tuple[float, float, float]:
    """Return the milliseconds of an empty frame and of a step, on average, and those of the longest step."""
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    driver.get("about:blank")
    driver.get(f"{page.as_uri()}#event-1")
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    time.sleep(SETTLED)
    empty, steps = [*_each(driver, False)], [*_each(driver, True)]
    return sum(empty) / STEPS, sum(steps) / STEPS, max(steps)


def _each(driver: Any, is_step: bool) -> Iterator[float]:
    for _ in range(STEPS):
        before = _spent(driver)
        driver.execute_async_script(STEP, is_step)
        yield 1000 * (_spent(driver) - before)


def _spent(driver: Any) -> float:
    """Return the seconds that the main thread of the page has used."""
    metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


if __name__ == "__main__":
    main()
