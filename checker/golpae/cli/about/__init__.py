"""Verbs about golpae itself."""
