"""`golpae pack` and `golpae unpack`, and packed or distant files as input of other verbs."""

from __future__ import annotations

import gzip
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from golpae.corpus import pack as packing
from golpae.corpus import paths
from golpae.corpus.pack import inner_path
from golpae.trace import MAX_LINE, Source
from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, INCOMPLETE, LEGAL, MALFORMED, text, write

pytest.importorskip("pyarrow")
STRANGE = (
    b"",
    b"\n",
    b"what",
    b"\xef\xbb\xbf" + text(*LEGAL).encode(),
    text(*LEGAL).encode().replace(b"\n", b"\r\n"),
    text(*LEGAL).encode()[:-1],
    b"\xff\xfe\n{\n" + text(*ILLEGAL).encode() * 3 + b" \n\n",
    b'{"\\u0067olpae":1}\n{"do":"golpae"}\n' * 3,
    b"x" * (MAX_LINE + 10) + b"\n" + text(*LEGAL).encode(),
    text(*LEGAL).encode()
    + b"".join(
        b'{"a":["x","y",%d,["y"], ["x", "y"]],"b":[", "],"c":["y,","x"],"d":[""]}\n' % n for n in range(9)
    ),
    text(*LEGAL).encode()
    + b"".join(
        b'{"a":["%s","y"],"b":%d}\n["y","\1"]\n[\1]\n[\2,"y"]\n' % (b'x","' * n, n % 3) for n in range(400)
    ),
)


@pytest.mark.parametrize("block", [1, 1 << 24])
def test_what_is_unpacked_is_what_was_packed(
    golpae: Golpae, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "BLOCK", block)
    Path("in/below").mkdir(parents=True)
    files = [Path(f"in/{'below/' * (number % 2)}{number}.jsonl") for number in range(len(STRANGE))]
    for file, held in zip(files, STRANGE, strict=True):
        file.write_bytes(held)
    done = golpae("pack", "in", "-o", "x.parquet")
    empty = ("in/0.jsonl", "in/2.jsonl", "in/below/1.jsonl")
    assert (done.status, done.err) == (0, "".join(f"golpae: {name}: no trace in it\n" for name in empty))
    assert golpae("unpack", "x.parquet", "-o", "out").out == f"{len(STRANGE)} files in `out`\n"
    for file, held in zip(files, STRANGE, strict=True):
        assert ("out" / file).read_bytes() == held


def test_what_is_no_game_is_not_counted_as_one(golpae: Golpae) -> None:
    Path("a.jsonl").write_bytes(b"what\n\n")
    done = golpae("pack", "a.jsonl", "-o", "x.parquet")
    assert done.err == "golpae: a.jsonl: no trace in it\n"
    assert done.out.startswith("0 traces, 0 events, 2 lines outside traces: 6 bytes of text, ")
    assert "an event" not in done.out
    write("a.jsonl", *LEGAL * 400)
    assert "bytes an event" in golpae("pack", "a.jsonl", "-o", "x.parquet").out


def test_packed_games_are_checked_like_their_text(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "BLOCK", 2_000)
    rng = random.Random(1)
    games = [text(*game) for game in (LEGAL, INCOMPLETE, ILLEGAL, MALFORMED)]
    write("a.jsonl", "".join(rng.choice(games) for _ in range(40)))
    with gzip.open("b.jsonl.gz", "wb") as file:
        file.write(games[0].encode()[:-1])
    assert golpae("pack", "a.jsonl", "b.jsonl.gz", "-o", "x.parquet").status == 0
    whole = Path("a.jsonl").read_text(encoding="utf-8") + games[0]
    Path("x.jsonl").write_text(whole, encoding="utf-8")
    for words in ((), ("--verbose",), ("--format", "json")):
        plain, packed = golpae("check", *words, "x.jsonl"), golpae("check", *words, "x.parquet")
        assert packed.out == plain.out.replace("x.jsonl", "x.parquet")
        assert (packed.status, packed.err) == (plain.status, plain.err)


def test_a_folder_of_traces_may_hold_tables_of_other_things(golpae: Golpae) -> None:
    import pyarrow
    import pyarrow.parquet

    write("a.jsonl", *LEGAL)
    assert golpae("pack", "a.jsonl", "-o", "b.parquet").status == 0
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), "c.parquet")
    assert golpae("check", ".").out == "2 traces: 2 legal\n"
    done = golpae("check", "c.parquet")
    assert done.status == 2
    assert "it is no file of packed games, as `golpae pack` writes them" in done.out
    Path("d.parquet").write_bytes(Path("b.parquet").read_bytes()[:-40])
    assert golpae("check", "d.parquet").status == 2
    assert (
        golpae("unpack", "d.parquet").err
        == "golpae: `d.parquet` cannot be unpacked: the Parquet file is damaged\n"
    )


def test_a_spoilt_file_of_packed_games_is_refused(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL * 20)
    assert golpae("pack", "a.jsonl", "-o", "x.parquet").status == 0
    held = Path("x.parquet").read_bytes()
    Path("y.parquet").write_bytes(b"no table")
    assert "it is no file of packed games" in golpae("check", "y.parquet").out
    assert "it is no file of packed games" in golpae("unpack", "y.parquet").err
    rng = random.Random(2)
    for _ in range(40):
        at = rng.randrange(4, len(held) - 8)
        Path("y.parquet").write_bytes(held[:at] + bytes([held[at] ^ 1 << rng.randrange(8)]) + held[at + 1 :])
        assert golpae("unpack", "y.parquet").status in (0, 2)
        assert golpae("check", "y.parquet").status in (0, 1, 2)


def _words_without_an_end(columns: dict[str, Any]) -> None:
    columns["words"] = [columns["words"][0][:-1], *columns["words"][1:]]


def _games_of_no_file(columns: dict[str, Any]) -> None:
    columns["file"] = [None, *columns["file"][1:]]


def _files_that_are_numbers(columns: dict[str, Any]) -> None:
    columns["file"] = [1] * len(columns["file"])


def _one_line_more(columns: dict[str, Any]) -> None:
    columns["lines"] = [columns["lines"][0] + 1, *columns["lines"][1:]]


@pytest.mark.parametrize("large", [0, 1 << 60])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_words_without_an_end, "the packed games are damaged"),
        (_games_of_no_file, "the packed games are damaged"),
        (_one_line_more, "the packed games are damaged"),
        (_files_that_are_numbers, "it is no file of packed games"),
    ],
)
def test_a_table_that_golpae_did_not_write_is_refused(
    golpae: Golpae,
    spoil: Callable[[dict[str, Any]], None],
    words: str,
    large: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pyarrow.parquet

    monkeypatch.setattr(paths, "LARGE", large)
    write("a.jsonl", *LEGAL * 20)
    assert golpae("pack", "a.jsonl", "-o", "x.parquet").status == 0
    table = pyarrow.parquet.read_table("x.parquet")
    columns = table.to_pydict()
    spoil(columns)
    kinds = {field.name: field.type for field in table.schema} | {"file": None}
    made = {name: pyarrow.array(column, kinds[name]) for name, column in columns.items()}
    spoilt = pyarrow.table(made, metadata=table.schema.metadata)
    pyarrow.parquet.write_table(spoilt, "y.parquet")
    done = golpae("check", "y.parquet")
    assert (done.status, words in done.out) == (2, True)
    done = golpae("unpack", "y.parquet", "-o", "out")
    assert (done.status, words in done.err) == (2, True)
    twice = spoilt.append_column("header", spoilt.column("header"))
    pyarrow.parquet.write_table(twice, "y.parquet")
    assert golpae("check", "y.parquet").status == 2


def test_nothing_is_written_where_something_cannot_be_read(golpae: Golpae) -> None:
    with gzip.open("a.jsonl.gz", "wb") as file:
        file.write(text(*LEGAL).encode() * 20)
    Path("a.jsonl.gz").write_bytes(Path("a.jsonl.gz").read_bytes()[:-20])
    done = golpae("pack", "a.jsonl.gz", "-o", "x.parquet")
    assert (done.status, done.out) == (2, "")
    assert done.err == "golpae: nothing is packed: `a.jsonl.gz`: the gzip archive is cut short\n"
    assert sorted(path.name for path in Path().iterdir()) == ["a.jsonl.gz", "rules"]
    write("b.jsonl", *LEGAL)
    assert "is named twice" in golpae("pack", "b.jsonl", "b.jsonl", "-o", "x.parquet").err
    assert "must end in `.parquet`" in golpae("pack", "b.jsonl", "-o", "x").err
    assert golpae("pack", "b.jsonl", "-o", "no/x.parquet").status == 2


@pytest.mark.parametrize(
    ("name", "inner"),
    [
        ("a/b.jsonl", "a/b.jsonl"),
        ("/etc/passwd", "etc/passwd"),
        ("../../up.jsonl.gz", "up.jsonl"),
        ("s3://bucket/a.jsonl.zst", "bucket/a.jsonl"),
        ("packed/a.parquet", "packed/a.jsonl"),
        ("C:\\a\\b.jsonl", "a/b.jsonl"),
        ("-", "-"),
        ("..", "games.jsonl"),
    ],
)
def test_a_file_never_goes_outside_its_folder(name: str, inner: str) -> None:
    assert str(inner_path(name)) == inner


def test_a_missing_extra_is_a_fault_of_the_call(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.jsonl", *LEGAL)
    assert golpae("pack", "a.jsonl", "-o", "x.parquet").status == 0
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    advice = "pip install '.[archive]'"
    for words in (("check", "x.parquet"), ("pack", "a.jsonl", "-o", "y.parquet"), ("unpack", "x.parquet")):
        done = golpae(*words)
        assert (done.status, advice in done.err + done.out) == (2, True)
    done = golpae("check", "memory://a.jsonl")
    assert (done.status, done.out) == (2, "")
    assert "this needs fsspec: `pip install" in done.err


# ---------------------------------------------------------------- elsewhere


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *words: object) -> None:
            """Say nothing: golpae may have hung up, having seen enough."""

    with Server(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def test_traces_are_read_by_url(golpae: Golpae) -> None:
    pytest.importorskip("aiohttp")
    write("a.jsonl", *ILLEGAL, *LEGAL)
    assert golpae("pack", "a.jsonl", "-o", "x.parquet").status == 0
    with gzip.open("a.jsonl.gz", "wb") as file:
        file.write(Path("a.jsonl").read_bytes())
    plain = golpae("check", "a.jsonl")
    with served(Path()) as host:
        for name in ("a.jsonl", "a.jsonl.gz", "x.parquet"):
            done = golpae("check", f"{host}/{name}")
            assert (done.status, done.err) == (1, "")
            assert done.out == plain.out.replace("a.jsonl", f"{host}/{name}")
        done = golpae("check", f"{host}/gone.jsonl")
    assert (done.status, done.out) == (2, "0 traces\n")
    assert "no such file" in done.err


def test_files_of_one_name_and_another_ending_are_both_unpacked(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    with gzip.open("a.jsonl.gz", "wb") as file:
        file.write(text(*ILLEGAL).encode())
    assert golpae("pack", "a.jsonl", "a.jsonl.gz", "-o", "x.parquet").status == 0
    assert golpae("unpack", "x.parquet", "-o", "out").status == 0
    assert Path("out/a.jsonl").read_bytes() == Path("a.jsonl").read_bytes()
    assert Path("out/a-2.jsonl").read_bytes() == text(*ILLEGAL).encode()


def test_a_damaged_file_is_blamed_and_not_the_folder(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL * 50)
    assert golpae("pack", "a.jsonl", "-o", "x.parquet").status == 0
    data = bytearray(Path("x.parquet").read_bytes())
    for at in range(60, len(data) // 2, 7):
        data[at] ^= 255
    Path("x.parquet").write_bytes(data)
    done = golpae("unpack", "x.parquet", "-o", "out")
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("golpae: `x.parquet` cannot be unpacked: ")


def test_a_server_that_gives_no_parts_gives_the_whole(golpae: Golpae) -> None:
    pytest.importorskip("aiohttp")
    one = text(*LEGAL).encode()
    Path("large.jsonl").write_bytes(one * (3_000_000 // len(one)))
    plain = golpae("check", "large.jsonl")
    with served(Path()) as host:
        done = golpae("check", f"{host}/large.jsonl")
    assert (done.status, done.out, done.err) == (0, plain.out, "")


def test_folders_and_patterns_may_be_elsewhere(golpae: Golpae) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    for name in ("f/a.jsonl", "f/below/b.jsonl", "f/c.txt"):
        memory.pipe(name, text(*LEGAL).encode())
    try:
        done = golpae("check", "--verbose", "memory://f")
        names = [line.partition(":1 ")[0] for line in done.out.splitlines()[:2]]
        assert (done.status, names) == (0, ["memory:///f/a.jsonl", "memory:///f/below/b.jsonl"])
        assert golpae("check", "--jobs", "2", "memory://f/*.jsonl").out == "1 trace: 1 legal\n"
        done = golpae("check", "--scheduler", "tcp://nobody:1", "memory://f/a.jsonl")
        assert (done.status, done.out) == (2, "")
        assert "workers cannot read `memory://f/a.jsonl`, which is in the memory of this process" in done.err
        assert golpae("check", "memory://f/*.zst").err == "golpae: no traces at `memory://f/*.zst`\n"
        assert golpae("check", "nowhere://f").status == 2
        assert Source("memory://f/a.jsonl", True).size() == len(text(*LEGAL).encode())
    finally:
        memory.rm("f", recursive=True)
