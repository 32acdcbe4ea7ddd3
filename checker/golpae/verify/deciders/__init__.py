"""One decider for each kind of property."""
