"""From a rule set's name to its IR: find the text, apply its switches, look every name up."""
