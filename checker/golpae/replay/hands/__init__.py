"""Hands that are stated, without a game."""
