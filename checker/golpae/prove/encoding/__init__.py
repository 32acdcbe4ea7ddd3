"""Actions as formulas: symbolic states, the steps of an action, what its effects do."""
