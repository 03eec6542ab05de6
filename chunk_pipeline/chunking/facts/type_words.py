"""The words that mean a type of custodian, in Dutch, English, German and French.

Class names follow the published schema of heritage custodians; the words are those in use in registries.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from chunk_pipeline.chunking.facts.folding import fold
from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES, TypeLetter

_WORDS: Mapping[TypeLetter, str] = {
    "G": "gallery, galleries, galerie, galerij, kunstgalerij, kunsthal, kunsthalle, art gallery, galerie "
    "d'art",
    "L": "library, libraries, bibliotheek, bibliotheken, bibliothek, bibliothèque, bücherei, médiathèque",
    "A": "archive, archives, archief, archieven, archiv, archive organization, archive organisation, "
    "archiefinstelling, record office",
    "M": "museum, museums, musea, museen, musée, musées",
    "O": "official institution, official, government, government agency, heritage agency, overheid, "
    "overheidsinstelling, behörde, staatliche einrichtung, institution publique, institution "
    "officielle, local/regional government, local government, central government, other public body",
    "R": "research centre, research center, research organization, research organisation, research "
    "institute, research institutes, onderzoeksinstituut, onderzoeksinstelling, onderzoekscentrum, "
    "forschungsinstitut, forschungszentrum, forschungseinrichtung, institut de recherche, centre de "
    "recherche, kennisinstituut",
    "C": "corporation, company, commercial organization, commercial organisation, commercial/industrial, "
    "bedrijf, onderneming, unternehmen, firma, entreprise, société commerciale, business",
    "U": "unknown, unspecified, unclassified, onbekend, ongespecificeerd, unbekannt, inconnu, type inconnu, "
    "other, overig, andere, sonstige, autre",
    "B": "botanical garden or zoo, botanical garden/zoo, botanical garden, botanic garden, zoo, bio, "
    "arboretum, zoological garden, aquarium, dierentuin, dierenpark, botanische tuin, hortus botanicus, "
    "tierpark, tiergarten, botanischer garten, jardin botanique, jardin zoologique, botanical_zoo",
    "E": "education provider, education, school, university, college, universiteit, hogeschool, "
    "onderwijsinstelling, onderwijsaanbieder, universität, hochschule, bildungsanbieter, "
    "bildungseinrichtung, université, école, fournisseur éducatif, higher education, further/higher "
    "education",
    "S": "heritage society, collecting society, historical society, learned society, society, "
    "heemkundekring, heemkundige kring, historische vereniging, geschichtsverein, heimatverein, société "
    "historique, société savante, oudheidkundige vereniging",
    "F": "feature, features, monument, landmark, gedenkteken, rijksmonument, denkmal, monument historique, "
    "heritage site",
    "I": "intangible heritage group, intangible heritage, intangible, immaterieel erfgoed, immaterieel "
    "erfgoedgroep, immaterielles kulturerbe, immaterielles erbe, patrimoine immatériel, patrimoine "
    "culturel immatériel",
    "X": "mixed, mixed types, gemengd, gemischt, mixte, gemengde erfgoedinstelling, institution mixte",
    "P": "personal collection, private collection, persoonlijke collectie, particuliere collectie, "
    "privécollectie, privatsammlung, collection personnelle, collection privée, collection particulière",
    "H": "holy site, holy sacred site, holy sites, sacred site, church, kerk, klooster, kirche, kloster, "
    "église, abbaye, abdij, moskee, mosque, synagogue, synagoge, heilige plaats, heilige stätte, lieu "
    "saint, monastery",
    "D": "digital platform, digitaal platform, platform, digitale plattform, plattform, plateforme "
    "numérique, portal",
    "N": "ngo, non-profit, nonprofit, non-profit organization, non-profit organisation, foundation, charity, "
    "stichting, vereniging, stiftung, verein, gemeinnützige organisation, fondation, association, ong, "
    "heritage trust, organisation à but non lucratif",
    "T": "taste and smell heritage, taste/smell heritage, taste smell, taste scent heritage, taste and scent "
    "heritage, culinary heritage, culinair erfgoed, smaak- en geurerfgoed, brouwerij, brewery, "
    "brauerei, brasserie, distillery",
}

_CLASSES: Mapping[TypeLetter, str] = {
    "A": "archive organization",
    "C": "commercial organization",
    "H": "holy sacred site",
    "I": "intangible heritage group",
    "N": "non profit",
    "O": "official institution",
    "R": "research organization",
    "S": "heritage society",
    "T": "taste scent heritage",
}

_ALONE: dict[str, TypeLetter] = {letter.lower(): letter for letter in _WORDS}
_LISTED: tuple[Mapping[TypeLetter, str], ...] = (_WORDS, _CLASSES, cast(Mapping[TypeLetter, str], TYPE_NAMES))

LETTER_OF: Mapping[str, TypeLetter] = MappingProxyType(
    {
        fold(word): letter
        for words in _LISTED
        for letter, listed in words.items()
        for word in listed.split(", ")
    }
    | _ALONE
)
"""Folded words and letters to the type letter."""

ENDINGS: Mapping[str, TypeLetter] = MappingProxyType(
    {
        "archief": "A",
        "archieven": "A",
        "archiv": "A",
        "archives": "A",
        "archive": "A",
        "museum": "M",
        "museums": "M",
        "musea": "M",
        "musee": "M",
        "bibliotheek": "L",
        "bibliothek": "L",
        "bibliotheque": "L",
        "library": "L",
        "gallery": "G",
        "galerie": "G",
        "heemkundekring": "S",
        "dierentuin": "B",
        "universiteit": "E",
        "universitat": "E",
    }
)
"""Ends of folded words that tell the type of a compound."""
