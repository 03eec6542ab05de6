"""Files to chunks: strategies, exact spans, integrity. Does no I/O."""
