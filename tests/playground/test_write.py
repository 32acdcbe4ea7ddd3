"""The folder of the playground, without what it downloads."""

from __future__ import annotations

import io
import re
import zipfile

import pytest

from golpae.playground.fetch import NotFetched, fetch, is_right
from golpae.playground.pins import EDITOR, PINS, WHEEL, Pin
from golpae.playground.write import PARTS, SCRIPTS, packed_golpae

IMPORTED = re.compile(r'from "([^"]+)"')


def test_every_script_of_the_page_is_written_and_every_import_is_pinned() -> None:
    assert {path.name for path in PARTS.iterdir()} == {*SCRIPTS, "playground.html"}
    pinned = {pin.name for pin in PINS if pin.kind == EDITOR}
    for name in SCRIPTS:
        for module in IMPORTED.findall((PARTS / name).read_text(encoding="utf-8")):
            own = module.removeprefix("./")
            assert own in SCRIPTS or module in pinned or module.startswith("./vendor/"), module


def test_golpae_is_packed_with_its_texts_and_the_same_each_time() -> None:
    packed = packed_golpae()
    names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
    assert "golpae/playground/answers.py" in names
    assert "golpae/_bundled/spec/jjak.golpae" in names
    assert "golpae/_bundled/grammar/golpae.lark" in names
    assert not [name for name in names if name.startswith("golpae/cli/") or name.endswith(".pyc")]
    assert packed == packed_golpae()


def test_a_file_with_another_hash_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("golpae.playground.fetch._downloaded", lambda address: b"other")
    pin = Pin(WHEEL, "none", "pypi:none==1/none.whl", "sha256-" + "0" * 64)
    assert not is_right(pin, b"other")
    with pytest.raises(NotFetched, match="another file than the pinned one"):
        fetch(pin)


def test_what_cannot_be_downloaded_is_said() -> None:
    with pytest.raises(NotFetched, match="cannot be downloaded"):
        fetch(Pin(WHEEL, "none", "ftp:none", "sha256-" + "0" * 64))
