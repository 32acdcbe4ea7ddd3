"""Numbers of things, and options of tables, in words.

Input: a number, and the word for one thing; options. Output: words, for one thing or for several.
"""

from collections.abc import Mapping

NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve".split()
"""Numbers as authors may write them, each at its place."""


def many(number: int, what: str) -> str:
    """Return a number of things: `1 event`, `2,000 events`, `2 properties`, `2 kinds of tiles`, `2 more events`."""
    if number == 1:
        return f"1 {what}"
    noun, of, rest = what.partition(" of ")
    more = f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"
    return f"{number:,} {more}{of}{rest}"


def options_in_words(options: Mapping[str, object]) -> list[str]:
    """Return the options of a table, each in words: `double 6`."""
    return [f"{name} {value}" for name, value in options.items()]
