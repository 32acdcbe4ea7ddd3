"""What is cached of families is named by all that it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from golpae.progress import Progress
from golpae.verify.families import scheduler as run
from golpae.verify.families.scheduler import FamilyName, groups
from golpae.verify.options import Settings
from golpae.verify.switches import changes as switches
from golpae.verify.switches.changes import SwitchCall, decide_switches
from golpae.verify.switches.idle import Switches
from golpae.verify.switches.of_switch import Changes, having_both
from tests.families.loaded import load_from
from tests.families.takes import TAKES


def test_results_with_and_without_the_compiled_path_are_kept_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    names = set()
    for is_there in (True, False):
        monkeypatch.setattr(run, "available", lambda there=is_there: there)
        names.add(run.entry("switches", ("takes",), Settings()))
    assert len(names) == 2


def test_what_changes_nothing_is_the_same_whatever_is_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proof that a switch changes nothing may depend on what else is asked, which the cache must not change."""
    asked: list[list[str]] = []

    def where_same(
        name: FamilyName, own: Switches, players: int, options: Mapping[str, int], settings: Settings
    ) -> Iterator[Changes]:
        asked.append([switch for switch, _ in own])
        for switch, among in own:
            unknown = tuple(among) if switch == "small" and len(own) > 1 else ()
            yield Changes(switch, players, tuple(among), (), (), (), unknown, ())

    def results(work: Any, jobs: Sequence[Any], *_: object, **__: object) -> Iterator[tuple[int, Any]]:
        return enumerate(map(work, jobs))

    monkeypatch.setenv("GOLPAE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(switches, "where_same", where_same)
    monkeypatch.setattr(switches, "results", results)
    load_from(tmp_path, "takes", TAKES)
    name = FamilyName("takes", (), (), (tmp_path,))
    family, _ = groups(name)
    among = {switch: having_both(family, switch).cubes for switch in ("small", "dear")}

    def found(*names: str) -> list[Changes]:
        own = tuple(among[switch] for switch in names)
        call = SwitchCall(name, names, (2,), {}, Settings(), "same", own)
        return [*decide_switches(call, 1, True, Progress())]

    together = found("small", "dear")
    assert [bool(one.unknown) for one in together] == [True, False]
    assert found("small", "dear") == together
    assert [bool(one.unknown) for one in found("small")] == [False]
    assert asked == [["small", "dear"], ["small", "dear"], ["small"]]
    found("small")
    found("dear")
    assert asked[3:] == [["dear"]]
