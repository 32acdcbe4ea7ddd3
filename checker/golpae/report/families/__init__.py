"""Reports on all rule sets of a game at once: what holds for which, and what a switch changes."""
