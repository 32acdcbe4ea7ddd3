"""What an editor shows of a name: its declaration, the comments above it, its sources, the variants that change it.

Input: a name in a text of a `Workspace`. Output: Markdown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from golpae.editor.occurrences import Occurrence, Symbol
from golpae.editor.workspace import Parsed, Workspace
from golpae.syntax import tree as t

MOST_LINES = 20  # of a declaration


def hover(workspace: Workspace, path: Path, name: Occurrence) -> str | None:
    """Return a description of a name; None if nothing declares it."""
    declarations = workspace.declarations(path, name.symbol)
    parts = [part for parsed, one in declarations for part in _declaration(workspace, parsed, one)]
    if name.symbol.space in ("name", "clause", "pattern") and name.symbol.scope is None:
        parts += _changes(workspace, path, name.symbol)
    return "\n\n".join(dict.fromkeys(parts)) or None


def _declaration(workspace: Workspace, parsed: Parsed, name: Occurrence) -> Iterator[str]:
    node = name.declared
    if node is None:
        yield f"`{parsed.text.name}`"
        return
    if isinstance(node, t.Rule):
        section = "" if node.section is None else f", {node.section}"
        yield f"**{node.name.text}** (source {_source_of(parsed, node)}{section}): {node.gist}"
        return
    if isinstance(node, t.Source):
        yield f"**source {node.number.text}**: {node.title}"
        return
    remarks = getattr(node, "remarks", t.NO_REMARKS)
    said = [*remarks.above, *([] if remarks.behind is None else [remarks.behind])]
    if said:
        yield " ".join(line.lstrip("# ").strip() for line in said)
    yield _code(node.span.words)
    yield from _sources(workspace, parsed, getattr(node, "ids", ()))


def _code(words: str) -> str:
    lines = words.rstrip().splitlines()
    shown = lines[:MOST_LINES] + (["..."] if len(lines) > MOST_LINES else [])
    return "\n".join(("```golpae", *shown, "```"))


def _source_of(parsed: Parsed, rule: t.Rule) -> str:
    sources = [decl for decl in parsed.decls if isinstance(decl, t.Source) and rule in decl.rules]
    return sources[0].number.text if sources else "?"


def _sources(workspace: Workspace, parsed: Parsed, ids: Sequence[t.Word]) -> Iterator[str]:
    """Yield the rules of sources that a part cites."""
    for word in ids:
        for source, one in workspace.declarations(parsed.path, Symbol("rule", word.text)):
            if isinstance(one.declared, t.Rule):
                yield from _declaration(workspace, source, one)


def _changes(workspace: Workspace, path: Path, symbol: Symbol) -> Iterator[str]:
    """Yield lines on the changes that variants and readings make to a part."""
    seen = set()
    for texts in workspace.games(path):
        for parsed in texts:
            for variant in (decl for decl in parsed.decls if isinstance(decl, t.Variant)):
                for delta in variant.deltas:
                    if ".".join(word.text for word in delta.path) == symbol.name and delta not in seen:
                        seen.add(delta)
                        yield f"with **+{variant.name.text}** ({variant.gist}):\n\n{_code(delta.span.words)}"
