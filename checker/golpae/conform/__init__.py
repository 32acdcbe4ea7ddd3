"""Drive another program through games, and compare what it says with the rules."""
