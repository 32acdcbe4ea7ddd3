"""The one meaning of a resolved rule set: typed, names looked up, nothing left to guess."""
