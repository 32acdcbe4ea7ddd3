"""Habits of writers that the grammar refuses far from their cause, one module for each part of a text."""
