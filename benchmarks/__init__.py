"""One script a claim; each prints a ratio against a peer in the same run."""
