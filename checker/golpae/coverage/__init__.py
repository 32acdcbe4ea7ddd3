"""Which parts of rule texts recorded games use: the clauses of a game, what games come to, counts, files of counts."""
