"""Files of traces are whole, or as they were."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from golpae.simulate.traces import TraceFile


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_the_lines_are_in_the_file_when_it_is_left(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        with TraceFile(tmp_path / name) as file:
            file.write(b"one\n")
            file.write(b"two\n")
        written = (tmp_path / name).read_bytes()
        assert (gzip.decompress(written) if name.endswith(".gz") else written) == b"one\ntwo\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_same_lines_give_the_same_archive_whatever_its_name(tmp_path: Path) -> None:
    for name in ("a.gz", "b.gz"):
        with TraceFile(tmp_path / name) as file:
            file.write(b"one\n")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_a_fault_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b"old\n")

    def spoilt() -> None:
        with TraceFile(tmp_path / "a.jsonl") as file:
            file.write(b"new\n")
            raise ValueError("spoilt")

    with pytest.raises(ValueError, match="spoilt"):
        spoilt()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.jsonl", b"old\n")]


def test_a_folder_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        TraceFile(tmp_path / "none" / "a.jsonl")
