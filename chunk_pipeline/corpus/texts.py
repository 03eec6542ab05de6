"""The text of a file, by what its profile takes it for: a web page, a document to convert, or plain text.

What does not belong here: how bytes become text (``decoding``, ``conversion``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunk_pipeline.conversion.versions import converter
from chunk_pipeline.corpus.decoding import UndecodableError, decode
from chunk_pipeline.corpus.paths import suffix
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.source import Source
from chunk_pipeline.isolation.process import Isolated

CONVERTED = frozenset({".docx", ".pdf"})
"""Suffixes of documents that are no text."""


@dataclass(frozen=True, slots=True)
class FileText:
    """What was read.

    Attributes:
        text: The text, as it is stored.
        encoding: What gave it: an encoding, or the format that was converted.
        structure: What the file was converted to, as JSON; empty for text.
    """

    text: str
    encoding: str
    structure: str = ""


def read_text(
    data: bytes, path: str, source: Source, profile: Profile, isolated: Isolated | None = None
) -> FileText:
    """The text of a file.

    Args:
        data: The file.
        path: Its path in the source.
        source: The source.
        profile: The source's profile.
        isolated: Where documents that are no text are converted; here, without a bound on time and memory,
            unless given. Text is decoded here: that takes as long as the file is large.

    Raises:
        UndecodableError: It has none; the message is the quarantine reason.
        OverLimitError: Its conversion takes too much time or memory.
    """
    ending = suffix(path)
    label = profile.label(ending)
    fallbacks = (*source.encodings, *profile.encodings)
    if label == "document" and ending in CONVERTED:
        return _converted(data, ending, isolated)
    if label == "website":
        return _web_page(data, fallbacks)
    decoded = decode(data, fallbacks)
    return FileText(decoded.text, decoded.encoding)


def _converted(data: bytes, ending: str, isolated: Isolated | None) -> FileText:
    from chunk_pipeline.conversion.extraction import ExtractionError, extract

    try:
        extracted = isolated.call(extract, data, ending) if isolated else extract(data, ending)
    except ExtractionError as error:
        raise UndecodableError(str(error)) from error
    # Another version of the converter may read the same bytes otherwise: what was cut is then cut anew.
    return FileText(extracted.text, f"{extracted.encoding}; {converter()}", extracted.structure)


def _web_page(data: bytes, fallbacks: Sequence[str]) -> FileText:
    from chunk_pipeline.conversion.html_decoding import HtmlEncodingError, decode_html

    try:
        page = decode_html(data, fallbacks)
    except HtmlEncodingError as error:
        raise UndecodableError(str(error)) from error
    return FileText(page.text, f"{page.encoding} ({page.note})" if page.note else page.encoding)
