"""Bad input: each trace of any file gets one correct verdict, in words, and memory stays bounded."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from golpae.trace import NO_HEADER, Source
from tests.cli.conftest import Golpae
from tests.cli.table import EVENTS, HEADER, ILLEGAL, LEGAL, run, text, with_header

HEAD = text(HEADER)
NAMES = "use the letters a to z, digits, `-` and `_`"
LOOKED = (
    "golpae looked in `rules` (`put`) and among its own games (`block-dominoes`, `bridge`, `gin-rummy`, "
    "`go-stop`, `hearts`, `ho-hpai`, `jjak`, `korean-mahjong` and 5 more)"
)
GAME = text(*LEGAL)


def told(golpae: Golpae, content: str | bytes, name: str = "a.jsonl") -> tuple[list[Any], ...]:
    """Return verdict, event, line and message of each trace in a file with this content."""
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = golpae("check", "--format", "json", name)
    assert done.status == (2 if "malformed" in done.verdicts else 1 if "illegal" in done.verdicts else 0)
    return tuple([found[key] for key in ("verdict", "event", "at", "message")] for found in done.json)


# ---------------------------------------------------------------- the content of a file


@pytest.mark.parametrize("content", ["", "\n", "\n \t\r\n\n", "\ufeff"])
def test_an_empty_file_holds_no_trace(golpae: Golpae, content: str) -> None:
    Path("a.jsonl").write_text(content, encoding="utf-8")
    done = golpae("check", "a.jsonl")
    assert (done.status, done.out, done.err) == (0, "0 traces\n", "golpae: a.jsonl: no trace in it\n")
    assert golpae("check", "--format", "json", "a.jsonl").out == ""


@pytest.mark.parametrize(
    "content",
    [GAME.encode(), GAME.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + GAME.encode(), GAME[:-1].encode()],
)
def test_line_ends_and_byte_order_marks_are_no_fault(golpae: Golpae, content: bytes) -> None:
    assert told(golpae, content) == (["legal", None, None, None],)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x00\x01\x02\n\x03", "not JSON: a value was expected at column 1"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "not UTF-8 at byte 1"),
        (GAME.encode("utf-16"), "not UTF-8: this looks like UTF-16"),
        (b"An deals\nBo passes\n", "not JSON: a value was expected at column 1"),
        (text(*EVENTS).encode(), NO_HEADER),
    ],
)
def test_a_file_of_anything_else_is_one_malformed_trace(golpae: Golpae, content: bytes, message: str) -> None:
    assert told(golpae, content) == (["malformed", 0, 1, message],)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"do":"put","by":0,"ti', "not JSON: the text that begins at column 20 has no closing quote"),
        ('{"do":"put","do":"put"}', "the key `do` is given twice"),
        ('{"do":"put","by":NaN,"tile":"1-1"}', "not JSON: `NaN` is not a JSON number"),
        ('{"do":"put","by":1e999,"tile":"1-1"}', "the number `1e999` is too large"),
        ('{"do":"put","by":' + "9" * 1001 + "}", "a number of more than 1000 digits"),
        ("[" * 10_000 + "]" * 10_000, "nested deeper than 100 at column 101"),
        ('{"a":' * 10_000 + "1" + "}" * 10_000, "nested deeper than 100 at column 501"),
        ("7", "this line must be a JSON object, not a number"),
        ("{}", "this line lacks the key `do`"),
        ('{"do":null}', "`do` must be the name of an action, in quotes"),
        ('{"do":"putt","by":0,"tile":"1-1"}', "`put` has no action `putt`; did you mean `put`?"),
        ('{"do":"put","tile":"1-1"}', "`put` lacks the key `by`"),
        ('{"do":"put","by":0}', "`put` lacks the key `tile`"),
        ('{"do":"put","by":0,"tiel":"1-1"}', "`put` lacks the key `tile`; did you write `tiel` for `tile`?"),
        (
            '{"do":"put","by":0,"tilee":"1-1","tile":"1-1"}',
            "unknown key `tilee` in `put`; did you mean `tile`?",
        ),
        ('{"do":"put","by":null,"tile":"1-1"}', "`by` must be a seat from 0 to 1, not `null`"),
    ],
)
def test_a_malformed_event_is_reported_at_its_line(golpae: Golpae, line: str, message: str) -> None:
    content = text(*LEGAL[:2], line, *LEGAL[3:]) + GAME
    assert told(golpae, content) == (["malformed", 2, 3, message], ["legal", None, None, None])


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"rules": "putt"}, f"there are no rules called `putt`; did you mean `put`? {LOOKED}"),
        ({"rules": "put+plus"}, "`put` has no variant or reading `plus`; did you mean `plus6`?"),
        ({"rules": "put+"}, "`rules` has an empty name: `put+`"),
        ({"rules": "../rules/put"}, f"`rules` contains `../rules/put`, which is not a name: {NAMES}"),
        ({"rules": "put\x00"}, f"`rules` contains `put\\x00`, which is not a name: {NAMES}"),
        ({"rules": "x" * 900_000}, f"`rules` is longer than 1000 characters: `{'x' * 60}…`"),
        ({"rules": "x" * 900}, None),
        ({"players": ["An"]}, "`put` is for 2 to 3 players, not for 1"),
        ({"players": ["An"] * 1000}, "`put` is for 2 to 3 players, not for 1000"),
        ({"options": {"dealt": 4}}, "`dealt` must be a number from 1 to 3, not 4"),
        ({"options": {"delt": 4}}, "the rules `put` have no option `delt`: they have `dealt`"),
        ({"stake": 0}, "`stake` must be a whole number above 0, not `0`"),
        ({"golpae": 2}, "trace format `2` is unknown: golpae reads format 1"),
    ],
)  # fmt: skip
def test_a_faulty_header_gets_a_message(golpae: Golpae, keys: dict[str, object], message: str | None) -> None:
    (found,) = told(golpae, text({**HEADER, **keys}, *EVENTS))
    assert found[:3] == ["malformed", 0, 1]
    assert message is None or found[3] == message


def test_reading_goes_on_at_the_next_header(golpae: Golpae) -> None:
    content = "rubbish\n" + GAME + text(*ILLEGAL) + text(*with_header(golpae=3)) + "half a li\n" + GAME
    assert [found[0] for found in told(golpae, content)] == [
        "malformed",
        "legal",
        "illegal",
        "malformed",
        "legal",
    ]


WRONG: list[Any] = [None, True, 7, -1, 1.5, 10**30, "", "x", "?", [], [[]], [None], ["1-1", 1], {}, {"a": 1}]


def test_no_key_with_a_wrong_value_is_legal(golpae: Golpae) -> None:
    traces = []
    for place, line in enumerate(LEGAL):
        for key in line:
            for value in WRONG:
                spoilt = [*LEGAL]
                spoilt[place] = {**line, key: value}
                traces.append((key, value, text(*spoilt)))
    found = told(golpae, "".join(content for _, _, content in traces))
    assert len(found) == len(traces)
    kept = [
        (key, value) for (key, value, _), verdict in zip(traces, found, strict=True) if verdict[0] == "legal"
    ]
    assert kept
    assert set(kept) == {("tile", "?")}  # a tile that nobody saw
    # a value of the wrong type is malformed; another value of the right type may be illegal
    right = {
        "winner": (int, type(None)),
        "by": (int,),
        "first": (int,),
        "tile": (str,),
        "hands": (list,),
        "pay": (list,),
    }
    for (key, value, _), (verdict, *_rest) in zip(traces, found, strict=True):
        if type(value) not in right.get(key, ()):
            assert verdict == "malformed", (key, value)


def test_huge_numbers_are_compared_exactly(golpae: Golpae) -> None:
    stake = 10**30
    right = [*with_header(LEGAL[:-1], stake=stake), {"do": "end", "winner": 0, "pay": [stake, -stake]}]
    wrong = [*LEGAL[:-1], {"do": "end", "winner": 0, "pay": [10**400, -(10**400)]}]
    first, second = told(golpae, text(*right, *wrong))
    assert first[0] == "legal"
    assert second[:3] == ["illegal", 5, 12]
    assert second[3].startswith("`pay` should be [1, -1] (An +1, Bo -1), not ")


def test_long_values_do_not_make_long_messages(golpae: Golpae) -> None:
    long = "x" * 300_000
    spoilt: list[Any] = [
        [*with_header(players=[long, long]), {"do": long}],
        [HEADER, {"do": long}],
        [*LEGAL[:2], {"do": "put", "by": 0, "tile": long}],
        [*LEGAL[:2], {"do": "put", "by": 10**900, "tile": "1-1"}],
        [*LEGAL[:2], {"do": "put", "by": 0, "tile": "1-1", long: 1}],
        [*LEGAL[:-1], {"do": "end", "winner": 0, "pay": [1] * 100_000}],
        [*with_header(players=[long, long])[:2], {"do": "put", "by": 1, "tile": "3-3"}],
        [{**HEADER, "options": {long: 1}}],
    ]  # fmt: skip
    found = told(golpae, "".join(text(*lines) for lines in spoilt))
    assert [len(message or "") <= 2000 for *_, message in found] == [True] * len(spoilt)
    out = golpae("check", "a.jsonl").out
    assert max(map(len, out.splitlines())) <= 520


def test_names_and_ids_cannot_garble_a_report(golpae: Golpae) -> None:
    nasty = "A\x1b[31m\x07\x9b2J\u2028\u202e\n\x7f"
    players = [nasty, "\U0001f600 An"]
    content = text(*with_header(ILLEGAL, players=players, id=nasty), *with_header(rules=nasty, id=nasty))
    Path("a.jsonl").write_text(content, encoding="utf-8")
    done = golpae("check", "a.jsonl")
    assert (done.out.replace("\n", "") + done.err).isprintable()
    done = golpae("check", "--format", "json", "a.jsonl")
    assert (done.out.replace("\n", "") + done.err).isprintable()
    assert "\U0001f600 An" in done.out
    assert [found["id"] for found in done.json] == [nasty, nasty]
    assert golpae("legal", "--trace", "1", "a.jsonl").out.replace("\n", "").isprintable()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_names_are_printed_in_any_encoding_of_the_terminal(here: Path, encoding: str) -> None:
    Path("a.jsonl").write_text(
        text(*with_header(ILLEGAL, players=["\uae38\ub3d9", "\U0001f600"], id="\u00e9"))
    )
    plain = run("check", "--spec-path", "rules", "a.jsonl", cwd=here, PYTHONIOENCODING=encoding)
    assert (plain.status, plain.err) == (1, "")
    done = run(
        "check", "--spec-path", "rules", "--format", "json", "a.jsonl", cwd=here, PYTHONIOENCODING=encoding
    )
    assert (done.json[0]["id"], done.status) == ("\u00e9", 1)
    assert "\U0001f600" in done.json[0]["message"]


# ---------------------------------------------------------------- archives


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_an_archive_that_is_cut_short_is_malformed_from_there_on(
    golpae: Golpae, pack: Callable[[bytes], bytes]
) -> None:
    kind = "gzip" if pack is gzip.compress else "zstd"
    lines = [json.dumps({"note": os.urandom(4000).hex(), **event}) for event in EVENTS]
    rest = pack(text(*lines).encode())
    first, second = told(golpae, pack((GAME + HEAD).encode()) + rest[: len(rest) // 2], "a.jsonl.gz")
    assert (first[0], second[0]) == ("legal", "malformed")
    assert second[3] == f"the {kind} archive is cut short"


def test_damage_after_a_refused_event_is_reported(golpae: Golpae) -> None:
    whole = gzip.compress(
        text(*ILLEGAL, *({"do": "put", "note": os.urandom(4000).hex()} for _ in range(9))).encode()
    )
    Path("a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    done = golpae("check", "--format", "json", "a.jsonl.gz")
    assert (done.verdicts, done.status) == (["illegal"], 2)
    assert done.err.startswith("golpae: a.jsonl.gz:")
    assert done.err.endswith(": the gzip archive is cut short\n")


# ---------------------------------------------------------------- missing and unreadable files


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("aa.jsonl", "no file or folder `aa.jsonl`\n  help: did you mean `a.jsonl`?\n"),
        ("", "no file or folder ``\n"),
        ("empty", "no traces in folder `empty`\n  help: golpae reads files that end in `.jsonl`, "),
        ("x.jsonl", "no traces in folder `x.jsonl`\n  help: golpae reads files that end in `.jsonl`, "),
        ("a\x1b\nb", "no file or folder `a\\x1b\\nb`\n"),
        ("\udce9", "no file or folder `\\udce9`\n"),
    ],
)
def test_an_unreadable_path_is_reported_and_the_rest_is_checked(golpae: Golpae, path: str, told: str) -> None:
    Path("empty").mkdir()
    Path("x.jsonl").mkdir()
    Path("a.jsonl").write_text(GAME)
    done = golpae("check", path, "a.jsonl")
    assert (done.status, done.out) == (2, "1 trace: 1 legal\n")
    assert done.err.startswith(f"golpae: {told}")
    alone = golpae("check", path)
    assert (alone.status, alone.out) == (2, "")


def test_the_ending_of_a_file_does_not_make_its_name_alike(golpae: Golpae) -> None:
    Path("a.jsonl").write_text(GAME)
    assert golpae("check", "b.jsonl").err == "golpae: no file or folder `b.jsonl`\n"


def test_a_file_that_goes_away_is_reported(golpae: Golpae, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Source.open

    def gone(source: Source) -> Any:
        if source.path == "a.jsonl":
            Path(source.path).unlink()
        return whole(source)

    monkeypatch.setattr(Source, "open", gone)
    Path("a.jsonl").write_text(GAME)
    Path("b.jsonl").write_text(GAME)
    done = golpae("check", "a.jsonl", "b.jsonl")
    assert (done.status, done.out) == (2, "1 trace: 1 legal\n")
    assert done.err == "golpae: `a.jsonl` cannot be read: no such file or directory\n"


def test_an_unreadable_file_in_a_folder_is_reported_and_the_rest_is_checked(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("games").mkdir()
    Path("games/a.jsonl").write_text(GAME)
    Path("games/b.jsonl").write_text(GAME)
    access = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: access(path, mode) and not str(path).endswith("b.jsonl")
    )
    done = golpae("check", "games")
    assert (done.status, done.out) == (2, "1 trace: 1 legal\n")
    assert done.err == f"golpae: `{Path('games/b.jsonl')}` cannot be read: permission denied\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file names")
def test_a_file_name_cannot_garble_a_report(golpae: Golpae) -> None:
    Path("a\x1b[31m\n.jsonl").write_text(text(*ILLEGAL))
    for form in ("text", "json"):
        done = golpae("check", "--format", form, ".")
        assert (done.out.replace("\n", "") + done.err.replace("\n", "")).isprintable()


def test_standard_input_that_is_named_twice_or_closed_is_reported(
    golpae: Golpae, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = golpae("check", "-", "-", stdin=GAME.encode())
    assert (done.status, done.out) == (2, "1 trace: 1 legal\n")
    assert done.err == "golpae: `-` is named twice\n  help: standard input can be read only once\n"
    monkeypatch.setattr(sys, "stdin", None)
    done = golpae("check", "-")
    assert (done.status, done.err) == (2, "golpae: `<stdin>` cannot be read: it is closed\n")


# ---------------------------------------------------------------- the call


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chek", "a"], "golpae: there is no verb `chek`\n  help: did you mean `check`?\n"),
        (["frobnicate"], "golpae: there is no verb `frobnicate`\n  help: the verbs are attribute, "),
        (["check"], "golpae check: FILE is missing\n  help: for example `golpae check games.jsonl`; `golpae "),
        (
            ["check", "--rules", "own.golpae"],
            "golpae check: FILE is missing\n  help: `--rules` has taken `own.golpae`: give `--rules` its own RULES\n",
        ),
        (["compare"], "golpae: a comparison needs two rule sets, and none are named\n  help: for example `golpae "),
        (["legal"], "golpae legal: FILE is missing\n  help: for example `golpae legal games.jsonl`; "),
        (["lint"], "golpae lint: RULES is missing\n  help: for example `golpae lint game.golpae`; "),
        (["perft", "jjak"], "golpae perft: TRACE and DEPTH are missing\n  help: for example `golpae perft "),
        (["perft", "jjak", "a", "x"], "golpae perft: DEPTH must be a whole number, not `x`\n"),
        (["format"], "golpae format: FILE is missing\n  help: for example `golpae format game.golpae`; "),
        (["format", "a.jsonl"], "golpae: `a.jsonl` is a file of traces, not rules\n  help: `golpae check a"),
        (["prove", "jjak", "own"], "golpae: `jjak` has no property `own`, and there is no rule set of that "),
        (["show", "jjak", "reserve"], "golpae: `jjak` has no `reserve`\n  help: it is a zone: show `zones`\n"),
        (["check", "--formt", "json", "a"], "golpae check: there is no option `--formt`\n"),
        (["check", "--form=xml", "a"], "golpae check: there is no option `--form`\n  help: did you mean"),
        (["check", "--format", "xml", "a"], "golpae check: `--format` must be `text`, `json`, `junit`, `sarif`, "),
        (["check", "a", "--format"], "golpae check: `--format` needs a value\n"),
        (["check", "--complete=yes", "a"], "golpae check: `--complete` takes no value\n"),
        (["legal", "--trace", "one", "a"], "golpae legal: `--trace` must be a whole number, not `one`\n"),
        (["legal", "a", "b"], "golpae legal: unexpected argument `b`\n"),
        (["--format", "check"], "golpae check: "),
    ],
)  # fmt: skip
def test_a_wrong_call_gets_a_message(golpae: Golpae, words: list[str], told: str) -> None:
    Path("own.golpae").touch()
    done = golpae(*words, own=False)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(told)


def test_a_file_with_the_name_of_an_unknown_property_is_mentioned(golpae: Golpae) -> None:
    Path("own.golpae").touch()
    done = golpae("prove", "jjak", "own", own=False)
    assert done.status == 2
    assert done.err.endswith("\n  help: there is a file `own.golpae`: write `golpae prove jjak own.golpae`\n")


def test_help_exits_with_0_and_a_call_without_words_with_2(golpae: Golpae) -> None:
    whole = golpae("--help").out
    assert whole.startswith("usage: golpae ")
    assert "`golpae help TOPIC` shows how to call a verb" in whole
    assert golpae("check", "--help", own=False).out.startswith("usage: golpae check ")
    done = golpae("--format")
    assert done.status == 2


# ---------------------------------------------------------------- anything at all

pieces = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(
        [b"\n", b'"', b"{", b"}", b"[", b"]", b":", b",", b"null", b"-1", b"1e5", b"\\u", b"?", GAME.encode()]
    ),
)
edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 9), pieces), min_size=1, max_size=6)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits)
def test_spoilt_files_never_crash_anything(golpae: Golpae, edits: list[tuple[float, int, bytes]]) -> None:
    content = bytearray((GAME + text(*ILLEGAL)).encode())
    for where, cut, piece in edits:
        at = int(where * len(content))
        content[at : at + cut] = piece
    Path("a.jsonl").write_bytes(content)
    done = golpae("check", "--format", "json", "a.jsonl")
    worst = {"malformed": 2, "illegal": 1}
    assert done.status == max((worst.get(verdict, 0) for verdict in done.verdicts), default=0)
    assert golpae("check", "a.jsonl").status == done.status
    assert golpae("legal", "a.jsonl").status in (0, 1, 2)
