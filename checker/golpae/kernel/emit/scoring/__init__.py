"""Shapes, arrangements and scores in the kernel language."""
