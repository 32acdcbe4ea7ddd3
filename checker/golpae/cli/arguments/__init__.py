"""Words of a call that stand for more than one thing: a table, two rule sets."""
