"""The rule of scoring that nobody wrote down, found from hands with their points."""
