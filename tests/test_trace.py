"""Reading traces: finding them, their lines, their headers, and how a verdict is written."""

import gzip
import io
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, cast

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.trace import (
    MAX_LINE,
    Header,
    InputFault,
    Outcome,
    Source,
    Verdict,
    identity,
    is_header,
    lines,
    quoted,
    read_header,
    sources,
)

Line = tuple[int, dict[str, object] | None, str | None]

DRAW = b'{"do":"draw","by":0,"tile":"4-2"}'
DRAWN = {"do": "draw", "by": 0, "tile": "4-2"}
TOO_LONG = "this line is over 1 MiB"


def read(data: bytes) -> list[Line]:
    return list(lines(io.BytesIO(data)))


def fault(line: bytes) -> str | None:
    """The fault of a line that is not a JSON object."""
    ((number, value, words),) = read(b"\n" + line)
    assert (number, value) == (2, None)
    return words


class Stream:
    """A stream made of pieces that exist only when they are read."""

    def __init__(self, pieces: Iterable[bytes | OSError]) -> None:
        self.pieces = iter(pieces)
        self.reads = 0

    def read(self, size: int) -> bytes:
        self.reads += 1
        piece = next(self.pieces, b"")
        if isinstance(piece, OSError):
            raise piece
        assert len(piece) <= size
        return piece


def stream(pieces: Iterable[bytes | OSError]) -> BinaryIO:
    return cast(BinaryIO, Stream(pieces))


def peak(work: Callable[[], object]) -> int:
    """The most bytes that Python holds while it works, over what it held before."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


# ------------------------------------------------------------------------ lines


def test_lines_are_numbered_and_blank_ones_counted() -> None:
    assert read(b"\n" + DRAW + b"\n \t\r\n\n" + DRAW + b"\n\n") == [(2, DRAWN, None), (5, DRAWN, None)]


def test_an_empty_file_has_no_lines() -> None:
    assert read(b"") == read(b"\n") == read(b" ") == read(b"\xef\xbb\xbf") == read(b"\xef\xbb\xbf\n") == []


def test_the_last_line_needs_no_newline() -> None:
    assert read(DRAW + b"\n" + DRAW) == [(1, DRAWN, None), (2, DRAWN, None)]


def test_windows_line_ends() -> None:
    assert read(DRAW + b"\r\n\r\n" + DRAW + b"\r\n") == [(1, DRAWN, None), (3, DRAWN, None)]


def test_a_byte_order_mark_is_skipped_at_the_very_start_only() -> None:
    bom = b"\xef\xbb\xbf"
    assert read(bom + DRAW + b"\n" + bom + DRAW) == [
        (1, DRAWN, None),
        (2, None, "not JSON: a byte order mark inside the file at column 1"),
    ]
    assert read(bom + b'{"a":1,"a":2}') == [(1, {"a": 2}, "the key `a` is given twice")]
    assert read(bom + b'{"a":') == [
        (1, None, "not JSON: the line ends after column 5, where a value was expected")
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"do":', "not JSON: the line ends after column 6, where a value was expected"),
        (
            b'{"do":1',
            "not JSON: the line ends after column 7, where a comma or a closing bracket was expected",
        ),
        (b'{"do":"draw', "not JSON: the text that begins at column 7 has no closing quote"),
        (b'{"a":1,}', "not JSON: a comma too many at column 7"),
        (b'{"a":[1, ]}', "not JSON: a comma too many at column 8"),
        (b'{"a":,}', "not JSON: a value was expected at column 6"),
        (b"{'a':1}", "not JSON: a key in double quotes was expected at column 2"),
        (b'{"a" 1}', "not JSON: a colon was expected at column 6"),
        (b'{"a":1 "b":2}', "not JSON: a comma or a closing bracket was expected at column 8"),
        (b'{"a":1}{"b":2}', "not JSON: more text after the end of the object at column 8"),
        (b'{"a":"\x1b"}', "not JSON: a control character inside a text at column 7"),
        (b'{"a":"\\x"}', "not JSON: a backslash that escapes nothing at column 7"),
        (b'{"a":NaN}', "not JSON: `NaN` is no JSON number"),
        (b'{"a":-Infinity}', "not JSON: `-Infinity` is no JSON number"),
        (b'{"a":Infinity}', "not JSON: `Infinity` is no JSON number"),
        (b'{"a":01}', "not JSON: a comma or a closing bracket was expected at column 7"),
        ('{"ä":tru}'.encode(), "not JSON: a value was expected at column 6"),
        (b"\x00\x01\x02\x03", "not JSON: a value was expected at column 1"),
        (b"An draws 4-2", "not JSON: a value was expected at column 1"),
        (b'{"a":"\xff"}', "not UTF-8 at byte 7"),
        (b'{"\xc3\xa4":"\xed\xa0\x80"}', "not UTF-8 at byte 8"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8: this looks like UTF-16"),
        (b"[1]", "a JSON object was expected, found a list"),
        (b'"draw"', "a JSON object was expected, found a text"),
        (b"7", "a JSON object was expected, found a number"),
        (b"7.5", "a JSON object was expected, found a number"),
        (b"true", "a JSON object was expected, found true"),
        (b"null", "a JSON object was expected, found null"),
        (b'[{"a":1,"a":2}]', "a JSON object was expected, found a list"),
    ],
)
def test_what_is_not_a_json_object_is_told(line: bytes, words: str) -> None:
    assert fault(line) == words


@pytest.mark.parametrize(
    ("line", "value", "words"),
    [
        (b'{"do":"draw","do":"draw"}', {"do": "draw"}, "the key `do` is given twice"),
        (b'{"golpae":1,"golpae":1}', {"golpae": 1}, "the key `golpae` is given twice"),
        (
            b'{"golpae":1,"options":{"n":1,"n":2}}',
            {"golpae": 1, "options": {"n": 2}},
            "the key `n` is given twice",
        ),
        (b'{"a":[0,{"b":[{"c":1,"c":2}]}]}', {"a": [0, {"b": [{"c": 2}]}]}, "the key `c` is given twice"),
        (b'{"a":1,"a" :1}', {"a": 1}, "the key `a` is given twice"),
        (b'{"a" \r:1,"a":1}', {"a": 1}, "the key `a` is given twice"),
        (b'{"a":":","\\u0061":2}', {"a": 2}, "the key `a` is given twice"),
        (b'{"a\\u001b[1m":1,"a\\u001b[1m" \t:1}', {"a\x1b[1m": 1}, r"the key `a\x1b[1m` is given twice"),
        (b'{"a":"\\ud800"}', {"a": "?"}, r"half of a surrogate pair, `\ud800`, in a text"),
        (b'{"\\udc00":1}', {"?": 1}, r"half of a surrogate pair, `\udc00`, in a text"),
        (b'{"a":' + b"9" * 1001 + b"}", {"a": 0}, "an integer of over 1000 digits"),
        (b'{"a":-' + b"9" * 5000 + b"}", {"a": 0}, "an integer of over 1000 digits"),
        (b'{"a":-1e999}', {"a": 0.0}, "the number `-1e999` is too large"),
    ],
)
def test_a_json_object_with_a_fault_comes_with_its_fault(line: bytes, value: object, words: str) -> None:
    assert read(line) == [(1, value, words)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"time":"12:30:00","note":"a\\":b, \\"c\\" :d"}',
        b'{"note":{"a":1,"b":{"a":2,"c":[{"a":3},{"a":4}]}},"a":5}',
        b' { "a" : 1 , "b" : { "a" : "::" } } ',
        b'{"a":"\\ud83c\\udc00","b":"\xf0\x9f\x80\x80"}',
        b'{"":"","a":{"":0}}',
        b'{"a":"' + b":" * 3000 + b'"}',
        b'{"note":"' + b"1" * 3000 + b'"}',
        b'{"note":"' + b"[" * 3000 + b'"}',
    ],
)
def test_colons_digits_and_brackets_inside_texts_are_no_fault(line: bytes) -> None:
    assert read(line) == [(1, json.loads(line), None)]


def test_numbers_keep_their_kind_and_value() -> None:
    big = 10**400
    ((_, value, words),) = read(b'{"a":1,"b":1.0,"c":true,"d":%d,"e":-%d,"f":1e2,"g":%d}' % (big, big, 2**64))
    assert words is None
    assert value is not None
    assert [(type(v), v) for v in value.values()] == [
        (int, 1),
        (float, 1.0),
        (bool, True),
        (int, big),
        (int, -big),
        (float, 100.0),
        (int, 2**64),
    ]
    ((_, value, words),) = read(b'{"a":' + b"9" * 1000 + b"}")
    assert (value, words) == ({"a": 10**1000 - 1}, None)


def test_nesting_is_bounded() -> None:
    deep = b'{"a":' + b"[" * 99 + b"]" * 99 + b"}"
    assert read(deep)[0][2] is None
    deeper = b'{"a":' + b"[" * 100 + b"]" * 100 + b"}"
    assert fault(deeper) == "nested deeper than 100 at column 105"
    assert fault(b'{"\xc3\xa4]]":' + b"[" * 10_000) == "nested deeper than 100 at column 107"
    assert fault(b'{"a":' * 10_000 + b"1" + b"}" * 10_000) == "nested deeper than 100 at column 501"
    wide = b'{"a":[' + b",".join([b'{"b":["]"]}'] * 500) + b"]}"
    assert read(wide)[0][2] is None


def test_the_longest_line_is_read_and_one_byte_more_refused() -> None:
    longest = b'{"a":"' + b"x" * (MAX_LINE - 8) + b'"}'
    assert len(longest) == MAX_LINE
    assert [words for _, _, words in read(longest + b"\n" + b" " + longest + b"\n" + longest)] == [
        None,
        TOO_LONG,
        None,
    ]


def test_a_line_of_100_mb_is_passed_over_in_little_memory() -> None:
    block = b"x" * (1 << 16)
    found: list[Line] = []

    def work() -> None:
        pieces = (
            piece for part in ([DRAW + b'\n{"a":"'], [block] * 1600, [b'"}\n' + DRAW]) for piece in part
        )
        found.extend(lines(stream(pieces)))

    assert peak(work) < 6 << 20
    assert found == [(1, DRAWN, None), (2, None, TOO_LONG), (3, DRAWN, None)]


def test_an_endless_line_is_reported_before_it_ends() -> None:
    endless = Stream(iter(lambda: b"[" * (1 << 16), None))
    assert next(lines(cast(BinaryIO, endless))) == (1, None, TOO_LONG)
    assert endless.reads <= 2 + MAX_LINE // (1 << 16)


def test_lines_come_as_soon_as_they_are_there() -> None:
    slow = Stream([DRAW[:2], DRAW[2:] + b"\n" + DRAW, b"\n"])
    reader = lines(cast(BinaryIO, slow))
    assert next(reader) == (1, DRAWN, None)
    assert slow.reads == 2


def test_a_stream_in_single_bytes_reads_the_same() -> None:
    data = DRAW + b"\r\n\n[1]\n" + DRAW
    assert list(lines(stream(data[i : i + 1] for i in range(len(data))))) == read(data)


def test_a_failing_disk_is_a_fault_at_the_line_reached() -> None:
    broken = stream([DRAW + b"\n" + DRAW[:5], OSError(5, "Input/output error"), DRAW])
    assert list(lines(broken)) == [
        (1, DRAWN, None),
        (2, None, "this line cannot be read to its end: input/output error"),
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), json_values), st.booleans(), st.booleans())
def test_every_json_object_reads_as_json_has_it(
    value: dict[str, object], escaped: bool, spaced: bool
) -> None:
    text = json.dumps(value, ensure_ascii=escaped, separators=(" ,", " : ") if spaced else (",", ":"))
    assert read(text.encode()) == [(1, value, None)]


pairs = st.lists(st.tuples(st.sampled_from(["a", "b", ":", '"', "é"]), json_values), max_size=6)


@given(pairs, pairs)
def test_a_key_given_twice_is_found_and_nothing_else_taken_for_one(
    outer: list[tuple[str, object]], inner: list[tuple[str, object]]
) -> None:
    def written(members: list[tuple[str, str]]) -> str:
        return "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in members) + "}"

    nested = written([(key, json.dumps(value)) for key, value in inner])
    text = written([(key, json.dumps(value)) for key, value in outer] + [("inner", nested)])
    twice = any(len({key for key, _ in members}) < len(members) for members in (outer, inner))
    ((number, value, words),) = read(text.encode())
    assert (number, value) == (1, json.loads(text))
    assert ("is given twice" in words) if words else not twice
    assert (words is None) == (not twice)


snippets = st.sampled_from(
    [DRAW, b'"', b"{", b"}", b":", b",", b"[", b"]", b"\\u", b"d800", b"\xef\xbb\xbf", b"\r", b"1e999", b"\n"]
)
junk = st.lists(st.binary(max_size=20) | snippets, max_size=30).map(b"".join)


@settings(max_examples=400)
@given(junk)
def test_random_bytes_give_faults_at_the_right_lines_and_never_raise(data: bytes) -> None:
    # Not an archive: those have their own test below.
    data = b"\n" + data
    text = data.split(b"\n")
    blank = {n for n, line in enumerate(text, 1) if not line.strip()}
    found = read(data)
    assert [number for number, _, _ in found] == [n for n in range(1, len(text) + 1) if n not in blank]
    for number, value, words in found:
        try:
            expected = json.loads(text[number - 1].decode())
        except ValueError:
            expected = None
        assert (value is None) == (not isinstance(expected, dict))
        assert (value is not None and value == expected) or words
        if words:
            assert words.isprintable()
        if value is not None:
            assert json.dumps(value, ensure_ascii=False).encode()


# --------------------------------------------------------------------- archives


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


archives = pytest.mark.parametrize(("pack", "kind"), [(gzip.compress, "gzip"), (zst, "zstd")])
Pack = Callable[[bytes], bytes]


@archives
def test_archives_read_as_their_text_does(pack: Pack, kind: str) -> None:
    data = b"\xef\xbb\xbf" + b"\n".join([DRAW, b"", b"[1]", DRAW] * 3000)
    expected = read(data)
    assert len(expected) == 9000
    assert read(pack(data)) == expected
    # Bytes as a slow pipe gives them.
    assert list(lines(stream(pack(data)[i : i + 1] for i in range(len(pack(data)))))) == expected


@archives
def test_archives_of_several_members_are_read_whole(pack: Pack, kind: str) -> None:
    packed = pack(DRAW[:9]) + pack(b"") + pack(DRAW[9:] + b"\n") + pack(b"{}")
    assert read(packed) == [(1, DRAWN, None), (2, {}, None)]
    assert read(pack(b"")) == []


def test_zstd_files_may_begin_with_a_frame_to_skip() -> None:
    assert read(b"\x5a\x2a\x4d\x18\x03\x00\x00\x00abc" + zst(DRAW)) == [(1, DRAWN, None)]


@archives
def test_an_archive_cut_short_is_a_fault_at_the_line_reached(pack: Pack, kind: str) -> None:
    random_notes = b"".join(b'{"note":"%s"}\n' % os.urandom(40).hex().encode() for _ in range(20_000))
    packed = pack(random_notes)
    *good, (number, value, words) = read(packed[: len(packed) // 2])
    assert (value, words) == (None, f"the {kind} archive is cut short")
    assert number == len(good) + 1
    assert len(good) > 5000
    assert all(found is None for _, _, found in good)
    for cut in (1, 4, 8):
        assert read(packed[:-cut])[-1][1:] == (None, f"the {kind} archive is cut short")
    assert read(packed[:6]) == [(1, None, f"the {kind} archive is cut short")]


@archives
def test_a_damaged_archive_is_a_fault(pack: Pack, kind: str) -> None:
    packed = pack(DRAW + b"\n")
    wrong_check = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
    if kind == "zstd":
        wrong_check = packed[:-1] + bytes([packed[-1] ^ 1])
    assert read(wrong_check)[-1][1:] == (None, f"the {kind} archive is damaged")
    assert read(packed + b"more") == [(1, DRAWN, None), (2, None, f"the {kind} archive is damaged")]


@archives
@settings(max_examples=100)
@given(data=st.data())
def test_spoilt_archives_never_raise(pack: Pack, kind: str, data: st.DataObject) -> None:
    packed = bytearray(pack((DRAW + b"\n") * 50))
    for _ in range(data.draw(st.integers(1, 3))):
        packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    found = read(bytes(packed[: data.draw(st.integers(0, len(packed)))]))
    assert [number for number, _, _ in found] == sorted({number for number, _, _ in found})


@archives
def test_a_bomb_is_passed_over_in_little_memory(pack: Pack, kind: str) -> None:
    size = 64 << 20
    packed = pack(b" " * size + b"\n" + DRAW)
    assert len(packed) < size // 500
    found: list[Line] = []
    assert peak(lambda: found.extend(read(packed))) < 10 << 20
    assert found == [(1, None, TOO_LONG), (2, DRAWN, None)]


def test_a_failing_disk_under_an_archive_is_not_called_damage() -> None:
    packed = gzip.compress(DRAW)
    broken = stream([packed[:20], OSError(5, "Input/output error")])
    assert list(lines(broken)) == [(1, None, "this line cannot be read to its end: input/output error")]


# ---------------------------------------------------------------------- sources


def paths(found: list[Source], top: Path) -> list[str]:
    return [Path(source.path).relative_to(top).as_posix() for source in found]


def test_a_folder_stands_for_the_traces_in_and_below_it(tmp_path: Path) -> None:
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


def test_files_come_in_the_order_named_whatever_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
            "files that end in `.jsonl`, `.jsonl.gz` or `.jsonl.zst` are looked for, "
            "hidden ones and links to folders passed over",
        ),
        InputFault("gone.jsonl", "`gone.jsonl` is a link to a file that does not exist"),
        InputFault("games.jsonl/x", "`games.jsonl/x` cannot be read: not a directory"),
        InputFault("a\0b", r"`a\x00b` cannot be read: embedded null byte"),
    ]


def test_a_broken_link_in_a_folder_is_a_fault_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "a.jsonl")
    (tmp_path / "b.jsonl").write_bytes(DRAW)
    found, (link,) = sources([str(tmp_path)])
    assert paths(found, tmp_path) == ["b.jsonl"]
    assert link.path == str(tmp_path / "a.jsonl")
    assert "cannot be read: " in link.message


def test_what_may_not_be_read_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_folder_below_that_cannot_be_listed_is_a_fault(
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


# ---------------------------------------------------------------------- headers

HEADER: dict[str, object] = {"golpae": 1, "rules": "game", "players": ["An", "Bo"]}


def test_a_header_is_read() -> None:
    assert read_header(HEADER) == Header("game", "game", (), ("An", "Bo"), 1, {}, None)
    assert read_header(
        HEADER
        | {
            "rules": "game+x+y",
            "id": 7,
            "stake": 10**30,
            "options": {"n": -2},
            "note": [{"a": 1}],
            "time": None,
        }
    ) == Header("game+x+y", "game", ("x", "y"), ("An", "Bo"), 10**30, {"n": -2}, 7)
    assert is_header(HEADER)
    assert not is_header(DRAWN)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"golpae": True}, "`golpae` must be the integer 1, found `true`"),
        ({"golpae": 1.0}, "`golpae` must be the integer 1, found `1.0`"),
        ({"golpae": None}, "`golpae` must be the integer 1, found `null`"),
        ({"golpae": 2, "seats": 3}, "trace format `2` is not known here; this is version 1"),
        ({"player": []}, "unknown key `player` in the header; did you mean `players`?"),
        ({"x\n": 0}, r"unknown key `x\n` in the header"),
        ({"y" * 100_000: 0}, f"unknown key `{'y' * 60}…` in the header"),
        ({"rules": ["game"]}, '`rules` must be a text such as `base+variant`, found `["game"]`'),
        ({"rules": ""}, "`rules` has an empty name: ``"),
        ({"rules": "game+"}, "`rules` has an empty name: `game+`"),
        ({"rules": "+x"}, "`rules` has an empty name: `+x`"),
        ({"rules": "game++x"}, "`rules` has an empty name: `game++x`"),
        ({"rules": "game+x+y+x"}, "`rules` names the variant `x` twice"),
        ({"players": "An"}, '`players` must be a list of names, found `"An"`'),
        ({"players": []}, "`players` is empty"),
        ({"players": ["An", 2]}, "`players` must be a list of names, found `2` at seat 1"),
        ({"stake": 0}, "`stake` must be a positive integer, found `0`"),
        ({"stake": True}, "`stake` must be a positive integer, found `true`"),
        ({"stake": 1.0}, "`stake` must be a positive integer, found `1.0`"),
        ({"stake": None}, "`stake` must be a positive integer, found `null`"),
        ({"options": []}, '`options` must be an object such as `{"name":1}`, found `[]`'),
        ({"options": {"n": "9"}}, 'option `n` must be an integer, found `"9"`'),
        ({"options": {"n": False}}, "option `n` must be an integer, found `false`"),
        ({"id": None}, "`id` must be a text or an integer, found `null`"),
        ({"id": True}, "`id` must be a text or an integer, found `true`"),
    ],
)
def test_a_faulty_header_is_told(change: dict[str, object], words: str) -> None:
    assert read_header(HEADER | change) == words


@pytest.mark.parametrize("key", ["golpae", "rules", "players"])
def test_a_header_without_a_needed_key_is_told(key: str) -> None:
    header = {name: value for name, value in HEADER.items() if name != key}
    assert read_header(header) == f"the header lacks the key `{key}`"


def test_a_faulty_header_still_tells_which_trace_it_is() -> None:
    assert identity({"golpae": 2, "id": "g7", "rules": "game+x+x"}) == ("g7", "game+x+x")
    assert identity({"golpae": 1, "id": True, "rules": 3}) == (None, None)
    assert identity({"golpae": 1, "id": 0}) == (0, None)


@given(st.dictionaries(st.sampled_from([*HEADER, "id", "stake", "options", "note", "zzz"]), json_values))
def test_no_header_raises(change: dict[str, object]) -> None:
    found = read_header(HEADER | change)
    assert isinstance(found, Header) or found.isprintable()


# --------------------------------------------------------------------- outcomes


def test_an_outcome_has_the_keys_of_the_trace_format_in_their_order() -> None:
    illegal = Outcome("a.jsonl", 1, None, "game+x", Verdict.ILLEGAL, 4, 5, "game.claim.mate", "why")
    assert json.dumps(illegal.to_json(), separators=(",", ":")) == (
        '{"file":"a.jsonl","line":1,"id":null,"rules":"game+x","verdict":"illegal",'
        '"event":4,"at":5,"clause":"game.claim.mate","message":"why"}'
    )
    legal = Outcome("-", 9, 7, "game", Verdict.LEGAL)
    assert json.dumps(legal.to_json(), separators=(",", ":")) == (
        '{"file":"-","line":9,"id":7,"rules":"game","verdict":"legal",'
        '"event":null,"at":null,"clause":null,"message":null}'
    )
    assert [verdict.value for verdict in Verdict] == ["legal", "incomplete", "illegal", "malformed"]


def test_quoted_text_is_short_and_printable() -> None:
    assert quoted("4-2") == "`4-2`"
    assert quoted("a`b\x1b\n\u202e") == r"`a'b\x1b\n\u202e`"
    assert quoted("x" * 60) == f"`{'x' * 60}`"
    assert quoted("x" * 61) == f"`{'x' * 60}…`"


# ------------------------------------------------------------------ cost of use


def test_the_import_leaves_alone_what_few_traces_need() -> None:
    code = "import sys, golpae.trace; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(result.stdout.split())
    assert "golpae.trace" in modules
    assert not modules & {
        "zstandard",
        "gzip",
        "json",
        "difflib",
        "rich",
        "z3",
        "lark",
        "numpy",
        "golpae.diagnostics",
    }


def test_lines_are_read_faster_than_json_reads_them() -> None:
    data = (DRAW + b"\n" + b'{"do":"discard","by":1,"tile":"6-6"}\n') * 20_000
    text = data.splitlines()

    def seconds(work: Callable[[], object]) -> float:
        best = float("inf")
        for _ in range(3):
            start = time.perf_counter()
            work()
            best = min(best, time.perf_counter() - start)
        return best

    ours = seconds(lambda: sum(1 for _ in lines(io.BytesIO(data))))
    assert ours < seconds(lambda: [json.loads(line) for line in text])
