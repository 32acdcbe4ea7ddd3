"""Render what is said about recorded games."""
