"""Names that a script declares at its top level, by where they stand in it.

Found by lines and not by parsing: a declaration is of the top level if its line is not indented. What does
not belong here: cutting, and what the syntax strategies know.
"""

from __future__ import annotations

import re
from bisect import bisect_left

_NAME = r"(?!extends\b|implements\b)([^\W\d][\w$]*|\$[\w$]*)"
_CALLABLE = (
    r"(?:declare\s+)?(?:async\s+function|function|abstract\s+class|class|interface|enum|namespace)\b\s*\*?"
)
_BINDING = r"(?:declare\s+)?(?:const|let|var|type)\b(?:\s+enum\b)?"
_DECLARATION = re.compile(
    rf"^(?:export\s+(?:default\s+)?(?:{_CALLABLE}|{_BINDING})|{_CALLABLE})\s*{_NAME}", re.MULTILINE
)


class Symbols:
    """The top-level declarations of a script.

    They are its functions, classes, interfaces, enums and namespaces, and whatever it exports by name.
    """

    def __init__(self, text: str) -> None:
        found = [(match.start(), match[1]) for match in _DECLARATION.finditer(text)]
        self._places = [place for place, _ in found]
        self._names = [name for _, name in found]

    def before(self, end: int) -> str | None:
        """The last one declared before that character, if there is any."""
        index = bisect_left(self._places, end)
        return self._names[index - 1] if index else None
