"""What switches that are on do to a text."""
