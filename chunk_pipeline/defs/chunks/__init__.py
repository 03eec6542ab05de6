"""One chunks asset a strategy."""
