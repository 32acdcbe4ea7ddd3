"""Find what is vacuous in a rule text: properties that never apply, clauses that nothing depends on."""
