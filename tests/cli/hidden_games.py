"""Games of the small text of `tests.cli.table`, as they are and as Bo saw them."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.table import EVENTS, HEADER

OF_BO = [{**EVENTS[0], "hands": [2, ["3-3", "4-4"]]}, *EVENTS[1:]]


def text(*games: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for game in games for line in game)


def game(name: str, *events: dict[str, Any], **keys: Any) -> list[dict[str, Any]]:
    return [{**HEADER, "id": name, **keys}, *(events or EVENTS)]
