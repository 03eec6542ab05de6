"""The vocabulary of chunking: a document, the spans of it that a chunk holds, and what was skipped.

A chunk's offsets are characters of the text as stored in the ``contents`` table (decoded, byte order mark
removed, line ends untouched). A text strategy's chunk has one span and ``body == text[start:end]``. A tree
strategy re-dumps values, so its chunk has one span for each stretch of source that it holds.

Chunks and spans are tuples: a fast cutter makes them in less time than a frozen dataclass takes to be filled.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chunk_pipeline.chunking.facts.facts import Facts


class UnparsableError(ValueError):
    """A document that its strategy cannot read; the message is the quarantine reason."""


class _Ends(NamedTuple):
    start: int
    end: int


class Span(_Ends):
    """A stretch ``[start, end)`` of a document's text, in characters; ``len`` gives how many."""

    __slots__ = ()

    def __new__(cls, start: int, end: int) -> Span:
        """A span that is one.

        Raises:
            ValueError: It would begin ahead of the text, or end ahead of its start.
        """
        if not 0 <= start <= end:
            raise ValueError(f"not a span: [{start}, {end})")
        return tuple.__new__(cls, (start, end))

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Document:
    """A kept file, as strategies see it.

    Attributes:
        repository: Name of the source.
        path: Path relative to the repository's root, with ``/``.
        text: Decoded content.
        category: The role that labelling gave it.
        content_sha256: Digest of the file's bytes.
        attributes: Defaults of the source (``metadata:`` in the sources file).
        structure: What the file was converted to before its text was taken (``conversion.extraction``), as
            JSON; empty where the file is text itself.
        language: Format of the file (``markdown``, ``docx``, …); empty where nobody said.
        encoding: What gave the text of the file's bytes; the same bytes may be read in another way later.
    """

    repository: str
    path: str
    text: str
    category: str
    content_sha256: str = ""
    attributes: tuple[tuple[str, str], ...] = ()
    structure: str = ""
    language: str = ""
    encoding: str = ""

    @property
    def name(self) -> str:
        """``<repository>/<path>``: the name in headers, category rules, gold and metrics."""
        return f"{self.repository}/{self.path}"


class ChunkMetadata(NamedTuple):
    """What a strategy knows about a chunk beyond its text. Absent values are ``None``.

    Attributes:
        language: Language of the text (``en``), where the file tells.
        component: Form component of a schema property.
        fallback: Why a strategy's own way of cutting did not apply and another was used.
        indivisible: Whether it is over the limit because nothing in it can be cut.
    """

    language: str | None = None
    component: str | None = None
    fallback: str | None = None
    indivisible: bool | None = None


NO_METADATA = ChunkMetadata()
"""Nothing is known; shared by all chunks of which that is true."""


class Chunk(NamedTuple):
    """A piece of a document that is embedded and found as one.

    Attributes:
        body: The document's own content: a slice of the source, or values of it dumped again.
        spans: The stretches of the source that it holds, ascending and disjoint; at least one.
        unit: Locator inside the document: a JSON Pointer (RFC 6901) for JSON, else empty.
        header: Context put above the body, or empty. Never counted in spans.
        opening: What is put right before the body so that it parses on its own: the brackets, tags or fence
            that the source has opened ahead of it. Never counted in spans.
        closing: Likewise what is put right behind the body.
        overlap: Characters at the start of the body that the previous chunk holds too; the bodies without
            them are disjoint.
        metadata: Typed facts about the cut.
        facts: What a heritage source says of what the chunk is about; ``None`` for other sources.
    """

    body: str
    spans: tuple[Span, ...]
    unit: str = ""
    header: str = ""
    opening: str = ""
    closing: str = ""
    overlap: int = 0
    metadata: ChunkMetadata = NO_METADATA
    facts: Facts | None = None

    @property
    def passage(self) -> str:
        """The body made whole: opening, body, closing. This is what parses on its own."""
        return self.opening + self.body + self.closing

    @property
    def text(self) -> str:
        """What is embedded and indexed: header, line break, passage."""
        return f"{self.header}\n{self.passage}" if self.header else self.passage


@dataclass(frozen=True, slots=True)
class Skip:
    """A stretch of a document that a strategy leaves out on purpose, with the reason."""

    span: Span
    reason: str


def digest(text: str) -> str:
    """SHA-256 of the text in UTF-8, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


_FILE_DIGITS = 8


def chunk_id(strategy: str, document: Document, chunk: Chunk) -> str:
    """A chunk's identity: 32 hexadecimal digits over strategy, repository, path, spans, unit and text.

    The same input gives the same id on any machine. The first eight digits are the file's alone: in the order
    of ids the chunks of a file stand together, so an edit changes one stretch of a table and not all of it.
    """
    file = _digest_of(document.repository, document.path)
    spans = ",".join(f"{span.start}-{span.end}" for span in chunk.spans)
    whole = _digest_of(strategy, document.repository, document.path, spans, chunk.unit, chunk.text)
    return file[:_FILE_DIGITS] + whole[: 32 - _FILE_DIGITS]


def _digest_of(*parts: str) -> str:
    """SHA-256 of parts, each with its length, so that no two differ only in where one part ends."""
    hasher = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        hasher.update(len(encoded).to_bytes(8, "big"))
        hasher.update(encoded)
    return hasher.hexdigest()
