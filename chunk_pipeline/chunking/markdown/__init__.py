"""Markdown: the strategies of the reference study and ``markdown_syntax``."""
