"""Surface trees to rule texts: the one style.

Input: a `RuleText`, or one node of it. Output: text that parses to an equal tree, comments included.
Guarantee: `parse(format_text(tree)) == tree` for every tree that `parse` returns. Before:

    action draw( tile ) by p
        left :  (reserve is not empty)   "the reserve is empty" [A1]

After:

    action draw(tile) by p
      left: reserve is not empty "the reserve is empty"                       [A1]

A clause that is too wide puts its message on a deeper line, then breaks at `and`, `or`, `implies` and after
a quantifier's `:`. Rule numbers are notes in the margin and do not count towards the width.

INVARIANT: what is broken over lines has a `:` outside brackets, with words after it, in its first line; no
other line is continued by deeper ones (syntax/layout.py).
"""

from golpae.syntax.format.clauses import format_body, format_clause, format_where
from golpae.syntax.format.declarations import format_decl, format_line_of_score, format_text
from golpae.syntax.format.expressions import format_expression
from golpae.syntax.format.lines import WIDTH

__all__ = [
    "WIDTH",
    "format_body",
    "format_clause",
    "format_where",
    "format_decl",
    "format_expression",
    "format_line_of_score",
    "format_text",
]
