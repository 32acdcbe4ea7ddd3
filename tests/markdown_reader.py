"""Reads Markdown as a browser would show it.

Input: a text of Markdown. Output: the kinds of its marks, and the texts that a reader sees.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
NOTHING = re.compile(r"<!-- -->")


def shown(text: str) -> tuple[list[str], list[str]]:
    """Return the kinds of the marks in a text of Markdown, and the texts that a reader sees."""
    marks, texts = [], []
    for block in READER.parse(text):
        for token in (block, *(block.children or ())):
            if token.type in ("text", "code_inline", "fence"):
                texts.append(token.content)
            elif token.type not in ("inline", "softbreak") and not (
                token.type == "html_inline" and NOTHING.fullmatch(token.content)
            ):
                marks.append(token.type)
    return marks, texts


def prose(text: str) -> list[str]:
    """Return the texts that are no code, as far as nothing stands within them."""
    tokens = [token for block in READER.parse(text) for token in (block.children or ())]
    return [token.content for token in tokens if token.type == "text"]
