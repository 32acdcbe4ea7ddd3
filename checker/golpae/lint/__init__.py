"""Find what a rule text says in vain: properties that never apply, clauses that nothing depends on."""
