"""The folder of the playground: a page, its scripts, golpae itself, and all that these need.

Input: a folder. Output: its files.
Guarantee: the page fetches nothing from elsewhere; its policy forbids it. The same golpae gives the same files.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import golpae
from golpae.beside import written
from golpae.bundled import grammar_text, spec_dir
from golpae.elaborate.load import game_names
from golpae.playground.fetch import fetch, files
from golpae.playground.pins import EDITOR, PINS, PYODIDE, SOLVER, WHEEL, Pin
from golpae.syntax.highlighting import patterns

PAGE, BUILD = "index.html", "build.json"
VENDOR = "vendor"
PARTS = Path(__file__).parent / "parts"
NOT_NEEDED = ("cli", "testing", "_bundled", "__pycache__")  # folders of golpae that no answer uses
DAY = (1980, 1, 1, 0, 0, 0)  # of all files in archives
SCRIPTS = (
    "app.js",
    "engine.js",
    "frame.html",
    "frame.js",
    "language.js",
    "link.js",
    "playground.css",
    "shown.js",
    "worker.js",
)


def write(folder: Path, first: str | None = None, docs: str | None = None) -> list[str]:
    """Write the playground into a folder, which begins with the game `first`, and return the names of its files. With
    `docs`, the address of the site without a file, the page leads to its pages, and the code of a fault is a link.

    Raises OSError and `NotFetched`.
    """
    names = []
    for name, content in _files(first, docs):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with written(path) as file:
            file.write(content)
        names.append(name)
    return names


def is_playground(folder: Path) -> bool:
    """Return whether a folder has a playground, of whatever golpae."""
    try:
        made = json.loads((folder / BUILD).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(made, dict) and {"build", "wheels", "patterns"} <= made.keys()


def _files(first: str | None, docs: str | None) -> Iterator[tuple[str, bytes]]:
    imports: dict[str, str] = {}
    wheels, solver = [], ""
    for pin in PINS:
        for name, content in _vendored(pin):
            yield f"{VENDOR}/{name}", content
        if pin.kind == EDITOR:
            imports[pin.name] = f"./{VENDOR}/{pin.name}/{pin.files[0]}"
        elif pin.kind == WHEEL:
            wheels.append(f"{VENDOR}/{_file_of(pin)}")
        elif pin.kind == SOLVER:
            solver = f"{VENDOR}/{_file_of(pin)}"
    packed = packed_golpae()
    yield "golpae.zip", packed
    digest = hashlib.sha256(packed)
    for name in SCRIPTS:
        content = (PARTS / name).read_bytes()
        digest.update(content)
        yield name, content
    build = {
        "build": digest.hexdigest()[:16],
        "wheels": wheels,
        "solver": solver,
        "first": first or game_names(())[0],
        "docs": docs,
        "patterns": [[one.kind, one.regex] for one in patterns()],
    }
    yield BUILD, json.dumps(build, ensure_ascii=False).encode()
    yield PAGE, _page(imports).encode()


def _vendored(pin: Pin) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a pin, in their folder. Raises `NotFetched`."""
    if pin.kind in (WHEEL, SOLVER):
        yield _file_of(pin), fetch(pin)
        return
    for name, content in files(pin).items():
        yield f"{PYODIDE if pin.kind == PYODIDE else pin.name}/{name}", content


def _file_of(pin: Pin) -> str:
    return pin.url.rpartition("/")[2]


def _page(imports: dict[str, str]) -> str:
    """Return the page. Its policy allows its own files and nothing else."""
    table = json.dumps({"imports": imports})
    digest = b64encode(hashlib.sha256(table.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-{digest}'; "
        "style-src 'self' 'unsafe-inline'; connect-src 'self'; worker-src 'self'; frame-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = (PARTS / "playground.html").read_text(encoding="utf-8")
    return page.replace("<!--policy-->", policy).replace("<!--imports-->", table)


def packed_golpae() -> bytes:
    """Return golpae without its verbs, as an archive: its code, its grammar and its rule texts."""
    top = Path(golpae.__path__[0])
    contents = {f"golpae/{path.relative_to(top).as_posix()}": path.read_bytes() for path in _code(top)}
    contents["golpae/_bundled/grammar/golpae.lark"] = grammar_text().encode()
    for path in spec_dir().iterdir():
        if path.suffix == ".golpae":
            contents[f"golpae/_bundled/spec/{path.name}"] = path.read_bytes()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name, DAY), contents[name], zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _code(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder of golpae that answers can use."""
    for path in folder.iterdir():
        if path.is_dir():
            if path.name not in NOT_NEEDED:
                yield from _code(path)
        elif path.suffix not in (".pyc", ".so"):
            yield path
