"""What an engine answers, read strictly.

Input: what an engine returned, or the JSON object that it wrote.
Output: an `Answer`, or `EngineFault`.
Guarantee: an unknown key or a value of the wrong kind is a fault of the engine, never passed over.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from golpae.diagnostics import near
from golpae.diagnostics.hidden import on_one_line

LONGEST = 300  # characters of what an engine says that are shown


class Failing(StrEnum):
    """How an engine fails to answer."""

    GARBAGE = "answers with something else"
    HANGS = "does not answer"
    UNASKED = "says more than it was asked"
    ENDS = "ends"
    RAISES = "fails"


class EngineFault(Exception):
    """An engine gave no answer that can be read. `words` say why."""

    def __init__(self, how: Failing, words: str) -> None:
        super().__init__(how, words)
        self.how, self.words = how, words


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: whether the engine takes what it was given, why not, and what it tells of the position after that.

    What it does not tell is not in `told`. The values of `told` have the kinds of `KINDS`.
    """

    takes: bool
    why: str | None
    told: Mapping[str, Any]


def _is_list_of(kind: type) -> Any:
    return lambda value: isinstance(value, list) and all(type(one) is kind for one in value)


def _is_seat(value: Any) -> bool:
    return value is None or type(value) is int


KINDS: Mapping[str, tuple[str, Any]] = {
    "legal": ("a list of events", _is_list_of(dict)),
    "state": ("an object", lambda value: isinstance(value, dict)),
    "over": ("true or false", lambda value: type(value) is bool),
    "winner": ("a seat, or null", _is_seat),
    "pay": ("a list of whole numbers", _is_list_of(int)),
    "totals": ("a list of whole numbers", _is_list_of(int)),
    "points": ("a whole number, or null", _is_seat),
}
"""What an engine can tell of a position; `points` of a hand."""
KEYS = ("ok", "why", *KINDS)


def answer_of(value: object) -> Answer:
    """Return the answer that an engine gave. Raises `EngineFault`.

    None and true mean that it takes what it was given, false that it does not.
    """
    if value is None or isinstance(value, bool):
        return Answer(value is not False, None, {})
    if not isinstance(value, Mapping):
        raise _garbage(f"an answer is an object, true or false, not {shown(value)}")
    answer = dict(value)
    takes, why = answer.pop("ok", True), answer.pop("why", None)
    if type(takes) is not bool:
        raise _garbage(f"`ok` must be true or false, not {shown(takes)}")
    if why is not None and not isinstance(why, str):
        raise _garbage(f"`why` must be a text, not {shown(why)}")
    for key, one in answer.items():
        if key not in KINDS:
            advice = near(str(key)[:40], KEYS)
            raise _garbage(f"unknown key `{str(key)[:40]}` in an answer{f'; {advice}' if advice else ''}")
        kind, fits = KINDS[key]
        if not fits(one):
            raise _garbage(f"`{key}` must be {kind}, not {shown(one)}")
    return Answer(takes, why, answer if takes else {})


def shown(value: object) -> str:
    """Return a value of an engine in backticks, on one line of bounded length."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    text = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return f"`{on_one_line(text)}`"


def _garbage(words: str) -> EngineFault:
    return EngineFault(Failing.GARBAGE, words)
