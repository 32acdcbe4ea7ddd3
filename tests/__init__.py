"""The tests of golpae; `python -m tests whole` runs all of them, and the linters first."""
