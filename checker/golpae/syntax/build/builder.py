"""The whole surface tree of a text, comments included.

Input: the parser's tree and the comments of the text. Output: a `RuleText`. Guarantee: each comment is a remark
of the innermost node that begins in the comment's line; a tree nested too deeply is refused with `SpecError`.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import Any

from lark import Token, Tree, v_args
from lark.tree import Meta

from golpae.diagnostics import Text
from golpae.syntax import tree as t
from golpae.syntax.build.actions import ActionBuilder
from golpae.syntax.build.declarations import DeclarationBuilder
from golpae.syntax.build.definitions import DefinitionBuilder
from golpae.syntax.build.expressions import ExpressionBuilder
from golpae.syntax.build.spans import DEEPEST, too_large
from golpae.syntax.layout import Comment


@v_args(meta=True)
class Builder(DeclarationBuilder, DefinitionBuilder, ActionBuilder, ExpressionBuilder):
    """Builds the surface tree of one text."""

    def __init__(self, text: Text, comments: tuple[Comment, ...]) -> None:
        super().__init__(text)
        # INVARIANT: the comments that no node has taken yet, in order, and the starts of their lines.
        self._comments = [comment for comment in comments if comment.line is not None]
        self._lines = [comment.line or 0 for comment in self._comments]
        self._rest = tuple(comment.words for comment in comments if comment.line is None)

    def transform(self, tree: Tree[Token]) -> t.RuleText:
        level: list[Tree[Token]] = [tree]
        for _ in range(DEEPEST):
            level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if level:
            span = self._span(next((node.meta for node in level if not node.meta.empty), tree.meta))
            raise too_large("this is nested too deeply", span, "give a part of it a name with `define`")
        return super().transform(tree)

    def _call_userfunc(self, tree: Any, new_children: Any = None) -> Any:
        node = super()._call_userfunc(tree, new_children)  # type: ignore[no-untyped-call]
        if self._comments and isinstance(node, t.Node) and hasattr(node, "remarks"):
            return self._remark(node)
        return node

    def _remark(self, node: Any) -> Any:
        """Return the node with the comments of its lines, except those that nodes inside it have taken."""
        start, end = node.span.start, max(node.span.end, node.span.start + 1)
        low, high = bisect_left(self._lines, start), bisect_left(self._lines, end)
        mine = self._comments[low:high]
        if not mine:
            return node
        del self._comments[low:high], self._lines[low:high]
        behind = [c.words for c in mine if c.trailing and c.line == start]
        above = [c.words for c in mine if not (c.trailing and c.line == start)]
        if len(behind) > 1:
            above, behind = above + behind[:-1], behind[-1:]
        return replace(node, remarks=t.Remarks(tuple(above), behind[0] if behind else None))

    def start(self, meta: Meta, children: list[Any]) -> t.RuleText:
        return t.RuleText(tuple(children), self._rest)
