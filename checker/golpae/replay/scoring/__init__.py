"""Hands by themselves: which groups make a shape, every way to lay a hand out in groups, and what it scores."""
