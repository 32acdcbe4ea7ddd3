"""A damaged archive is told as one: no game of it is called malformed or illegal because of the damage."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from golpae.cli.main import main
from tests.cli.table import LEGAL, OUT_OF_TURN, PUT, text

KINDS = ("jsonl.gz", "jsonl.zst", "parquet")
DAMAGED = (
    "archive is damaged",
    "archive is cut short",
    "games are damaged",
    "Parquet file is damaged",
    "it is no file of packed games",
)


@pytest.fixture
def check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[list[dict[str, object]], str]]:
    """Checks a file with these bytes; its verdicts, and what is said of it."""
    monkeypatch.chdir(tmp_path)
    Path("put.golpae").write_text(PUT, encoding="utf-8")

    def run(held: bytes, kind: str, *words: str) -> tuple[list[dict[str, object]], str]:
        Path(f"x.{kind}").write_bytes(held)
        main(["check", "--spec-path", ".", "--format", "json", *words, f"x.{kind}"])
        out, err = capsys.readouterr()
        return [json.loads(line) for line in out.splitlines()], err

    return run


def archive(held: str, kind: str) -> bytes:
    if kind == "jsonl.gz":
        return gzip.compress(held.encode())
    if kind == "jsonl.zst":
        return zstandard.ZstdCompressor(write_checksum=True).compress(held.encode())
    pytest.importorskip("pyarrow")
    Path("a.jsonl").write_text(held, encoding="utf-8")
    assert main(["pack", "a.jsonl", "-o", "a.parquet"]) == 0
    return Path("a.parquet").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_flipped_is_no_fault_of_a_game(
    check: Callable[..., tuple[list[dict[str, object]], str]],
    kind: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rng = random.Random(1)
    notes = (f"{rng.getrandbits(120):030x}" for _ in range(120))
    held = "".join(text(*LEGAL).replace('"golpae"', f'"note":"{note}","golpae"', 1) for note in notes)
    packed = archive(held, kind)
    capsys.readouterr()
    told = 0
    for _ in range(25):
        spoilt = bytearray(packed)
        spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
        verdicts, err = check(bytes(spoilt), kind)
        refused = [one["message"] for one in verdicts if one["verdict"] != "legal"]
        assert [m for m in refused if not any(words in str(m) for words in DAMAGED)] == []
        assert len(refused) <= 1
        told += bool(refused) or "damaged" in err
    assert told > 15


def test_games_of_a_sound_archive_are_refused_for_their_own_faults(
    check: Callable[..., tuple[list[dict[str, object]], str]],
) -> None:
    held = text(*LEGAL) + text(*OUT_OF_TURN) + text(*LEGAL)
    for spoilt in (gzip.compress(held.encode()), gzip.compress(held.encode())[:-3]):
        verdicts, _ = check(spoilt, "jsonl.gz")
        assert [one["verdict"] for one in verdicts][:2] == ["legal", "illegal"]
        assert "damaged" not in str(verdicts[1]["message"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "words",
    [
        ("find", "put", "over"),
        ("audit",),
        ("attribute", "--jobs", "1"),
        ("attribute", "--output", "v.jsonl"),
        ("compare", "put", "put", "--traces"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_game_of_a_damaged_archive_is_counted(
    check: Callable[..., tuple[list[dict[str, object]], str]],
    kind: str,
    words: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoilt = bytearray(archive(text(*LEGAL) * 40, kind))
    if kind == "parquet":
        spoilt[len(spoilt) // 4] ^= 1  # a page
    else:
        spoilt[-6] ^= 1  # the checksum: all games can be read
    Path(f"x.{kind}").write_bytes(spoilt)
    verb, *others = words
    capsys.readouterr()
    status = main([verb, "--spec-path", ".", *others, f"x.{kind}"])
    out, err = capsys.readouterr()
    verdicts = Path("v.jsonl").read_text(encoding="utf-8") if Path("v.jsonl").exists() else ""
    assert status == 2
    assert ("games are damaged" if kind == "parquet" else "archive is damaged") in out + err + verdicts
    assert "40" not in out
    assert verdicts.count("\n") == (kind == "parquet" and "--output" in words)
