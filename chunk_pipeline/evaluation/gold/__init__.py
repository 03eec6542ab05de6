"""Gold queries, one module a route."""
