"""The pages, and the programs that keep them true."""
