"""The fault of a line that may have one.

Input: a line of bounded length and depth. Output: its JSON value, if it is JSON, and the fault, if it has one.
Guarantee: each fault has its column, which the reader's fast decoder does not give. This module is slow: it uses
Python's own JSON reader.
"""

import json
import math
import re
from typing import NoReturn

from golpae.trace.quote import quoted

_EXPECTED = {
    "Expecting value": "a value",
    "Expecting ',' delimiter": "a comma or a closing bracket",
    "Expecting ':' delimiter": "a colon",
    "Expecting property name enclosed in double quotes": "a key in double quotes",
}
_WRONG = {
    "Extra data": "more text after the end of the object",
    "Invalid control character at": "a control character inside a text",
    "Invalid control character": "a control character inside a text",
    "Invalid \\escape": "a backslash that escapes nothing",
    "Invalid \\uXXXX escape": "a backslash that escapes nothing",
    "Unexpected UTF-8 BOM (decode using utf-8-sig)": "a byte order mark inside the file",
}
_OPEN_TEXT = "Unterminated string starting at"
_TOO_MANY_COMMAS = re.compile(r"(?<!:),[ \t\r]*[\]}]")


class _NotJson(Exception):
    pass


def decode_with_fault(line: bytes, most_digits: int) -> tuple[object, str | None]:
    """Return the value of a line and its fault. A fault alone (value None) means that the line is not JSON.

    With both, the line is JSON; in its value, numbers out of bounds are 0 and half surrogate pairs are question
    marks.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        if line.startswith((b"\xff\xfe", b"\xfe\xff")):
            return None, "not UTF-8: this looks like UTF-16"
        return None, f"not UTF-8 at byte {error.start + 1}"

    faults: list[str] = []

    def whole(digits: str) -> int:
        if len(digits.lstrip("-")) > most_digits:
            faults.append(f"a number of more than {most_digits} digits")
            return 0
        return int(digits)

    def broken(number: str) -> float:
        value = float(number)
        if math.isinf(value):
            faults.append(f"the number {quoted(number)} is too large")
            return 0.0
        return value

    def constant(name: str) -> NoReturn:
        raise _NotJson(f"not JSON: {quoted(name)} is not a JSON number")

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        members_by_key = dict(pairs)
        if len(members_by_key) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    faults.append(f"the key {quoted(key)} is given twice")
                    break
                seen.add(key)
        return members_by_key

    try:
        value: object = json.loads(
            text, object_pairs_hook=members, parse_int=whole, parse_float=broken, parse_constant=constant
        )
    except _NotJson as error:
        return None, str(error)
    except json.JSONDecodeError as error:
        return None, f"not JSON: {_words(error, text)}"

    if "\\u" in text:
        plain = json.dumps(value, ensure_ascii=False)
        try:
            plain.encode()
        except UnicodeEncodeError as error:
            faults.append(f"half of a surrogate pair, {quoted(plain[error.start])}, in a text")
            value = json.loads(plain.encode(errors="replace"))
    return value, faults[0] if faults else None


def _words(error: json.JSONDecodeError, text: str) -> str:
    """Return a fault of Python's JSON reader in a player's words."""
    place = error.pos
    if error.msg == _OPEN_TEXT:
        return f"the text that begins at column {place + 1} has no closing quote"
    expected = _EXPECTED.get(error.msg)
    if expected and place >= len(text.rstrip()):
        if text.strip() == "{":
            return "golpae reads one object a line; this object goes on in the next line"
        words = f"the line ends after column {place}, where {expected} was expected"
        goes_on = text.lstrip()[:1] == "{" and text.rstrip()[-1] in "{[,"
        return f"{words}; golpae reads one object a line" if goes_on else words
    # Newer versions of Python point at the comma, older ones at the bracket after it.
    comma = len(text[:place].rstrip()) - 1 if text[place : place + 1] in ("]", "}") else place
    if _TOO_MANY_COMMAS.match(text, max(comma, 0)):
        return f"a comma too many at column {comma + 1}"
    if expected:
        return f"{expected} was expected at column {place + 1}"
    wrong = _WRONG.get(error.msg.rstrip(": ")) or error.msg[:1].lower() + error.msg[1:]
    return f"{wrong} at column {place + 1}"
