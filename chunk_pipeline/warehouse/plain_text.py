r"""Text of the sources made safe to look at: what acts or hides is written out, nothing is dropped.

Nobody vouches for the sources. An escape sequence in a file name moves the cursor or retitles the window, a
bidirectional control shows ``exe.png`` for ``gnp.exe``, tag characters carry words that no one sees. A reader
must be able to trust that what is shown is what is there, so every such character appears as its escape
(``\x1b``, ``\u202e``, ``\u{e0041}``), as the chunk viewer shows it too.

What acts: control characters, all formatting characters (bidirectional ones, zero-width ones, soft hyphens,
tags), line and paragraph separators, fillers, private and surrogate code points, non-characters, and a
variation selector or joiner where it has nothing to do. Left as they are, since text in some script cannot be
read without them: joiners between letters of scripts that join (Arabic, the scripts of India, …), joiners and
selectors inside an emoji, the flags that are spelt in tags, a selector behind an ideograph or a symbol, and
the few formatting characters that are ink (Arabic number signs). ``U+200E``, ``U+200F`` and ``U+061C`` are
written out also in Arabic and Hebrew: nobody can tell a useful one from a misleading one.

Backslashes stay single, so text that spells ``\x1b`` looks like an escape. Whoever needs the difference reads
the table, or JSON made by ``json_text``, which reads back exactly. Everything that goes to a terminal passes
here: ``commands.console`` sees to it. What Markdown or HTML needs beyond this is in ``markdown`` and in the
report's templates. Tested by tests/bad_inputs/test_untrusted_text.py.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache

_TO_LOOK_AT = re.compile(r"[^ -~]")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ACTING = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
_INK = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Formatting characters that are seen."""
_FLAGS = re.compile("\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|"
                    "\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f")  # fmt: skip
"""The flags of England, Scotland and Wales: the only ones spelt in tags that fonts have."""
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u3164\ufdd0-\ufdef\ufe00-\ufe0f\uffa0"
    "\ufff0-\ufff8\ufffe\uffff\U000e0000-\U000e0fff]"
)
"""Fillers, selectors, non-characters and what Unicode keeps for more of that: not of an acting category."""
_JOINING = re.compile(
    "[\u0620-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18af\u1a20-\u1aad\u1b00-\u1c4f\ua840-\ua95f\ua980-\uabff"
    "\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f]"
)
"""Scripts whose letters take another shape beside a joiner or a non-joiner."""
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_TEXT_STYLE, _EMOJI_STYLE, _KEYCAP = "\ufe0e", "\ufe0f", "\u20e3"


def plain_text(text: str) -> str:
    r"""The text on one line: line breaks and tabs too are written out, as ``\n`` and ``\t``."""
    if text.isascii() and text.isprintable():
        return text
    return _written_out(text, kept="")


def plain_lines(text: str) -> str:
    """The text with its line breaks and tabs as they are and everything else that acts written out."""
    return _written_out(text, kept="\n\t")


def cut_short(text: str, limit: int) -> str:
    """The text on one line, and not more than so many characters of it; an ellipsis stands for the rest."""
    # What is written out is never shorter than the text, so the rest need not be looked at.
    shown = plain_text(text[: limit + 1])
    if len(shown) <= limit:
        return shown
    return shown[: limit - 1].rstrip(f"{_ZWJ}{_ZWNJ}") + "…"


def json_text(value: object, *, also: str = "", compact: bool = False) -> str:
    """The value as JSON that reads back exactly and shows nothing odd: what may act is escaped.

    Args:
        value: Of the types that JSON has; mappings stay in their order.
        also: ASCII characters that are escaped besides.
        compact: Whether to leave out the spaces behind commas and colons.

    Raises:
        ValueError: It holds a number that JSON has not.
    """
    separators = (",", ":") if compact else None
    text = json.dumps(value, ensure_ascii=False, separators=separators, allow_nan=False)
    looked_at = re.compile(f"[^ -~]|[{re.escape(also)}]") if also else _TO_LOOK_AT
    return looked_at.sub(lambda found: _in_json(found[0], also), text)


def _in_json(character: str, also: str) -> str:
    """The character, or its escape where it may act: pairs of surrogates beyond the first plane."""
    if character not in also and not _acts_somewhere(character):
        return character
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


@cache
def _acts_somewhere(character: str) -> bool:
    """Whether a character acts or hides, in some place at least."""
    if unicodedata.category(character) in _ACTING:
        return character not in _INK
    return bool(_UNSEEN.match(character)) or ord(character) & 0xFFFE == 0xFFFE


def _written_out(text: str, kept: str) -> str:
    flags = [found.span() for found in _FLAGS.finditer(text)]

    def shown(found: re.Match[str]) -> str:
        character, at = found[0], found.start()
        if character in kept or not _acts_somewhere(character):
            return character
        if any(start < at < end for start, end in flags) or _belongs(character, text, at):
            return character
        return _escape(character)

    return _TO_LOOK_AT.sub(shown, text)


def _belongs(character: str, text: str, at: int) -> bool:
    """Whether a joiner or selector is part of what its neighbours spell."""
    before, after = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if not before:
        return False
    if character not in (_ZWJ, _ZWNJ):
        return _takes_selector(character, before, after)
    if after and _JOINING.match(before) and _JOINING.match(after):
        return True
    styled = text[max(at - 2, 0) : at - 1] if before == _EMOJI_STYLE else before
    return character == _ZWJ and _is_picture(styled) and _is_picture(after)


def _takes_selector(selector: str, before: str, after: str) -> bool:
    if selector in "\u180b\u180c\u180d\u180f":
        return "\u1810" <= before <= "\u18af"
    if "\U000e0100" <= selector <= "\U000e01ef":
        return bool(_IDEOGRAPH.match(before))
    if not "\ufe00" <= selector <= "\ufe0f":
        return False
    if before.isascii():
        return before in "#*0123456789" and selector in (_TEXT_STYLE, _EMOJI_STYLE) and after == _KEYCAP
    drawn = _is_picture(before) or unicodedata.category(before) in {"Po", "Pd"}
    return drawn or bool(_IDEOGRAPH.match(before)) or "\u1000" <= before <= "\u109f"


def _is_picture(character: str) -> bool:
    """Whether it may be an emoji or be shown as one; those that Python does not know yet included."""
    if not character or character.isascii():
        return False
    if "\U0001f000" <= character <= "\U0001fbff" or "\u2100" <= character <= "\u214f":
        return True
    return unicodedata.category(character) in {"So", "Sm"}


def _escape(character: str) -> str:
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{{{code:x}}}" if code > 0xFFFF else f"\\u{code:04x}"
