"""Answers about rules and games that take their time: proofs, comparisons, attributions, scores, simulations."""
