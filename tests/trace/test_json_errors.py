"""Messages about lines that are no JSON objects, and about faulty JSON objects."""

import pytest

from tests.trace.streams import fault, read

GOES_ON = "; golpae reads one object a line"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"do":', "not JSON: the line ends after column 6, where a value was expected"),
        (
            b'{"do":1',
            "not JSON: the line ends after column 7, where a comma or a closing bracket was expected",
        ),
        (b'{"do":"draw', "not JSON: the text that begins at column 7 has no closing quote"),
        (b'{"a":1,}', "not JSON: a comma too many at column 7"),
        (b'{"a":[1, ]}', "not JSON: a comma too many at column 8"),
        (b'{"a":,}', "not JSON: a value was expected at column 6"),
        (b"{'a':1}", "not JSON: a key in double quotes was expected at column 2"),
        (b'{"a" 1}', "not JSON: a colon was expected at column 6"),
        (b'{"a":1 "b":2}', "not JSON: a comma or a closing bracket was expected at column 8"),
        (b'{"a":1}{"b":2}', "not JSON: more text after the end of the object at column 8"),
        (b'{"a":"\x1b"}', "not JSON: a control character inside a text at column 7"),
        (b'{"a":"\\x"}', "not JSON: a backslash that escapes nothing at column 7"),
        (b'{"a":NaN}', "not JSON: `NaN` is not a JSON number"),
        (b'{"a":-Infinity}', "not JSON: `-Infinity` is not a JSON number"),
        (b'{"a":Infinity}', "not JSON: `Infinity` is not a JSON number"),
        (b'{"a":01}', "not JSON: a comma or a closing bracket was expected at column 7"),
        ('{"ä":tru}'.encode(), "not JSON: a value was expected at column 6"),
        (b"\x00\x01\x02\x03", "not JSON: a value was expected at column 1"),
        (b"{", "not JSON: golpae reads one object a line; this object goes on in the next line"),
        (
            b'{"a":1,',
            f"not JSON: the line ends after column 7, where a key in double quotes was expected{GOES_ON}",
        ),
        (b"An draws 4-2", "not JSON: a value was expected at column 1"),
        (b'{"a":"\xff"}', "not UTF-8 at byte 7"),
        (b'{"\xc3\xa4":"\xed\xa0\x80"}', "not UTF-8 at byte 8"),
        ('{"a":1}'.encode("utf-16"), "not UTF-8: this looks like UTF-16"),
        (b"[1]", "this line must be a JSON object, not a list"),
        (b'"draw"', "this line must be a JSON object, not a text"),
        (b"7", "this line must be a JSON object, not a number"),
        (b"7.5", "this line must be a JSON object, not a number"),
        (b"true", "this line must be a JSON object, not true"),
        (b"null", "this line must be a JSON object, not null"),
        (b'[{"a":1,"a":2}]', "this line must be a JSON object, not a list"),
    ],
)
def test_anything_but_a_json_object_gets_a_message(line: bytes, words: str) -> None:
    assert fault(line) == words


@pytest.mark.parametrize(
    ("line", "value", "words"),
    [
        (b'{"do":"draw","do":"draw"}', {"do": "draw"}, "the key `do` is given twice"),
        (b'{"golpae":1,"golpae":1}', {"golpae": 1}, "the key `golpae` is given twice"),
        (
            b'{"golpae":1,"options":{"n":1,"n":2}}',
            {"golpae": 1, "options": {"n": 2}},
            "the key `n` is given twice",
        ),
        (b'{"a":[0,{"b":[{"c":1,"c":2}]}]}', {"a": [0, {"b": [{"c": 2}]}]}, "the key `c` is given twice"),
        (b'{"a":1,"a" :1}', {"a": 1}, "the key `a` is given twice"),
        (b'{"a" \r:1,"a":1}', {"a": 1}, "the key `a` is given twice"),
        (b'{"a":":","\\u0061":2}', {"a": 2}, "the key `a` is given twice"),
        (b'{"a\\u001b[1m":1,"a\\u001b[1m" \t:1}', {"a\x1b[1m": 1}, r"the key `a\x1b[1m` is given twice"),
        (b'{"a":"\\ud800"}', {"a": "?"}, r"half of a surrogate pair, `\ud800`, in a text"),
        (b'{"\\udc00":1}', {"?": 1}, r"half of a surrogate pair, `\udc00`, in a text"),
        (b'{"a":' + b"9" * 1001 + b"}", {"a": 0}, "a number of more than 1000 digits"),
        (b'{"a":-' + b"9" * 5000 + b"}", {"a": 0}, "a number of more than 1000 digits"),
        (b'{"a":-1e999}', {"a": 0.0}, "the number `-1e999` is too large"),
    ],
)
def test_a_faulty_json_object_comes_with_its_fault(line: bytes, value: object, words: str) -> None:
    assert read(line) == [(1, value, words)]
