"""Files that are no text turned into text, or into Docling documents, within bounds and without a network."""
