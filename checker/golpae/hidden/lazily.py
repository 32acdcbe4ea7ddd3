"""Decides games with tiles that nobody saw, and loads what it needs for that when the first one comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from golpae.replay.machine import Machine, State
from golpae.trace import Header
from golpae.trace.unseen import Decision


def completes(
    machine: Machine,
    header: Header,
    state: State,
    lines: Sequence[Mapping[str, Any]],
    before: int,
    aside: Mapping[int, frozenset[str]],
    known: Sequence[Mapping[str, Any]],
) -> Decision:
    """Decide the rest of a game from a state on; see `decide.decide`."""
    from golpae.hidden.decide import decide

    return decide(machine, header, state, lines, before, aside, known)
