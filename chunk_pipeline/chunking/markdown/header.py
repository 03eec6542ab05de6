"""The header of a Markdown chunk: the headings that it is under and the file that it is from.

What does not belong here: the body.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_ELLIPSIS = "…"
_JOINT = " > "


def context_lines(path: str, titles: Iterable[str]) -> str:
    """The header of strategy D: heading path if there is one, source, and a line break for the blank line."""
    context = _JOINT.join(titles)
    source = f"Source: {' '.join(path.splitlines())}\n"
    return f"Context: {context}\n{source}" if context else source


def bounded_context(path: str, titles: Sequence[str], size: int) -> str:
    """The same in at most ``size`` characters.

    Of a path its end stays, of the titles first the innermost and the outermost, then their beginnings.
    """
    header = context_lines(path, titles)
    if len(header) <= size:
        return header
    place = _end_of(path, size // 2 - len("Source: \n"))
    if not titles:
        return context_lines(place, ())
    kept = list(titles)
    room = size - len(context_lines(place, ("",))) - len("Context: \n")
    while len(kept) > 2 and len(_JOINT.join([kept[0], _ELLIPSIS, *kept[1:]])) > room:
        del kept[1]
    if len(kept) < len(titles):
        kept.insert(1, _ELLIPSIS)
    share = (room - len(_JOINT) * len(kept)) // len(kept)
    if len(_JOINT.join(kept)) > room:
        kept = [_beginning_of(title, share) for title in kept]
    return context_lines(place, kept)


def _end_of(text: str, size: int) -> str:
    return text if len(text) <= size else _ELLIPSIS + text[len(text) - size + 1 :]


def _beginning_of(text: str, size: int) -> str:
    return text if len(text) <= size else text[: size - 1] + _ELLIPSIS
