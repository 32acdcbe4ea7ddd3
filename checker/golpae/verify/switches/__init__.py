"""Decides what one switch changes, over all settings of the others."""
