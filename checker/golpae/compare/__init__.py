"""Compare two rule sets: their texts, their games, and how much the difference matters."""
