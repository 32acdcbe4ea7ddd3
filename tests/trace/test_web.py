"""What web servers send is limited. Every server here is on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

pytest.importorskip("aiohttp")
pytest.importorskip("fsspec")

from golpae.cli.inputs import opened
from golpae.trace import remote, sources, web
from golpae.trace.discover import Source

Answer = Callable[[BaseHTTPRequestHandler], None]
LINE = b'{"golpae":1}\n'


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no test use what another one knows of a server, and make the limits small."""
    import fsspec

    for name, limit in (("SILENCE", 0.5), ("ANSWER", 5.0), ("ONE_PIECE", 5.0), ("LARGEST_COPY", 1 << 21)):
        monkeypatch.setattr(web, name, limit)
    yield
    remote._known.cache_clear()
    remote._gives_parts.cache_clear()
    fsspec.get_filesystem_class("http").clear_instance_cache()


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *words: object) -> None:
            pass

        def do_GET(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):
                answer(self)

        do_HEAD = do_GET  # noqa: N815

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def begin(asked: BaseHTTPRequestHandler, status: int = 200, **headers: str) -> bool:
    """Send the head of an answer. Return whether a body is wanted."""
    asked.send_response(status)
    for name, value in headers.items():
        asked.send_header(name.replace("_", "-"), value)
    asked.end_headers()
    return asked.command == "GET"


def endless(asked: BaseHTTPRequestHandler) -> None:
    if begin(asked):
        while True:
            asked.wfile.write(LINE * 5000)


def why_not(url: str) -> str:
    """Return why a URL cannot be read to its end."""
    try:
        with remote.open_url(url) as stream:
            while stream.read(1 << 20):
                pass
    except OSError as fault:
        return str(fault.strerror)
    return ""


def test_an_endless_answer_fills_no_disk() -> None:
    with serving(endless) as host:
        why = why_not(f"{host}/a.jsonl")
    assert why == "the server gives no parts of it, and it is larger than 2 MiB: download it first"


def test_a_file_that_is_said_to_be_too_large_is_not_asked_for() -> None:
    asked_for: list[str] = []

    def answer(asked: BaseHTTPRequestHandler) -> None:
        asked_for.append(asked.command)
        size = str(1 << (21 if "large" in asked.path else 40))
        begin(asked, Content_Length=size, Accept_Ranges="none")

    with serving(answer) as host:
        assert why_not(f"{host}/a.jsonl") == "it is larger than 64 GiB"
        assert asked_for == ["HEAD"]


def test_a_verb_says_why_a_url_cannot_be_read_in_its_own_words(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(asked: BaseHTTPRequestHandler) -> None:
        begin(asked, Content_Length=str(1 << 40), Accept_Ranges="bytes")

    with serving(answer) as host:
        assert opened(Source(f"{host}/a.jsonl", True)) is None
    assert capsys.readouterr().err.endswith("cannot be read: it is larger than 64 GiB\n")


def test_an_endless_page_fills_no_memory() -> None:
    with serving(endless) as host:
        files, faults = sources([f"{host}/games"])
    assert not files
    assert faults[0].message.endswith("cannot be read: the server sends a page of more than 4 MiB")


def test_a_part_is_no_longer_than_was_asked_for() -> None:
    def answer(asked: BaseHTTPRequestHandler) -> None:
        if asked.command == "HEAD":
            begin(asked, Content_Length="3000000", Accept_Ranges="bytes")
        elif asked.headers["Range"] == "bytes=0-0":
            begin(asked, 206, Content_Range="bytes 0-0/3000000", Content_Length="1")
            asked.wfile.write(b"{")
        elif begin(asked, 206, Content_Range="bytes 0-999999/3000000"):
            while True:
                asked.wfile.write(LINE * 5000)

    with serving(answer) as host:
        assert why_not(f"{host}/a.jsonl") == "the server sends more than was asked for"


def test_parts_are_asked_for_if_the_server_gives_them() -> None:
    content = LINE * 250_000
    ranges: list[str] = []

    def answer(asked: BaseHTTPRequestHandler) -> None:
        given = asked.headers["Range"]
        if given is None:
            begin(asked, Content_Length=str(len(content)))
            return
        ranges.append(given)
        first, last = map(int, given.removeprefix("bytes=").split("-"))
        part = content[first : last + 1]
        begin(asked, 206, Content_Range=f"bytes {first}-{last}/{len(content)}", Content_Length=str(len(part)))
        asked.wfile.write(part)

    with serving(answer) as host, remote.open_url(f"{host}/a.jsonl") as stream:
        assert stream.read() == content
    assert len(ranges) > 3


def test_a_silent_server_is_not_waited_for() -> None:
    done = threading.Event()

    def silent(asked: BaseHTTPRequestHandler) -> None:
        done.wait(20)

    def stops(asked: BaseHTTPRequestHandler) -> None:
        if begin(asked, Accept_Ranges="none"):
            asked.wfile.write(LINE)
            asked.wfile.flush()
            done.wait(20)

    for answer in (silent, stops):
        with serving(answer) as host:
            try:
                assert why_not(f"{host}/a.jsonl") == "the server takes too long to answer"
            finally:
                done.set()
        done.clear()


def test_an_answer_that_comes_byte_by_byte_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "ONE_PIECE", 1.0)
    stop = threading.Event()

    def drips(asked: BaseHTTPRequestHandler) -> None:
        if begin(asked):
            while not stop.wait(0.1):
                asked.wfile.write(b" ")
                asked.wfile.flush()

    with serving(drips) as host:
        try:
            assert why_not(f"{host}/a.jsonl") == "the server takes too long to answer"
        finally:
            stop.set()


def test_endless_redirects_end() -> None:
    def answer(asked: BaseHTTPRequestHandler) -> None:
        begin(asked, 302, Location=f"/{len(asked.path)}{asked.path}")

    with serving(answer) as host:
        assert why_not(f"{host}/a.jsonl") == "the server redirects too often"


@pytest.mark.parametrize(
    "where", ["http://localhost:1/", "file:///etc/hostname", "ftp://127.0.0.1/", "//elsewhere/a"]
)
def test_a_redirect_leads_to_no_other_place(where: str) -> None:
    def answer(asked: BaseHTTPRequestHandler) -> None:
        begin(asked, 302, Location=where)

    with serving(answer) as host:
        why = why_not(f"{host}/a.jsonl")
    assert why.startswith("it redirects to `"), why
    assert why.endswith("`, which golpae does not follow: name that address")


def test_another_port_of_a_host_is_another_place() -> None:
    asked_for: list[str] = []

    def secret(asked: BaseHTTPRequestHandler) -> None:
        asked_for.append(asked.path)
        if begin(asked):
            asked.wfile.write(LINE)

    with serving(secret) as other:

        def answer(asked: BaseHTTPRequestHandler) -> None:
            begin(asked, 307, Location=f"{other}/a.jsonl")

        with serving(answer) as host:
            assert why_not(f"{host}/a.jsonl").startswith(f"it redirects to `{other}`")
    assert not asked_for


def test_a_redirect_within_a_server_is_followed() -> None:
    def answer(asked: BaseHTTPRequestHandler) -> None:
        if asked.path == "/a.jsonl":
            begin(asked, 302, Location="/b.jsonl")
        elif begin(asked, Content_Length=str(len(LINE))):
            asked.wfile.write(LINE)

    with serving(answer) as host, remote.open_url(f"{host}/a.jsonl") as stream:
        assert stream.read(100) == LINE


def test_colons_in_a_url_make_no_chain() -> None:
    asked_for: list[str] = []

    def answer(asked: BaseHTTPRequestHandler) -> None:
        asked_for.append(asked.path)
        if begin(asked):
            asked.wfile.write(LINE)

    with serving(answer) as host, remote.open_url(f"{host}/a::file:///etc/hostname.jsonl") as stream:
        assert stream.read(100) == LINE
    assert set(asked_for) == {"/a::file:///etc/hostname.jsonl"}


def test_a_folder_of_endless_folders_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "MOST_PAGES", 20)

    def answer(asked: BaseHTTPRequestHandler) -> None:
        if begin(asked, Content_Type="text/html"):
            asked.wfile.write(b'<a href="1/">1</a> <a href="2/">2</a>')

    with serving(answer) as host:
        files, faults = sources([f"{host}/games/"])
    assert not files
    assert faults[0].message.endswith("cannot be read: it lists more than 20 pages or files")


def test_a_packed_answer_is_not_unpacked_at_once() -> None:
    import gzip

    content = gzip.compress(LINE * 1000)

    def answer(asked: BaseHTTPRequestHandler) -> None:
        if begin(asked, Content_Encoding="gzip"):
            asked.wfile.write(content)

    with serving(answer) as host, Source(f"{host}/a.jsonl", True).open() as stream:
        assert stream.read() == content


def test_a_server_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    assert why_not("http://127.0.0.1:1/a.jsonl") == "no such file, or nobody answers there"
