"""Engines for these tests: that of the page on testing, and one that is golpae itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import Any

from docs.generate.files import TOP
from docs.generate.pages import blocks
from golpae.conform.spoil import judge
from golpae.elaborate.cache import elaborate_cached
from golpae.elaborate.instance import instantiate
from golpae.replay.decode import Bad
from golpae.replay.legal_events import Event, Legal
from golpae.replay.machine import Machine
from golpae.replay.simulate import written
from golpae.simulate.position import Positions

Line = dict[str, Any]
FAULT = ("        self.acquiring = False\n", "        self.claimed_from, self.acquiring = None, False\n")


@cache
def files_of_the_page() -> Mapping[str, str]:
    """Return the programs on the page, by the names of their files."""
    page = (TOP / "docs" / "testing.md").read_text("utf-8")
    names = ("file=engine.py", "file=adapter.py")
    return {b.words.removeprefix("file="): b.text for b in blocks(page) if b.words in names}


def of_the_page(old: str, new: str) -> Any:
    """Return the adapter of the page; its engine has no fault but for `new` instead of `old`."""
    sound = files_of_the_page()["engine.py"].replace(*FAULT)
    assert sound.count(old) == 1
    engine, adapter = ModuleType("engine"), ModuleType("adapter")
    exec(sound.replace(old, new), engine.__dict__)
    before = sys.modules.get("engine")
    sys.modules["engine"] = engine
    try:
        exec(files_of_the_page()["adapter.py"], adapter.__dict__)
    finally:
        sys.modules.pop("engine")
        if before is not None:
            sys.modules["engine"] = before
    return adapter.__dict__["Adapter"]()


@cache
def _machine(rules: str, players: int, options: tuple[tuple[str, int], ...]) -> Machine:
    return Machine(instantiate(elaborate_cached(rules), players, dict(options)))


class Mirror:
    """An engine that is golpae itself, and tells all that there is to tell. `change` spoils what it tells; None: it
    tells nothing.
    """

    def __init__(self, change: Callable[[Line], Line | None] | None = lambda told: told) -> None:
        self._change = change

    def new(self, header: Line) -> None:
        options = tuple(header.get("options", {}).items())
        self.machine = _machine(header["rules"], len(header["players"]), options)
        self.state = self.machine.new_state()
        self.legal = Legal(self.machine)

    def event(self, event: Line) -> Line | None:
        args = self.machine.read(event["do"], event)
        assert not isinstance(args, Bad)
        judged = judge(self.machine, self.state, Event(event["do"], args))
        if judged is None or not judged.legal:
            return {"ok": False, "why": "golpae says so"}
        if self._change is None:
            return None
        ends = [e for e in self.legal.closings(self.state) if e.action == "end"]
        told = {
            "legal": [written(self.machine, e) for e in self.legal.events(self.state)],
            "state": Positions(self.machine).nested(self.state),
            "totals": list(self.state.total),
            "over": bool(ends) or self.machine.stage(self.state) in ("ended", "finished"),
        }
        if ends:
            told |= {"winner": ends[0].args[0], "pay": ends[0].args[1]}
        return self._change(told)
