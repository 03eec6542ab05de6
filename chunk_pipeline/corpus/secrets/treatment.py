"""What becomes of a file that holds secrets, as its profile says, before anything of it is stored.

No value of a secret leaves this module: only texts without them, and notes of where they stood.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chunk_pipeline.conversion.placed import placed_items
from chunk_pipeline.corpus.profiles import Profile
from chunk_pipeline.corpus.secrets.detection import find_secrets, line_numbers, redact
from chunk_pipeline.corpus.secrets.file_rules import holds_keys, secret_file
from chunk_pipeline.corpus.secrets.kinds import placeholder
from chunk_pipeline.corpus.secrets.secret import Secret

Action = Literal["dropped", "redacted", "flagged"]

_SHORTEST_PIECE = 6
_BY_NAME = "file_name"


@dataclass(frozen=True, slots=True)
class Note:
    """A row of the audit: secrets of a kind in a line.

    Attributes:
        line: From 1, of the text as it was read; 0 where it is the file that is one.
        kind: One of ``kinds.KINDS``.
        detector: What found them.
        action: What became of them; ``dropped`` is the file.
        found: How many.
    """

    line: int
    kind: str
    detector: str
    action: Action
    found: int = 1


@dataclass(frozen=True, slots=True)
class Treated:
    """A file's text after its secrets were looked for.

    Attributes:
        text: The text that may be stored.
        structure: Likewise the structure of a converted document.
        changed: Whether they are others than what was read.
        reason: Why the file is dropped; ``None`` if it is not.
        notes: What was found.
    """

    text: str
    structure: str = ""
    changed: bool = False
    reason: str | None = None
    notes: tuple[Note, ...] = ()


def reason_of(kind: str) -> str:
    """The reason of a file that was dropped for a secret of a kind."""
    return f"secret: {kind}"


def refused_by_name(path: str, profile: Profile) -> Note | None:
    """What to note of a file that is dropped for its name, or ``None``."""
    kind = secret_file(path) if profile.secrets in ("skip", "redact") else None
    if kind is None or _is_allowed(path, kind, profile):
        return None
    return Note(0, kind, _BY_NAME, "dropped")


def treat(text: str, structure: str, path: str, profile: Profile) -> Treated:
    """Look for secrets in a file that would be kept, and do about them what the profile says.

    Args:
        text: What was read.
        structure: Docling's JSON of a converted document; else empty.
        path: The file's path.
        profile: Its profile.
    """
    if profile.secrets == "off":
        return Treated(text, structure)
    secrets = find_secrets(text, path, profile.allowed_secrets)
    hidden = find_secrets(structure, path, profile.allowed_secrets) if structure and not secrets else ()
    if not secrets and not hidden:
        return Treated(text, structure)
    if profile.secrets == "flag":
        return Treated(text, structure, notes=_notes(text, secrets, "flagged") or _whole(hidden, "flagged"))
    key_file = any(each.kind == "private_key" for each in secrets) and holds_keys(path)
    if profile.secrets == "skip" or key_file:
        kind = "private_key_file" if key_file else (secrets or hidden)[0].kind
        notes = _notes(text, secrets, "dropped") or _whole(hidden, "dropped")
        return Treated("", reason=reason_of(kind), notes=notes)
    if structure:
        return _redacted_document(text, structure, path, profile)
    without = redact(text, path, profile.allowed_secrets)
    return Treated(without.text, "", True, None, _notes(text, without.secrets, "redacted"))


def conceal(
    data: bytes, first_bytes: str, error: str, path: str, profile: Profile
) -> tuple[str, str, tuple[Note, ...]]:
    """First bytes and error of a file that could not be read, without a secret, and what was found.

    The file is looked at as if each byte were a character, NUL bytes apart, which shows texts in most
    encodings. Where it holds a secret anywhere, none of its bytes are shown.
    """
    if profile.secrets == "off":
        return first_bytes, error, ()
    text = data.replace(b"\0", b"").decode("latin-1")
    secrets = find_secrets(text, path, profile.allowed_secrets)
    if profile.secrets == "flag":
        return first_bytes, error, _notes(text, secrets, "flagged")
    for piece in _pieces(text, secrets):
        error = error.replace(piece.strip(), placeholder(secrets[0].kind))
    error = redact(error, path, profile.allowed_secrets).text
    if not secrets:
        return first_bytes, error, ()
    return placeholder(secrets[0].kind), error, _notes(text, secrets, "dropped")


def _is_allowed(path: str, kind: str, profile: Profile) -> bool:
    return any(each.covers(path, kind) for each in profile.allowed_secrets)


def _notes(text: str, secrets: Sequence[Secret], action: Action) -> tuple[Note, ...]:
    lines = line_numbers(text, secrets)
    found = Counter((line, one.kind, one.detector) for line, one in zip(lines, secrets, strict=True))
    return tuple(Note(*key, action, number) for key, number in sorted(found.items()))


def _whole(secrets: Sequence[Secret], action: Action) -> tuple[Note, ...]:
    """Notes of secrets that stand in no line of the text, as addresses of links do."""
    found = Counter((one.kind, one.detector) for one in secrets)
    return tuple(Note(0, *key, action, number) for key, number in sorted(found.items()))


def _redacted_document(text: str, structure: str, path: str, profile: Profile) -> Treated:
    """A converted document without its secrets, or dropped where its structure would still hold one."""
    allowed = profile.allowed_secrets
    found = redact(text, path, allowed)
    hidden = find_secrets(structure, path, allowed)
    pieces = [(piece, placeholder(one.kind)) for one in found.secrets for piece in _pieces(text, [one])]

    def clean(value: str) -> str:
        for piece, instead in pieces:
            value = value.replace(piece, instead)
        return redact(value, path, allowed).text

    written = json.dumps(_mapped(json.loads(structure), clean), ensure_ascii=True, separators=(",", ":"))
    read, _ = placed_items(written)
    notes = _notes(text, found.secrets, "redacted") or _whole(hidden, "redacted")
    left = find_secrets(read, path, allowed) or find_secrets(written, path, allowed)
    if left or any(piece in read for piece, _ in pieces):
        kind = (found.secrets or hidden)[0].kind
        notes = _notes(text, found.secrets, "dropped") or _whole(hidden, "dropped")
        return Treated("", reason=reason_of(kind), notes=notes)
    return Treated(read, written, True, None, notes)


def _pieces(text: str, secrets: Iterable[Secret]) -> list[str]:
    """The lines of the values, longest first: a document holds each paragraph of a key on its own."""
    lines = {line.strip() for one in secrets for line in text[one.start : one.end].splitlines()}
    return sorted(
        (line for line in lines if len(line) >= _SHORTEST_PIECE), key=lambda line: (-len(line), line)
    )


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with its texts changed; names stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_mapped(each, change) for each in value]
    if isinstance(value, dict):
        return {name: _mapped(each, change) for name, each in value.items()}
    return value
