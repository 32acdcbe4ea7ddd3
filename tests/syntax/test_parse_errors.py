"""Messages about texts that cannot be parsed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from golpae.bundled import grammar_text
from golpae.diagnostics import CODES, Diagnostic, SpecError, render
from golpae.syntax.parse_errors import TERMINAL_WORDS
from tests.syntax.reading import TEXTS, fault, read

SPACES = "put a space on both sides of `-`, `+` and `*`"
VALUE = "a value such as `p`, `p's hand`, `3` or `{a, b}`"
MISTAKES = {
    "equals twice": ("claim a: b == c", "`==` is written `=` here", "==", "write `=`"),
    "not equal": ("claim a: b != c", "`!=` is written `/=` here", "!=", "write `/=`"),
    "less or greater": ("claim a: b <> c", "`<>` is written `/=` here", "<>", "write `/=`"),
    "signs the other way round": ("claim a: b =< c", "`=<` is written `<=` here", "=<", "write `<=`"),
    "one sign for not equal": ("claim a: b ≠ c", "`≠` is written `/=` here", "≠", "write `/=`"),
    "and": ("claim a: b && c", "`&&` is written `and` here", "&&", "write `and`"),
    "or": ("claim a: b || c", "`||` is written `or` here", "||", "write `or`"),
    "not": ("claim a: !b", "`!` is written `not` here", "!", "write `not`"),
    "double arrow": ("claim a: b => c", "`=>` is written `implies` here", "=>", "write `implies`"),
    "arrow": (
        "claim a: b -> c",
        "`->` is not a sign of this language",
        "->",
        "write `implies`, or `move a from b to c`",
    ),
    "slash": ("claim a: b / c", "`/` is written `div` here", "/", "write `div`: whole numbers only"),
    "slashes": ("claim a: b // c", "a comment starts with `#` here", "//", "write `#`"),
    "percent": ("claim a: b % c", "`%` is written `mod` here", "%", "write `mod`"),
    "stars": ("claim a: b ** c", "`**` is written `^` here", "**", "write `^`"),
    "dash": ("claim a: b – c", "`–` is written `-` here", "–", "write `-`"),
    "dots": ("players 2..4", "`..` is written `to` here", "..", "write `to`"),
    "plus and equals": (
        "end\n  then a += 1",
        "`+=` is not a sign of this language",
        "+=",
        "write `a := a + 1`",
    ),
    "single quotes": ("game a 'A'", "a text is written in double quotes", "'", 'write `"..."`'),
    "typographic quotes": ("game a “A”", "a text is written in straight double quotes", "“", 'write `"..."`'),
    "typographic apostrophe": (
        "claim a: p’s hand",
        "this apostrophe is not a straight one",
        "’",
        "write `'`, as in `p's hand`",
    ),
    "apostrophe alone": (
        "claim a: players' hands",
        "an owner is written with `'s`",
        "'",
        "write `p's hand`",
    ),
    "no spaces around minus": ("claim a: b -c", "unexpected `-`", "-", SPACES),
    "no spaces around plus": ("claim a: b +c", "unexpected `+`", "+", SPACES),
    "chained comparison": (
        "claim a: b < c < d",
        "comparisons cannot be chained",
        "<",
        "join two comparisons with `and`",
    ),
    "chained equals": (
        "claim a: b = c = d",
        "comparisons cannot be chained",
        "=",
        "join two comparisons with `and`",
    ),
    "equals in an effect": (
        "end\n  then a = 1",
        "`=` only compares values",
        "=",
        "write `:=` to set a value",
    ),
    "set in a condition": (
        "claim a: b := 1",
        "`:=` sets a value, and only an effect can do that",
        ":=",
        "write `=` to compare",
    ),
    "missing colon": (
        'end\n  due over "over"',
        "a `:` is missing before `over`",
        "over",
        "write `: over`",
    ),
    "missing colon of a quantifier": (
        "claim a: some b in c d",
        "a `:` is missing before `d`",
        "d",
        "write `: d`",
    ),
    "missing `in`": (
        "claim a: every b: c",
        "`every b` lacks `in ...`",
        "every b",
        "write `every b in ...: ...`",
    ),
    "misspelt word at the left edge": (
        "defien f: 1",
        "no part of a rule text starts with `defien`",
        "defien",
        "did you mean `define`?",
    ),
    "capital at the left edge": (
        "Action a\n  b: c",
        "no part of a rule text starts with `Action`",
        "Action",
        "did you mean `action`?",
    ),
    "unknown word at the left edge": (
        "xyzzy f: 1",
        "no part of a rule text starts with `xyzzy`",
        "xyzzy",
        "a line at the left edge starts with a word such as `action`, `define`, `variant`",
    ),
    "misspelt operator": (
        "claim a: b imples c",
        "unexpected `imples`",
        "imples",
        "did you mean `implies`?",
    ),
    "capitals": ("claim a: b AND c", "unexpected `AND`", "AND", "did you mean `and`?"),
    "misspelt word in a line": (
        "zones\n  a: row sen by nobody",
        "unexpected `sen`",
        "sen",
        "did you mean `seen`?",
    ),
    "missing comma": ("claim a: {b c}", "unexpected `c`", "c", None),
    "square brackets": (
        "claim a: [b, c]",
        "this is not a rule number",
        "[b, c]",
        "write letters and digits, such as `[J7 J8]`",
    ),
    "number and letters": (
        "define 3rd: a",
        "`3rd` cannot be a name here",
        "3rd",
        "a name starts with a letter",
    ),
    "other letters": (
        "claim a: é",
        "a name cannot contain `é`",
        "é",
        "use the letters a to z, digits, `-` and `_`",
    ),
    "hard space": (
        "claim a:\u00a0b",
        "there is an invisible character here (U+00A0)",
        "\u00a0",
        "delete it, or write a plain space",
    ),
    "other signs": ("claim a: b @ c", "`@` is not a sign of this language", "@", "delete it"),
    "wrong viewer": (
        "zones\n  a: row seen by all",
        "no zone is `seen by all`",
        "seen by all",
        "write `seen by nobody`, `everyone`, `its owner`, or `everyone but its owner`",
    ),
    "owner without end": (
        "zones\n  each players hand: row seen by nobody",
        "unexpected `players`",
        "players",
        "expected `player's`",
    ),
    "message in front": (
        'end\n  due: "over" over',
        "a message follows its condition",
        '"over"',
        'write `over "over"`',
    ),
}


@pytest.mark.parametrize(("source", "message", "words", "advice"), MISTAKES.values(), ids=MISTAKES)
def test_a_usual_mistake_gets_a_message_and_advice(
    source: str, message: str, words: str, advice: str | None
) -> None:
    diagnostic, underlined = fault(source + "\n")
    assert (diagnostic.code, diagnostic.message, underlined) == ("S001", message, words)
    assert advice is None or diagnostic.help == advice


STOPS = {
    "after an operator": (
        "claim a: b and # c",
        "this line is incomplete",
        "d",
        f"expected {VALUE}",
    ),
    "before a title": ("game a", "this line is incomplete", "a", 'expected a text in `"quotes"`'),
    "before a name": ("define", "this line is incomplete", "e", "expected `each` or a name"),
    "after `each`": ("define each", "this line is incomplete", "h", "expected `player's` or `tile's`"),
    "before a colon": (
        "end\n  due",
        "a `:` is missing in this line",
        "e",
        "write `name: what has to hold`",
    ),
    "before a quantifier's colon": (
        "claim a: some b in c",
        "a `:` is missing in this line",
        "c",
        "write `some x in y: what has to hold`",
    ),
    "without `else`": (
        "claim a: if b then c",
        "this line is incomplete",
        "c",
        "expected `else`",
    ),
    "before a block, at the end": (
        "action a",
        "this line needs indented lines under it",
        "a",
        "indent the lines that belong to it by two spaces",
    ),
    "before a block, in the text": (
        "tiles # all\n\nzones\n  a: row seen by nobody",
        "this line needs indented lines under it",
        "s",
        "indent the lines that belong to it by two spaces",
    ),
    "before a block of effects": (
        "end\n  then when a\n  b: c",
        "this line needs indented lines under it",
        "a",
        "indent the lines that belong to it by two spaces",
    ),
}


@pytest.mark.parametrize(("source", "message", "words", "advice"), STOPS.values(), ids=STOPS)
def test_a_line_that_stops_too_early_gets_a_message_and_advice(
    source: str, message: str, words: str, advice: str
) -> None:
    diagnostic, underlined = fault(source + "\n")
    assert (diagnostic.code, diagnostic.message, underlined) == ("S005", message, words)
    assert diagnostic.help == advice


def test_a_line_that_is_too_deep_is_underlined() -> None:
    diagnostic, words = fault("include a\n\n  # why\n  include b\n")
    assert (diagnostic.code, words) == ("S003", "include")
    assert diagnostic.message == "this line is indented too far"
    assert diagnostic.help == "put a `:` into the line above, or move this line left"


# ------------------------------------------------------------------------ fuzz

PIECES = re.compile(r'"[^"\n]*"|[A-Za-z][\w-]*(?:\'s)?|\d[\w-]*|:=|/=|<=|>=|\n *|\S| +')
BLOCKS = [block for text in TEXTS for block in re.split(r"\n(?=\S)", text)]
VOCABULARY = sorted({piece for text in TEXTS for piece in PIECES.findall(text) if len(piece) < 30})
CHARACTERS = "\t #\"'“’(){}[]:=;,.!&|%/\\<>~^*+-–×≤≥≠\u00a0\ufeff\r\x0b\x00é한0aZ_\n"


@st.composite
def spoilt_texts(draw: st.DrawFn) -> str:
    """Draw rule texts with pieces and characters left out, doubled, exchanged and put in."""
    text = "\n".join(draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=3))) + "\n"
    for _ in range(draw(st.integers(1, 4))):
        pieces = PIECES.findall(text) or [""]
        if draw(st.booleans()):
            pieces = list(text) or [""]
        places = st.integers(0, len(pieces) - 1)
        here, there = draw(places), draw(places)
        match draw(st.integers(0, 4)):
            case 0:
                del pieces[here]
            case 1:
                pieces.insert(here, pieces[here])
            case 2:
                pieces[here], pieces[there] = pieces[there], pieces[here]
            case 3:
                pieces[here] = draw(st.sampled_from(VOCABULARY) | st.sampled_from(CHARACTERS))
            case _:
                pieces.insert(here, draw(st.sampled_from(VOCABULARY) | st.sampled_from(CHARACTERS)))
        text = "".join(pieces)
    return text


# Names that only the parser uses, in its own letters or in small ones.
OF_THE_PARSER = re.compile(
    r"[A-Z]*_[A-Z]{2,}|\$|ANON|"
    r"`(?:equal|plus|times|semicolon|circumflex|compare|colon|comma|dot|poss|quantifier|text|anchor|int|"
    r"property|lpar|rpar|lbrace|rbrace|__.*?)`"
)


def refusals(source: str) -> tuple[Diagnostic, ...]:
    try:
        read(source)
    except SpecError as refused:
        return refused.diagnostics
    return ()


def check_refusal(source: str) -> None:
    for diagnostic in refusals(source):
        span = diagnostic.span
        assert span is not None
        assert 0 <= span.start < span.end <= len(source)
        assert diagnostic.code in CODES
        assert "\n" not in diagnostic.message
        assert len(diagnostic.message) < 120
        said = f"{diagnostic.message} {diagnostic.help}"
        users = re.escape(span.words[:39])
        assert not OF_THE_PARSER.search(re.sub(rf"`(: )?{users}…?`", "", said))
        assert render(diagnostic)


@settings(deadline=None)
@given(spoilt_texts())
def test_spoilt_texts_are_refused_in_words_of_the_language(source: str) -> None:
    check_refusal(source)


@settings(deadline=None)
@given(st.text() | st.text(st.sampled_from(CHARACTERS + "abp12 \n")))
def test_any_text_is_parsed_or_refused(source: str) -> None:
    check_refusal(source)


@pytest.mark.fuzz
@settings(deadline=None, max_examples=20_000)
@given(spoilt_texts())
def test_many_spoilt_texts_are_refused_in_words_of_the_language(source: str) -> None:
    check_refusal(source)


def test_every_word_of_the_parser_has_a_word_for_authors() -> None:
    """Each terminal of the grammar has an author's word, or is one."""
    named = set(re.findall(r"^([A-Z_]+)(?:\.\d+)?:", grammar_text(), re.MULTILINE))
    own = {
        name for name in named if name.lower() in {"reading", "different", "optional", "its", "no", "none"}
    }
    assert not named - own - set(TERMINAL_WORDS)


@pytest.mark.parametrize(
    "line",
    [
        f'claim a: {"a" * 100_000} = "no"',
        f"claim a: {'in ' * 50_000}= b = c",
        f"claim a: {'1' * 100_000}- 2",
        f"claim a: {'p pays x (' * 20_000}",
    ],
    ids=["one long word", "many words", "many digits", "many brackets"],
)
def test_a_long_faulty_line_is_read_in_a_time_in_proportion(line: str) -> None:
    diagnostic, _ = fault(line)
    assert diagnostic.code.startswith("S")
