"""Check the expressions and effects of a rule text, and type them."""
