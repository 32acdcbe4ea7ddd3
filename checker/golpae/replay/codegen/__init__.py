"""The code generator: one rule set at one table as the source of a Python module."""
