"""Compare what two rule sets count hands, whether or not a game asks for the scores."""
