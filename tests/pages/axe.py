"""What is not accessible on a page, as axe-core finds it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.pages.browser import Browser

PACKAGE = "selenium_axe_python"  # carries axe-core
RULES = "{resultTypes: ['violations'], iframes: false}"


def axe() -> str:
    """Return the script of axe-core. Skips a test where it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("there is no axe-core: install golpae with `.[dev]`")
    return (Path(next(iter(spec.submodule_search_locations))) / "axe-core" / "axe.min.js").read_text("utf-8")


def violations(browser: Browser, script: str) -> list[str]:
    """Return what is not accessible on the page that is open: the rule, and the places that break it."""
    browser.paint()
    browser.run(f"(() => {{ {script} }})()")
    found = browser.wait_for(f"axe.run(document, {RULES})")
    return [
        f"{rule['id']}: {', '.join(' '.join(map(str, node['target'])) for node in rule['nodes'][:3])}"
        for rule in found["violations"]
    ]
