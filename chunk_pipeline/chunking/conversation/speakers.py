"""What a sender is called in the text of chunks."""

from __future__ import annotations

import re

HUMAN = "human"
ASSISTANT = "assistant"
UNKNOWN = "unknown"

_ALIASES = {"user": HUMAN}
_NAME = re.compile(r"\w{1,20}")


def speaker(sender: str) -> str:
    """A sender's label: one word in lower case; ``unknown`` for what is none.

    Args:
        sender: As the export has it. A ``user`` is a human.
    """
    name = sender.strip().lower()
    return _ALIASES.get(name, name) if _NAME.fullmatch(name) else UNKNOWN
