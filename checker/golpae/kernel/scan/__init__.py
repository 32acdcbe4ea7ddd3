"""Read the lines of a trace into the keys of events."""
