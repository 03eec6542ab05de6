"""Texts to vectors: models, the encoder, the content-addressed store of vectors."""
