"""Rankings to evidence: gold queries, metrics, significance, reports."""
