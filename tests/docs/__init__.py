"""The pages say what is true: their examples run, their commands print what they show."""
