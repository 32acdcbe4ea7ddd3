"""Proofs that rule sets share where they do not differ."""
