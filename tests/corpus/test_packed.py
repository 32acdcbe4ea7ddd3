"""Packed games on the compiled path and by the reference: every report is that of their text."""

from __future__ import annotations

import random
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from golpae.corpus import noting
from golpae.corpus import pack as packing
from golpae.corpus.noting import Noting, Tables
from golpae.corpus.pack import pack
from golpae.corpus.packed import check_packed
from golpae.corpus.paths import FEW, Legal, Paths
from golpae.kernel.language.host import available
from golpae.trace import Source
from golpae.trace.packed import PackedText
from tests.corpus.games import HEADER, LIBRARY, RECORDED, by_reference, drained, games

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.skipif(not available(), reason="wasmtime does not load here")
TABLES = Tables(LIBRARY)


@pytest.fixture(autouse=True)
def compiles_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile every table, however few games it has."""
    monkeypatch.setattr(noting, "REPAYS", 0)


def packed(held: bytes, where: Path) -> bytes:
    (where / "games").write_bytes(held)
    pack([Source(str(where / "games"))], where / "x.parquet", lambda stream: stream)
    return (where / "x.parquet").read_bytes()


def checked(
    held: bytes, each: bool = True, compiles: bool = True, paths: Paths | None = None
) -> tuple[list[Any], tuple[int, str] | None]:
    text = PackedText(BytesIO(held))
    return drained(check_packed(text, "games", TABLES, compiles, each, paths or Paths()))


def test_a_table_is_compiled_when_its_games_repay_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["jjak", "jjak+culin", "jjak+row", "jjak+relaxed", "jjak+doubling"]
    often = games("jjak+culin+row", 3, 40)
    held = often + b"".join(games(name, 2, 1) for name in names)
    monkeypatch.setattr(noting, "LARGE", len(often) // 2)
    monkeypatch.setattr(noting, "REPAYS", len(often) // 4)
    text, paths = PackedText(BytesIO(packed(held, tmp_path))), Paths()
    found = drained(check_packed(text, "games", Tables(LIBRARY), True, True, paths))
    assert found == by_reference(held)
    assert (paths.compiled, paths.referred) == (40, 5)
    assert paths.reasons[FEW] == 5


@pytest.mark.slow
def test_recorded_games_have_the_verdicts_of_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "BLOCK", 20_000)
    for path in RECORDED:
        held = path.read_bytes()
        found, unread = checked(packed(held, tmp_path))
        assert (found, unread) == by_reference(held), path


@pytest.mark.parametrize(("rules", "players"), [("three-dozen", 3), ("korean-mahjong", 4)])
def test_games_of_all_kinds_are_checked_on_the_compiled_path(
    tmp_path: Path, rules: str, players: int
) -> None:
    held, paths = games(rules, players, 3), Paths()
    assert checked(packed(held, tmp_path), paths=paths) == by_reference(held)
    assert (paths.compiled, paths.referred) == (3, 0)


@pytest.mark.parametrize("compiles", [False, True])
def test_spoilt_games_have_the_verdicts_of_the_reference(
    tmp_path: Path, compiles: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "BLOCK", 30_000)
    rng = random.Random(4)
    whole = games("jjak", 3, 60) + games("three-dozen", 2, 20) + games("jjak", 2, 20)
    lines = whole.split(b"\n")
    for _ in range(60):
        place = rng.randrange(len(lines))
        spoilt = [
            b"",
            b"what",
            lines[place] * 2,
            lines[place].replace(b'"by":0', b'"by":1'),
            lines[place] + b"\r",
            HEADER.replace(b"golpae", b"golape").rstrip(),
        ]
        lines[place : place + 1] = [rng.choice(spoilt)] * rng.randrange(3)
    held = b"\n".join(lines) + b'\n{"do":"finish"}\nwhat\n' + HEADER + HEADER
    paths = Paths()
    found, unread = checked(packed(held, tmp_path), compiles=compiles, paths=paths)
    assert (found, unread) == by_reference(held)
    assert (paths.compiled > 40) == compiles
    assert not paths.disagree
    assert paths.lines == held.count(b"\n")


def test_legal_games_are_counted_where_nobody_wants_to_see_each(tmp_path: Path) -> None:
    held = packed(games("jjak", 3, 30) + HEADER + games("jjak", 3, 10), tmp_path)
    found, _ = checked(held, each=False)
    assert [item.games if isinstance(item, Legal) else item.verdict.value for item in found] == [
        30,
        "incomplete",
        10,
    ]


def test_where_the_two_ways_disagree_the_reference_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from golpae.replay.report import Report

    held, paths = games("jjak", 3, 3), Paths()
    first = _first(held)
    monkeypatch.setattr(
        "golpae.corpus.packed._Packed._report",
        lambda self, trace, table: Report(replace(first, id="another"), events=trace.events),
    )
    found, _ = checked(packed(held, tmp_path), each=False, paths=paths)
    assert (found[0], paths.disagree) == (_first(held), [1])


def _first(held: bytes) -> Any:
    return by_reference(held)[0][0]


def test_both_ways_share_how_legal_games_are_reported() -> None:
    assert all("_reports" not in vars(way) for way in Noting.__subclasses__())


def test_rows_that_say_other_things_are_read_as_the_reference_reads_them(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    rng = random.Random(7)
    whole = pyarrow.parquet.read_table(BytesIO(packed(games("jjak", 3, 12), tmp_path)))
    verdicts = set()
    for _ in range(150):
        rows = whole.to_pylist()
        row = rng.choice(rows)
        column = rng.choice(("events", "events", "events", "rare", "words", "lines", "header"))
        if column == "words":
            row = rows[0]
        if column == "lines":
            row["lines"] += rng.choice((-1, 1, 1 << 20))
        else:
            row[column] = spoilt(row[column], rng)
        out = BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=whole.schema), out)
        found = checked(out.getvalue())
        assert found == checked(out.getvalue(), compiles=False)
        verdicts |= {outcome.verdict.value for outcome in found[0]}
    assert verdicts >= {"legal", "illegal", "malformed"}


def spoilt(held: bytes, rng: random.Random) -> bytes:
    """Return bytes of which one is missing, another one, or more than once."""
    at = rng.randrange(len(held) + 1)
    byte = rng.choice(
        (bytes([rng.randrange(256)]), b"\xff", b"\xf0\x01", held[:1], b"\n", b"\0", b"\1", b"\2")
    )
    return held[:at] + rng.choice((b"", byte)) + held[at + rng.randrange(2) :]


@pytest.mark.parametrize("spaced", [False, True])
def test_deals_are_read_from_the_words_in_their_gaps(tmp_path: Path, spaced: bool) -> None:
    import pyarrow.parquet

    text = games("jjak", 3, 40)
    if spaced:
        text = text.replace(b",", b", ").replace(b":", b": ")
    held = packed(text, tmp_path)
    rows = pyarrow.parquet.read_table(BytesIO(held)).to_pylist()
    words = rows[0]["words"].split(b"\0")
    gap = b"\2" if spaced else b"\1"
    assert any(word.count(b"[" + gap + b"]") == 4 for word in words)  # three hands and the reserve
    assert sum(row["rare"] == b"" for row in rows) > 25
    paths = Paths()
    assert checked(held, paths=paths) == by_reference(text)
    assert (paths.compiled, paths.referred) == (40, 0)


def test_lines_with_gaps_that_the_module_cannot_read_are_put_together(tmp_path: Path) -> None:
    text = games("jjak", 3, 4)
    end = text.rindex(b'{"golpae"')
    lays = [line for line in text.splitlines(True) if b'"lay"' in line]
    assert len(set(lays)) > 3
    paths = Paths()
    held = packed(text + text[end:], tmp_path)  # each line of the last game is there twice, most others once
    assert checked(held, paths=paths) == by_reference(text + text[end:])
    assert (paths.compiled, paths.referred) == (5, 0)


def test_games_of_another_version_are_to_be_packed_again(tmp_path: Path) -> None:
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(BytesIO(packed(games("jjak", 3, 1), tmp_path)))
    out = BytesIO()
    pyarrow.parquet.write_table(table.replace_schema_metadata({"golpae.packed": "1"}), out)
    (report,), _ = checked(out.getvalue())
    assert report.verdict.value == "malformed"
    assert report.message == "they were packed by another version of golpae: pack them again"
