"""Work on one file in a process of its own: a file that is too much for a parser stops only itself."""
