"""Large files on the compiled path: every report is that of the reference."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from golpae.cli.terminal.output import json_text
from golpae.corpus import check as checking
from golpae.corpus import noting, text
from golpae.corpus.check import check
from golpae.corpus.forms import VerdictsForm
from golpae.corpus.noting import Tables
from golpae.corpus.paths import FEW, GIVEN_UP, LARGE, Legal, Listed, Paths
from golpae.kernel.language.host import available
from golpae.replay.replay import replay
from golpae.replay.report import Report
from golpae.trace import MAX_LINE, Outcome, Verdict
from tests.corpus.games import HEADER, LIBRARY, RECORDED, by_reference, drained, games

pytestmark = pytest.mark.skipif(not available(), reason="wasmtime does not load here")
TABLES = Tables(LIBRARY)


@pytest.fixture(autouse=True)
def compiles_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile every table, however few games it has."""
    monkeypatch.setattr(noting, "REPAYS", 0)


def compiled(
    held: bytes, each: bool = True, paths: Paths | None = None, begin: int = 0
) -> tuple[list[Any], tuple[int, str] | None]:
    return drained(check(BytesIO(held), "games", TABLES, each, paths, begin))


# Games of many rule sets, or of large ones: each needs a module, which takes as long as thousands of events.
MANY_TABLES = {
    "ho-hpai/ways-and-ends.jsonl",
    "korean-mahjong/no-implied.jsonl",
    "korean-mahjong/pairs-are-no-sets.jsonl",
    "korean-mahjong/readies-add.jsonl",
    "korean-mahjong/plum-by-flower.jsonl",
    "korean-mahjong/readings.jsonl",
    "korean-mahjong/readings-in-play.jsonl",
    "jjak/readings-with-ten-rounds.jsonl",
    "three-dozen/larger-sets.jsonl",
    "korean-mahjong/fixed-seats.jsonl",
    "korean-mahjong/man-whole-round.jsonl",
    "jjak/take-to-pair.jsonl",
    "jjak/ten-rounds-rules.jsonl",
}


@pytest.mark.corpus
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path,
            id=path.name,
            marks=[pytest.mark.slow] if f"{path.parent.name}/{path.name}" in MANY_TABLES else [],
        )
        for path in RECORDED
    ],
)
def test_recorded_games_have_the_verdicts_of_the_reference(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "WINDOW", 3000)
    held = path.read_bytes()
    assert compiled(held) == by_reference(held)


def test_legal_games_are_counted_where_nobody_wants_to_see_each() -> None:
    held = games("jjak", 3, 30)
    illegal = HEADER + b'{"do":"draw","by":0,"tile":"6-6"}\n'
    paths = Paths()
    reports, _ = compiled(held + illegal + held, each=False, paths=paths)
    assert [r.games if isinstance(r, Legal) else r.verdict for r in reports] == [30, Verdict.ILLEGAL, 30]
    assert [r.events for r in reports if isinstance(r, Legal)] == [held.count(b'"do"')] * 2
    assert (paths.compiled, paths.referred, paths.disagree) == (60, 0, [])


def test_games_of_several_tables_may_follow_one_another() -> None:
    parts = [games("jjak", 2, 1), games("three-dozen", 3, 1), games("jjak+culin+row", 4, 1)]
    held = b"".join(parts * 3)
    assert compiled(held) == by_reference(held)
    paths = Paths()
    compiled(held, paths=paths)
    assert paths.compiled == 9


def test_a_table_is_compiled_when_its_games_repay_it(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["jjak", "jjak+culin", "jjak+row", "jjak+relaxed", "jjak+doubling"]
    few = b"".join(games(name, 2, 1) for name in names)
    often = games("jjak+culin+row", 3, 40)
    monkeypatch.setattr(noting, "LARGE", len(often) // 2)
    monkeypatch.setattr(noting, "REPAYS", len(often) // 4)
    tables, paths = Tables(LIBRARY), Paths()
    held = few + often
    assert drained(check(BytesIO(held), "games", tables, True, paths)) == by_reference(held)
    assert paths.reasons[FEW] == paths.referred > 5
    assert paths.compiled > 20
    assert paths.compiled + paths.referred == 45


def test_games_that_go_to_the_reference_do_so_for_a_reason_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "TRIED", 3)
    monkeypatch.setattr(text, "WINDOW", 3000)
    held, paths = games("jjak", 2, 6), Paths()
    spaced = held.replace(b'{"do":"deal",', b'{"do":"deal" , ')
    usual = held[held.index(b'\n{"golpae"') + 1 :]
    mixed = usual + 2 * spaced + usual
    assert drained(check(BytesIO(mixed), "games", Tables(LIBRARY), True, paths)) == by_reference(mixed)
    assert set(paths.reasons) == {noting.UNUSUAL, GIVEN_UP}
    assert paths.reasons.total() == paths.referred
    assert f"  {paths.reasons[GIVEN_UP]} for {GIVEN_UP}" in paths.words()
    assert paths.slow_words() == []
    paths.reasons[noting.UNUSUAL] = 50
    assert paths.slow_words()[0].startswith("large files: 50 games took longer than others")


@pytest.mark.parametrize("window", [1 << 22, 3000])
@pytest.mark.parametrize(
    "name", ['"a"', "7", '"한글"', '"a\u2028b"', '"a\x7fb"', '"\\u00e9"', '"<the id of a game>"', None]
)
def test_legal_games_that_are_listed_have_the_verdicts_of_each(
    name: str | None, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "WINDOW", window)
    first, other = games("jjak", 2, 2), games("three-dozen", 3, 1)
    if name is not None:
        first = first.replace(b'{"golpae":1', f'{{"golpae":1,"id":{name}'.encode())
    lines = first.splitlines(keepends=True)
    spaced = b"\n\r\n".join(lines[0:1]) + b"\n" + b"".join(lines[1:])
    ends = first.replace(b"\n", b"\r\n")
    held = b"".join(
        [first, other, first + b"\n", HEADER, other, spaced, b"\n", other, ends, first, lines[0] + lines[2]]
    )
    tables = Tables(LIBRARY, cited=True)
    form, counts, texts = VerdictsForm(), Counter[str](), dict[str, str | None]()
    listed = [*check(BytesIO(held), "games", tables, True, listed=True)]
    each = [*check(BytesIO(held), "games", tables, True)]
    assert b"".join(form.lines(item, counts, texts) for item in listed) == b"".join(
        form.lines(item, Counter(), {}) for item in each
    )
    assert counts.total() == len(each)
    assert set(texts) == {"jjak", "three-dozen"}
    shown = [item.verdicts(json_text) for item in listed if isinstance(item, Listed)]
    legal = [json_text(report.outcome.to_cited_json()) for report in each if isinstance(report, Report)]
    assert sum(lines.count("\n") for lines in shown) > 2
    assert {line for lines in shown for line in lines.splitlines()} <= set(legal)


STRANGE = {
    "nothing": b"",
    "blank lines": b"\n\n \n",
    "no header": b'{"do":"draw"}\n' + HEADER,
    "a mark at the beginning": b"\xef\xbb\xbf" + HEADER,
    "a mark later": HEADER + b"\xef\xbb\xbf" + HEADER,
    "no line end": HEADER + HEADER[:-1],
    "another key": HEADER + b'{"golpaex":1}\n' + HEADER,
    "a misspelt header": HEADER + HEADER.replace(b"golpae", b"golape") + b'{"do":"draw"}\n' + HEADER,
    "a misspelt header with a player called do": HEADER
    + b'{"golape":1,"rule":"jjak","plyers":["do","An"]}\n' * 2,
    "a misspelt header in capitals": HEADER.replace(b"golpae", b"Golpae"),
    "a misspelt header in another order": HEADER + b'{"players":["An"],"id":7,"rules":"jjak"}\n' * 2 + HEADER,
    "a header with two slips": HEADER + b'{"golape":1,"rule":"jjak","players":["An"]}\n' + HEADER,
    "a header with three slips": HEADER + b'{"golape":1,"rule":"jjak","player":["An"]}\n' + HEADER,
    "a misspelt header with escapes": HEADER + b'{"\\u0072ules":"jjak","players":[],"x":1}\n' + HEADER,
    "what is no header": HEADER
    + b'{"do":"draw","rules":"jjak","players":["An"]}\n{"rules":"jjak"}\n'
    + HEADER,
    "a header over several lines": HEADER + b'{\n  "golpae":1,\n"rules":"jjak"\n}\n' + HEADER,
    "no JSON": HEADER + b'{"golpae":\n' + HEADER,
    "escapes": HEADER + b'{"\\u0067olpae":1,"rules":"jjak","players":["An","Bo"]}\n' + HEADER,
    "spaces": HEADER + b'  {  "golpae" : 1, "rules":"jjak","players":["An","Bo"]}\n' + HEADER,
    "unknown rules": HEADER + b'{"golpae":1,"rules":"whist","players":["An","Bo"]}\n{"do":"x"}\n' + HEADER,
    "a fault in a header": HEADER + b'{"golpae":1,"rules":"jjak","players":["An"],"x":1}\n{}\n' + HEADER,
    "a long line": HEADER + b'{"do":"' + b"x" * (2 * MAX_LINE) + b'"}\n' + HEADER + b'{"do":"x"}\n',
    "a long line with no end": HEADER + b"x" * (3 * MAX_LINE),
    "what is no text": HEADER + bytes(range(256)) + b"\n" + HEADER,
    "a line end of another system": HEADER.replace(b"\n", b"\r\n") + b'{"do":"draw"}\r\n' + HEADER,
}


@pytest.mark.parametrize("window", [1 << 22, 40])
@pytest.mark.parametrize("held", STRANGE.values(), ids=STRANGE)
def test_strange_text_is_read_as_the_reference_reads_it(
    held: bytes, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "WINDOW", window)
    whole = games("jjak", 2, 1)
    for given in (held, whole + held, held + whole):
        assert compiled(given) == by_reference(given)


def test_a_game_that_is_over_is_not_blamed_for_what_follows() -> None:
    finished = next(
        p.read_bytes() for p in RECORDED if b'"finish"' in p.read_bytes() and p.suffix == ".jsonl"
    )
    assert compiled(finished + b"what is this\n" + HEADER) == by_reference(
        finished + b"what is this\n" + HEADER
    )


def test_an_archive_that_is_cut_short_ends_as_the_reference_says() -> None:
    packed = gzip.compress(games("jjak", 2, 200))
    for size in (len(packed) // 2, len(packed) - 4):
        assert compiled(packed[:size]) == by_reference(packed[:size])


def test_where_the_two_ways_disagree_the_reference_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    from golpae.kernel import runner

    held = games("jjak", 2, 3)
    real = runner.Notes.__getitem__
    monkeypatch.setattr(
        runner.Notes, "__getitem__", lambda self, n: replace(real(self, n), events=real(self, n).events + 1)
    )
    paths = Paths()
    reports, _ = compiled(held, each=False, paths=paths)
    assert paths.disagree == [1]
    assert reports[0].verdict is Verdict.LEGAL


def test_the_reference_replays_a_short_game_instead_of_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    held = games("jjak", 3, 8)
    lines = held.splitlines()
    starts = [at for at, line in enumerate(lines) if b'"golpae"' in line] + [len(lines)]
    lengths = [end - start - 1 for start, end in pairwise(starts)]
    short = lengths.index(min(lengths))
    assert short > 0
    for longest, expected in ((max(lengths), 0), (lengths[short], short)):
        replayed: list[int] = []
        monkeypatch.setattr(noting, "LONG", longest)
        monkeypatch.setattr(
            checking._Check, "_replayed", lambda self, trace, to=replayed: to.append(trace.line)
        )
        compiled(held, each=False)
        assert replayed == [starts[expected] + 1]


@pytest.mark.parametrize(("goes_on", "replayed"), [(False, 4), (True, 2)])
def test_fewer_games_are_replayed_behind_the_first_part_of_a_file(
    goes_on: bool, replayed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking._Check, "sampled", 2)
    monkeypatch.setattr(noting, "RARELY", 4)
    seen: list[int] = []
    monkeypatch.setattr(checking._Check, "_replayed", lambda self, trace: seen.append(trace.line))
    drained(check(BytesIO(games("jjak", 3, 8)), "games", Tables(LIBRARY), False, Paths(goes_on=goes_on)))
    assert len(seen) == replayed


def test_without_modules_everything_goes_to_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("golpae.kernel.language.host.available", lambda: False)
    held, paths = games("jjak", 2, 2), Paths()
    found = drained(check(BytesIO(held), "games", Tables(LIBRARY), False, paths))
    assert found == by_reference(held)
    assert paths.compiled == 0


def test_lines_may_end_as_windows_ends_them() -> None:
    held, paths = games("jjak", 2, 6).replace(b"\n", b"\r\n"), Paths()
    assert compiled(held, paths=paths) == by_reference(held)
    assert (paths.compiled, paths.referred) == (6, 0)


def test_other_rules_than_those_of_the_headers_are_compiled() -> None:
    held, paths = games("jjak", 2, 6).replace(b'"jjak"', b'"of another"'), Paths()
    tables = Tables(LIBRARY, "jjak")
    found = drained(check(BytesIO(held), "games", tables, True, paths))
    assert found == drained(replay(BytesIO(held), "games", LIBRARY, "jjak"))
    assert (paths.compiled, paths.referred) == (6, 0)


@pytest.mark.parametrize("begin", [1, 2_000, 1 << 30])
def test_the_first_bytes_of_a_stream_are_for_the_reference(begin: int) -> None:
    held, paths = games("jjak", 2, 6) + b"{\n" + games("jjak", 3, 6), Paths()
    assert compiled(held, paths=paths, begin=begin) == by_reference(held)
    assert (0 < paths.compiled < 12) == (begin < len(held))
    assert paths.referred <= 1  # the one with a line that is no JSON


def test_a_trace_of_a_stream_is_reported_before_the_stream_ends() -> None:
    held = games("jjak", 2, 2)
    cut = held.index(b'{"golpae', 1) + len(HEADER)

    class Waiting(BytesIO):
        def read1(self, size: int | None = -1) -> bytes:
            assert self.tell() < cut, "asked for more before the first report"
            return super().read(min(cut - self.tell(), 100))

    report = next(check(Waiting(held), "games", TABLES, True, None, 1 << 20))
    assert isinstance(report, Report)


def test_a_check_of_a_small_file_loads_neither_the_compiled_path_nor_what_runs_processes() -> None:
    others = ("golpae.workers", "multiprocessing", "subprocess", "z3", "rich")
    asked = "import sys; sys.argv[1:] = ['check', sys.argv[1]]; from golpae.__main__ import main; main()"
    asked += f"; others = {others}"
    asked += "; print([m for m in sys.modules if m in others or m.startswith(('golpae.kernel', 'wasmtime'))])"
    seen = [
        path for path in RECORDED if path.stem != "unseen"
    ]  # those with tiles that nobody saw need a solver
    small = min(seen, key=lambda path: path.stat().st_size)
    done = subprocess.run([sys.executable, "-c", asked, small], capture_output=True, text=True, check=False)
    assert done.stdout.endswith("[]\n"), done.stdout + done.stderr


def test_a_large_file_says_with_verbose_which_way_its_games_went(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from golpae.cli.main import main

    large = tmp_path / "large.jsonl"
    large.write_bytes(games("jjak", 2, 20) * 60 + HEADER)
    assert large.stat().st_size > LARGE
    assert main(["check", str(large)]) == 0
    brief = capsys.readouterr().out
    assert "1201 traces: 1200 legal, 1 incomplete" in brief
    assert main(["check", "--verbose", str(large)]) == 0
    assert (
        "1,201 legal or incomplete games on the compiled path, 0 by the reference" in capsys.readouterr().out
    )
    assert main(["check", "--format", "json", str(large)]) == 0
    shown = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [game["verdict"] for game in shown] == ["legal"] * 1200 + ["incomplete"]
    expected = [outcome.to_json() for outcome in named(by_reference(large.read_bytes())[0], str(large))]
    assert all(told.items() <= game.items() for told, game in zip(expected, shown, strict=True))


def named(outcomes: list[Outcome], file: str) -> list[Outcome]:
    return [replace(outcome, file=file) for outcome in outcomes]
