"""`--open`: pages that verbs write are opened in a browser, and only those."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae, cache, golpae, here
from tests.cli.table import LEGAL, write

__all__ = ["cache", "golpae", "here"]
HERE = ("--spec-path", "rules")
CALLS = {
    ("report", "games.jsonl", "-o", "out"): "out/index.html",
    ("show", "put", "--html", "-o", "put.html"): "put.html",
    ("play", "put", "--web", "-o", "match.html", "--seed", "1"): "match.html",
}


@pytest.mark.parametrize("words", CALLS)
def test_a_page_is_opened(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    write("games.jsonl", *LEGAL)
    opened: list[str] = []

    def note(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    assert golpae(*words, *HERE).status == 0
    assert not opened
    assert golpae(*words, "--open", *HERE).status == 0
    assert opened == [(here / CALLS[words]).resolve().as_uri()]


def test_a_machine_without_a_browser_is_told(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("games.jsonl", *LEGAL)
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    done = golpae("report", "games.jsonl", "-o", "out", "--open", *HERE)
    assert (done.status, done.err) == (0, "golpae: there is no browser to open `out/index.html`\n")


@pytest.mark.parametrize("words", [("play", "put", "--web", "--seed", "1"), ("show", "put", "--html")])
def test_only_a_file_is_opened(
    golpae: Golpae, here: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: True)
    done = golpae(*words, "-o", os.devnull, "--open", *HERE)
    assert (done.status, done.out) == (2, "")
    assert f"`--open` opens a file, and `{os.devnull}` is a pipe or a device" in done.err


@pytest.mark.parametrize("words", [("play", "put"), ("show", "put")])
def test_only_a_page_is_opened(golpae: Golpae, here: Path, words: tuple[str, ...]) -> None:
    done = golpae(*words, "--open", *HERE)
    assert (done.status, "a page" in done.err) == (2, True)
