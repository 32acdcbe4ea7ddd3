"""The browser of the tests: a page may draw its elements anew while they are read."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from tests.pages.browser import REDRAWN, Browser

exceptions = pytest.importorskip("selenium.common.exceptions")


class Page:
    """A page whose elements are gone when they are read, so many times."""

    def __init__(self, redrawn: int) -> None:
        self._redrawn, self._looks = redrawn, count()

    def find_elements(self, how: str, selector: str) -> list[Any]:
        return [Gone() if next(self._looks) < self._redrawn else There()]


class Gone:
    @property
    def text(self) -> str:
        raise exceptions.StaleElementReferenceException


class There:
    text = "worth: 3"


def test_elements_that_are_drawn_anew_are_read_again() -> None:
    assert Browser(Page(0)).text("h2") == "worth: 3"
    assert Browser(Page(REDRAWN)).texts("h2") == ["worth: 3"]


def test_a_page_that_never_rests_is_an_error() -> None:
    with pytest.raises(exceptions.StaleElementReferenceException):
        Browser(Page(REDRAWN + 1)).text("h2")
