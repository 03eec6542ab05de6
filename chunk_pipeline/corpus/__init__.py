"""What is read from the sources, and which of it counts."""
