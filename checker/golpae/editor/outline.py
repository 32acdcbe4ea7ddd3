"""The parts of a rule text, as an editor lists them.

Input: a text. Output: its parts, those with clauses with these within.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from golpae.diagnostics import Span
from golpae.editor.completing import what_is
from golpae.editor.occurrences import UNNAMED
from golpae.editor.positions import range_of
from golpae.editor.workspace import Parsed
from golpae.syntax import tree as t
from golpae.syntax.traverse import children

KINDS: dict[type[t.Node], lsp.SymbolKind] = {
    t.Game: lsp.SymbolKind.Module,
    t.Zone: lsp.SymbolKind.Variable,
    t.StateVar: lsp.SymbolKind.Variable,
    t.TileGroup: lsp.SymbolKind.Enum,
    t.Kind: lsp.SymbolKind.Enum,
    t.Option: lsp.SymbolKind.Constant,
    t.Define: lsp.SymbolKind.Function,
    t.Action: lsp.SymbolKind.Method,
    t.Group: lsp.SymbolKind.Function,
    t.Shape: lsp.SymbolKind.Struct,
    t.Arrangement: lsp.SymbolKind.Struct,
    t.Score: lsp.SymbolKind.Class,
    t.Pattern: lsp.SymbolKind.Field,
    t.Clause: lsp.SymbolKind.Field,
    t.Property: lsp.SymbolKind.Property,
    t.Variant: lsp.SymbolKind.Interface,
}


def outline(parsed: Parsed) -> list[lsp.DocumentSymbol]:
    """Return the parts of a text in order."""
    return [symbol for decl in parsed.decls for symbol in _symbols(decl)]


def _symbols(node: t.Node) -> list[lsp.DocumentSymbol]:
    """Return a part with those within it; those within alone, if it has no name."""
    within = [symbol for child in children(node) for symbol in _symbols(child)]
    name = getattr(node, "name", None)
    kind = KINDS.get(type(node))
    if kind is None or not isinstance(name, t.Word):
        return within
    same = isinstance(node, t.Define | t.Action)  # whose one clause may have its name
    within = [one for one in within if not (same and one.name == name.text)]
    span = node.span.to(name.span)
    if not _is_written(name) or name.text == UNNAMED:
        return within
    what = "condition" if isinstance(node, t.Clause) else what_is(node)
    return [lsp.DocumentSymbol(name.text, kind, range_of(span), range_of(name.span), what, children=within)]


def _is_written(name: t.Word) -> bool:
    span: Span = name.span
    return span.words == name.text and span.end > span.start
