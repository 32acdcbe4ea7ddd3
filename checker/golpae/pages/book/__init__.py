"""Rule books: a rule set as a page to read and to print."""
