"""Reports on many recorded games: what other rules would have changed in them."""
