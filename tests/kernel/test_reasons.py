"""The reasons why something is not compiled: each names what it is about, and each cause has its own."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from tests.committed import TOP

VAGUE = re.compile(r"\b(such|so (many|few|large)|of this kind|others?)\b")
SHARED = {"a number of more than 62 bits"}  # in a text and in a game: one cause


def reasons() -> Iterator[tuple[str, str]]:
    """Yield where each reason is given, and its words, with `...` for what is put in."""
    for path in sorted((TOP / "checker" / "golpae" / "kernel").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "NotCompiled"
            ):
                place = f"{path.relative_to(TOP)}:{node.lineno}"
                match node.args:
                    case [ast.Constant(value=str(words))]:
                        yield place, words
                    case [ast.JoinedStr(values=parts)]:
                        yield (
                            place,
                            "".join(str(p.value) if isinstance(p, ast.Constant) else "..." for p in parts),
                        )
                    case _:
                        continue  # one that was given elsewhere


def test_there_are_reasons() -> None:
    assert len(list(reasons())) > 80


def test_a_reason_names_what_it_is_about() -> None:
    assert [f"{place}: {words}" for place, words in reasons() if VAGUE.search(words)] == []


def test_two_causes_do_not_share_a_reason() -> None:
    counts = Counter(words for _, words in reasons())
    assert {words for words, many in counts.items() if many > 1} <= SHARED
