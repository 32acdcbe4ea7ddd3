"""The browser that the tests of pages drive: where it is, and how it is installed where there is none.

Output: the paths of a driver and of a browser, or None; a line for the terminal that installs both.
"""

from __future__ import annotations

import shutil
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ON_MACOS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# For each program that installs others, the line that installs a browser and its driver.
INSTALLERS = {
    "apt-get": "sudo apt-get install chromium chromium-driver",
    "dnf": "sudo dnf install chromium chromedriver",
    "brew": "brew install --cask google-chrome chromedriver",
    "choco": "choco install googlechrome chromedriver",
}


def found() -> tuple[str, str] | None:
    """Return the driver and the browser of this machine, or None if it lacks one of them."""
    driver = shutil.which("chromedriver")
    browsers = [*map(shutil.which, BROWSERS), *(path for path in ON_MACOS if Path(path).is_file())]
    browser = next(filter(None, browsers), None)
    return None if driver is None or browser is None else (driver, browser)


def how_to_install() -> str:
    """Return the line for the terminal that installs the browser here, or the page that says what is needed."""
    lines = [f"`{line}`" for program, line in INSTALLERS.items() if shutil.which(program)]
    return f"{lines[0]} installs it" if lines else "CONTRIBUTING.md says what to install"
