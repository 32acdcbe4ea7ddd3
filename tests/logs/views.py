"""What a player saw of a log, made from the full one."""

from __future__ import annotations

import json


def seen_from(log: bytes, seat: int) -> bytes:
    """Return a log of mjai as a player saw it: `?` for the hands of the others, and for what they draw."""
    lines = []
    for text in log.splitlines():
        line = json.loads(text)
        if line["type"] == "start_kyoku":
            line["tehais"] = [
                hand if own == seat else ["?"] * len(hand) for own, hand in enumerate(line["tehais"])
            ]
        elif line["type"] == "tsumo" and line["actor"] != seat:
            line["pai"] = "?"
        lines.append(json.dumps(line).encode() + b"\n")
    return b"".join(lines)
