"""The adapters that are installed, and which of them reads a file.

Input: the entry points of the group `golpae.logs`, of golpae's own package and of others.
Output: an adapter by its name, or by the name and the first bytes of a file.
Guarantee: an adapter that cannot be loaded costs no other one; asked for by its name, it says why.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from io import BytesIO

from golpae.diagnostics import near
from golpae.logs.adapter import Adapter
from golpae.rule_names import UsageError
from golpae.trace import blocks, quoted
from golpae.trace.decompress import DamagedArchive

GROUP = "golpae.logs"
START = 1_000
"""Bytes of a file that adapters look at."""

_ARCHIVES = (".gz", ".zst")


@cache
def entry_points_by_name() -> dict[str, EntryPoint]:
    """Return the entry points of the group, by their names."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def names() -> list[str]:
    """Return the names of all formats."""
    return list(entry_points_by_name())


@cache
def adapter(name: str) -> Adapter:
    """Return an adapter. Raises `UsageError` if there is none of this name, or it cannot be loaded."""
    point = entry_points_by_name().get(name)
    if point is None:
        known = ", ".join(f"`{other}`" for other in names())
        advice = near(name, names()) or f"there are {known}"
        raise UsageError("--from", f"no adapter reads logs of format {quoted(name)}", advice)
    try:
        made = point.load()()
    except Exception as fault:  # it may be anybody's
        why = f"{type(fault).__name__}: {fault}"
        raise UsageError("--from", f"the adapter `{name}` cannot be loaded: {why}") from None
    if not isinstance(made, Adapter):
        raise UsageError(
            "--from", f"the adapter `{name}` is no `golpae.logs.Adapter`", f"see {quoted(point.value)}"
        )
    return made


def all_adapters() -> list[Adapter]:
    """Return all adapters that can be loaded."""
    loaded: list[Adapter] = []
    for name in names():
        try:
            loaded.append(adapter(name))
        except UsageError:
            continue
    return loaded


def recognised(start: bytes) -> Adapter | None:
    """Return the adapter that surely reads what begins with these bytes, which may be packed, or None."""
    try:
        head = next(blocks(BytesIO(start)), b"")[:START]
    except DamagedArchive:
        return None
    adapters = [one for one in all_adapters() if one.recognises(head)]
    return adapters[0] if len(adapters) == 1 else None


def start_of(path: str) -> bytes | None:
    """Return the first bytes of a file, unpacked, or None if it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return next(blocks(stream), b"")[:START]
    except (OSError, DamagedArchive):
        return None


def adapter_of(path: str) -> Adapter | None:
    """Return the adapter that surely reads a file, or None. What cannot be read has none."""
    start = start_of(path)
    if start is None:
        return None
    adapters = [one for one in all_adapters() if one.recognises(start)]
    if len(adapters) != 1:
        name = path.lower()
        for ending in _ARCHIVES:
            name = name.removesuffix(ending)
        adapters = [one for one in adapters or all_adapters() if os.path.basename(name).endswith(one.endings)]
    return adapters[0] if len(adapters) == 1 else None
