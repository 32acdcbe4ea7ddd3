"""`golpae check --write-expected`: verdicts written beside the traces, for `--expected` to compare with."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, ILLEGAL_TEXT, INCOMPLETE, LEGAL, MALFORMED, PUT, text, with_header, write

LINES = (
    '{"verdict":"legal"}\n'
    '{"verdict":"incomplete"}\n'
    '{"verdict":"illegal","event":2,"clause":"put.put.turn"}\n'
    '{"verdict":"malformed","event":2}\n'
    '{"verdict":"malformed","event":0}\n'
)
ALL = (*LEGAL, *INCOMPLETE, *ILLEGAL, *MALFORMED, *with_header(stake=0))


def written(name: str = "a.verdicts") -> str:
    return Path(name).read_bytes().decode()


def temporary() -> list[str]:
    """Hidden files that a run has left behind."""
    return [name for name in os.listdir() if name.startswith(".")]


def test_every_verdict_is_written_and_expected_from_then_on(golpae: Golpae) -> None:
    write("a.jsonl", *ALL)
    done = golpae("check", "--write-expected", "a.jsonl")
    assert (done.status, done.err) == (0, "")
    assert written() == LINES
    assert done.out.endswith(
        "a.verdicts: written for 5 traces\n5 traces: 1 legal, 1 incomplete, 1 illegal, 2 malformed\n"
    )
    assert golpae("check", "--expected", "a.jsonl").status == 0


def test_bad_games_are_explained_while_their_verdicts_are_new(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL)
    done = golpae("check", "--write-expected", "a.jsonl")
    assert done.out.startswith(ILLEGAL_TEXT.format(name="a.jsonl", line=7, at=9) + "a.verdicts: ")
    done = golpae("check", "--write-expected", "a.jsonl")
    assert done.out == "2 traces: 1 legal, 1 illegal\nno verdict changed in 1 file\n"
    assert (
        "a.jsonl:1  legal  (as before)\n" in golpae("check", "--write-expected", "--verbose", "a.jsonl").out
    )


def test_lines_that_agree_stay_byte_for_byte(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL, *MALFORMED, *LEGAL)
    kept = '{ "verdict": "illegal", "note": "Bo is too quick" }\r\n\r\n'
    Path("a.verdicts").write_bytes(
        f'{{"verdict":"incomplete","note":"An wins"}}\r\n{kept}{{"verdict":"malformed"}}'.encode()
    )
    done = golpae("check", "--write-expected", "a.jsonl")
    assert done.status == 0
    assert written() == (
        f'{{"verdict":"legal","note":"An wins"}}\n{kept}{{"verdict":"malformed"}}\n{{"verdict":"legal"}}\n'
    )
    assert done.out == (
        "a.jsonl:1  legal  (before: incomplete)\n"
        "a.verdicts: 1 changed, 1 added, 2 as before\n"
        "4 traces: 2 legal, 1 illegal, 1 malformed\n"
    )


def test_a_file_that_agrees_is_not_touched(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    Path("a.verdicts").write_bytes(b'\n{"verdict": "legal"}')
    before = Path("a.verdicts").stat()
    assert (
        golpae("check", "--write-expected", "a.jsonl").out
        == "1 trace: 1 legal\nno verdict changed in 1 file\n"
    )
    verbose = golpae("check", "--write-expected", "--verbose", "a.jsonl").out
    assert verbose.endswith("a.verdicts: no verdict changed\n1 trace: 1 legal\n")
    assert (written(), Path("a.verdicts").stat().st_ino) == ('\n{"verdict": "legal"}', before.st_ino)


def test_verdicts_without_a_trace_are_removed(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    write("a.verdicts", *[{"verdict": "legal"}] * 3)
    done = golpae("check", "--write-expected", "a.jsonl")
    assert done.out.startswith("a.verdicts: 2 removed, 1 as before\n")
    assert written() == '{"verdict": "legal"}\n'


def test_the_ways_of_a_file_stay(golpae: Golpae) -> None:
    """Its permissions, and the link that leads to it."""
    write("a.jsonl", *LEGAL)
    Path("kept").mkdir()
    Path("kept/v").write_text('{"verdict":"illegal"}\n')
    Path("kept/v").chmod(0o600)
    Path("a.verdicts").symlink_to("kept/v")
    assert golpae("check", "--write-expected", "a.jsonl").status == 0
    assert (Path("a.verdicts").is_symlink(), written("kept/v")) == (True, '{"verdict":"legal"}\n')
    assert Path("kept/v").stat().st_mode & 0o777 == 0o600


def test_folders_and_archives(golpae: Golpae) -> None:
    Path("games/deep").mkdir(parents=True)
    Path("games/a.jsonl.gz").write_bytes(gzip.compress(text(*LEGAL).encode()))
    Path("games/deep/b.jsonl").write_text(text(*LEGAL, *LEGAL))
    done = golpae("check", "--write-expected", "games")
    assert done.status == 0
    assert done.out.splitlines() == [
        "games/a.verdicts: written for 1 trace",
        "games/deep/b.verdicts: written for 2 traces",
        "3 traces: 3 legal",
    ]
    assert golpae("check", "--expected", "games").status == 0


def test_two_files_of_one_name_do_not_share_verdicts(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    Path("a.jsonl.gz").write_bytes(gzip.compress(text(*ILLEGAL).encode()))
    done = golpae("check", "--write-expected", ".", "a.jsonl")
    assert done.status == 2
    assert done.err == "golpae: ./a.jsonl.gz: `a.verdicts` is not written: it belongs to `a.jsonl`\n"
    assert written() == '{"verdict":"legal"}\n'


def test_other_rules_can_be_expected(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    golpae("check", "--write-expected", "--rules", "put+plus1", "a.jsonl")
    assert written() == '{"verdict":"illegal","event":5,"clause":"put.end.pay"}\n'


def test_json_stays_json(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("check", "--write-expected", "--format", "json", "a.jsonl")
    assert (done.verdicts, done.err) == (["legal"], "golpae: a.verdicts: written for 1 trace\n")


# ---------------------------------------------------------------- refusals


def test_a_file_without_a_trace_has_no_verdicts(golpae: Golpae) -> None:
    Path("a.jsonl").write_text("\n")
    done = golpae("check", "--write-expected", "a.jsonl")
    assert (done.status, done.out) == (2, "0 traces\n")
    assert done.err == (
        "golpae: a.jsonl: no trace in it\n"
        "golpae: a.jsonl: `a.verdicts` is not written: there is no trace for it\n"
    )
    assert not Path("a.verdicts").exists()
    write("a.verdicts", {"verdict": "legal"})
    assert golpae("check", "--write-expected", "a.jsonl").status == 2
    assert written() == '{"verdict": "legal"}\n'
    Path("a.verdicts").write_text("")
    assert golpae("check", "--write-expected", "a.jsonl").status == 0


@pytest.mark.parametrize("line", ["[1]", '{"verdict":"lgal"}', '{"verdict":"legal","by":"An"}', "<<<<<<<"])
def test_a_file_that_holds_something_else_stays(golpae: Golpae, line: str) -> None:
    write("a.jsonl", *ILLEGAL, *LEGAL)
    write("a.verdicts", {"verdict": "legal"}, line)
    before = written()
    done = golpae("check", "--write-expected", "a.jsonl")
    assert done.status == 2
    assert done.err.startswith("golpae: a.jsonl: line 2 of `a.verdicts`: ")
    assert done.err.endswith("; the file stays as it is\n")
    assert (written(), temporary()) == (before, [])


def test_rules_with_faults_make_no_verdicts(golpae: Golpae) -> None:
    Path("rules/put.golpae").write_text(PUT.replace("p = mover", "p = moover"), encoding="utf-8")
    write("a.jsonl", *LEGAL, *with_header(rules="jjak"))
    done = golpae("check", "--write-expected", "a.jsonl")
    assert done.status == 2
    assert "`a.verdicts` is not written: the rules of some traces have faults\n" in done.err
    assert not Path("a.verdicts").exists()


@pytest.mark.parametrize("before", ['"illegal","event":2,"clause":"put.put.turn"', '"malformed","event":2'])
def test_rules_that_are_not_found_replace_no_verdict(golpae: Golpae, before: str) -> None:
    write("a.jsonl", *ILLEGAL)
    Path("a.verdicts").write_text(f'{{"verdict":{before}}}\n')
    done = golpae("check", "--write-expected", "a.jsonl", own=False)
    assert done.status == 2
    assert done.err == (
        "golpae: a.jsonl: `a.verdicts` is not written: "
        "there are no rules called `put`; name their folder with `--spec-path`\n"
    )
    assert (written(), temporary()) == (f'{{"verdict":{before}}}\n', [])


@pytest.mark.parametrize("near", [".", "games"])
def test_rules_that_lie_near_but_are_not_named_make_no_verdicts(golpae: Golpae, near: str) -> None:
    Path("games").mkdir()
    Path("others").mkdir()
    write("games/a.jsonl", *LEGAL)
    Path(near, "put.golpae").write_text(PUT, encoding="utf-8")
    done = golpae("check", "--write-expected", "games", "--spec-path", "others", own=False)
    assert (done.status, "`a.verdicts` is not written: there are no rules" in done.err) == (2, True)
    assert not Path("games/a.verdicts").exists()


def test_rules_that_are_nowhere_make_verdicts(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(rules="gone"), *LEGAL)
    assert golpae("check", "--write-expected", "a.jsonl").status == 0
    assert written() == '{"verdict":"malformed","event":0}\n{"verdict":"legal"}\n'
    done = golpae("check", "--write-expected", "a.jsonl")
    assert (done.status, "no verdict changed" in done.out) == (0, True)


def test_traces_that_break_off_make_no_verdicts(golpae: Golpae) -> None:
    whole = gzip.compress(
        text(*LEGAL, *ILLEGAL, *({"do": "put", "note": os.urandom(4000).hex()},) * 9).encode()
    )
    Path("a.jsonl.gz").write_bytes(whole[:-4000])
    done = golpae("check", "--write-expected", "a.jsonl.gz")
    assert done.status == 2
    assert "`a.verdicts` is not written: the traces cannot be read to their end\n" in done.err
    assert not Path("a.verdicts").exists()


def test_a_file_that_cannot_be_written_is_reported(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL)
    write("a.verdicts", {"verdict": "legal"}, {"verdict": "legal"})
    before = written()

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refused)
    done = golpae("check", "--write-expected", "a.jsonl")
    assert (done.status, done.err) == (
        2,
        "golpae: a.jsonl: `a.verdicts` cannot be written: permission denied\n",
    )
    assert (written(), temporary()) == (before, [])


def test_a_folder_with_the_name_of_the_verdicts_is_reported(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    Path("a.verdicts").mkdir()
    done = golpae("check", "--write-expected", "a.jsonl")
    assert (done.status, done.err) == (2, "golpae: a.jsonl: `a.verdicts` cannot be read: is a directory\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--expected", "a.jsonl"),
            "golpae: `--expected` compares with the expected verdicts, `--write-expected` replaces them",
        ),
        (("a.jsonl", "-"), "golpae: `--write-expected` needs files: standard input has no `.verdicts` file"),
    ],
)
def test_a_wrong_call_writes_nothing(golpae: Golpae, words: tuple[str, ...], told: str) -> None:
    write("a.jsonl", *LEGAL)
    done = golpae("check", "--write-expected", *words)
    assert (done.status, done.out, done.err.split("\n")[0]) == (2, "", told)
    assert not Path("a.verdicts").exists()
