"""A name is a URL only if it begins with a scheme and no file has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from golpae.trace import sources

NAMES = (
    "simplecache::good.jsonl",
    "ab::cd.jsonl",
    "reference::x.jsonl",
    "zip::a.jsonl",
    "memory:a.jsonl",
    "a::http:b.jsonl",
)


@pytest.mark.parametrize("name", NAMES)
def test_an_existing_file_is_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(b"own\n")
    (tmp_path / name.rpartition(":")[2]).write_bytes(b"another\n")
    files, faults = sources([name])
    assert not faults
    assert [(file.path, file.is_remote, file.is_only_here) for file in files] == [(name, False, False)]
    with files[0].open() as stream:
        assert stream.read() == b"own\n"
    assert files[0].size() == 4


def test_a_file_may_have_the_name_of_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = "memory://f/a.jsonl"
    (tmp_path / "memory:" / "f").mkdir(parents=True)
    Path(name).write_bytes(b"own\n")
    files, _ = sources([name])
    with files[0].open() as stream:
        assert stream.read() == b"own\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_name_without_a_file_is_no_url(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name.rpartition(":")[2]).write_bytes(b"another\n")
    files, faults = sources([name])
    assert not files
    assert faults[0].message == f"no file or folder `{name}`"


def test_a_chain_of_places_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files, faults = sources(["simplecache::http://127.0.0.1:1/a.jsonl"])
    assert not files
    assert faults[0].help == "golpae follows no chain of places: name one URL"


@pytest.mark.parametrize(
    "scheme", ["reference", "simplecache", "filecache", "blockcache", "zip", "tar", "dir", "generic"]
)
def test_what_leads_to_another_place_is_not_read(scheme: str) -> None:
    pytest.importorskip("fsspec")
    _, faults = sources([f"{scheme}://a.jsonl::memory://b.zip"])
    assert "which leads to another place: name that one" in faults[0].message
