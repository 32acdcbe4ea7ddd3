"""What readers with a keyboard or a screen reader need of the site and its theme does not give.

Input: the folder of the site, or a page as HTML.
Guarantee: headings of the contents have a level, its two parts have names, what scrolls can be reached,
and an empty cell above a column is no head.
"""

from __future__ import annotations

from pathlib import Path

TABLE = '<div class="table-wrapper colwidths-auto docutils container">'
MENDS = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="all pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="on this page">',
    TABLE: TABLE.replace(">", ' tabindex="0">'),
    "<pre>": '<pre tabindex="0">',
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    '<th class="head"></th>': '<td class="head"></td>',
}


def mended(page: str) -> str:
    """Return a page as readers need it."""
    for was, now in MENDS.items():
        page = page.replace(was, now)
    return page


def mend(site: Path) -> None:
    """Mend the pages of a site."""
    for page in site.rglob("*.html"):
        page.write_text(mended(page.read_text("utf-8")), encoding="utf-8")
