"""What other rules would have changed in games that were recorded: verdicts, payments, scores."""
