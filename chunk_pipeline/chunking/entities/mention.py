"""A mention: where a text names an entity, and how that is known."""

from __future__ import annotations

from typing import Literal, NamedTuple

ResolvedBy = Literal["name", "alias", "identifier", "acronym", "nominal"]


class Mention(NamedTuple):
    """A stretch ``[start, end)`` of a text that mentions an entity; mentions sort by place, then entity.

    Attributes:
        start: First character.
        end: Character after the last.
        surface: What stands there.
        entity_id: Which entity. Where a name is that of several, each has a mention of the same place.
        resolved_by: What led to the entity.
        confidence: 0 to 1, the same for every mention of that kind; a label, not a measured probability.
    """

    start: int
    end: int
    surface: str
    entity_id: str
    resolved_by: ResolvedBy
    confidence: float
