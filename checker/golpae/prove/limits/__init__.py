"""Which numbers of a rule set stay within the limits of section 7.10 of the semantics, at every position.

Input: an instance. Output: bounds of values (`bounds`, by `static` and `growth`), and for what they do not settle the
condition under which an expression has a value (`within`), as an expression that a solver can be asked about.
Guarantee: what counts as within the limits is so in every game of fewer than 10^20 events. Nothing here asks a solver.
"""
