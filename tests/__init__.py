"""The tests of golpae; `python -m tests` runs all of them, and the linters first."""
