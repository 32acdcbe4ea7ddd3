"""The pages are true: their examples run, and their commands print what they show."""
