"""`golpae lsp` in a real editor: Neovim without a window, which does what somebody at the keyboard does."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from golpae.diagnostics import Text
from golpae.syntax.format import format_text
from golpae.syntax.parse import parse
from tests.editor.texts import POND, pond

SCRIPT = Path(__file__).with_name("neovim.lua")
LONGEST = 300  # seconds of a session


@pytest.mark.process
def test_a_text_is_written_in_neovim(tmp_path: Path) -> None:
    program = shutil.which("nvim")
    if program is None:
        pytest.skip("there is no Neovim: `apt-get install neovim` or `brew install neovim` installs it")
    pond(tmp_path)
    answers = tmp_path / "answers.json"
    folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    done = subprocess.run(
        [program, "--headless", "--clean", "-n", "-c", f"luafile {SCRIPT}"],
        env={
            **os.environ,
            **folders,
            "FOLDER": str(tmp_path),
            "PYTHON": sys.executable,
            "ANSWERS": str(answers),
        },
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert answers.is_file(), done.stderr
    shown = json.loads(answers.read_text("utf-8"))
    assert "wrong" not in shown
    assert "`stag` cannot be set\nhelp: did you mean `stage`?" in shown["fault"]
    assert shown["hover"].startswith("Whether two lanterns go together.")
    assert "hand" in shown["offers"]
    renamed = POND.replace("action give", "action pass-on").replace("after give", "after pass-on")
    renamed = renamed.replace("add give.kept", "add pass-on.kept")
    assert shown["text"] == format_text(parse(Text.of("pond.golpae", renamed)))
    assert set(shown["lenses"]) >= {"prove", "what this changes"}
