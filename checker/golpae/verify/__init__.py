"""Decide properties of a rule set by proof or by a game; replay accepts every witness."""
