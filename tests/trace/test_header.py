"""Headers of traces, and messages about faulty ones."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golpae.trace import Header, identity, is_header, may_be_header, read_header
from tests.trace.streams import DRAWN, json_values

HEADER: dict[str, object] = {"golpae": 1, "rules": "game", "players": ["An", "Bo"]}


def test_a_header_is_parsed_with_all_its_keys() -> None:
    assert read_header(HEADER) == Header("game", "game", (), ("An", "Bo"), 1, {}, None)
    assert read_header(
        HEADER
        | {
            "rules": "game+x+y",
            "id": 7,
            "stake": 10**30,
            "options": {"n": -2},
            "note": [{"a": 1}],
            "time": None,
        }
    ) == Header("game+x+y", "game", ("x", "y"), ("An", "Bo"), 10**30, {"n": -2}, 7)
    assert is_header(HEADER)
    assert not is_header(DRAWN)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"golpae": True}, "`golpae` must be the whole number 1, not `true`"),
        ({"golpae": 1.0}, "`golpae` must be the whole number 1, not `1.0`"),
        ({"golpae": None}, "`golpae` must be the whole number 1, not `null`"),
        ({"golpae": 2, "seats": 3}, "trace format `2` is unknown: golpae reads format 1"),
        ({"player": []}, "unknown key `player` in the header; did you mean `players`?"),
        ({"x\n": 0}, r"unknown key `x\n` in the header"),
        ({"y" * 100_000: 0}, f"unknown key `{'y' * 60}…` in the header"),
        ({"rules": ["game"]}, '`rules` must be a text such as `base+variant`, not `["game"]`'),
        ({"rules": ""}, "`rules` has an empty name: ``"),
        ({"rules": "game+"}, "`rules` has an empty name: `game+`"),
        ({"rules": "+x"}, "`rules` has an empty name: `+x`"),
        ({"rules": "game++x"}, "`rules` has an empty name: `game++x`"),
        ({"rules": "game+x+y+x"}, "`rules` names the variant `x` twice"),
        ({"players": "An"}, '`players` must be a list of names, not `"An"`'),
        ({"players": []}, "`players` is empty"),
        ({"players": ["An", 2]}, "`players` must be a list of names, but seat 1 is `2`"),
        ({"stake": 0}, "`stake` must be a whole number above 0, not `0`"),
        ({"stake": True}, "`stake` must be a whole number above 0, not `true`"),
        ({"stake": 1.0}, "`stake` must be a whole number above 0, not `1.0`"),
        ({"stake": None}, "`stake` must be a whole number above 0, not `null`"),
        ({"options": []}, '`options` must be an object such as `{"name":1}`, not `[]`'),
        ({"options": {"n": "9"}}, 'option `n` must be a whole number, not `"9"`'),
        ({"options": {"n": False}}, "option `n` must be a whole number, not `false`"),
        ({"id": None}, "`id` must be a text or a whole number, not `null`"),
        ({"id": True}, "`id` must be a text or a whole number, not `true`"),
    ],
)
def test_a_faulty_header_gets_a_message(change: dict[str, object], words: str) -> None:
    assert read_header(HEADER | change) == words


@pytest.mark.parametrize("key", ["rules", "players"])
def test_a_header_without_a_required_key_gets_a_message(key: str) -> None:
    header = {name: value for name, value in HEADER.items() if name != key}
    assert read_header(header) == f"the header lacks the key `{key}`"


def test_a_header_without_the_first_key_is_told_how_one_begins() -> None:
    words = 'this line looks like a header without the key `golpae`; a header begins with `{"golpae":1,`'
    assert read_header({name: value for name, value in HEADER.items() if name != "golpae"}) == words


@pytest.mark.parametrize("written", ["golape", "Golpae", "GOLPAE", " golpae", "golpa", "golpaee"])
def test_a_misspelt_header_is_one_and_is_told_the_key(written: str) -> None:
    header = {(written if name == "golpae" else name): value for name, value in HEADER.items()}
    assert is_header(header)
    words = f"this line looks like a header without the key `golpae`; did you mean `golpae` for `{written}`?"
    assert read_header(header) == words


def test_only_the_first_keys_of_a_long_line_are_compared() -> None:
    long: dict[str, object] = {f"k{n}": "x" for n in range(20)}
    assert not is_header(long | {"rule": "game", "player": ["An"]})
    assert is_header(long | {"rules": "game", "players": ["An"]})


KEYS = [*HEADER, "golape", "rule", "player", "Players", " rules", "do", "Do", "by", "id", "note", "x" * 1000]
LINES = st.dictionaries(st.sampled_from(KEYS), json_values, max_size=5)


@given(LINES | LINES.map(lambda line: HEADER | line), st.sampled_from([(",", ":"), (", ", " : ")]))
def test_every_header_may_be_one(line: dict[str, object], separators: tuple[str, str]) -> None:
    written = json.dumps(line, separators=separators, ensure_ascii=False).encode("utf-8", "replace")
    assert may_be_header(written) or not is_header(line)


@pytest.mark.parametrize("line", [b'{"do":"draw","by":0}\n', b'{"by":0,"do":"draw","tiles":["1b"]}\r\n'])
def test_an_event_as_programs_write_it_is_plainly_no_header(line: bytes) -> None:
    assert not may_be_header(line)


@pytest.mark.parametrize(
    "line",
    [
        b'{"golape":1,"rules":"game","players":["do"]}',
        b'{"golape":1,"rules":"game","players":["An"],"note":{"do":1}}',
    ],
)
def test_a_player_or_a_note_called_do_hides_no_misspelt_header(line: bytes) -> None:
    assert is_header(json.loads(line))
    assert may_be_header(line)


def test_a_faulty_header_still_identifies_its_trace() -> None:
    assert identity({"golpae": 2, "id": "g7", "rules": "game+x+x"}) == ("g7", "game+x+x")
    assert identity({"golpae": 1, "id": True, "rules": 3}) == (None, None)
    assert identity({"golpae": 1, "id": 0}) == (0, None)


@given(st.dictionaries(st.sampled_from([*HEADER, "id", "stake", "options", "note", "zzz"]), json_values))
def test_parsing_a_header_never_raises(change: dict[str, object]) -> None:
    found = read_header(HEADER | change)
    assert isinstance(found, Header) or found.isprintable()
