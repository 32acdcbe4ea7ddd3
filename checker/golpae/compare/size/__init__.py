"""Measure how much the difference between two rule sets matters: exact counts and estimates."""
