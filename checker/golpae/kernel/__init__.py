"""The compiled path: one rule set at one table as a WebAssembly module, made from the IR."""
