"""From the name of a rule set to its IR: load the text, apply its switches, resolve and type every name."""
