"""A file whose name looks like a URL or a chain of places is that file, for every verb."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, LEGAL, text

NAMES = ("simplecache::plain.jsonl", "reference::plain.jsonl", "ab::cd.jsonl", "file:plain.jsonl")
OWN = ("--spec-path", "rules")
CALLS: tuple[tuple[str, ...], ...] = (
    ("check", "{}"),
    ("check", "--format", "json", "{}"),
    ("check", "--output", "out::put.jsonl", "{}"),
    ("check", "--jobs", "2", "{}"),
    ("check", "--expected", "{}"),
    ("legal", "{}"),
    ("view", "{}"),
    ("perft", "put", "{}", "1"),
    ("report", "{}", "-o", "pages"),
    ("coverage", "{}"),
    ("find", "put", "yes", "{}"),
    ("attribute", "{}"),
    ("audit", "{}"),
    ("pack", "{}", "-o", "x.parquet"),
    ("mutate", "put", "--traces", "{}", "--every", "300"),
    ("compare", "put", "put+plus1", "--traces", "{}"),
)


@pytest.mark.parametrize("name", NAMES)
def test_the_named_file_is_checked_and_no_other(name: str, golpae: Golpae) -> None:
    Path("plain.jsonl").write_text(text(*LEGAL), "utf-8")
    Path(name).write_text(text(*ILLEGAL), "utf-8")
    done = golpae("check", name)
    assert (done.status, done.out.splitlines()[-1]) == (1, "1 trace: 1 illegal")
    assert done.out.startswith(f"{name}:1  illegal")


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_every_verb_reads_the_file(call: tuple[str, ...], golpae: Golpae) -> None:
    plain, name = "plain.jsonl", "simplecache::other.jsonl"
    outputs = []
    Path("other.jsonl").write_text("nonsense\n", "utf-8")
    for file in (plain, name):
        Path(file).write_text(text(*LEGAL), "utf-8")
        Path(file).with_suffix(".verdicts").write_text('{"verdict":"legal"}\n', "utf-8")
        own = OWN if call[0] not in ("check", "legal", "pack") else ()
        done = golpae(*(word.replace("{}", file) for word in call), *own)
        out = re.sub(r"[\d,]+ packed", "packed", done.out.replace(file, plain))  # which holds the name, too
        outputs.append((done.status, out, done.err.replace(file, plain)))
        shutil.rmtree("pages", ignore_errors=True)
    assert outputs[0] == outputs[1]
    assert "no file or folder" not in outputs[0][2], outputs[0]
    assert "help" not in outputs[0][2], outputs[0]  # the call itself is right


def test_hands_are_read_from_the_file(golpae: Golpae) -> None:
    Path("hands.jsonl").write_text('{"rules":"put"}\n', "utf-8")
    Path("zip::hands.jsonl").write_text('{"rules":"none-such"}\n', "utf-8")
    done = golpae("score", *OWN, "zip::hands.jsonl")
    assert "none-such" in done.err
