"""The rules in z3: theorems, invariants, rankings and searches, from the IR that replay runs."""
