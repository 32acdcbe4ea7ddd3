"""Which recorded games an editor looks at, whatever lies in a repository."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from golpae.editor import broken, recorded
from golpae.editor.broken import Broken, send_broken
from golpae.editor.renaming import renamed
from golpae.editor.workspace import Workspace
from tests.editor.texts import GAME, POND, pond
from tests.pipes import NO_PIPES, answering_pipe


def refused_in(game: Path) -> list[str]:
    """Return the files in which a game's clauses refuse an event, as seen from its folder."""
    sent: list[Any] = []
    send_broken(sent.append, [game], {})
    found: list[Broken] = sent[0][game]
    return [one.file.relative_to(game.parent.resolve()).as_posix() for one in found]


def put(file: Path, content: str = GAME) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, "utf-8")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A text beside which no game is recorded."""
    file = pond(tmp_path)
    (tmp_path / "game.jsonl").unlink()
    return file


def test_hidden_folders_are_left_out(game: Path) -> None:
    for name in (".hidden/a.jsonl", "games/.venv/b.jsonl", ".c.jsonl", "games/deep/d.jsonl", "e.jsonl"):
        put(game.parent / name)
    (game.parent / "loop").symlink_to(game.parent, target_is_directory=True)
    assert refused_in(game) == ["e.jsonl", "games/deep/d.jsonl"]


def test_a_large_file_does_not_hide_those_behind_it(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(game.parent / "a.jsonl", GAME + "\n" * len(GAME))
    put(game.parent / "b.jsonl")
    put(game.parent / "c.jsonl")
    monkeypatch.setattr(broken, "LARGEST", len(GAME) + 9)
    assert refused_in(game) == ["b.jsonl"]


def test_the_walk_is_bounded(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.jsonl", "b/c.jsonl", "d/e.jsonl"):
        put(game.parent / name)
    monkeypatch.setattr(recorded, "MOST_FOLDERS", 2)
    assert refused_in(game) == ["a.jsonl", "b/c.jsonl"]
    monkeypatch.setattr(recorded, "MOST_NAMES", 1)
    assert len(refused_in(game)) <= 1


def test_a_compressed_file_is_not_unpacked(game: Path) -> None:
    (game.parent / "a.jsonl").write_bytes(gzip.compress(GAME.encode()))
    assert refused_in(game) == []


@pytest.mark.skipif(NO_PIPES, reason="there are no named pipes here")
def test_a_pipe_is_not_opened(game: Path) -> None:
    put(game.parent / "b.jsonl")
    with answering_pipe(game.parent / "a.jsonl", GAME.encode()):
        assert refused_in(game) == ["b.jsonl"]
    with answering_pipe(game.parent / "other.golpae", POND.encode()):
        texts = Workspace()
        assert texts.parsed(game.parent / "other.golpae") is None
        assert texts.games(game)[0][0].path.name == "pond.golpae"


@pytest.mark.skipif(NO_PIPES, reason="there are no named pipes here")
def test_a_name_is_changed_in_files_that_are_shown(game: Path) -> None:
    for name in ("b.jsonl", ".hidden/c.jsonl"):
        put(game.parent / name)
    texts = Workspace()
    _, give = texts.at(game, POND.index("give(tile)")) or (None, None)
    assert give is not None
    with answering_pipe(game.parent / "a.jsonl", GAME.encode()):
        changed = {
            change.path.relative_to(game.parent).as_posix() for change in renamed(texts, game, give, "leave")
        }
    assert changed == {"pond.golpae", "b.jsonl"}
