"""The events of a game with tiles that nobody saw, as formulas."""
