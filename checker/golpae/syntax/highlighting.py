"""What each piece of a rule text is, as editors and pages colour it: a keyword, a name, a message, a citation.

Input: the grammar, and a rule text. Output: `patterns()`, regular expressions with the kind of what each matches, which
are tried in their order at each place of a line; and `pieces()`, the pieces of a text by these patterns. Guarantee: the
words of the language come from the grammar alone, with what may stand before and behind each of them: many are names,
too, where the grammar expects one. A text may have faults; a character that no rule text has is a piece of the kind
`error`. A pattern sees one line and uses nothing that Python's `re` and Oniguruma read differently, so the
grammars of editors can repeat it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from golpae.syntax.messages import values_in
from golpae.syntax.parse import grammar

Kind = Literal[
    "comment", "text", "value", "citation", "beginning", "keyword", "declared", "clause", "number", "operator",
    "punctuation", "name", "blank", "error",
]  # fmt: skip

NAMES = ("POSS", "TILE", "NAME")  # in the order in which they are tried
OTHER_NAMES = ("UNIT", "BRINGER")  # a `NAME` in certain places
NUMBERS = ("PERCENT", "INT")
OPERATORS = {
    "COMPARE": r"\s*(?:/=|[<>])",
    "EQUAL": r"\s*=",
    "PLUS": r"\s*[+-]\s",
    "MINUS_SIGN": r"\s*-[\w(]",
    "CIRCUMFLEX": r"\s*\^",
}  # each as it stands behind something
COMMAS = ("_KEY", "_NEXT_RANGE")
FIRST_OF = {"TEXT": r'\s*"', "ANCHOR": r"\s*\["}
LAST_OF = {"TEXT": '(?<=" )', "ANCHOR": r"(?<=\] )"}
TEXTS = frozenset(FIRST_OF)
NO_WORDS = frozenset(
    {*NAMES, *OTHER_NAMES, *NUMBERS, *OPERATORS, *COMMAS, *TEXTS, "_NL", "_INDENT", "_DEDENT"}
)
LINE_ENDS = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
VALUE_ENDS = frozenset({"NAME", "INT", "TILE", "RPAR", "RBRACE", "PERCENT", "UNIT", "BRINGER"})
WORD_END = r"(?![\w'-])"
OF_NOBODY = r"(?<!'s )(?<!\bits )"  # what players and tiles have is a name
NAME_BEHIND = r"\s+[A-Za-z]"
LINE_END = r"\s*(?:$|#)"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression, and what it matches."""

    kind: Kind
    regex: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text: what it is, where it begins, and its characters."""

    kind: Kind
    start: int
    characters: str


# ------------------------------------------------------------------ patterns


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the patterns of all pieces but comments and messages, in the order in which they are tried."""
    words = _Words()
    return (
        Pattern("citation", words.regex["ANCHOR"]),
        Pattern("declared", words.declared()),
        *(Pattern("number", words.regex[name]) for name in NUMBERS if name == "PERCENT"),
        Pattern("number", r"\d+(?![\w-])"),
        Pattern("operator", r":=|/=|<=|>=|[<>=*^+-]"),
        *words.keywords(),
        Pattern("clause", rf"^\s*{words.regex['NAME']}(?=\s*:(?!=))"),
        Pattern("clause", rf"(?<=then ){words.regex['NAME']}(?=\s*:(?!=))"),
        *(Pattern("name", words.regex[name]) for name in NAMES),
        Pattern("punctuation", words.punctuation()),
        Pattern("blank", r"\s+"),
    )


class _Words:
    """The terminals of the grammar, and what can stand before and behind each of them."""

    def __init__(self) -> None:
        lark = grammar()
        self.regex = {one.name: _plain_groups(one.pattern.to_regexp()) for one in lark.terminals}
        self.regex["TIMES"] = self.regex["TIMES"].replace(r"\*|", "")  # the sign is an operator
        self.literal = {one.name: one.pattern.value for one in lark.terminals if one.pattern.type == "str"}
        self.before: dict[str, set[str]] = defaultdict(set)
        self.behind: dict[str, set[str]] = defaultdict(set)
        self._join([(rule.origin.name, [(s.name, s.is_term) for s in rule.expansion]) for rule in lark.rules])

    def _join(self, rules: list[tuple[str, list[tuple[str, bool]]]]) -> None:
        """Note which terminals can stand side by side."""
        empty: set[str] = set()
        first: dict[str, set[str]] = defaultdict(set)
        last: dict[str, set[str]] = defaultdict(set)
        size = -1
        while size != (size := len(empty) + sum(map(len, [*first.values(), *last.values()]))):
            for name, symbols in rules:
                if all(not terminal and symbol in empty for symbol, terminal in symbols):
                    empty.add(name)
                for reached, ordered in ((first, symbols), (last, symbols[::-1])):
                    for symbol, terminal in ordered:
                        reached[name] |= {symbol} if terminal else reached[symbol]
                        if terminal or symbol not in empty:
                            break
        for _, symbols in rules:
            for at, (left, is_terminal) in enumerate(symbols):
                for right, terminal in symbols[at + 1 :]:
                    lefts = {left} if is_terminal else last[left]
                    rights = {right} if terminal else first[right]
                    for one in rights:
                        self.before[one] |= lefts
                    for one in lefts:
                        self.behind[one] |= rights
                    if terminal or right not in empty:
                        break
        for one in first["start"]:
            self.before[one].add("_NL")

    def _is_word(self, name: str) -> bool:
        return name not in NO_WORDS and re.search(r"[a-z]{2}", self.regex[name]) is not None

    def _begins(self, name: str) -> bool:
        """Return whether a word stands at the beginning of a line only."""
        return self._is_word(name) and self.before[name] <= LINE_ENDS

    def keywords(self) -> Iterator[Pattern]:
        """Yield the patterns of the words of the language, words that hold others first."""
        names = [name for name in self.regex if self._is_word(name)]
        for name in sorted(names, key=lambda name: (name in self.literal, -len(self.regex[name]), name)):
            kind: Kind = "beginning" if self._begins(name) else "keyword"
            word = self.regex[name] + self._what_follows(name)
            places = [*self._what_precedes(name)]
            if places:
                yield Pattern(kind, f"(?:{'|'.join(places)}){word}" if len(places) > 1 else places[0] + word)
            if self.before[name] & (LINE_ENDS | VALUE_ENDS):
                yield Pattern(kind, rf"^\s*{word}")

    def _what_precedes(self, name: str) -> Iterator[str]:
        """Yield the possible contexts before a word inside a line: assertions, of which one holds."""
        before = self.before[name]
        if not re.match(r"[a-z(]", self.regex[name]):
            yield ""
            return
        if "LPAR" in before:  # wherever a value can begin
            yield OF_NOBODY
            return
        if before & VALUE_ENDS:
            others = "".join(rf"(?<![ ({{]{word} )" for word in self._between_values(before))
            yield rf"(?<=[\w)}}%] ){OF_NOBODY}{others}"
        for other in sorted(before - LINE_ENDS - VALUE_ENDS):
            if other in COMMAS:
                yield "(?<=, )"
            elif other in TEXTS:
                yield LAST_OF[other]
            elif other in self.literal and self._is_word(other):
                yield f"(?<={self.regex[other]} )"
            elif other in self.literal:
                yield f"(?<={self.regex[other]})"
                yield f"(?<={self.regex[other]} )"
            elif self._is_word(other) and not before & VALUE_ENDS:
                yield r"(?<=\w )"

    def _between_values(self, but: set[str]) -> list[str]:
        """Return the words between two values, such as `and`, without some."""
        return sorted(
            word
            for name, word in self.literal.items()
            if self._is_word(name)
            and name not in but
            and "NAME" in self.before[name]
            and {"NAME", "LPAR"} <= self.behind[name]
        )

    def _looks_ahead(self, name: str) -> bool:
        """Return whether the grammar itself says what stands behind a word."""
        return name not in self.literal and "(?=" in self.regex[name]

    def _what_follows(self, name: str) -> str:
        """Return an assertion about what stands behind a word."""
        if self._looks_ahead(name):
            return ""
        follows = {LINE_END}
        for other in self.behind[name]:
            if other in LINE_ENDS:
                continue
            if other == "COLON":
                follows.add(r"\s*:(?!=)")
            elif other in self.literal and not self._is_word(other):
                follows.add(rf"\s*{self.regex[other]}")
            elif other in self.literal:
                follows.add(rf"\s+{self.regex[other]}{WORD_END}")
            elif other in TEXTS:
                follows.add(FIRST_OF[other])
            elif other in ("INT", "PERCENT", "TILE"):
                follows.add(r"\s+\d")
            elif other in OPERATORS:
                follows.add(OPERATORS[other])
            elif other in COMMAS or other == "HOLDS":
                follows.add(r"\s*,")
            else:
                follows.add(NAME_BEHIND)
        if NAME_BEHIND in follows and "INT" in self.behind[name]:
            follows.remove(NAME_BEHIND)
            between = self._between_values(self.behind[name])
            others = "|".join(word for word in between if "IF" in self.behind[word.upper()])
            follows.add(rf"\s+(?!(?:{others}){WORD_END})[A-Za-z]")
        return f"{WORD_END}(?={'|'.join(sorted(follows))})"

    def declared(self) -> str:
        """Return the pattern of a name behind the word that declares it, and of no word that may stand there too."""
        ahead = []
        words_behind = {f"{self.literal['EACH']}{WORD_END}"}
        for name in sorted(self.regex):
            behind = self.behind[name]
            begins = self._begins(name) or (bool(self.before[name] & LINE_ENDS) and behind == {"NAME"})
            if not self._is_word(name) or not begins or "NAME" not in behind or "INT" in behind:
                continue
            words_behind |= {
                self.regex[one] for one in behind if self._is_word(one) and self._looks_ahead(one)
            }
            for word in _alternatives(self.regex[name]):
                ahead.append(word)
                if "EACH" in behind:
                    owners = [one for one in self.behind["EACH"] if self.literal.get(one, "").endswith("'s")]
                    ahead += [f"{word} each {self.literal[owner]}" for owner in sorted(owners)]
        places = "|".join(rf"(?<=^{indent}{word} )" for word in ahead for indent in ("", "  ", "    "))
        return rf"(?:{places})(?!{'|'.join(sorted(words_behind))}){self.regex['NAME']}"

    def punctuation(self) -> str:
        """Return the pattern of signs that are neither words nor operators."""
        signs = {
            value for name, value in self.literal.items() if name not in OPERATORS and not value[0].isalpha()
        }
        return (
            "|".join(re.escape(sign) for sign in sorted(signs, key=lambda sign: (-len(sign), sign))) + "|'s"
        )


def _plain_groups(regex: str) -> str:
    """Return a regular expression whose groups capture nothing."""
    return re.sub(
        r"\\.|\[(?:\\.|[^\]])*\]|\((?!\?)", lambda match: "(?:" if match[0] == "(" else match[0], regex
    )


def _alternatives(regex: str) -> list[str]:
    """Return the words that the pattern of a terminal matches."""
    return re.findall(r"[a-z]{2,}", re.sub(r"\(\?[=!].*$", "", regex))


# -------------------------------------------------------------------- pieces


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a text from its beginning to its end; together they are the text."""
    start = 0
    for line in text.splitlines(keepends=True):
        yield from _pieces_of_line(line, start)
        start += len(line)


def _pieces_of_line(line: str, offset: int) -> Iterator[Piece]:
    at, end = 0, len(line)
    while at < end:
        if line[at] == "#":
            stop = len(line.rstrip("\r\n"))
            yield Piece("comment", offset + at, line[at:stop])
            at = stop
        elif line[at] == '"':
            close = line.find('"', at + 1)
            stop = close + 1 if close >= 0 else len(line.rstrip("\r\n"))
            yield from _message(line, at, stop, offset)
            at = stop
        else:
            piece = _piece(line, at, end, offset)
            yield piece
            at += len(piece.characters)


def _message(line: str, start: int, stop: int, offset: int) -> Iterator[Piece]:
    """Yield the pieces of a message, whose values are pieces of the language."""
    at = start
    for begin, close in values_in(line[start:stop]):
        begin, close = start + begin, stop if close is None else start + close
        if begin - 1 > at:
            yield Piece("text", offset + at, line[at : begin - 1])
        yield Piece("value", offset + begin - 1, "{")
        at = begin
        while at < close:
            piece = _piece(line, at, stop, offset)
            yield piece
            at += len(piece.characters)
        if close < stop:
            yield Piece("value", offset + close, "}")
        at = close + 1
    if at < stop:
        yield Piece("text", offset + at, line[at:stop])


def _piece(line: str, at: int, end: int, offset: int) -> Piece:
    """Return the piece at a place of a line, of which nothing behind `end` is looked at."""
    regex, kinds = _compiled()
    match = regex.match(line, at, end)
    if match is None or match.lastindex is None:
        return Piece("error", offset + at, line[at])
    return Piece(kinds[match.lastindex - 1], offset + at, match[0])


@cache
def _compiled() -> tuple[re.Pattern[str], tuple[Kind, ...]]:
    """Return one regular expression of all patterns, a group for each, and the kind of each group."""
    joined = "|".join(f"({one.regex})" for one in patterns())
    return re.compile(joined), tuple(one.kind for one in patterns())
