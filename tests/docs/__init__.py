"""The pages under docs/ and the README say what is true: their examples run, their commands print what they show."""
