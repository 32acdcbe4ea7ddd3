"""JSON schemas of the files that golpae writes.

Input: a class of `msgspec`. Output: its schema. Guarantee: the same on every version of Python.
"""

from __future__ import annotations

import inspect
from typing import Any

import msgspec


def schema_of(kind: type) -> dict[str, Any]:
    """Return the JSON schema of a class, with its docstrings as descriptions."""
    cleaned: dict[str, Any] = _cleaned(msgspec.json.schema(kind))
    return cleaned


def _cleaned(value: Any) -> Any:
    """Return a schema whose descriptions are not indented: Python does so itself from 3.13 on."""
    if isinstance(value, list):
        return [_cleaned(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: inspect.cleandoc(one) if key == "description" and isinstance(one, str) else _cleaned(one)
        for key, one in value.items()
    }
