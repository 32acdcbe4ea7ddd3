"""Find the tables of a rule text at which nobody can be dealt a hand."""
