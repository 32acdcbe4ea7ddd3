"""The verbs about rule texts."""
