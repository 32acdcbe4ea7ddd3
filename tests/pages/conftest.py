"""One browser for all tests of pages."""

from tests.pages.browser import browser

__all__ = ["browser"]
