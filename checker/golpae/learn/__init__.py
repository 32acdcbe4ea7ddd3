"""Find the rule that nobody wrote down: the smallest edit of a text under which recorded games are legal."""
