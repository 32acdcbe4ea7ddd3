"""What one rule set changes against another, and which rule sets recorded games were played by."""
