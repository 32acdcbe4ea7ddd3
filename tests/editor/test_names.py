"""Names of rule texts: where they stand, what they mean, and other names for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.editor.checks import base_faults
from golpae.editor.renaming import NotRenamed, WordChange, renamed
from golpae.editor.workspace import Workspace
from tests.editor.texts import POND, bundled, pond

HELD = "hand"  # a deal needs a zone of this name


def changed(workspace: Workspace, changes: list[WordChange]) -> dict[str, bytes]:
    """Return the texts after some changes, by their files."""
    out: dict[str, bytes] = {}
    for path in {change.path for change in changes}:
        content = path.read_text(encoding="utf-8")
        own = [change for change in changes if change.path == path]
        for change in sorted(own, key=lambda one: -one.span.start):
            content = content[: change.span.start] + change.words + content[change.span.end :]
        out[str(path.resolve())] = content.encode()
    return out


@pytest.mark.parametrize(("game", "step"), [("hearts", 3), ("jjak", 9), ("whist", 3)])
def test_a_text_with_another_name_has_no_faults(tmp_path: Path, game: str, step: int) -> None:
    path = bundled(tmp_path, game).resolve()
    workspace = Workspace()
    parsed = workspace.parsed(path)
    assert parsed is not None
    names = {
        one.symbol: one for one in parsed.names if one.declared is not None and one.symbol.space != "text"
    }
    tried = 0
    for symbol, name in list(names.items())[::step]:
        if symbol.name == HELD:
            continue
        try:
            changes = renamed(workspace, path, name, "ZZ9")
        except NotRenamed:
            continue  # a word of the language
        tried += 1
        found = base_faults(path, changed(workspace, changes))
        assert found.faults == (), symbol
    assert tried > 8


def test_a_name_that_a_key_binds_is_its_own(tmp_path: Path) -> None:
    path = pond(tmp_path)
    workspace = Workspace()
    found = workspace.at(path, POND.index('tile) by p "give'))
    assert found is not None
    lines = [
        change.span.text.position(change.span.start)[0]
        for change in renamed(workspace, path, found[1], "card")
    ]
    give = POND.count("\n", 0, POND.index("action give")) + 1
    assert set(lines[:-1]) <= {*range(give, give + 9), *range(give + 14, give + 20)}
    assert lines[-1] == 4  # in the recorded game
    assert "card: tile" in {change.words for change in renamed(workspace, path, found[1], "card")}


@pytest.mark.parametrize(
    ("words", "new", "why"),
    [
        ("alike", "few", "there is a `few` already"),
        ("alike", "two words", "`two words` is no name"),
        ("pool: tiles", "wall", "there is a `wall` already"),
    ],
)
def test_what_would_mean_two_things_is_refused(tmp_path: Path, words: str, new: str, why: str) -> None:
    path = pond(tmp_path)
    workspace = Workspace()
    found = workspace.at(path, POND.index(words))
    assert found is not None
    with pytest.raises(NotRenamed, match=why):
        renamed(workspace, path, found[1], new)


def test_a_text_with_a_fault_keeps_its_other_names(tmp_path: Path) -> None:
    path = pond(tmp_path)
    workspace = Workspace()
    workspace.open(path, POND.replace("action take(tile)", "action take tile"))
    parsed = workspace.parsed(path)
    assert parsed is not None
    assert [fault.code for fault in parsed.faults] == ["S001"]
    assert {"alike", "give", "wall"} <= {one.symbol.name for one in parsed.names}
