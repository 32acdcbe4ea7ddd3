"""The verbs about games, recorded or played."""
