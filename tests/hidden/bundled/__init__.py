"""Whole games of the bundled rules with hidden tiles, as a command."""
