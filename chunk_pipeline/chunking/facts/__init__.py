"""What is known of a heritage chunk beyond its text: who, what, where, how sure, and from where."""
