"""The verbs that write files of games."""
