"""Renew what the pages repeat from the program: `python -m docs.generate`.

`--check` changes nothing, and fails if something would change.

Input: the README, the pages of this folder, the specs. Output: the same pages, with these things renewed: the pages
of the games (games.py); the reference of the library (library.py); the TextMate grammar of the extension for VS
Code (textmate.py); what every command on a page prints (pages.py); the texts of the examples that the tutorial
writes; and the parts that repeat the grammar and golpae's tables (reference.py). Guarantee: a second run changes
nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.generate import games, library, textmate
from docs.generate.files import renew
from docs.generate.mistakes import EXAMPLES
from docs.generate.pages import pages, run_page
from docs.generate.reference import renewed_parts
from golpae.progress import Progress, Shown


def renewed() -> Iterator[tuple[Path, str]]:
    """Yield every file that is made here in whole or in part, with its text as it should be."""
    texts: dict[Path, tuple[str, dict[str, str]]] = {}
    others = [page for page in pages() if page.parent != games.PAGES]
    with Shown(Progress("running the commands", len(others), "pages")) as progress:
        for page in others:
            texts[page] = run_page(page.read_text("utf-8"))
            progress.done += 1
    for _, written in texts.values():
        for name, text in written.items():
            if name.endswith(".golpae"):
                yield EXAMPLES / name, text
    for page, (text, _) in texts.items():
        yield page, renewed_parts(text)
    yield library.PAGE, library.page()
    yield textmate.FILE, textmate.textmate()
    yield from games.renewed(anew=True)


def main(arguments: Sequence[str]) -> int:
    """Renew the files, or with `--check` only compare them. Return the exit status."""
    return renew(renewed(), "python -m docs.generate", check="--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
