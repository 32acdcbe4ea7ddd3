"""Put questions to z3 and, as a cross-check, to cvc5."""
