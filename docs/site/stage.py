"""The sources of the site: the pages of the repository, in their places, with what they link to.

Input: the repository; `docs/README.md` lists the pages in their order. Output: a folder for Sphinx.
Guarantee: every link leads to a page or a file of the folder. Each kind of fault has an anchor of its code, as `#N001`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from docs.generate.files import TOP
from golpae.cli.main import parser_of
from golpae.cli.verbs import ABOUT, GAMES, RULES
from golpae.elaborate.load import game_names

LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s]+)\)")
ENTRY = re.compile(r"^- \[[^\]]*\]\(([^)\s]+)\)", re.MULTILINE)
FAULT = re.compile(r"^(#+ ([A-Z]\d{3}): )", re.MULTILINE)
CONTENTS = "docs/README.md"
ALSO = ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "benchmarks/README.md", "editors/vscode/README.md")
START = "index.md"
# What a visitor can do at once, by the names of examples of the playground.
AT_ONCE = {
    "play": "Play a game",
    "refused": "See a refused game",
    "refuted": "See a promise refuted",
    "shed-tiles": "Write a game of your own",
}
PLAYGROUND = "playground/index.html"
VERBS = "docs/verbs.md"


def stage(folder: Path) -> None:
    """Write the sources into a folder. Raises OSError."""
    made = {START: _start(), VERBS: _verbs()}
    pages = [*_pages(), *map(Path, ALSO)]
    for page in pages:
        made[page.as_posix()] = _with_books(page, (TOP / page).read_text("utf-8"))
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_linked(Path(name), text, set(made), folder), "utf-8")


def _pages() -> list[Path]:
    return sorted(path.relative_to(TOP) for path in (TOP / "docs").rglob("*.md") if "site" not in path.parts)


def _start() -> str:
    """Return the first page: that of the repository, with all others in the contents."""
    text = (TOP / "README.md").read_text("utf-8")
    lists, listed = [], {CONTENTS}
    for heading, entries in contents().items():
        listed |= set(entries)
        lists.append(_toctree(heading, entries))
    others = [page.as_posix() for page in (*_pages(), *map(Path, ALSO)) if page.as_posix() not in listed]
    lists.append(_toctree("More", [CONTENTS, VERBS, *others]))
    at_once = " · ".join(
        f'<a href="{PLAYGROUND}#example={name}">{words}</a>' for name, words in AT_ONCE.items()
    )
    begin, picture, rest = text.partition("\n![")
    return f"{begin}\n<p>Now, in this browser: {at_once}</p>\n{picture}{rest}\n" + "\n".join(lists)


def contents() -> dict[str, list[str]]:
    """Return the pages that `docs/README.md` lists below each of its headings; a folder stands for its pages."""
    _, *parts = re.split(r"^## ", (TOP / CONTENTS).read_text("utf-8"), flags=re.MULTILINE)
    return {
        part.partition("\n")[0]: [page for target in ENTRY.findall(part) for page in _listed(target)]
        for part in parts
    }


def _listed(target: str) -> Iterator[str]:
    """Yield the pages to which an entry of the contents leads."""
    path = Path(os.path.normpath(Path(CONTENTS).parent / target))
    for page in sorted((TOP / path).glob("*.md")) if (TOP / path).is_dir() else [TOP / path]:
        yield page.relative_to(TOP).as_posix()


def _toctree(heading: str, pages: list[str]) -> str:
    names = "\n".join(page.removesuffix(".md") for page in pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{names}\n```\n"


def _verbs() -> str:
    """Return the page of all verbs: what `golpae help` says of each."""
    parts = ["# Verbs\n\nWhat `golpae help VERB` says, for every verb.\n"]
    for heading, verbs in (("About games", GAMES), ("About rules", RULES), ("About golpae", ABOUT)):
        parts.append(f"## {heading}\n")
        parts += (
            f"### golpae {verb}\n\n```text\n{parser_of(verb).format_help().rstrip()}\n```\n" for verb in verbs
        )
    return "\n".join(parts)


def _with_books(page: Path, text: str) -> str:
    """Return a page with anchors of faults, with the book of its game, and with the playground if it is about that."""
    if page.parent.as_posix() == "docs/games" and page.stem in game_names(()):
        text += f'\n<p><a href="../../books/{page.stem}.html">The rule book</a></p>\n'
    if page.as_posix() == "docs/playground.md":
        text += '\n<p><a href="../playground/index.html">Open the playground</a></p>\n'
    return FAULT.sub(r'<a id="\2"></a>\n\n\1', text)


def _linked(page: Path, text: str, made: set[str], folder: Path) -> str:
    """Return a page whose links lead somewhere in the folder; files that it links to are put there."""

    def link(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        name, mark, heading = target.partition("#")
        if not name or ":" in name:
            return found[0]
        path = Path(os.path.normpath(page.parent / name))
        if path.as_posix() == "README.md":
            return f"{words}({os.path.relpath(START, page.parent)}{mark}{heading})"
        if path.as_posix() in made:
            return found[0]
        if not (TOP / path).is_file():
            return words.removeprefix("!")[1:-1]
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(TOP / path, copy)
        return found[0]

    return LINK.sub(link, text)
