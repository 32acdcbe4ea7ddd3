"""Tests of what rules tell a player."""
