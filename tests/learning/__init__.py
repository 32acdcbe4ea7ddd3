"""Whether `golpae learn` finds rules that were taken out of a text."""
