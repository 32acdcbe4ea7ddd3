"""The IR in the kernel language: expressions, effects, actions."""
