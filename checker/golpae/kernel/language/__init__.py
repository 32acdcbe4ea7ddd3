"""The kernel language: its classes, how functions are written in it, and how they run as WebAssembly."""
