"""Random rule texts, and checks that all parts of golpae agree on them."""
