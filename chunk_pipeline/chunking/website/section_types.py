"""What a section is for, told by the words of its headings in Dutch, English, German and French.

The innermost heading that says something decides; of several kinds in one heading that which comes first
here. Where no heading does, the page's JSON-LD may: a section that holds its address or its hours. What does
not belong here: the rest of JSON-LD.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal

from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.website.json_ld import JsonLd

SectionType = Literal["about", "contact", "collection", "visit", "news", "history", "other"]
"""What sections may be for."""

_WORDS: Mapping[SectionType, str] = MappingProxyType(
    {
        "contact": r"contact\w*|kontakt\w*|adres(?:gegevens|sen)?|address(?:es)?|adress(?:e|en)|anschrift"
        r"|coordonnees|bereikbaar\w*|telefoon\w*|impressum|imprint|mentions legales|get in touch"
        r"|nous ecrire|reach us",
        "visit": r"visit(?:s|ing|ors?|e|es|er|eurs?)?|visitez|bezoek\w*|besuch\w*|openingstijd\w*"
        r"|openingsuren|opening (?:hours|times)|open(?:ing)? vandaag|hours|offnungszeit\w*|oeffnungszeit\w*"
        r"|geoffnet|horaires?|heures d ouverture|tickets?|toegangsprijs|toegangsprijzen|toegang"
        r"|tarieven|prijzen|admission|prices|eintritt|eintrittspreise|preise|tarifs?|billets?"
        r"|billetterie|route\w*|routebeschrijving|directions|how to get here|getting here|parkeren"
        r"|parking|anfahrt\w*|acces|plan your visit|rondleiding(?:en)?|guided tours?|fuhrung(?:en)?"
        r"|visites? guidees?|toegankelijkheid|accessibility|barrierefreiheit|accessibilite"
        r"|praktische info\w*|infos? pratiques?|informations pratiques",
        "history": r"\w*geschiedenis|histori(?:e|ek|sch)|history|histoire|historique|\w*geschichte|chronik"
        r"|ontstaan|origins?|origines|entstehung|verleden|tijdlijn|timeline|chronologie|past",
        "news": r"nieuws\w*|news\w*|actueel|actualiteiten|aktuell\w*|nachrichten|neuigkeiten|actualites?"
        r"|nouvelles|agenda|kalender|calendar|calendrier|evenement(?:en|s)?|events?"
        r"|veranstaltung(?:en)?|tentoonstelling(?:en)?|exhibitions?|ausstellung(?:en)?|expositions?"
        r"|blog|persbericht(?:en)?|press releases?|pers|presse|communiques?",
        "collection": r"\w*collecti(?:e|es|on|ons)|\w*verzameling(?:en)?|\w*sammlung(?:en)?|holdings"
        r"|\w*bestande|archiefbestand\w*|archieven|archives|fonds|catalog(?:us|ue|ues)|katalog|objecten|objects"
        r"|objekte|objets|datasets?|inventaris\w*|findbucher|finding aids?|topstukken|highlights"
        r"|masterpieces|meisterwerke|chefs d oeuvre",
        "about": r"over (?:ons|het|de|dit)|wie (?:zijn|we|wij)\b.*|about\w*|who we are|uber uns|ueber uns"
        r"|uber (?:das|den|die)|wir uber uns|a propos|qui sommes nous|presentation|missie\w*"
        r"|mission\w*|visie|vision|leitbild|organisatie|organi[sz]ation|organisation|team|medewerkers"
        r"|staff|mitarbeiter\w*|equipe|bestuur|board|vorstand|ons museum|het museum|the museum"
        r"|das museum|le musee|profiel|profile|profil",
    }
)
"""By type, in the order of precedence, the folded words of headings."""
_PATTERNS = {kind: re.compile(rf"(?:^|\s)(?:{words})(?=\s|$)") for kind, words in _WORDS.items()}
_TIME = re.compile(r"\b(?:[01]?\d|2[0-4])(?:[:.][0-5]\d|\s?uhr|\s?h\b)", re.IGNORECASE)
_FEWEST_TIMES = 2


def section_type(headings: Sequence[str], text: str = "", evidence: JsonLd | None = None) -> SectionType:
    """What a section is for.

    Args:
        headings: From the outermost to the section's own.
        text: The section's text.
        evidence: The page's JSON-LD.
    """
    for heading in reversed(headings):
        words = fold(heading.replace("'", " ").replace("’", " "))
        for kind, pattern in _PATTERNS.items():
            if pattern.search(words):
                return kind
    return _by_evidence(text, evidence) if evidence else "other"


def _by_evidence(text: str, evidence: JsonLd) -> SectionType:
    folded = fold(text)
    if any(len(part) > 5 and part in folded for part in map(fold, evidence.contacts)):
        return "contact"
    if evidence.has_hours and sum(1 for _ in _TIME.finditer(text)) >= _FEWEST_TIMES:
        return "visit"
    return "other"
