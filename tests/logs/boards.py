"""A board of bridge in PBN and in LIN, and what adapters tell of one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any, BinaryIO, cast

from golpae.logs.adapter import Adapter
from golpae.trace.log_text import Reading

PBN = b"""\
% PBN 2.1
[Event "Club evening"]
[Board "1"]
[West "Dae"]
[North "An"]
[East "Bo"]
[South "Cho"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQ2.AK2.AK2.AK2 J543.543.543.543 T9876.QJT.QJT.QJ .9876.9876.T9876"]
[Declarer "N"]
[Contract "7NT"]
[Result "13"]
[Score "NS 1520"]
{ one bid, and a claim }
[Auction "N"]
7NT ! Pass Pass =1= AP
[Note "1:with a sigh"]
[Play "E"]
H3 HT H6 HA
S3 S6 C6 SA
*
"""
LIN = (
    b"pn|Cho,Dae,An,Bo|st||md|3ST9876HQJTDQJTCQJ,SH9876D9876CT9876,SAKQ2HAK2DAK2CAK2,|rh||ah|Board 1|sv|o|\r\n"
    b"mb|7N!|an|all of them|mb|p|mb|p|mb|p|pg||pc|H3|pc|HT|pc|H6|pc|HA|pg||mc|13|pg||\r\n"
)


def events(adapter: Adapter, log: bytes) -> list[dict[str, Any]]:
    """Return the lines of the only game."""
    return [json.loads(line) for line in reading(adapter, log).lines]


def reading(adapter: Adapter, log: bytes) -> Reading:
    (game,) = adapter.text(cast("BinaryIO", BytesIO(log)), "log").games
    return game.first


def told(adapter: Adapter, log: bytes) -> Iterator[str]:
    """Yield the events behind the deal, in short."""
    for event in events(adapter, log)[2:]:
        values = [str(value) for key, value in event.items() if key != "do"]
        yield " ".join((event["do"], *values))
