"""Two accounts of the same characters laid side by side: that of the scanner and that of lxml's tree.

They are equal on almost every page. On broken HTML one may have characters that the other takes for markup;
both are followed to the next place where they agree. The time is about linear, since no more is looked at
than is skipped, twice over. What does not belong here: which characters are compared.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_AGREED = 12
"""Characters that must be alike for the two accounts to agree again."""
_FIRST_WINDOW = 64

Places = npt.NDArray[np.int64]


def align(left: str, right: str) -> Places:
    """For each character of the left text the place of its like in the right one, or -1.

    Args:
        left: Characters without white space.
        right: Likewise.

    Returns:
        Ascending but for the -1; shape (characters of ``left``,).
    """
    if left == right:
        return np.arange(len(left), dtype=np.int64)
    places = np.full(len(left), -1, dtype=np.int64)
    here = there = 0
    while here < len(left) and there < len(right):
        alike = _alike(left, right, here, there)
        places[here : here + alike] = np.arange(there, there + alike)
        here, there = here + alike, there + alike
        if here == len(left) or there == len(right):
            break
        here, there = _next_agreement(left, right, here, there)
    return places


def _alike(left: str, right: str, here: int, there: int) -> int:
    """How many characters from the two places on are alike."""
    longest = min(len(left) - here, len(right) - there)
    step, alike = 64, 0
    while alike < longest:
        step = min(step, longest - alike)
        if left[here + alike : here + alike + step] == right[there + alike : there + alike + step]:
            alike, step = alike + step, step * 2
        elif step == 1:
            break
        else:
            step = max(1, step // 4)
    return alike


def _next_agreement(left: str, right: str, here: int, there: int) -> tuple[int, int]:
    """The next places from which the texts are alike again; their ends where there are none."""
    window = _FIRST_WINDOW
    while True:
        found = _agreement(left[here : here + window + _AGREED], right[there : there + window + _AGREED])
        if found:
            return here + found[0], there + found[1]
        if window >= max(len(left) - here, len(right) - there):
            return len(left), len(right)
        window *= 2


def _agreement(left: str, right: str) -> tuple[int, int] | None:
    size = min(_AGREED, len(left), len(right))
    if not size:
        return None
    first: dict[str, int] = {}
    for place in range(len(right) - size + 1):
        first.setdefault(right[place : place + size], place)
    for place in range(len(left) - size + 1):
        if left[place : place + size] in first:
            return place, first[left[place : place + size]]
    return None
