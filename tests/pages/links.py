"""The links within a page, and what they lead to."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape


def targets(page: str) -> Counter[str]:
    """Return how many elements have each id."""
    return Counter(map(unescape, re.findall(r'\sid="([^"]*)"', page)))


def links(page: str) -> set[str]:
    """Return the ids that links of a page lead to."""
    return set(map(unescape, re.findall(r'\shref="#([^"]*)"', page)))


def wrong_links(page: str) -> dict[str, int]:
    """Return the ids that links lead to and that not exactly one element has, and those that several have."""
    found = targets(page)
    return {name: found[name] for name in links(page) | {*found} if found[name] != 1}
