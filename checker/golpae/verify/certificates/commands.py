"""Which commands stand in an SMT-LIB script that a stranger may have written.

Input: the bytes of a script. Output: None, or why no solver gets to read it.
Guarantee: a script that passes declares, defines, asserts and asks; it cannot make a solver read or write a file.
What is read is never evaluated, and takes time in proportion to its length.
"""

from __future__ import annotations

import re

ALLOWED = frozenset(
    ("set-logic", "declare-const", "declare-fun", "define-const", "define-fun", "assert", "check-sat", "exit")
)
TOKEN = re.compile(rb'[()]|\|[^|]*\||"(?:[^"]|"")*"|;[^\n]*|[^\s()|";]+|\s+|.', re.DOTALL)
DEEPEST = 2_000


def refusal(script: bytes) -> str | None:
    """Return why a script is refused, or None if it has only commands that a question needs."""
    depth, asked = 0, 0
    begins = ended = False
    command = ""
    for match in TOKEN.finditer(script):
        token = match.group()
        if token[:1] == b";" or token.isspace():
            continue
        if ended:
            return "something follows `exit`"
        if token == b"(":
            if begins:
                return "a command has no name"
            depth += 1
            if depth > DEEPEST:
                return f"its terms are nested more than {DEEPEST:,} deep"
            begins = depth == 1
        elif token == b")":
            if depth == 0 or begins:
                return "its brackets do not match"
            depth -= 1
            if depth == 0 and command == "exit":
                ended = True
        elif depth == 0:
            return f"`{_short(token)}` stands outside of a command"
        elif token in (b"|", b'"'):
            return f"a `{_short(token)}` is not closed"
        elif begins:
            command = _short(token)
            if command not in ALLOWED:
                return f"it has the command `{command}`"
            asked += command == "check-sat"
            begins = False
        elif token == b"!":
            return "it annotates a term with `!`"
    if depth:
        return "it breaks off"
    return None if asked == 1 else f"it asks {asked} times"


def _short(token: bytes) -> str:
    return token[:40].decode("ascii", "replace")
