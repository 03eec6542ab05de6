"""What Vue allows and tree-sitter-vue does not know, written so that it does.

Names of components may have dots (``<Picker.Cell>…</Picker.Cell>``), of which the grammar takes the part
behind the first dot for an attribute and then misses the end tag; and ``<script src="…"/>`` may close itself.
What does not belong here: anything that Vue does not allow.
"""

from __future__ import annotations

import re

_DOTTED_END = re.compile(r"(</[A-Za-z][\w-]*+)((?:\.[\w-]++)++)(?=\s*>)")
_CLOSED_RAW = re.compile(r"""<(script|style)\b((?:[^<>"'/]++|"[^"]*+"|'[^']*+'|/(?!>))*+)/>""", re.IGNORECASE)


def without_dots(text: str) -> str:
    """A component whose end tags have spaces for what is behind the first dot: as long as it was."""
    return _DOTTED_END.sub(lambda tag: tag[1] + " " * len(tag[2]), text) if "." in text else text


def as_known(text: str) -> str:
    """A component, or a part of one, as tree-sitter-vue can parse it; not as long as it was."""
    return _CLOSED_RAW.sub(r"<\1\2></\1>", without_dots(text))
