"""Which entities a run's registries and instances name, and where its texts mention them."""
