"""Whether a text speaks of collections or of relationships, in Dutch, English, German or French."""

from __future__ import annotations

import re

from chunk_pipeline.chunking.facts.folding import fold

_COLLECTIONS = re.compile(
    r"\b(?:\w*collecti(?:on|ons|es)|\w*collectie(?![fv])\w*|\w*verzameling(?:en|s\w+)?|\w*sammlung(?:en|s\w+)?"
    r"|\w*bestande|holdings"
    r"|(?:un|le|les|du|des|au|aux|son|ses|leur|leurs|nos|notre) fonds"
    r"|fonds (?:d|ancien\w*|patrimoni\w+|documentaire\w*)"
    r"|archiefbestand(?:en)?|archivbestand)\b"
)
_RELATIONSHIPS = re.compile(
    r"\b(?:part of|onderdeel van|deel uit van|teil (?:von|der|des)|teil eines|(?:fait|font) partie d\w*"
    r"|gefuseerd|fusie|fusion\w*|merged|merger|samengegaan|zusammengelegt"
    r"|opvolger|voorganger|rechtsopvolger|successor|predecessor|nachfolger\w*|vorganger\w*|successeur|predecesseur"
    r"|samenwerking\w*|samenwerken|cooperation|collaboration|zusammenarbeit|kooperation\w*|partner\w*|partenaire\w*"
    r"|beheerd door|managed by|run by|verwaltet von|gere\w* par|member of|lid van|mitglied\w*|membre de"
    r"|parent organi[sz]ation|moederorganisatie|subsidiary|dochterorganisatie|tochtergesellschaft|filiale"
    r"|branch of|afdeling van|abteilung (?:von|der|des)|department of|gelieerd aan|affiliated with"
    r"|rattache\w* a"
    r"|relationships?|is a branch of|voortgekomen uit|ontstaan uit|belongs to|hoort bij|gehort z\w+"
    r"|appartient a)\b"
)


def speaks_of_collections(text: str) -> bool:
    """Whether a word means a collection, alone, in a compound (``kunstcollectie``) or in a field's name."""
    return _COLLECTIONS.search(fold(text)) is not None


def speaks_of_relationships(text: str) -> bool:
    """Whether a text says that one organisation belongs to, follows or works with another."""
    return _RELATIONSHIPS.search(fold(text)) is not None
