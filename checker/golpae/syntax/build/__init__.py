"""From the parser's tree to the surface tree.

Input: the tree that the grammar (grammar/golpae.lark) yields. Output: nodes of `golpae.syntax.tree`.
Guarantee: one method for each grammar rule, named after it; nothing is looked up or checked here.
"""

from golpae.syntax.build.builder import Builder
from golpae.syntax.build.declarations import COUNTS

__all__ = ["COUNTS", "Builder"]
