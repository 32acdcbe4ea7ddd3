"""A reader of TextMate grammars, as far as golpae's needs one: it stands for an editor.

Input: a grammar, and a text. Output: the innermost scope of each character, "" where a character has none.
It reads `match`, `begin` and `end`, `include`, and `captures` of the whole match with patterns of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

Rule = dict[str, Any]


class Reader:
    """Reads texts by one grammar."""

    def __init__(self, grammar: Rule) -> None:
        self._grammar = grammar
        self._listed: dict[int, list[Rule]] = {}

    def scopes(self, text: str) -> list[str]:
        """Return the scope of each character."""
        out: list[str] = []
        for line in text.splitlines(keepends=True):
            found = [""] * len(line)
            self._read(line.rstrip("\n"), 0, self._grammar, "", found)
            out += found
        return out

    def _read(self, line: str, at: int, rule: Rule, scope: str, found: list[str]) -> int:
        """Fill in the scopes of a line from a place on, inside a rule. Return where the rule ends."""
        rules = self._rules(rule)
        while at < len(line):
            if "end" in rule and (match := _compiled(rule["end"]).match(line, at)):
                found[at : match.end()] = [_whole(rule, "endCaptures").get("name", scope)] * (
                    match.end() - at
                )
                return match.end()
            for inner in rules:
                match = _compiled(inner.get("match") or inner["begin"]).match(line, at)
                if match is None or match.end() == at:
                    continue
                name = inner.get("name") or _whole(inner, "beginCaptures").get("name") or scope
                found[at : match.end()] = [name] * (match.end() - at)
                if "begin" in inner:
                    at = self._read(line, match.end(), inner, "", found)
                else:
                    captured = _whole(inner, "captures")
                    if captured:
                        self._read(line[: match.end()], at, captured, name, found)
                    at = match.end()
                break
            else:
                found[at] = scope
                at += 1
        return at

    def _rules(self, rule: Rule) -> list[Rule]:
        if id(rule) not in self._listed:
            self._listed[id(rule)] = [*self._flat(rule)]
        return self._listed[id(rule)]

    def _flat(self, rule: Rule) -> Iterator[Rule]:
        for inner in rule["patterns"]:
            name = inner.get("include")
            target = inner if name is None else self._grammar["repository"][name.removeprefix("#")]
            if "match" in target or "begin" in target:
                yield target
            else:
                yield from self._flat(target)


def _whole(rule: Rule, key: str) -> Rule:
    """Return what a rule says of its whole match."""
    said: Rule = rule.get(key, {}).get("0", {})
    return said


@cache
def _compiled(regex: str) -> re.Pattern[str]:
    return re.compile(regex)
