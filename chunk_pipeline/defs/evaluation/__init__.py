"""Gold queries, rankings and reports."""
