"""Rule texts spoilt at random, as a hurried author or a bad paste would spoil them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

WORD = re.compile(r"\"[^\"\n]*\"|[A-Za-z][\w-]*(?:'s)?|\d[\w-]*|:=|/=|<=|>=|[^\s\w]")
STRANGE = (
    "",
    "none",
    "yes",
    "it",
    "its",
    "p's",
    "{}",
    "{",
    ")",
    "[Q9]",
    "99999999999999999999",
    "-1",
    "\t",
    "é",
    '"',
)


def spoilt(text: str, chance: random.Random, times: int) -> str:
    """Return the text after so many random changes."""
    for _ in range(times):
        text = chance.choice(CHANGES)(text, chance)
    return text


def _word(text: str, chance: random.Random) -> re.Match[str] | None:
    """Return a word of the text."""
    return WORD.search(text, chance.randrange(len(text))) if text else None


def _with(text: str, found: re.Match[str] | None, words: str) -> str:
    return text if found is None else text[: found.start()] + words + text[found.end() :]


def drop_a_word(text: str, chance: random.Random) -> str:
    return _with(text, _word(text, chance), "")


def double_a_word(text: str, chance: random.Random) -> str:
    found = _word(text, chance)
    return text if found is None else _with(text, found, f"{found[0]} {found[0]}")


def swap_two_words(text: str, chance: random.Random) -> str:
    one, other = sorted((_word(text, chance), _word(text, chance)), key=lambda m: m.start() if m else -1)
    if one is None or other is None or one.end() > other.start():
        return text
    return text[: one.start()] + other[0] + text[one.end() : other.start()] + one[0] + text[other.end() :]


def put_another_word(text: str, chance: random.Random) -> str:
    other = _word(text, chance)
    return text if other is None else _with(text, _word(text, chance), other[0])


def put_a_strange_word(text: str, chance: random.Random) -> str:
    return _with(text, _word(text, chance), chance.choice(STRANGE))


def misspell_a_word(text: str, chance: random.Random) -> str:
    found = _word(text, chance)
    if found is None or len(found[0]) < 2:
        return text
    at = chance.randrange(len(found[0]) - 1)
    return _with(text, found, found[0][:at] + found[0][at + 1] + found[0][at] + found[0][at + 2 :])


def _line(text: str, chance: random.Random) -> tuple[list[str], int]:
    lines = text.split("\n")
    return lines, chance.randrange(len(lines))


def drop_a_line(text: str, chance: random.Random) -> str:
    lines, at = _line(text, chance)
    return "\n".join([*lines[:at], *lines[at + 1 :]])


def double_a_line(text: str, chance: random.Random) -> str:
    lines, at = _line(text, chance)
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def swap_two_lines(text: str, chance: random.Random) -> str:
    lines, at = _line(text, chance)
    other = chance.randrange(len(lines))
    lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def join_two_lines(text: str, chance: random.Random) -> str:
    lines, at = _line(text, chance)
    return "\n".join([*lines[:at], " ".join(lines[at : at + 2]), *lines[at + 2 :]])


def indent_a_line(text: str, chance: random.Random) -> str:
    lines, at = _line(text, chance)
    lines[at] = lines[at][1:] if chance.random() < 0.5 else f"  {lines[at]}"
    return "\n".join(lines)


def break_off(text: str, chance: random.Random) -> str:
    """Cut the end of the text off. This is rare, because it leaves little to spoil."""
    return text[: chance.randrange(len(text))] if text and chance.random() < 0.1 else text


CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    drop_a_word,
    double_a_word,
    swap_two_words,
    put_another_word,
    put_another_word,
    put_another_word,
    put_a_strange_word,
    misspell_a_word,
    misspell_a_word,
    drop_a_line,
    double_a_line,
    swap_two_lines,
    join_two_lines,
    indent_a_line,
    break_off,
)
