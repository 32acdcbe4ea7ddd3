"""Families of rule sets: a game with all its switches."""
