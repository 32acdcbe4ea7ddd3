"""Rule texts with one small change each, and what notices the change: recorded games, scored hands, properties."""
