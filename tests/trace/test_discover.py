"""Which files, folders and streams traces are read from."""

import io
import os
import sys
from pathlib import Path

import pytest

from golpae.trace import InputFault, Source, lines, quoted, sources
from tests.trace.streams import DRAW, DRAWN, zst


def paths(found: list[Source], top: Path) -> list[str]:
    return [Path(source.path).relative_to(top).as_posix() for source in found]


def test_a_folder_is_searched_for_traces_at_any_depth(tmp_path: Path) -> None:
    for name in [
        "b.jsonl",
        "a.jsonl.gz",
        "sub/c.jsonl.zst",
        "sub/deep/d.jsonl",
        "notes.txt",
        "x.json",
        "y.jsonl.bz2",
        ".hidden/e.jsonl",
        ".f.jsonl",
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(DRAW)
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "sub" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "linked.jsonl").symlink_to(tmp_path / "b.jsonl")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.jsonl")

    found, faults = sources([str(tmp_path)])
    assert faults == []
    assert paths(found, tmp_path) == [
        "a.jsonl.gz",
        "b.jsonl",
        "linked.jsonl",
        "sub/c.jsonl.zst",
        "sub/deep/d.jsonl",
    ]
    assert all(source.name == source.path == source.shown for source in found)


def test_named_files_come_in_the_order_of_the_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("z.txt", "a.log"):
        Path(name).write_bytes(DRAW)
    found, faults = sources(["z.txt", "./a.log", "-", "z.txt"])
    assert faults == []
    assert [source.name for source in found] == ["z.txt", "./a.log", "-", "z.txt"]
    with found[0].open() as file:
        assert list(lines(file)) == [(1, DRAWN, None)]


def test_paths_without_traces_are_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("games.jsonl").write_bytes(DRAW)
    Path("gone.jsonl").symlink_to("nowhere")
    found, faults = sources(
        ["gamse.jsonl", "qqq", "empty", "gone.jsonl", "games.jsonl", "games.jsonl/x", "a\0b"]
    )
    assert [source.name for source in found] == ["games.jsonl"]
    assert faults == [
        InputFault("gamse.jsonl", "no file or folder `gamse.jsonl`", "did you mean `games.jsonl`?"),
        InputFault("qqq", "no file or folder `qqq`"),
        InputFault(
            "empty",
            "no traces in folder `empty`",
            "golpae reads files that end in `.jsonl`, `.jsonl.gz`, `.jsonl.zst` or `.parquet`, "
            "but no hidden files and no links to folders",
        ),
        InputFault("gone.jsonl", "`gone.jsonl` is a link to a file that does not exist"),
        InputFault("games.jsonl/x", "`games.jsonl/x` cannot be read: not a directory"),
        InputFault("a\0b", r"`a\x00b` cannot be read: no path has a null character"),
    ]


def test_a_rule_text_or_verdicts_in_the_place_of_traces_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.golpae", "a.verdicts", "a.jsonl"):
        Path(name).write_text("")
    Path("folder.golpae").mkdir()
    Path("folder.golpae/b.jsonl").write_text("")
    found, (text, verdicts) = sources(["a.golpae", "a.verdicts", "a.jsonl", "folder.golpae"])
    assert [source.name for source in found] == ["a.jsonl", str(Path("folder.golpae/b.jsonl"))]
    assert text.message == "`a.golpae` is a rule text, not traces"
    assert text.help == "`golpae lint a.golpae` finds its faults; `--rules a.golpae` checks traces against it"
    assert verdicts.message == "`a.verdicts` is a file of expected verdicts, not traces"
    assert sources(["."])[1] == []


def test_a_broken_link_in_a_folder_is_a_fault_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_bytes(DRAW)
    found, (link,) = sources([str(tmp_path)])
    assert paths(found, tmp_path) == ["b.jsonl"]
    assert link.path == str(tmp_path / "a.jsonl")
    assert "cannot be read: " in link.message


def test_an_unreadable_path_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_bytes(DRAW)
    Path("locked").mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert sources(["a.jsonl", "locked"]) == (
        [],
        [
            InputFault("a.jsonl", "`a.jsonl` cannot be read: permission denied"),
            InputFault("locked", "`locked` cannot be read: permission denied"),
        ],
    )


def test_a_subfolder_that_cannot_be_listed_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "locked").mkdir()
    listed = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    locked = str(tmp_path / "locked")
    assert sources([str(tmp_path)]) == (
        [],
        [InputFault(locked, f"{quoted(locked)} cannot be read: permission denied")],
    )


def test_standard_input_can_be_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found, faults = sources(["-", "-"])
    assert [(source.name, source.shown) for source in found] == [("-", "<stdin>")]
    assert faults == [InputFault("-", "`-` is named twice", "standard input can be read only once")]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(zst(DRAW))))
    with found[0].open() as file:
        assert list(lines(file)) == [(1, DRAWN, None)]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
def test_a_file_name_that_is_not_utf8_can_be_printed(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff.jsonl")).write_bytes(DRAW)
    (source,), faults = sources([str(tmp_path)])
    assert faults == []
    assert source.name.endswith("/\N{REPLACEMENT CHARACTER}.jsonl")
    with source.open() as file:
        assert file.read() == DRAW
    _, (missing,) = sources([os.fsdecode(b"\xff.none")])
    assert missing.path == "\N{REPLACEMENT CHARACTER}.none"
    assert missing.message == r"no file or folder `\udcff.none`"
