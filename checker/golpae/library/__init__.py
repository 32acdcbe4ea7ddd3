"""golpae as a Python library: rules, live games, verdicts, proofs, as typed frozen objects.

`import golpae` has its names; nothing else of golpae imports them from there.
"""
