"""Compare the games that two rule sets allow: by proof, or by a game that only one of them allows."""
