"""Where traces begin and end is found without rules, as replay finds it."""

from __future__ import annotations

import io

from hypothesis import given
from hypothesis import strategies as st

from golpae.elaborate.cache import elaborate_cached
from golpae.replay.machine_cache import Library
from golpae.replay.replay import replay
from golpae.testing.segments import segments
from golpae.trace import lines

DEAL = (
    '{"do":"deal","first":0,"hands":[["6-6","6-6","5-4","6-3","4-2","2-1"],["6-1","3-1","5-1","4-4","1-1"]]}'
)
WHOLE = (
    '{"golpae":1,"rules":"jjak","players":["A","B"]}',
    DEAL,
    '{"do":"lay","by":0,"tiles":["6-6","6-6"]}',
    '{"do":"lay","by":0,"tiles":["5-4","6-3"]}',
    '{"do":"lay","by":0,"tiles":["4-2","2-1"]}',
    '{"do":"end","winner":0,"pay":[1,-1]}',
    '{"do":"finish","totals":[1,-1],"winners":[0]}',
)
PARTS = st.sampled_from(
    [
        *((line,) for line in WHOLE),
        WHOLE,
        WHOLE[:3],
        ("garbage",),
        ("[1]",),
        ("",),
        ('{"golpae":1}',),
        ('{"golpae":1,"do":"finish","golpae":1}',),
        ('{"do":"finish","do":"finish"}',),
        ('{"do":7}',),
    ]
)
LIBRARY = Library(elaborate_cached)


@given(st.lists(PARTS, max_size=8))
def test_traces_begin_where_replay_finds_them(parts: list[tuple[str, ...]]) -> None:
    text = "\n".join(line for part in parts for line in part).encode()
    found = [segment.first for segment in segments(lines(io.BytesIO(text)))]
    assert found == [report.outcome.line for report in replay(io.BytesIO(text), "x", LIBRARY)]
