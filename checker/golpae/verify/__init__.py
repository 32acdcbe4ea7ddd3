"""Properties decided: by the prover, by play, and each witness replayed."""
