"""What is kept about properties, as an editor shows it: a text is hashed once for each content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from golpae.editor import kept
from golpae.editor.kept import KeptVerdicts
from golpae.editor.workspace import Workspace
from golpae.elaborate.check import elaborate
from golpae.elaborate.load import Loaded, load
from golpae.verify.kept_proofs import hash_of
from tests.editor.texts import POND, pond


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A text with a kept proof."""
    file = pond(tmp_path)
    table = {"number": 1, "rules": "pond", "players": 2, "options": {}, "stated": [], "further": []}
    table |= {"text": hash_of(elaborate("pond", [file]))}
    table |= {"properties": [{"name": "few", "verdict": "proved", "how": "by hand"}]}
    content = {"format": 2, "golpae": "", "z3": "", "tables": [table], "invariants": []}
    (tmp_path / "pond.proofs.json").write_text(json.dumps(content), "utf-8")
    return file


def test_a_text_is_loaded_again_only_if_it_or_what_it_includes_has_changed(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    def counted(name: str, places: tuple[Path, ...]) -> Loaded:
        loaded.append(name)
        return load(name, places)

    monkeypatch.setattr(kept, "load", counted)
    texts = Workspace()
    verdicts = KeptVerdicts(texts)
    said = [verdicts.of(game)["few"].words for _ in range(3)]
    assert (said, len(loaded)) == (["proved"] * 3, 1)
    texts.open(game, POND.replace("hands: 3 for everyone", "hands: 2 for everyone"))
    said = [verdicts.of(game)["few"].words for _ in range(3)]
    assert (said, len(loaded)) == (["proved before"] * 3, 2)
    texts.close(game)
    tiles = game.parent / "pond-tiles.golpae"
    texts.open(tiles, f"{tiles.read_text('utf-8')}\nnonsense\n")
    assert (verdicts.of(game)["few"].words, len(loaded)) == ("proved before", 3)
    texts.close(tiles)
    assert (verdicts.of(game)["few"].words, len(loaded)) == ("proved", 4)
