"""Faults that are planted in a copy of the package, one at a time: `python -m tests.differential` has to see them."""
