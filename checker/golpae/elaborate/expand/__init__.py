"""Words of the language that others can say, written out."""
