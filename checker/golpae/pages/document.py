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
from functools import cache
from pathlib import Path
from typing import Any

from golpae.build import hosts

_PARTS = Path(__file__).parent / "parts"
_HOSTS = Path(next(iter(hosts.__path__)))
_MODULES = ("golpae_lines.mjs", "golpae_words.mjs", "golpae_host.mjs")  # each imports those before it
HOST = "host"  # the name of the part that they are together
_HOLE = re.compile(r"<!--([a-z-]+)-->")
_IMPORT = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=class|const|function)", re.MULTILINE)
_IN_SCRIPTS = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class Markup(str):
    """Text that is a piece of a page as it stands."""

    __slots__ = ()


def page(template: str, styles: Iterable[str], scripts: Iterable[str], values: Mapping[str, str]) -> str:
    """Return a page: a template with its parts and values. What is no `Markup` is escaped."""
    style, script = joined(tuple(styles)), joined(tuple(scripts))
    filled = {**values, "style": Markup(style), "script": Markup(script), "policy": Markup(_policy(script))}

    def value(hole: re.Match[str]) -> str:
        text = filled[hole[1]]
        return text if isinstance(text, Markup) else html.escape(text)

    return _HOLE.sub(value, _part(template))


@cache
def joined(names: tuple[str, ...]) -> str:
    """Return parts behind one another, as one script or one sheet of styles."""
    return "\n".join(map(_part, names)).rstrip("\n")


@cache
def _part(name: str) -> str:
    if name == HOST:
        return _host()
    return (_PARTS / name).read_text(encoding="utf-8")


def _host() -> str:
    """Return the host of modules as one script, which gives the page nothing but its two classes."""
    texts = [(_HOSTS / name).read_text(encoding="utf-8") for name in _MODULES]
    inner = "\n".join(_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts)
    return f"const {{ Rules, Referred }} = (() => {{\n{inner}\nreturn {{ Rules, Referred }};\n}})();\n"


def _policy(script: str) -> str:
    """Return what a page may do: run its own script, and nothing else."""
    digest = b64encode(hashlib.sha256(f"\n{script}\n".encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}' 'wasm-unsafe-eval'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )


def data(value: Any) -> Markup:
    """Return data for a `<script>` of type JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(re.sub("[<>&\u2028\u2029]", lambda found: _IN_SCRIPTS[found[0]], text))
