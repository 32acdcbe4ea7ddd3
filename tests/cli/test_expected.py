"""`golpae check --expected`: verdicts compared with those of a file beside the traces."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.cli.conftest import Golpae
from tests.cli.table import ILLEGAL, ILLEGAL_TEXT, LEGAL, MALFORMED, text, with_header, write


def expect(*lines: object) -> None:
    write("a.verdicts", *lines)


REFUSED = "which golpae has to refuse"


def test_what_is_as_expected_is_not_listed(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL, *MALFORMED)
    expect(
        {"verdict": "legal"},
        {"verdict": "illegal", "event": 2, "clause": "put.put.turn"},
        {"verdict": "malformed"},
    )
    done = golpae("check", "--expected", "a.jsonl")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "3 traces: 1 legal, 1 illegal, 1 malformed; all as expected\n"
        f"the illegal and malformed ones are recorded mistakes, {REFUSED}\n"
    )


def test_verbose_lists_what_is_as_expected(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *ILLEGAL)
    expect({"verdict": "legal"}, {"verdict": "illegal"})
    done = golpae("check", "--expected", "--verbose", "a.jsonl")
    listed = ILLEGAL_TEXT.format(name="a.jsonl", line=7, at=9).replace("line 9", "line 9  (as expected)")
    assert done.out == (
        f"a.jsonl:1  legal  (as expected)\n{listed}"
        "2 traces: 1 legal, 1 illegal; all as expected\n"
        f"the illegal one is a recorded mistake, {REFUSED}\n"
    )


def test_only_recorded_mistakes_are_called_so(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL)
    expect({"verdict": "legal"})
    assert golpae("check", "--expected", "a.jsonl").out == "1 trace: 1 legal; all as expected\n"
    write("a.jsonl", *LEGAL, *ILLEGAL)
    expect({"verdict": "illegal"}, {"verdict": "illegal"})
    done = golpae("check", "--expected", "a.jsonl")
    assert done.out == (
        "a.jsonl:1  legal  (expected illegal)\n2 traces: 1 legal, 1 illegal; 1 not as expected\n"
    )
    assert REFUSED not in golpae("check", "a.jsonl").out


def test_the_json_of_check_is_a_file_of_expected_verdicts(golpae: Golpae) -> None:
    Path("a.jsonl.gz").write_bytes(gzip.compress(text(*ILLEGAL, *LEGAL).encode()))
    Path("a.verdicts").write_text(golpae("check", "--format", "json", "a.jsonl.gz").out)
    assert golpae("check", "--expected", "a.jsonl.gz").status == 0


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ({"verdict": "legal"}, "expected legal"),
        ({"verdict": "illegal", "event": 3}, "expected illegal at event 3"),
        ({"verdict": "illegal", "event": 2, "clause": "put.put.held"},
         "expected illegal at event 2, breaking put.put.held"),
    ],
)  # fmt: skip
def test_a_verdict_that_is_not_as_expected_is_explained(golpae: Golpae, expected: object, told: str) -> None:
    write("a.jsonl", *ILLEGAL)
    expect(expected)
    done = golpae("check", "--expected", "a.jsonl")
    assert done.status == 1
    assert done.out.startswith(f"a.jsonl:1  illegal  at event 2, line 3  ({told})\n  it is not Bo's turn\n")
    assert done.out.endswith("1 trace: 1 illegal; 1 not as expected\n")
    done = golpae("check", "--expected", "--format", "json", "a.jsonl")
    assert (done.status, done.verdicts, done.err) == (
        1,
        ["illegal"],
        f"golpae: a.jsonl:1: illegal ({told})\n",
    )


def test_a_fault_of_the_header_is_expected_in_the_header(golpae: Golpae) -> None:
    write("a.jsonl", *with_header(MALFORMED, stake=0), *MALFORMED)
    expect({"verdict": "malformed", "event": 0}, {"verdict": "malformed", "event": 0})
    done = golpae("check", "--expected", "a.jsonl")
    assert done.status == 1
    assert done.out == (
        "a.jsonl:7  malformed  at event 2, line 9  (expected malformed in its header)\n"
        "  there is no tile `9-9`\n"
        "2 traces: 2 malformed; 1 not as expected\n"
    )


def test_too_many_and_too_few_expected_verdicts_are_reported(golpae: Golpae) -> None:
    write("a.jsonl", *LEGAL, *LEGAL)
    expect({"verdict": "legal"})
    done = golpae("check", "--expected", "a.jsonl")
    assert done.status == 1
    assert done.out == (
        "a.jsonl:7  legal  (not expected: `a.verdicts` has no line for it)\n"
        "2 traces: 2 legal; 1 not as expected\n"
    )
    expect(*[{"verdict": "legal"}] * 4)
    done = golpae("check", "--expected", "a.jsonl")
    assert (done.status, done.err) == (1, "golpae: a.jsonl: 2 more traces were expected\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("[1]", "this line must be a JSON object, not a list"),
        ('{"verdict":', "not JSON: the line ends after column 11, where a value was expected"),
        ("[" * 100_000, "nested deeper than 100 at column 101"),
        ("{}", "it lacks the key `verdict`"),
        ('{"verdict":"lgal"}', "there is no verdict `lgal`; did you mean `legal`?"),
        ('{"verdict":null}', "`verdict` must be a text"),
        ('{"verdict":"illegal","event":"2"}', "`event` must be a number"),
        ('{"verdict":"illegal","evnt":2}', "unknown key `evnt`; did you mean `event`?"),
    ],
)
def test_damaged_expected_verdicts_are_wrong_input(golpae: Golpae, line: str, told: str) -> None:
    write("a.jsonl", *LEGAL, *LEGAL, *LEGAL)
    expect({"verdict": "legal"}, line)
    done = golpae("check", "--expected", "a.jsonl")
    assert (done.status, done.err) == (2, f"golpae: a.jsonl: line 2 of `a.verdicts`: {told}\n")
    assert done.out == "3 traces: 3 legal; 2 without an expected verdict\n"


def test_missing_expected_verdicts_are_wrong_input(golpae: Golpae) -> None:
    write("a.jsonl", *ILLEGAL)
    done = golpae("check", "--expected", "a.jsonl")
    assert (done.status, done.err) == (
        2,
        "golpae: a.jsonl: there is no `a.verdicts` beside it; `--write-expected` writes it\n",
    )
    assert done.out.endswith("1 trace: 1 illegal; 1 without an expected verdict\n")
    Path("a.verdicts").mkdir()
    assert "`a.verdicts` cannot be read: is a directory" in golpae("check", "--expected", "a.jsonl").err
    assert golpae("check", "--expected", "-").status == 2
