"""The lines of a trace file: their numbers, values and bounds."""

import json
from io import BytesIO
from typing import BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.trace import MAX_LINE, lines
from tests.trace.streams import DRAW, DRAWN, TOO_LONG, Line, Stream, fault, json_values, peak, read, stream


def test_lines_are_numbered_and_blank_ones_counted() -> None:
    assert read(b"\n" + DRAW + b"\n \t\r\n\n" + DRAW + b"\n\n") == [(2, DRAWN, None), (5, DRAWN, None)]


def test_an_empty_file_has_no_lines() -> None:
    assert read(b"") == read(b"\n") == read(b" ") == read(b"\xef\xbb\xbf") == read(b"\xef\xbb\xbf\n") == []


def test_the_last_line_needs_no_newline() -> None:
    assert read(DRAW + b"\n" + DRAW) == [(1, DRAWN, None), (2, DRAWN, None)]


def test_windows_line_ends_are_read() -> None:
    assert read(DRAW + b"\r\n\r\n" + DRAW + b"\r\n") == [(1, DRAWN, None), (3, DRAWN, None)]


def test_a_byte_order_mark_is_skipped_at_the_very_start_only() -> None:
    bom = b"\xef\xbb\xbf"
    assert read(bom + DRAW + b"\n" + bom + DRAW) == [
        (1, DRAWN, None),
        (2, None, "not JSON: a byte order mark inside the file at column 1"),
    ]
    assert read(bom + b'{"a":1,"a":2}') == [(1, {"a": 2}, "the key `a` is given twice")]
    assert read(bom + b'{"a":') == [
        (1, None, "not JSON: the line ends after column 5, where a value was expected")
    ]


@pytest.mark.parametrize(
    "line",
    [
        b'{"time":"12:30:00","note":"a\\":b, \\"c\\" :d"}',
        b'{"note":{"a":1,"b":{"a":2,"c":[{"a":3},{"a":4}]}},"a":5}',
        b' { "a" : 1 , "b" : { "a" : "::" } } ',
        b'{"a":"\\ud83c\\udc00","b":"\xf0\x9f\x80\x80"}',
        b'{"":"","a":{"":0}}',
        b'{"a":"' + b":" * 3000 + b'"}',
        b'{"note":"' + b"1" * 3000 + b'"}',
        b'{"note":"' + b"[" * 3000 + b'"}',
    ],
)
def test_colons_digits_and_brackets_inside_texts_are_no_fault(line: bytes) -> None:
    assert read(line) == [(1, json.loads(line), None)]


def test_numbers_keep_their_kind_and_value() -> None:
    big = 10**400
    ((_, value, words),) = read(b'{"a":1,"b":1.0,"c":true,"d":%d,"e":-%d,"f":1e2,"g":%d}' % (big, big, 2**64))
    assert words is None
    assert value is not None
    assert [(type(v), v) for v in value.values()] == [
        (int, 1),
        (float, 1.0),
        (bool, True),
        (int, big),
        (int, -big),
        (float, 100.0),
        (int, 2**64),
    ]
    ((_, value, words),) = read(b'{"a":' + b"9" * 1000 + b"}")
    assert (value, words) == ({"a": 10**1000 - 1}, None)


def test_nesting_is_bounded() -> None:
    deep = b'{"a":' + b"[" * 99 + b"]" * 99 + b"}"
    assert read(deep)[0][2] is None
    deeper = b'{"a":' + b"[" * 100 + b"]" * 100 + b"}"
    assert fault(deeper) == "nested deeper than 100 at column 105"
    assert fault(b'{"\xc3\xa4]]":' + b"[" * 10_000) == "nested deeper than 100 at column 107"
    assert fault(b'{"a":' * 10_000 + b"1" + b"}" * 10_000) == "nested deeper than 100 at column 501"
    wide = b'{"a":[' + b",".join([b'{"b":["]"]}'] * 500) + b"]}"
    assert read(wide)[0][2] is None


def test_the_longest_line_is_read_and_one_byte_more_refused() -> None:
    longest = b'{"a":"' + b"x" * (MAX_LINE - 8) + b'"}'
    assert len(longest) == MAX_LINE
    assert [words for _, _, words in read(longest + b"\n" + b" " + longest + b"\n" + longest)] == [
        None,
        TOO_LONG,
        None,
    ]


def test_a_line_of_100_mb_is_skipped_in_little_memory() -> None:
    block = b"x" * (1 << 16)
    found: list[Line] = []

    def work() -> None:
        pieces = (
            piece for part in ([DRAW + b'\n{"a":"'], [block] * 1600, [b'"}\n' + DRAW]) for piece in part
        )
        found.extend(lines(stream(pieces)))

    assert peak(work) < 6 << 20
    assert found == [(1, DRAWN, None), (2, None, TOO_LONG), (3, DRAWN, None)]


def test_an_endless_line_is_reported_before_it_ends() -> None:
    endless = Stream(iter(lambda: b"[" * (1 << 16), None))
    assert next(lines(cast(BinaryIO, endless))) == (1, None, TOO_LONG)
    assert endless.reads <= 2 + MAX_LINE // (1 << 16)


def test_lines_come_as_soon_as_they_arrive() -> None:
    slow = Stream([DRAW[:2], DRAW[2:] + b"\n" + DRAW, b"\n"])
    reader = lines(cast(BinaryIO, slow))
    assert next(reader) == (1, DRAWN, None)
    assert slow.reads == 2


def test_a_stream_in_single_bytes_reads_the_same() -> None:
    data = DRAW + b"\r\n\n[1]\n" + DRAW
    assert list(lines(stream(data[i : i + 1] for i in range(len(data))))) == read(data)


def test_a_failing_disk_is_a_fault_at_the_line_reached() -> None:
    broken = stream([DRAW + b"\n" + DRAW[:5], OSError(5, "Input/output error"), DRAW])
    assert list(lines(broken)) == [
        (1, DRAWN, None),
        (2, None, "this line cannot be read to its end: input/output error"),
    ]


@given(st.dictionaries(st.text(), json_values), st.booleans(), st.booleans())
def test_every_json_object_reads_as_the_json_module_reads_it(
    value: dict[str, object], escaped: bool, spaced: bool
) -> None:
    text = json.dumps(value, ensure_ascii=escaped, separators=(" ,", " : ") if spaced else (",", ":"))
    assert read(text.encode()) == [(1, value, None)]


pairs = st.lists(st.tuples(st.sampled_from(["a", "b", ":", '"', "é"]), json_values), max_size=6)


@given(pairs, pairs)
def test_exactly_the_keys_given_twice_are_reported(
    outer: list[tuple[str, object]], inner: list[tuple[str, object]]
) -> None:
    def written(members: list[tuple[str, str]]) -> str:
        return "{" + ",".join(f"{json.dumps(key)}:{value}" for key, value in members) + "}"

    nested = written([(key, json.dumps(value)) for key, value in inner])
    text = written([(key, json.dumps(value)) for key, value in outer] + [("inner", nested)])
    twice = any(len({key for key, _ in members}) < len(members) for members in (outer, inner))
    ((number, value, words),) = read(text.encode())
    assert (number, value) == (1, json.loads(text))
    assert ("is given twice" in words) if words else not twice
    assert (words is None) == (not twice)


snippets = st.sampled_from(
    [DRAW, b'"', b"{", b"}", b":", b",", b"[", b"]", b"\\u", b"d800", b"\xef\xbb\xbf", b"\r", b"1e999", b"\n"]
)
junk = st.lists(st.binary(max_size=20) | snippets, max_size=30).map(b"".join)


@settings(max_examples=400)
@given(junk)
def test_random_bytes_give_faults_at_the_right_lines_and_never_raise(data: bytes) -> None:
    # Not an archive: those have their own test below.
    data = b"\n" + data
    text = data.split(b"\n")
    blank = {n for n, line in enumerate(text, 1) if not line.strip()}
    found = read(data)
    assert [number for number, _, _ in found] == [n for n in range(1, len(text) + 1) if n not in blank]
    for number, value, words in found:
        try:
            expected = json.loads(text[number - 1].decode())
        except ValueError:
            expected = None
        assert (value is None) == (not isinstance(expected, dict))
        assert (value is not None and value == expected) or words
        if words:
            assert words.isprintable()
        if value is not None:
            assert json.dumps(value, ensure_ascii=False).encode()


@pytest.mark.parametrize("blank", [b"\n", b" \n", b"  \n", b"\t\r\n"])
def test_blank_lines_of_any_kind_are_counted_across_blocks(blank: bytes) -> None:
    (found,) = lines(BytesIO(blank * 100_001 + b'  {"a": 1}'))
    assert found == (100_002, {"a": 1}, None)


def test_very_many_blank_lines_are_counted() -> None:
    blank = b"\n" * 1_000_003 + b" \r\n" * 1_003 + b"  "
    found = list(lines(BytesIO(blank + b'{"a": 1}\n' + blank + b"\n\n5")))
    assert [number for number, _, _ in found] == [1_001_007, 2_002_016]
    assert found[0] == (1_001_007, {"a": 1}, None)
