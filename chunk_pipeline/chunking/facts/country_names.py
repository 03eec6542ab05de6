"""Names of countries that ISO 3166-1 and its translations do not have, as people and registries write them.

Names of parts of the United Kingdom stand for it. Not here: names that several countries have had.
"""

from __future__ import annotations

from types import MappingProxyType

EVERYDAY_NAMES = MappingProxyType(
    {
        "AE": ("UAE", "VAE", "Emirates"),
        "BA": ("Bosnia", "Bosnië", "Bosnien", "Bosnie"),
        "BE": ("Flanders", "Vlaanderen", "Flandern", "Flandre", "Wallonia", "Wallonië", "Wallonie"),
        "BQ": ("Caribisch Nederland",),
        "BY": ("Wit-Rusland", "Weißrussland", "Biélorussie"),
        "CD": ("DR Congo", "Congo-Kinshasa", "Kongo-Kinshasa"),
        "CG": ("Congo-Brazzaville", "Kongo-Brazzaville"),
        "CH": ("Helvetia",),
        "CI": ("Ivory Coast", "Elfenbeinküste"),
        "CV": ("Cape Verde", "Kaapverdië", "Kap Verde", "Cap-Vert"),
        "CZ": ("Czech Republic", "Tsjechische Republiek", "Tschechische Republik", "République tchèque"),
        "DE": ("Bundesrepublik Deutschland", "BRD", "Bondsrepubliek Duitsland"),
        "FK": ("Falkland Islands", "Falklandeilanden", "Falklandinseln", "Malouines"),
        "GB": (
            "Great Britain",
            "Groot-Brittannië",
            "Großbritannien",
            "Grande-Bretagne",
            "Britain",
            "VK",
            "England",
            "Engeland",
            "Angleterre",
            "Scotland",
            "Schotland",
            "Schottland",
            "Écosse",
            "Wales",
            "Pays de Galles",
            "Northern Ireland",
            "Noord-Ierland",
            "Nordirland",
            "Irlande du Nord",
        ),
        "IR": ("Iran",),
        "KP": ("North Korea", "Noord-Korea", "Nordkorea", "Corée du Nord"),
        "KR": ("South Korea", "Zuid-Korea", "Südkorea", "Corée du Sud"),
        "MD": ("Moldova", "Moldavië", "Moldau", "Moldavie"),
        "MF": ("Saint-Martin",),
        "MK": ("Macedonia", "Macedonië", "Mazedonien", "Macédoine"),
        "MM": ("Burma", "Birma", "Birmanie"),
        "NL": ("Holland", "Nederland", "Hollande", "Royaume des Pays-Bas", "Koninkrijk der Nederlanden"),
        "PS": ("Palestine", "Palestina", "Palästina"),
        "RU": ("Russia", "Rusland", "Russland", "Russie"),
        "SX": ("Sint Maarten",),
        "SZ": ("Swaziland", "Swasiland"),
        "SY": ("Syria", "Syrië", "Syrien", "Syrie"),
        "TR": ("Turkey", "Turkije", "Türkei", "Turquie"),
        "TW": ("Taiwan", "Formosa"),
        "TZ": ("Tanzania", "Tansania", "Tanzanie"),
        "US": (
            "USA",
            "VS",
            "America",
            "Verenigde Staten van Amerika",
            "Amerika",
            "Vereinigte Staaten von Amerika",
        ),
        "VA": ("Vatican", "Vaticaan", "Vaticaanstad", "Vatikan", "Vatikanstadt", "Vatican City"),
        "VN": ("Vietnam",),
    }
)
"""ISO 3166-1 alpha-2 to names in Dutch, English, German and French."""

ARTICLES = ("de ", "het ", "the ", "die ", "der ", "das ", "den ", "la ", "le ", "les ", "l ")
"""Folded articles that may stand ahead of a name."""
