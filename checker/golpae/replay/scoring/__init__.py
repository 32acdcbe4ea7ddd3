"""Single hands: which groups make a shape, every layout of a hand in groups, and its score."""
