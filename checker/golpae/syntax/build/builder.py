"""The whole surface tree of a text, comments included.

Input: the parser's tree and the comments of the text. Output: a `RuleText`. Guarantee: each comment is a remark
of the node that its line begins with; a tree nested too deeply is refused with `SpecError`.
"""

from __future__ import annotations

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
from golpae.syntax.build.words import WordsBuilder
from golpae.syntax.comments import PlacedComment


@v_args(meta=True)
class Builder(DeclarationBuilder, WordsBuilder, DefinitionBuilder, ActionBuilder, ExpressionBuilder):
    """Builds the surface tree of one text."""

    def __init__(self, text: Text, comments: tuple[PlacedComment, ...]) -> None:
        super().__init__(text)
        self._rest = tuple(comment.words for comment in comments if comment.line is None)
        for comment in comments:
            if comment.line is not None:
                self.comments.setdefault(comment.line, []).append(comment)

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
        if self.comments and isinstance(node, t.Node) and hasattr(node, "remarks"):
            return self.remarked(node)
        return node

    def start(self, meta: Meta, children: list[Any]) -> t.RuleText:
        if self.comments:
            raise AssertionError(f"comments of lines that no node begins: {self.comments}")
        return t.RuleText(tuple(children), self._rest)
