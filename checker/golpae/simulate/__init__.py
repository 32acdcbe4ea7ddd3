"""Games that golpae plays by itself, by policies, and what comes of them."""
