"""Hands by themselves: which groups make a shape, every layout of a hand in groups, and what it scores."""
