"""How identifiers look in running text, one pattern a scheme, and in which spellings a scheme is named.

Group ``value`` of each pattern is the identifier without its address or label. Whether a find is one is
decided in ``identifiers``.
"""

from __future__ import annotations

import re
from types import MappingProxyType

from chunk_pipeline.chunking.facts.ghcid import SHAPE

_LABEL_GAP = r"[^\d\n]{0,30}\n?[^\d\n]{0,10}"
"""What may stand between a label and a number: a colon, 'nummer', a line break in a table."""

ISIL = r"(?:[A-Z]{2}|OCLC|ZDB|EUR|GTB|O)-[A-Za-z0-9](?:[A-Za-z0-9/:-]{0,9}[A-Za-z0-9])?"
"""ISO 15511: a country or agency, a hyphen and at most eleven characters."""

_ISNI = r"\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{3}[\dX]"

ADDRESSES = MappingProxyType(
    {
        "GHCID": rf"/hc/(?P<value>(?i:{SHAPE}))(?![\w-])",
        "Wikidata": r"wikidata\.org/(?:wiki|entity)/(?:Special:EntityPage/)?(?P<value>Q[1-9]\d{0,11})",
        "VIAF": r"viaf\.org/viaf/(?P<value>[1-9]\d{1,21})",
        "ORCID": r"orcid\.org/(?P<value>\d{4}-\d{4}-\d{4}-\d{3}[\dX])",
        "ISNI": rf"isni\.org/(?:isni/)?(?P<value>{_ISNI})",
        "ROR": r"ror\.org/(?P<value>0[a-z0-9]{6}\d{2})",
        "GEONAMES": r"geonames\.org/(?P<value>[1-9]\d{0,10})",
        "AAT": r"vocab\.getty\.edu/(?:page/)?aat/(?P<value>\d{9})",
        "ULAN": r"vocab\.getty\.edu/(?:page/)?ulan/(?P<value>\d{9})",
        "TGN": r"vocab\.getty\.edu/(?:page/)?tgn/(?P<value>\d{7})",
        "GND": r"d-nb\.info/gnd/(?P<value>\d[\d-]{3,11}[\dX])",
        "LCNAF": r"id\.loc\.gov/authorities/names/(?P<value>n[a-z]{0,2}\d{8,10})",
        "BNF": r"bnf\.fr/ark:/12148/(?P<value>cb\d{8}[0-9a-z])",
        "Handle": r"hdl\.handle\.net/(?P<value>\d[\d.]{0,20}/[^\s\"'<>()\[\]]{1,200})",
        "DOI": r"(?<![\w/.])(?:https?://(?:dx\.)?doi\.org/|doi:\s?)?(?P<value>10\.\d{4,9}/[^\s\"'<>()\[\]]{1,200})",
    }
)
"""Patterns that tell their scheme by themselves, mostly by a web address."""

LABELLED = MappingProxyType(
    {
        "KvK": r"(?i:\b(?:k\.v\.k|kvk|kamer\W+van\W+koophandel|chamber\W+of\W+commerce|handelsregister))"
        rf"{_LABEL_GAP}(?<!\d)(?P<value>\d(?:[ .]?\d){{7,8}})(?!\d)",
        "VIAF": rf"\bVIAF\b{_LABEL_GAP}(?<!\d)(?P<value>[1-9]\d{{1,21}})(?!\d)",
        "ISNI": rf"\bISNI\b{_LABEL_GAP}(?<!\d)(?P<value>{_ISNI})(?!\d)",
        "ORCID": rf"(?i:\borcid\b){_LABEL_GAP}(?<!\d)(?P<value>\d{{4}}-\d{{4}}-\d{{4}}-\d{{3}}[\dX])(?!\d)",
        "Wikidata": r"(?i:\bwikidata)[^\n]{0,25}?(?<![\w/])(?P<value>Q[1-9]\d{0,11})(?!\w)",
        "ISIL": rf"(?i:\bisil(?=\b|_))[^\n]{{0,25}}?(?<![\w/-])(?P<value>{ISIL})(?![\w/])",
    }
)
"""Patterns of what is an identifier only behind its label."""

BARE = MappingProxyType(
    {
        "GHCID": rf"(?<![\w/-])(?P<value>{SHAPE})(?![\w-])",
        "Wikidata": r"(?<![\w/-])(?P<value>Q[1-9]\d{3,11})(?![\w-])",
        "ISIL": rf"(?<![\w/.@-])(?P<value>{ISIL})(?![\w@])",
    }
)
"""Patterns of what may be an identifier wherever it stands."""

PATTERNS = tuple(
    (scheme, re.compile(pattern), group is BARE)
    for group in (ADDRESSES, LABELLED, BARE)
    for scheme, pattern in group.items()
)
"""Scheme, pattern, and whether it is bare; where two finds overlap, the earlier pattern is believed."""

SCHEME_NAMES = MappingProxyType(
    {
        "aat": "AAT",
        "bnf": "BNF",
        "doi": "DOI",
        "geonames": "GEONAMES",
        "geonames id": "GEONAMES",
        "ghcid": "GHCID",
        "gnd": "GND",
        "handle": "Handle",
        "isil": "ISIL",
        "isil code": "ISIL",
        "isni": "ISNI",
        "kvk": "KvK",
        "kvk nummer": "KvK",
        "kvk number": "KvK",
        "kamer van koophandel": "KvK",
        "lcnaf": "LCNAF",
        "orcid": "ORCID",
        "qid": "Wikidata",
        "ror": "ROR",
        "tgn": "TGN",
        "ulan": "ULAN",
        "viaf": "VIAF",
        "viaf id": "VIAF",
        "wikidata": "Wikidata",
        "wikidata id": "Wikidata",
    }
)
"""Folded spellings of schemes; others keep their own name."""
