"""Expressions of the IR over values that may be unknown: `evaluator.Evaluator` is the entry."""
