"""Words that name kinds of custodians, and words that are too common to be a name, in several languages.

All are folded (``entities.offsets.fold``). What does not belong here: finding them.
"""

from __future__ import annotations

from types import MappingProxyType

from chunk_pipeline.chunking.facts.vocabulary import TypeLetter

NOUNS: MappingProxyType[TypeLetter, frozenset[str]] = MappingProxyType(
    {
        "M": frozenset(
            {"museum", "musea", "museums", "musee", "musees", "museen", "museo", "museos", "museu"}
        ),
        "A": frozenset({"archief", "archieven", "archive", "archives", "archiv", "archivs", "archivo"}),
        "L": frozenset(
            {"bibliotheek", "bibliotheken", "library", "libraries", "bibliothek", "bibliotheque"}
            | {"bibliotheques", "biblioteca", "bibliotecas"}
        ),
        "G": frozenset({"galerie", "galerij", "gallery", "galleries", "galeries", "galeria"}),
    }
)
"""Nouns of each kind."""

_ARTICLES = """
de het een the a an der die das dem den des ein eine le la les l un une du el los las van von di del della
en and und et y e or of oder ou voor for fur te in im
"""
_OTHERS = """
bron bronnen source sources quellen collectie collecties collection collections sammlung instelling
institution onbekend unknown unbekannt inconnu none null nil nvt leeg test voorbeeld example stichting
vereniging foundation nieuws news home contact main overig other datum date naam name plaats place
"""
COMMON = frozenset(_ARTICLES.split()).union(_OTHERS.split(), *NOUNS.values())
"""A name that consists of these alone is none."""

LEGAL_FORMS = ("stichting", "vereniging", "foundation", "verein", "association", "fondation")
"""Legal forms that stand ahead of a name."""


def letters_of_name(folded: str) -> frozenset[TypeLetter]:
    """Type letters that a name's own nouns tell: ``streekmuseum de oude kern`` is an ``M``."""
    words = folded.replace("-", " ").split()
    return frozenset(
        letter
        for letter, nouns in NOUNS.items()
        if any(word in nouns or (len(word) > 8 and word.endswith(tuple(nouns))) for word in words)
    )
