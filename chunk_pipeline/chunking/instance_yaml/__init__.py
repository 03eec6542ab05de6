"""LinkML instances in YAML: one entity, one chunk."""
