"""Legal events and games by chance, in the kernel language."""
