"""`python -m benchmarks [TABLE ...]`: measure the compiled path beside msgspec and other packages.

Input: the names of tables, such as `archives peers`; without any, all are measured.
Output: the tables of `benchmarks/README.md` between marks `<!-- NAME: python -m benchmarks -->` and `<!-- end -->`, and
on standard output.
Guarantee: nothing else of the page changes.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import check, compare, peers, score, simulate

PAGE = Path(__file__).parent / "README.md"
PACKAGES = ("golpae", "msgspec", "wasmtime")


def machine() -> Iterator[str]:
    """Yield a sentence on what these tables were measured with."""
    versions = ", ".join(f"{name} {peers.installed(name)}" for name in PACKAGES)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0
    yield f"Measured with Python {platform.python_version()}, {versions}, on {os.cpu_count()} cores of {_processor()}"
    yield f"({platform.system()}), beside other work (load {load:.1f})."


def _processor() -> str:
    found = re.search(r"model name\s*: (.*)", _read("/proc/cpuinfo"))
    return found[1] if found else platform.processor() or platform.machine()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""


def hands() -> Iterator[str]:
    """Yield the rows of the table of hands to score."""
    yield "| | microseconds a hand | × msgspec |"
    yield "|---|---|---|"
    yardstick = 0.0
    for row in score.files(3 * score.HANDS):
        each = row.seconds / row.hands
        yardstick = yardstick or each
        name = row.what.removeprefix("file of hands, ")
        yield f"| {name} | {1e6 * each:.2f} | {peers.digits(yardstick / each)} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    "archives": check.archive_table,
    "check": check.table,
    "hands": hands,
    "simulate": simulate.table,
    "compare": compare.table,
    "peers": peers.table,
    "starts": peers.starts,
    "machine": machine,
}


def main() -> None:
    """Measure everything or the tables that are named, and write each table where the page has its mark."""
    asked = sys.argv[1:] or list(TABLES)
    if unknown := [name for name in asked if name not in TABLES]:
        raise SystemExit(f"there is no table `{unknown[0]}`; write one of {', '.join(TABLES)}")
    for name in asked:
        table = TABLES[name]
        sys.stdout.write(f"{name}\n")
        lines = []
        for line in table():
            lines.append(line)
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        begin, end = f"<!-- {name}: python -m benchmarks -->\n", "<!-- end -->"
        before, mark, behind = PAGE.read_text(encoding="utf-8").partition(begin)
        _, other, behind = behind.partition(end)
        if not (mark and other):
            raise SystemExit(f"{PAGE} has no place for the table `{name}`")
        page = "".join([before, begin, *(f"{line}\n" for line in lines), end, behind])
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
