"""``TokenTextSplitter`` of Spring AI 2.0.1, literally: for those who must reproduce an index made with it.

It gives texts, for they cannot be placed in the source: a window that ends within a character decodes to
U+FFFD; the next window begins by as many tokens further as the cut text has when it is encoded again, which
are not always those that it was decoded from, so that text is repeated or lost; short texts are lost. Use
``text.token`` unless you need exactly this.
"""

from __future__ import annotations

from chunk_pipeline.chunking.text.token import MARKS, MINIMUM_CHARACTERS, MINIMUM_LENGTH, SIZE
from chunk_pipeline.chunking.tokens import decode, encode

VERSION = "spring-ai-2.0.1"

MAXIMUM_CHUNKS = 10_000
"""Chunks after which the rest is one chunk."""

_TRIMMED = "".join(map(chr, range(0x21)))


def spring_texts(
    text: str,
    size: int = SIZE,
    minimum_characters: int = MINIMUM_CHARACTERS,
    minimum_length: int = MINIMUM_LENGTH,
    maximum_chunks: int = MAXIMUM_CHUNKS,
    keep_separators: bool = True,
    marks: tuple[str, ...] = MARKS,
) -> list[str]:
    """Split as Spring AI does; lengths and indices are of UTF-16 code units there and here.

    Where the text of a window has more tokens than are left, Spring AI raises an exception; here the rest is
    taken as used up.

    Args:
        text: Any text.
        size: Tokens of a window (``chunkSize``).
        minimum_characters: ``minChunkSizeChars``.
        minimum_length: ``minChunkLengthToEmbed``.
        maximum_chunks: ``maxNumChunks``.
        keep_separators: ``keepSeparator``; if false, line feeds become spaces. In the rest behind the maximum
            they always do.
        marks: ``punctuationMarks``, single characters.

    Returns:
        The chunks' texts, trimmed as Java's ``String.trim`` does.
    """
    if not text.strip(_TRIMMED):
        return []
    tokens = encode(text)
    texts: list[str] = []
    first = count = 0
    while first < len(tokens) and count < maximum_chunks:
        window = decode(tokens[first : first + size])
        if not window.strip(_TRIMMED):
            first += size
            continue
        if len(tokens) - first > size:
            window = _cut_back(window, minimum_characters, marks)
        _append(texts, window if keep_separators else window.replace("\n", " "), minimum_length)
        first += len(encode(window))
        count += 1
    if first < len(tokens):
        _append(texts, decode(tokens[first:]).replace("\n", " "), minimum_length)
    return texts


def _cut_back(window: str, minimum_characters: int, marks: tuple[str, ...]) -> str:
    last = max(window.rfind(mark) for mark in marks)
    return window[: last + 1] if last >= 0 and _units(window[:last]) > minimum_characters else window


def _append(texts: list[str], text: str, minimum_length: int) -> None:
    trimmed = text.strip(_TRIMMED)
    if _units(trimmed) > minimum_length:
        texts.append(trimmed)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", errors="surrogatepass")) // 2
