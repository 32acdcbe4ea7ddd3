"""Input of strangers for every verb, and what must hold of each run."""
