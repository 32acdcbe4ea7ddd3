"""Pages out of their parts: plain files of HTML, CSS and scripts, and data.

Input: the name of a template, the names of parts, values.
Output: one page, which fetches nothing.
Guarantee: text and data get into a page only escaped. A page runs exactly the scripts that it is made of: its policy
names their hash, and allows no other and no address.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from golpae.build import hosts
from golpae.diagnostics.hidden import on_one_line

_PARTS = Path(__file__).parent / "parts"
_HOSTS = Path(next(iter(hosts.__path__)))
_MODULES = ("golpae_lines.mjs", "golpae_words.mjs", "golpae_host.mjs")  # each imports those before it
SHARED = ("head", "steps")  # what templates have in common: how all begin, a table with the steps of a game
HOST = "host"  # the name of the part that they are together
_COMMENT = re.compile(r"^\s*(?://[^\n]*|/\*.*?\*/[ \t]*)$", re.MULTILINE | re.DOTALL)
_HOLE = re.compile(r"<!--([a-z-]+)-->")
_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class|const|function)", re.MULTILINE)
_MOST_EXACT = (1 << 53) - 1  # the largest number that scripts do not round
_LONG_NUMBER = re.compile(r"\d{16}")
_IN_SCRIPTS = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Markup(str):
    """Text that is a piece of a page as it stands."""

    __slots__ = ()


def page(template: str, styles: Iterable[str], scripts: Iterable[str], values: Mapping[str, str]) -> str:
    """Return a page: a template with its parts and values. What is no `Markup` is escaped."""
    style, script = joined(tuple(styles)), joined(tuple(scripts))
    filled = {**values, "style": Markup(style), "script": Markup(script), "policy": Markup(_policy(script))}

    def value(hole: re.Match[str]) -> str:
        return escaped(filled[hole[1]])

    return _HOLE.sub(value, _whole(template))


def escaped(text: str) -> str:
    """Return text as markup that shows it, on one line, without characters that are not shown."""
    return text if isinstance(text, Markup) else html.escape(on_one_line(text))


def coded(text: str) -> Markup:
    """Return a message as markup, in which the words in backticks are code."""
    parts = escaped(text).split("`")
    if len(parts) % 2 == 0:
        return Markup(escaped(text))
    return Markup("".join(f"<code>{part}</code>" if at % 2 else part for at, part in enumerate(parts)))


@cache
def joined(names: tuple[str, ...]) -> str:
    """Return parts behind one another, as one script or one sheet of styles."""
    return "\n".join(map(_part, names)).rstrip("\n")


@cache
def _whole(template: str) -> str:
    """Return a template with what it has in common with others."""
    text = _part(template)
    for name in SHARED:
        text = text.replace(f"<!--{name}-->", _part(f"{name}.html").rstrip("\n"))
    return text


@cache
def _part(name: str) -> str:
    if name == HOST:
        return _host()
    text = (_PARTS / name).read_text(encoding="utf-8")
    return text if name.endswith(".html") else _lean(text)


def _host() -> str:
    """Return the host of modules as one script, which gives the page nothing but its two classes."""
    texts = [(_HOSTS / name).read_text(encoding="utf-8") for name in _MODULES]
    inner = "".join(_EXPORT.sub("", _IMPORT.sub("", _lean(text))) for text in texts)
    return f"const {{ Rules, Referred }} = (() => {{\n{inner}\nreturn {{ Rules, Referred }};\n}})();\n"


def _lean(text: str) -> str:
    """Return a script or styles without indentation, blank lines and lines of comments.

    INVARIANT: no text in these files goes over the end of a line.
    """
    return "".join(f"{line.strip()}\n" for line in _COMMENT.sub("", text).splitlines() if line.strip())


@cache
def _policy(script: str) -> str:
    """Return what a page may do: run its own script, and nothing else."""
    digest = b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}' 'wasm-unsafe-eval'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )


@lru_cache(maxsize=8)
def text_data(text: str | None) -> Markup:
    """Return the same for a long text that many pages have, such as a module."""
    return data(text)


def data(value: Any) -> Markup:
    """Return data for a `<script>` of type JSON. Numbers that a browser would round are texts in it."""
    text = _json(value)
    if _LONG_NUMBER.search(text):
        text = _json(_exact(value))
    return Markup(re.sub("[<>&\u2028\u2029]", lambda found: _IN_SCRIPTS[found[0]], text))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _exact(value: Any) -> Any:
    """Return data in which numbers that a browser would round are texts."""
    if isinstance(value, dict):
        return {key: _exact(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(own) for own in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _MOST_EXACT:
        return str(value)
    return value
