"""What is known of heritage chunks over all sources together: entities, metadata, duplicates."""
