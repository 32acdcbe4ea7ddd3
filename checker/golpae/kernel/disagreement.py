"""That the compiled path and the reference have different answers: a fault of golpae.

Input: none. Output: the exception that says so, with what it takes to ask both again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class PathDisagreement(RuntimeError):
    """The two ways have different answers. `question` is what both were asked, in words of JSON, and `text` the trace
    that it is about, if it is about one. It can be sent to another process.
    """

    def __init__(self, words: str, question: Mapping[str, Any], text: bytes = b"") -> None:
        super().__init__(words, question, text)
        self.question, self.text = question, text

    def __str__(self) -> str:
        return str(self.args[0])
