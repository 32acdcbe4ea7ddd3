"""A browser without a window, for the tests of pages: Chromium of the system, driven by selenium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.browsers import found, how_to_install

REDRAWN = 10  # times that a page may draw its elements anew while they are read
LOADED = "document.readyState === 'complete'"
LONGEST_LOAD = 60  # seconds
FLAGS = ("headless", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser of the size of a desk."""
    on_this_machine = found()
    if on_this_machine is None:
        pytest.skip(f"there is no browser: {how_to_install()}")
    driver, program = on_this_machine
    pytest.importorskip("selenium", reason="there is no selenium: install golpae with `.[dev]`")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in FLAGS:
        options.add_argument(f"--{flag}")
    options.add_argument("--window-size=1400,1000")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    chrome.implicitly_wait(20)
    yield Browser(chrome)
    chrome.quit()


class Browser:
    """What a reader does with a page, and what the page shows."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver
        self._visited = 0

    def open(self, page: Path, fragment: str = "") -> None:
        if fragment:  # a browser that is at the page already would only move within it
            self._driver.get("about:blank")
        self._go_to(page.as_uri() + (f"#{fragment}" if fragment else ""))

    def visit(self, address: str) -> None:
        """Open a page of a server."""
        self._driver.get("about:blank")
        self._go_to(address)

    def until(self, condition: str, seconds: float) -> None:
        """Wait until an expression of a script is true in the page; a test that waits in vain fails."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self._driver, seconds).until(
            lambda driver: driver.execute_script(f"return {condition}")
        )

    @contextmanager
    def inside(self, selector: str) -> Iterator[None]:
        """Read a page in a frame."""
        self._driver.switch_to.frame(self._all(selector)[0])
        yield
        self._driver.switch_to.default_content()

    def press(self, *keys: str) -> None:
        """Press keys: characters, or names such as `HOME`."""
        from selenium.webdriver import ActionChains, Keys

        pressed = [getattr(Keys, key) if len(key) > 1 else key for key in keys]
        ActionChains(self._driver).send_keys(*pressed).perform()

    def click(self, selector: str, number: int = 0) -> None:
        self._all(selector)[number].click()

    def write(self, selector: str, words: str) -> None:
        """Write into a field, in place of what is there."""
        field = self._all(selector)[0]
        field.clear()
        field.send_keys(words)

    def choose(self, selector: str, words: str) -> None:
        """Choose a word of a menu."""
        from selenium.webdriver.support.select import Select

        Select(self._all(selector)[0]).select_by_visible_text(words)

    def text(self, selector: str) -> str:
        return self.texts(selector)[0]

    def texts(self, selector: str) -> list[str]:
        return self._read(selector, lambda element: str(element.text))

    def attributes(self, selector: str, name: str) -> list[str]:
        return self._read(selector, lambda element: str(element.get_attribute(name)))

    def labels(self, selector: str) -> list[str]:
        """Return what a screen reader says of elements."""
        return self.attributes(selector, "aria-label")

    def wait(self, selector: str) -> None:
        """Wait until a page has an element; a test that waits in vain fails."""
        assert self._all(selector), f"{selector} did not come"

    @contextmanager
    def without(self, name: str) -> Iterator[None]:
        """Open pages in a browser that lacks something."""
        source = {"source": f"delete globalThis.{name}"}
        made = self._driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", source)
        yield
        self._driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)

    @contextmanager
    def sized(self, width: int, height: int, dark: bool = False) -> Iterator[None]:
        """Show pages on a screen of a size, in light or dark colours."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        colours = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": colours})
        yield
        self._driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self._driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def drag(self, selector: str, target: str) -> None:
        """Drag an element onto another one."""
        from selenium.webdriver import ActionChains

        start, end = self._all(selector)[0], self._all(target)[0]
        ActionChains(self._driver).drag_and_drop(start, end).perform()

    @contextmanager
    def phone(self) -> Iterator[None]:
        """Show pages as a phone does."""
        size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
        self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        yield
        self._driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def is_shown(self, selector: str) -> bool:
        return bool(self._all(selector)[0].is_displayed())

    def complaints(self) -> list[str]:
        """Return what a page has complained of since the last call."""
        return [str(entry["message"]) for entry in self._driver.get_log("browser")]

    def paint(self) -> None:
        """Wait until the browser has painted the page twice, so that what it laid out late is in its place."""
        self._driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))"
        )

    def run(self, script: str) -> Any:
        """Return the value of a script in the page."""
        return self._driver.execute_script(f"return {script}")

    def wait_for(self, promise: str) -> Any:
        """Return the value of a promise that a script in the page makes."""
        return self._driver.execute_async_script(f"{promise}.then(arguments[0])")

    def picture(self) -> bytes:
        """Return what the screen shows, as PNG."""
        return bytes(self._driver.get_screenshot_as_png())

    def back(self) -> None:
        """Go back to the page before, and wait until its scripts have run."""
        self._driver.back()
        self.until(LOADED, LONGEST_LOAD)

    def address(self) -> str:
        return str(self._driver.current_url)

    def _go_to(self, address: str) -> None:
        """Load a page, and wait until its scripts have run: the driver may return while the browser still reads it."""
        self._visited += 1
        self._driver.execute_script(
            f"window.leftBy = {self._visited}"
        )  # a page that is loaded anew does not have it
        self._driver.get(address)
        self.until(f"window.leftBy !== {self._visited} && {LOADED}", LONGEST_LOAD)

    def _read(self, selector: str, value: Callable[[Any], str]) -> list[str]:
        """Return a value of each element; they are looked for again if the page has drawn others meanwhile."""
        from selenium.common.exceptions import StaleElementReferenceException

        for _ in range(REDRAWN):
            with suppress(StaleElementReferenceException):
                return [value(element) for element in self._all(selector)]
        return [value(element) for element in self._all(selector)]

    def _all(self, selector: str) -> list[Any]:
        return list(self._driver.find_elements("css selector", selector))
