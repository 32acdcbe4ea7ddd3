"""golpae: the rules of a tile game, written once, read by everything else.

A rule text is parsed (`golpae.syntax`), resolved and typed (`golpae.elaborate`) into one small IR
(`golpae.ir`). Every other package is a reader of that IR. This module imports none of them, so that
`import golpae` costs nothing.
"""

__version__ = "0.2.0"
