"""The files that come with golpae: its grammar, its own rule texts, and the pages of the language.

Input: nothing. Output: the text of the grammar and of the pages, and the folder of the specs. They are at the top of a
checkout (`grammar/`, `spec/`, `docs/`, which an editable install also reads) and inside the package of an installed
wheel (`golpae/_bundled/`). Guarantee: nothing is read at import.
"""

import re
from pathlib import Path

GUIDE = "language.md"
_CHAPTER = r"(?m)^\| \[[^\]]*\]\((language/[a-z]+\.md)\)"  # a row of its table of chapters
_PACKAGE = Path(__file__).resolve().parent


def _root() -> Path:
    """Return the folder that contains `grammar/` and `spec/`."""
    in_wheel = _PACKAGE / "_bundled"
    # INVARIANT: a wheel always has `_bundled`, a checkout never has. Two folders above a wheel are files of other
    # packages, so `_bundled` comes first.
    return in_wheel if in_wheel.is_dir() else _PACKAGE.parents[1]


def grammar_text() -> str:
    """Return the grammar of the rules language, as lark reads it.

    Raises FileNotFoundError if the installation is broken.
    """
    return (_root() / "grammar" / "golpae.lark").read_text(encoding="utf-8")


def language_pages() -> dict[str, str]:
    """Return the guide to the language and its chapters, in their order: Markdown by name, such as `language/tiles.md`.

    Raises FileNotFoundError if the installation is broken.
    """
    folder = _root() / "docs"
    guide = (folder / GUIDE).read_text(encoding="utf-8")
    return {GUIDE: guide} | {
        name: (folder / name).read_text(encoding="utf-8") for name in re.findall(_CHAPTER, guide)
    }


def spec_dir() -> Path:
    """Return the folder of the specs that come with golpae: `*.golpae` files.

    Raises FileNotFoundError if the installation is broken.
    """
    folder = _root() / "spec"
    if not folder.is_dir():
        raise FileNotFoundError(f"golpae's own specs are missing: {folder}")
    return folder


def name_of(path: Path) -> str | None:
    """Return `spec/NAME` for a spec inside the package of an installed wheel, and None for any other file."""
    root = _root()
    if root == _PACKAGE.parents[1] or not path.is_relative_to(root):
        return None
    return path.relative_to(root).as_posix()
