"""Words folded so that spellings of one compare equal: no case, no accents, no punctuation."""

from __future__ import annotations

import re
import unicodedata

_OTHER = re.compile(r"[^\w]+|_+")
_PLAIN = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not take apart."""


def fold(text: str) -> str:
    """A text's words, casefolded and without accents, a blank between them; ``U.K.`` gives ``uk``."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace(".", "")).translate(_PLAIN)
    plain = "".join(each for each in apart if not unicodedata.combining(each))
    return _OTHER.sub(" ", plain).strip()
