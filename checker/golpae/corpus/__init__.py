"""Large files of recorded games: checked on the compiled path, decided by the reference where that has to."""
