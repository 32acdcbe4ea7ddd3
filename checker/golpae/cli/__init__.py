"""The command line: one module for each verb, in `games` or in `rules`, and what they share."""
