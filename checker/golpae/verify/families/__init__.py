"""Decides properties for all rule sets of a family at once."""
