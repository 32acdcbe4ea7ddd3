"""The rules in z3, from the IR: theorems, invariants, rankings, bounded search."""
