"""Find games by play, without a solver: random and guided play, lassos, shrinking, witnesses."""
