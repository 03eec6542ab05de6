"""A conversation export as ``prove`` reads it: every scalar, decoded, in the order of the source.

All that the file says counts, also what no chunk holds: uuids, dates, what a tool gave. The names of members
do not, as they are the format's. What does not belong here: which scalars are messages (``export``).
"""

from __future__ import annotations

from chunk_pipeline.chunking.conversation.decoding import Layout, string
from chunk_pipeline.chunking.conversation.leaves import leaves
from chunk_pipeline.chunking.conversation.speakers import ASSISTANT, HUMAN, UNKNOWN, speaker
from chunk_pipeline.chunking.json.tree import parse_json
from chunk_pipeline.chunking.reading import Reading

_SENDERS = frozenset({"sender", "role"})


def read_transcript(text: str) -> Reading:
    """Read any JSON text.

    Args:
        text: The source.

    Returns:
        All scalars with a line break between them; ``names`` are the speakers' labels, which chunks of
        several messages hold.

    Raises:
        UnparsableError: It is not JSON, or nests too deep.
    """
    layout = Layout()
    names = {HUMAN, ASSISTANT, UNKNOWN}
    for leaf in leaves(parse_json(text)):
        layout.scalar(text, leaf)
        layout.character("\n", leaf.end, leaf.end)
        if leaf.key in _SENDERS:
            names.add(speaker(string(text, leaf)))
    read = layout.decoded()
    return Reading(read.value, read.starts, read.ends, frozenset(names))
