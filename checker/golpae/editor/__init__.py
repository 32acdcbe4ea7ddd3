"""What an editor asks of rule texts and traces while somebody types: `golpae lsp` answers."""
