"""Explain to its author why a rule text does not parse.

Input: the place where the parser stopped, the token there and the terminals that it could have taken. Output: a
`Diagnostic`. Guarantee: each usual mistake has its own message; every other message lists what is possible at that
place, in words of the language, never in words of the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from lark import Token

from golpae.diagnostics import Diagnostic, Span, Text, near
from golpae.syntax.habits.blocks import too_deep
from golpae.syntax.habits.effects import effects_follow
from golpae.syntax.habits.named_values import THE_ONE
from golpae.syntax.habits.parts import name_like, other_start, tile_names
from golpae.syntax.habits.places import LOOK, WORD, ending
from golpae.syntax.habits.recognise import at_line_end, habit
from golpae.syntax.habits.rounds import TURN, asks_nothing
from golpae.syntax.habits.values import owner, share_without_word

STARTS = (
    "game include source players option kind order circle tiles zones state define effects conditions shape "
    "arrangement score action deal end finish payout variant reading "
    "replace add drop expect theorem always never reachable ends claim"
).split()

# The grammar's terminals in an author's words. A word of the language is its own terminal in capitals.
TERMINAL_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "TILE": "a tile",
    "TEXT": 'a text in `"quotes"`',
    "ANCHOR": "rule numbers in `[ ]`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "_KEY": "`,`",
    "_NEXT_RANGE": "`,`",
    "SEMICOLON": "`;`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "DOT": "`.`",
    "EQUAL": "`=`",
    "COMPARE": "a comparison",
    "PLUS": "`+`",
    "TIMES": "`*`",
    "CIRCUMFLEX": "`^`",
    "MINUS_SIGN": "`-`",
    "_ITS_OWN": "`'s`",
    "POSS": "an owner such as `p's`",
    "_NL": "the end of the line",
    "_INDENT": "deeper lines",
    "_DEDENT": "the end of the block",
    "COUNT": "how many (`one`, `two`, `4`)",
    "BEFORE": "`before the deal`",
    "HOLDS": "`, holds the set`",
    "SHOWN": "`, shown as`",
    "TOLD": "`told as`",
    "AIM": "`aim`",
    "NOTE": "`note`",
    "_IN_TEAMS": "`in teams of`",
    "_HAND_OVER": "`the hand is over`",
    "_EACH_OF": "`each player's`",
    "_EACH_PLAYER": "`each player`",
    "_EVERY_OTHER": "`every other player`",
    "HIDDEN": "`hidden`",
    "DRAWN": "`drawn as`",
    "LAY_OUT": "`lay out`",
    "EXTRA": "`extra`",
    "ALONE": "`alone`",
    "AFTERWARDS": "`afterwards`",
    "EXPECTED": "`expected` and one of `proved`, `refuted`, `measured`, `bounded`",
    "VERDICT": "`proved`, `refuted`, `measured` or `bounded`",
    "IS_WORD": "`empty` or `none`",
    "NUMBER_OF": "`number of`",
    "SUM_OF": "`sum of`",
    "MOST_OF": "`most of`",
    "LEAST_OF": "`least of`",
    "SIZE_OF": "`size of`",
    "EXTREME": "`the smaller of` or `the larger of`",
    "NEXT_TO": "`next after` or `next before`",
    "PLACE_OF": "`place of`",
    "ROUNDED": "`rounded up to` or `rounded down to`",
    "KINDS_OF": "`kinds of`",
    "FACES_OF": "`faces of`",
    "FRONT_OF": "`front of`",
    "BACK_OF": "`back of`",
    "TOP_OF": "`top of`",
    "AT": "`at`",
    "_CUT": "`cut`",
    "WILD": "`wild`",
    "SLICE": "`first` or `last`",
    "AT_MOST": "`at most`",
    "FROM_END": "`from the back`",
    "REPEAT": "`repeat`",
    "ROUNDS": "`until` or `while`",
    "NEXT": "`next`",
    "LAST": "`last`",
    "ONE": "`one`",
    "EARLIER": "`earlier`",
    "WHERE": "`where x is ...`",
    "_IF_STATED": "`if stated,`",
    "REQUIRES": "`requires`",
    "GROUP": "`effects` or `conditions`",
    "QUANTIFIER": "`some`, `every` or `no`",
    "SHARE": "a share such as `about 14%`",
    "PERCENT": "a percentage such as `14%`",
    "PROPERTY": "a property such as `theorem`",
    "SCORE_FIELD": "a line such as `hand:`",
    "UNIT": "the name of a number",
    "COUNTS": "a line such as `counts: points, doubles`",
    "BRINGER": "a line such as `one brings other`",
}
VALUE = {
    "NAME", "INT", "TILE", "LBRACE", "LPAR", "POSS", "QUANTIFIER", "NO", "NONE", "YES", "ITS", "IF", "NOT",
    "MINUS_SIGN", "THE", "THOSE", "NUMBER_OF", "SUM_OF", "MOST_OF", "LEAST_OF", "SIZE_OF", "KINDS_OF",
    "FRONT_OF", "BACK_OF", "TOP_OF", "EARLIER", "EXTREME", "NEXT_TO", "PLACE_OF", "FACES_OF",
}  # fmt: skip
OPERATOR = {
    "AND", "OR", "IMPLIES", "COMPARE", "EQUAL", "IN", "NOT", "IS", "FITS", "LAY_OUT", "OTHERWISE", "PLUS",
    "TIMES", "CIRCUMFLEX", "AT", "ROUNDED", "_ITS_OWN", "WITHOUT", "WITHIN", "BESIDE",
}  # fmt: skip
EFFECT = {"MOVE", "NOBODY", "SHUFFLE", "ARRANGE", "PASS", "WHEN", "FOR", "REPEAT"}
LINE_END = {"ANCHOR", "_NL", "_DEDENT"}
COMPARISONS = ("=", "/=", "<", ">", "<=", ">=")
# A comparison whose right side ends here; the parser has forgotten it.
CHAINED = re.compile(r"(?<!:)(?:[=<>]|\bin\b)(?:(?!\b(?:and|or|implies|then|else)\b)[^:;=<>\n])+\Z")

OURS = {
    "==": "=", "!=": "/=", "<>": "/=", "=/=": "/=", "=<": "<=", "&&": "and", "&": "and", "||": "or", "|": "or",
    "!": "not", "=>": "implies", "%": "mod", "**": "^", "..": "to",
    "≠": "/=", "≤": "<=", "≥": ">=", "×": "*", "÷": "div", "−": "-", "–": "-", "—": "-",
}  # fmt: skip
# Signs of other languages: the message, and what to write instead.
FOREIGN = {sign: (f"`{sign}` is written `{ours}` here", f"write `{ours}`") for sign, ours in OURS.items()}
FOREIGN |= {
    "//": ("a comment starts with `#` here", "write `#`"),
    "--": ("a comment starts with `#` here", "write `#`"),
    "/": ("`/` is written `div` here", "write `div`: whole numbers only"),
    "->": ("`->` is not a sign of this language", "write `implies`, or `move a from b to c`"),
    "+=": ("`+=` is not a sign of this language", "write `x := x + 1`"),
    "-=": ("`-=` is not a sign of this language", "write `x := x - 1`"),
    "'": ("a text is written in double quotes", 'write `"..."`'),
    "‘": ("a text is written in double quotes", 'write `"..."`'),
    "“": ("a text is written in straight double quotes", 'write `"..."`'),
    "”": ("a text is written in straight double quotes", 'write `"..."`'),
    "„": ("a text is written in straight double quotes", 'write `"..."`'),
    "’": ("this apostrophe is not a straight one", "write `'`, as in `p's hand`"),
}
LONGEST_FIRST = sorted(FOREIGN, key=len, reverse=True)


def diagnose(
    text: Text, characters: str, offset: int, token: Token | None, terminals: Iterable[str]
) -> Diagnostic:
    """Return the fault at `offset`: `token` is there (None: no word at all), and `terminals` are possible."""
    expected = {
        "COMMA" if name in ("_KEY", "_NEXT_RANGE") else name for name in terminals
    }  # a comma before a word and a colon, or before `name in`
    if (
        len(expected) > 1
    ):  # names for values and of numbers may follow nearly everything, and are seldom meant
        expected -= {"WHERE", "UNIT"}
    kind = None if token is None else "NAME" if token.type == "UNIT" else token.type
    if token is None:
        expected.discard("_NL")  # the lexer takes it anywhere, the parser may not
    if kind == "_INDENT":
        return _too_deep(text, offset)
    if offset >= len(text.content) or characters[offset : offset + 1] in ("\n", ""):
        return _at_line_end(text, offset, expected)
    word = _word(text, offset)
    span = Span(text, offset, offset + len(word))
    if "AIM" in expected and "NAME" not in expected:  # a line under `game`
        if word != "aim":
            return too_deep(text, span.start, span.end)
        return Diagnostic("S001", "what players try to do is a text", span, 'write `aim "..."`')
    if "_INDENT" in expected and "DEFINE" not in expected:  # the block may not be left out
        return _at_line_end(text, len(text.content[:offset].rstrip()), expected)
    return (
        share_without_word(text, offset)
        or _foreign(text, offset)
        or habit(text, characters, span, expected)
        or _wrong_sign(text, span, expected)
        or _left_out(text, span, expected, kind)
        or (_no_word(text, span, expected) if token is None else None)
        or _misplaced(text, span, expected)
    )


def _foreign(text: Text, offset: int) -> Diagnostic | None:
    """Diagnose a sign of other languages, which may begin one character earlier."""
    content = text.content
    for sign in LONGEST_FIRST:
        for start in (offset, offset - 1) if len(sign) > 1 else (offset,):
            if start < 0 or not content.startswith(sign, start) or content.startswith("/=", start):
                continue
            if sign == "'" and (unfit := owner(text, start)) is not None:
                return unfit
            if sign == "'" and content[offset - 1 : offset].isalnum():
                message, advice = "an owner is written with `'s`", "write `p's hand`"
            else:
                message, advice = FOREIGN[sign]
                if sign in ("+=", "-=") and (
                    state := ending(rf"(?:{WORD}'s\s+)*{WORD}(?=\s*\Z)", text, start)
                ):
                    advice = f"write `{state[0]} := {state[0]} {sign[0]} 1`"
            return Diagnostic("S001", message, Span(text, start, start + len(sign)), advice)
    return None


def _wrong_sign(text: Text, span: Span, expected: set[str]) -> Diagnostic | None:
    """Diagnose a sign of the language in place of another one."""
    word = span.words
    if word == ":=":
        return Diagnostic(
            "S001", "`:=` sets a value, and only an effect can do that", span, "write `=` to compare"
        )
    if word == "=" and "PAYS" in expected:
        return Diagnostic("S001", "`=` only compares values", span, "write `:=` to set a value")
    if word in COMPARISONS and "COMPARE" not in expected and _is_chained(text, span):
        return Diagnostic("S001", "comparisons cannot be chained", span, "join two comparisons with `and`")
    if re.match(r"[+-]\S", text.content[span.start :]) or (word == "*" and not expected & VALUE):
        advice = "put a space on both sides of `-`, `+` and `*`"
        return Diagnostic("S001", f"unexpected `{_short(word)}`", span, advice)
    return None


def _left_out(text: Text, span: Span, expected: set[str], kind: str | None) -> Diagnostic | None:
    """Diagnose a word that starts something, with something missing before it."""
    word = _short(span.words)
    before = text.content[: span.start].rstrip(" ")
    quantifier = re.search(r"(?<![\w'-])(some|every|no)\Z", before)
    if quantifier is not None and kind == "NAME":
        start = quantifier.start()
        words = text.content[start : span.end]
        advice = f"write `{quantifier[1]} {word} in ...: ...`"
        return Diagnostic("S001", f"`{_short(words)}` lacks `in ...`", Span(text, start, span.end), advice)
    if "COLON" in expected and not expected - OPERATOR - {"COLON", "ANCHOR", "LPAR"} and kind in VALUE:
        if near(word, _keywords(expected)) is None:
            return Diagnostic("S001", f"a `:` is missing before `{word}`", span, f"write `: {word}`")
    return None


def _no_word(text: Text, span: Span, expected: set[str]) -> Diagnostic:
    """Diagnose a character that does not start a word of the language here."""
    word, char = span.words, text.content[span.start]
    if char == "[":
        advice = "write letters and digits, such as `[J7 J8]`"
        return Diagnostic("S001", "this is not a rule number", span, advice)
    if not char.isprintable() or char.isspace():
        message = f"there is an invisible character here (U+{ord(char):04X})"
        return Diagnostic("S001", message, span, "delete it, or write a plain space")
    if char.isdigit():
        message = f"`{_short(word)}` is neither a number nor a tile"
        advice = tile_names(name_like(word, "t")) if "TILE" in expected else "a name starts with a letter"
        return Diagnostic("S001", message, span, advice)
    if char.isalpha():
        advice = "use the letters a to z, digits, `-` and `_`"
        return Diagnostic("S001", f"a name cannot contain `{char}`", span, advice)
    return Diagnostic("S001", f"`{_short(word)}` is not a sign of this language", span, "delete it")


def _misplaced(text: Text, span: Span, expected: set[str]) -> Diagnostic:
    word = _short(span.words)
    _, column = text.position(span.start)
    if column == 1:
        if (other := other_start(text, span)) is not None:
            return other
        advice = near(word.lower(), STARTS)
        starts = "a line at the left edge starts with a word such as `action`, `define`, `variant`"
        return Diagnostic("S001", f"no part of a rule text starts with `{word}`", span, advice or starts)
    if word[:1].isdigit() and not word.isdigit() and "NAME" in expected and "TILE" not in expected:
        return Diagnostic("S001", f"`{word}` cannot be a name here", span, "a name starts with a letter")
    advice = near(word.lower(), _keywords(expected)) if word.isalpha() and len(word) > 1 else None
    before = text.content[: span.start]
    return Diagnostic("S001", f"unexpected `{word}`", span, advice or _advice(expected, before))


def _too_deep(text: Text, offset: int) -> Diagnostic:
    """Diagnose a line that is deeper than the line above it; that line ends at `offset` and does not open a block."""
    start = offset
    while True:
        line = re.compile(r"\s*(#.*)?").match(text.content, start)
        if line is None or line.end() == start:
            break
        start = line.end()
    return too_deep(text, start, start + len(_word(text, start)))


def _at_line_end(text: Text, offset: int, expected: set[str]) -> Diagnostic:
    last = min(offset, len(text.content))
    while last > 0 and text.content[last - 1].isspace():
        last -= 1
    line, _ = text.position(max(0, last - 1))
    start = text.starts[line - 1]
    # leave out a comment after the words
    code = re.match(r'(?:"[^"]*"|[^"#])*', text.content[start:last])
    if code is not None and code.group().strip():
        last = start + len(code.group().rstrip())
    words = text.content[start:last]
    span = Span(text, max(start, last - 1), max(start + 1, last))
    if "_INDENT" in expected:
        message, advice = (
            "this line needs indented lines under it",
            "indent the lines that belong to it by two spaces",
        )
    elif re.search(r"\S\s+else\Z", words) and "COLON" in expected:
        message = "nothing follows this `else`"
        advice = "write the effect after a `:`, such as `else: nobody wins`, or go on under `then when ...`"
    elif "COLON" in expected and (turn := TURN.search(words)) is not None:
        message, advice = asks_nothing(turn)
        span = Span(text, start + turn.start(), last)
    elif "COLON" in expected and (match := THE_ONE.search(words)) is not None:
        message = f"`{match[0]}` asks nothing"
        advice = f"write `{match[0]}: ...` with a question about `{match[1]}`"
        span = Span(text, start + match.start(), last)
    elif "COLON" in expected and "PAYS" not in expected:
        message = "a `:` is missing in this line"
        advice = f"write `{'some x in y' if ':' in words else 'name'}: what has to hold`"
        if effects_follow(text, last):
            advice = (
                f"write `then {words.strip()}`, or `{words.strip()}:`; the lines under it are its effects"
            )
    elif (unfinished := at_line_end(words, expected)) is not None:
        message, advice = unfinished
    elif words.endswith(":"):
        message = "nothing follows this `:`"
        advice = "write a word after the `:`, and go on in deeper lines"
    else:
        message, advice = "this line is incomplete", _advice(expected, text.content[:last])
    return Diagnostic("S005", message, span, advice)


def _keywords(expected: set[str]) -> list[str]:
    """Return those terminals that are words of the language."""
    return [name.lower() for name in expected if name.isalpha() and name not in TERMINAL_WORDS]


def _is_chained(text: Text, span: Span) -> bool:
    """Return whether the words before a comparison are the right side of another one."""
    return CHAINED.search(text.content, max(0, span.start - LOOK), span.start) is not None


def _advice(expected: set[str], before: str) -> str:
    """Return the advice that names up to six things that are possible at this place."""
    rest = set(expected)
    listed: list[str] = []
    if len(rest & VALUE) > 3:
        listed.append("a value such as `p`, `p's hand`, `3` or `{a, b}`")
        rest -= VALUE | {"SHARE"}  # few lines can have a share
    if len(rest & EFFECT) > 3:
        listed.append("an effect such as `move ... from ... to ...`")
        rest -= EFFECT
    if len(rest & OPERATOR) > 2:
        listed.append("an operator such as `and`, `=`, `in`")
        rest -= OPERATOR | {"LPAR"}
    listed += sorted(f"`{word}`" for word in _keywords(rest))
    listed += [TERMINAL_WORDS[name] for name in TERMINAL_WORDS if name in rest - LINE_END]
    if not listed:
        listed = [word for ending, word in UNNAMED.items() if re.search(rf"\b{ending}$", before.rstrip())][:1]
    if before.rstrip().endswith("seen by") and UNNAMED["seen by"] not in listed:
        listed.append(UNNAMED["seen by"])
    if not listed or len(listed) < 4:
        listed += [TERMINAL_WORDS[name] for name in ("_NL", "_DEDENT") if name in rest][:1]
    *some, last = list(dict.fromkeys(listed))[:6] or ["something else"]
    return f"expected {', '.join(some)} or {last}" if some else f"expected {last}"


# Words without a terminal of their own, by the words before them.
UNNAMED = {
    "define each": "`player's` or `tile's`",
    "each": "`player's`",
    "yes or": "`no`",
    "or": "`none`",
    "seen by": "`its owner`",
    "everyone but": "`its owner`",
}


def _short(word: str) -> str:
    return word if len(word) <= 40 else f"{word[:39]}…"


def _word(text: Text, offset: int) -> str:
    pattern = re.compile(r"[A-Za-z][\w-]*('s)?|\d[\w-]*|:=|/=|<=|>=|\"[^\"\n]*\"|\[[^\]\n]*\]|.", re.DOTALL)
    match = pattern.match(text.content, offset)
    return match.group() if match else ""
