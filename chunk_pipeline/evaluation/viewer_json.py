"""JSON that stands safely inside a page's script element, whatever the texts in it are.

A script element ends at the first ``</script``, and some parsers of HTML look at ``<!--`` too, so no angle
bracket and no ampersand is written as such. Characters that act on whoever looks at the page's source are
escaped as well. Reading it gives the same values back; showing them harmlessly is the script's part.
"""

from __future__ import annotations

from chunk_pipeline.warehouse.plain_text import json_text


def script_json(value: object) -> str:
    """The value as compact JSON with the same bytes for the same value; keys stay in their order."""
    return json_text(value, also="<>&", compact=True)
