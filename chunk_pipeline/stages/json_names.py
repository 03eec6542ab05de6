"""What is checked about JSON files before they are cut: that each name of an object stands in it once.

It is legal JSON and nothing of it is lost, but whoever reads the file with another reader sees one of the two
values. What does not belong here: the chunks (``chunk_proofs``).
"""

from __future__ import annotations

from collections.abc import Iterator

from chunk_pipeline.chunking.chunk import Document, UnparsableError
from chunk_pipeline.chunking.json.lines import parse_json_or_lines
from chunk_pipeline.chunking.json.names import Repetition, repeated_names
from chunk_pipeline.chunking.json.strategies import JsonCategory
from chunk_pipeline.chunking.rows import Lines
from chunk_pipeline.corpus.partition_keys import partition_key
from chunk_pipeline.evaluation.documents import documents_of
from chunk_pipeline.stages.finding import WORST, Finding
from chunk_pipeline.stages.workspace import Workspace
from chunk_pipeline.warehouse.parquet import Partition
from chunk_pipeline.warehouse.tables import CONTENTS, FILES

LONGEST_NAME = 80
"""Characters of a name that are shown."""


def prove_json_names(workspace: Workspace, name: str) -> Finding:
    """Check that no object of a JSON file has two members of one name; the figure counts the further ones.

    Files that are not JSON are passed over: the strategies quarantine them.
    """
    own = Partition(repository=partition_key(name))
    files = workspace.warehouse.read(FILES, own)
    documents = [
        each
        for each in documents_of(files, workspace.warehouse.read(CONTENTS, own))
        if JsonCategory().takes(each.category, each.language)
    ]
    found = [(each, again) for each in documents for again in _repeated(each)]
    lines = {each.path: Lines(each.text) for each, _ in found[:WORST]}
    worst = tuple(
        {
            "path": each.path,
            "unit": again.pointer,
            "name": again.name[:LONGEST_NAME],
            "line": lines[each.path].number(again.start),
        }
        for each, again in found[:WORST]
    )
    return Finding("json_names_unique", not found, len(found), len(documents), worst)


def _repeated(document: Document) -> Iterator[Repetition]:
    try:
        root = parse_json_or_lines(document.text)
    except UnparsableError:
        return
    yield from repeated_names(root)
