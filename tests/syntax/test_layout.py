"""The layout of lines: lines that belong together, places of comments, and messages about misplaced lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from golpae.diagnostics import Diagnostic, SpecError, Text
from golpae.syntax.layout import lay_out


def grouped(source: str) -> list[str]:
    """Return the joined lines, each with its depth, with single blanks between words."""
    layout = lay_out(Text.of("test", source))
    assert len(layout.characters) in {len(source), len(source) + 1}
    lines: list[str] = []
    depth = start = 0
    for end, (closed, opened) in sorted(layout.breaks.items()):
        lines.append("  " * depth + " ".join(layout.characters[start:end].split()))
        depth += opened - closed
        start = end + 1
    assert depth == 0
    return lines


def comments(source: str) -> list[tuple[str, str | None]]:
    """Return each comment with the first word of the line that it belongs to."""
    found = lay_out(Text.of("test", source)).comments
    return [(c.words, None if c.line is None else source[c.line :].split(maxsplit=1)[0]) for c in found]


def fault(source: str) -> tuple[Diagnostic, str]:
    with pytest.raises(SpecError) as caught:
        lay_out(Text.of("test", source))
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.span is not None
    return diagnostic, diagnostic.span.words


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\nb", ["a", "b"]),
        ("a\n  b\n  c\nd\n", ["a", "  b", "  c", "d"]),
        ("a\n  b\n    c\nd\n", ["a", "  b", "    c", "d"]),
        ("\n\na\n\n\n  b\n\n", ["a", "  b"]),
        ("a\r\n  b\r\n", ["a", "  b"]),
    ],
)
def test_deeper_lines_are_a_block(source: str, expected: list[str]) -> None:
    assert grouped(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a: b\n  c\n    d\n  e\nf\n", ["a: b c d e", "f"]),
        ("a\n  b: c\n    d\n  e\n", ["a", "  b: c d", "  e"]),
        ("a: b:\n  c\n", ["a: b: c"]),
        ("a: b\n  c:\n  d\n", ["a: b c: d"]),
        ('a: b "c"\n  [J1]\n', ['a: b "c" [J1]']),
    ],
)
def test_a_line_with_a_colon_is_continued(source: str, expected: list[str]) -> None:
    assert grouped(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a:\n  b\n", ["a:", "  b"]),
        ("a(b: c)\n  d\n", ["a(b: c)", "  d"]),
        ("a {b: c}\n  d\n", ["a {b: c}", "  d"]),
        ('a "b: c"\n  d\n', ['a "b: c"', "  d"]),
        ("a := b\n  c\n", ["a := b", "  c"]),
        ("a # b: c\n  d\n", ["a", "  d"]),
    ],
)
def test_a_colon_at_the_end_in_brackets_or_in_quotes_continues_nothing(
    source: str, expected: list[str]
) -> None:
    assert grouped(source) == expected


def test_open_brackets_join_lines_however_deep_they_are() -> None:
    assert grouped("a {b,\nc,\n      d}\n  e\nf (\n)\n") == ["a {b, c, d}", "  e", "f ( )"]


def test_a_sign_of_comments_in_quotes_starts_none() -> None:
    assert grouped('a "b # c" # d\n') == ['a "b # c"']
    assert comments('a "b # c" # d\n') == [("d", "a")]


def test_a_comment_belongs_to_its_line_or_the_next_one() -> None:
    source = "# 1\na # 2\n# 3\n  b: c # 4\n    # 5\n    d # 6\n  # 7\n# 8\ne\n# 9\n#\n"
    assert comments(source) == [
        ("1", "a"),
        ("2", "a"),
        ("3", "b:"),
        ("4", "b:"),
        ("5", "b:"),
        ("6", "b:"),
        ("7", "a"),
        ("8", "e"),
        ("9", None),
        ("", None),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# 1\na # 2\n", [("above", "a"), ("behind", "a")]),
        ("a\n  b\n  # 1\n\nc\n", [("below", "a")]),
        ("a\n  b\n    # 1\n  c\n", [("below", "b")]),
        ("a\n  b\n    c\n    # 1\n  # 2\n# 3\nd\n", [("below", "b"), ("below", "a"), ("above", "d")]),
        ("a\n  b\n  # 1\n    # 2\nc\n", [("below", "a"), ("below", "a")]),
        ("a\n  b\n# 1\n  # 2\nc\n", [("above", "c"), ("above", "c")]),
        ("a\n  # 1\n", [("below", "a")]),
        ("a\n# 1\n  b\n", [("above", "b")]),
        ("a: b # 1\n  c # 2\n  # 3\n  d\n", [("above", "a:"), ("above", "a:"), ("above", "a:")]),
        ("a: b # 1\n  c\n", [("behind", "a:")]),
        ("a: b\n  c # 1\n  # 2\n", [("behind", "a:"), ("below", "a:")]),
    ],
)
def test_a_comment_stands_in_the_block_that_is_indented_like_it(
    source: str, expected: list[tuple[str, str]]
) -> None:
    found = lay_out(Text.of("test", source)).comments
    assert [(c.place, source[c.line :].split(maxsplit=1)[0]) for c in found if c.line is not None] == expected


FAULTS = {
    "a tab": ("a\n\tb\n", "S003", "this line is indented with a tab", "\t", "use spaces"),
    "first line": ("  a\n", "S003", "the first line is indented", "a", "start it at the left edge"),
    "between": (
        "a\n    b\n  c\n",
        "S003",
        "this line and line 2 are indented differently",
        "c",
        "let both start at the same column; line 2 starts at column 5",
    ),
    "between, after two lines": (
        "a\n  b\n  c\n d\n",
        "S003",
        "this line and line 3 are indented differently",
        "d",
        "let both start at the same column; line 3 starts at column 3",
    ),
    "between, after a deeper block": (
        "a\n  b\n    c\n d\n",
        "S003",
        "this line and line 2 are indented differently",
        "d",
        "let both start at the same column; line 2 starts at column 3",
    ),
    "quotes": (
        'a "b c\nd\n',
        "S002",
        "this text has no closing quote",
        '"b c',
        'end it with `"` on this line',
    ),
    "open": ("a (b {c}\n", "S004", "this `(` is not closed", "(", "close it with `)`"),
    "closed": (
        "a b}\n",
        "S004",
        "this `}` closes nothing",
        "}",
        "delete it, or add the bracket that opens it",
    ),
    "crossed": (
        "a (b}\n",
        "S004",
        "this `}` closes nothing",
        "}",
        "delete it, or add the bracket that opens it",
    ),
}


@pytest.mark.parametrize(("source", "code", "message", "words", "advice"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_layout_is_refused_with_advice(
    source: str, code: str, message: str, words: str, advice: str
) -> None:
    diagnostic, underlined = fault(source)
    assert (diagnostic.code, diagnostic.message, underlined, diagnostic.help) == (
        code,
        message,
        words,
        advice,
    )


@given(st.text(st.sampled_from('ab :={}()"#\n\t[]')))
def test_any_text_is_laid_out_or_refused(source: str) -> None:
    try:
        layout = lay_out(Text.of("test", source))
    except SpecError:
        diagnostic, words = fault(source)
        assert diagnostic.code in {"S002", "S003", "S004"}
        assert words
        return
    assert len(layout.characters) in {len(source), len(source) + 1}
    assert all(new in {old, " "} for old, new in zip(source, layout.characters, strict=False))
    opened = sum(opened - closed for closed, opened in layout.breaks.values())
    assert opened == 0
