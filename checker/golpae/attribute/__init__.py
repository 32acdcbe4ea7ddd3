"""Find the rule sets that accept recorded games."""
