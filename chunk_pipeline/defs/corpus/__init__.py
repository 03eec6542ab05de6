"""From sources to labelled files."""
