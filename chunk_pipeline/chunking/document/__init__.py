"""Documents through Docling: Markdown, DOCX and PDF, by section."""
