"""Find events and positions of recorded games by an expression of the rules language."""
