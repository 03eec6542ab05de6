"""What a file that cannot be converted raises. What does not belong here: finding that out."""

from __future__ import annotations


class ExtractionError(ValueError):
    """A file that no text can be taken from; the message is the quarantine reason, with what to do."""
