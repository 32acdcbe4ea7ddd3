"""`golpae prove --write` and `--locked`, from end to end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.table import TAKE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.golpae").write_text(TAKE, encoding="utf-8")
    return tmp_path


def ran(folder: Path, *words: str) -> tuple[int, str, str]:
    environment = os.environ | {"GOLPAE_CACHE": "off", "GOLPAE_PROGRESS": "off"}
    command = [sys.executable, "-m", "golpae", "prove", "one.golpae", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_what_is_written_is_used_until_the_text_changes(folder: Path) -> None:
    assert ran(folder, "--locked")[:2] == (
        1,
        "one.proofs.json: there are no kept proofs\n  help: `golpae prove one.golpae --write` writes it anew\n",
    )
    assert ran(folder, "--write")[0] == 0
    written = (folder / "one.proofs.json").read_text(encoding="utf-8")
    assert ran(folder, "--locked") == (0, "one.proofs.json: belongs to its text (1 table)\n", "")
    status, out, said = ran(folder, "--write", "--format", "json")
    assert (status, said) == (0, "")
    assert out.count('"rechecked": true') == 3
    assert (folder / "one.proofs.json").read_text(encoding="utf-8") == written
    (folder / "one.golpae").write_text(TAKE.replace("hand <= 1", "hand <= 2"), encoding="utf-8")
    status, out, _ = ran(folder, "--locked")
    assert status == 1
    assert out.startswith("one.proofs.json: does not belong to its text: `one` changed")
    assert ran(folder)[0] == 0


def test_a_spoilt_file_is_named_and_changes_nothing(folder: Path) -> None:
    (folder / "one.proofs.json").write_text('{"format": ', encoding="utf-8")
    status, _, said = ran(folder)
    assert status == 0
    assert said.startswith("golpae: `one.proofs.json` is not used: it is not JSON")
    assert ran(folder, "--locked")[0] == 1


def test_a_property_alone_cannot_be_written(folder: Path) -> None:
    status, _, said = ran(folder, "one-each", "--write")
    assert status == 2
    assert "keeps all properties of a table" in said
