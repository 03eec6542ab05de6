"""Naughty strings as files: each as the content of a format, as a JSON name, and as a file name.

What does not belong here: what must become of them.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import yaml

LONGEST_NAME = 255
"""Bytes of a file name on the file systems in use."""

CSV_HEADER = ("Instelling", "Opmerking", "Plaats")
LEAD, TAIL = "Ahead of it.", "Behind it."


def json_file(place: int) -> str:
    """The JSON file with a string as a value and as a name."""
    return f"values/{place:03}.json"


def paragraph_file(place: int) -> str:
    """The Markdown file with a string as a paragraph."""
    return f"paragraphs/{place:03}.md"


def sheet(strings: Sequence[str]) -> str:
    """A registry with each string as a cell in the middle."""
    rows = io.StringIO(newline="")
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    writer.writerows((f"Keet {place}", string, "Dorp") for place, string in enumerate(strings))
    return rows.getvalue()


def instances(strings: Sequence[str]) -> str:
    """A YAML list of entities with each string as a value."""
    entities = [{"preferred_label": f"Keet {place}", "note": string} for place, string in enumerate(strings)]
    return yaml.safe_dump(entities, allow_unicode=True, sort_keys=False, width=10_000)


def as_json(string: str) -> dict[str, object]:
    """The string as a value and as a name."""
    return {"value": string, "names": {string: {"salt": "pan"}}}


def contents(strings: Sequence[str]) -> dict[bytes, bytes]:
    """Files with the strings in JSON and Markdown, by path."""
    files: dict[str, str] = {}
    for place, string in enumerate(strings):
        files[json_file(place)] = json.dumps(as_json(string), ensure_ascii=False)
        files[paragraph_file(place)] = f"# Keet {place}\n\n{LEAD}\n\n{string}\n\n{TAIL}\n"
    files["all.json"] = json.dumps(list(strings), ensure_ascii=False, indent=0)
    return {path.encode(): text.encode() for path, text in files.items()}


def heritage(strings: Sequence[str]) -> dict[bytes, bytes]:
    """Files with the strings in CSV and YAML, by path."""
    return {b"all.csv": sheet(strings).encode(), b"all.yaml": instances(strings).encode()}


def file_name(string: str) -> bytes | None:
    """The string as the name of a JSON file; ``None`` where a file system has no such name."""
    name = string.encode() + b".json"
    return None if b"/" in name or b"\0" in name or len(name) > LONGEST_NAME else name
