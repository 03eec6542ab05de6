"""JSON that stands safely inside a page's script element, whatever the texts in it are.

A script element ends at the first ``</script``, and some parsers of HTML look at ``<!--`` too, so no angle
bracket and no ampersand is written as such. Characters that act on whoever looks at the page's source
(controls, directions, private ones, the two Unicode line breaks) are escaped as well. Reading it gives the
same values back; showing them harmlessly is the script's part.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache

_TO_LOOK_AT = re.compile(r"[^ -%'-;=?-~]")
"""Anything but the printable characters of ASCII that are safe."""
_ACTING = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def script_json(value: object) -> str:
    """The value as compact JSON with the same bytes for the same value; keys stay in their order."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _TO_LOOK_AT.sub(lambda found: _escaped(found[0]), text)


@cache
def _escaped(character: str) -> str:
    """The character, or its JSON escape where it acts; pairs of surrogates beyond the first plane."""
    if character not in "<>&" and unicodedata.category(character) not in _ACTING:
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
