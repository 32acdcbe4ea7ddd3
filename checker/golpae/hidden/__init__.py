"""Recorded games with tiles that nobody saw."""
