"""golpae as a Python library."""
