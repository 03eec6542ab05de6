"""Queries that are bad or odd: row 66 of the table of bad inputs; and arguments of a search: row 67."""

from __future__ import annotations

from collections.abc import Mapping

from chunk_pipeline.retrieval.search import MAX_QUERY

NOTHING: Mapping[str, str] = {
    "empty": "",
    "spaces": " \t\r\n ",
    "punctuation": "?!… -- ()[]{} '\"`",
    "NUL": "\0",
    "control characters": "\x1b\x07\x7f",
    "emoji": "\U0001f6a2\U0001f468\u200d\U0001f469",
    "a line of a table": "| --- | --- |",
    "a pattern without letters": ".*?^$[]+()|\\",
    "marks that turn the text": "\u202e\u2066\u200b\ufeff",
    "half a surrogate pair": "\ud800",
    "a megabyte of punctuation": "?! " * 350_000,
}
"""Queries that hold nothing to look for, and find nothing."""

WORDS: Mapping[str, str] = {
    "a megabyte of one word": "h" * 1_048_576,
    "a megabyte of words": "harbour " * 131_072,
    "a megabyte on one line, then a word": "? " * (MAX_QUERY // 2 - 2) + "x harbour" * 100_000,
    "stop words": "the of and a to in is it",
    "NUL in a word": "har\0bour",
    "SQL": "harbour'; DROP TABLE chunks; --",
    "SQL that is always true": "' OR '1'='1",
    "a pattern": "(harbour|quay)*.+?[a-z]{2,}$",
    "a pattern that takes for ever": "(a+)+$ " + "a" * 5_000,
    "a wild card": "harbo*r AND title:harbour~2",
    "a template": "{{ 7 * 7 }} ${harbour} %(harbour)s {0}",
    "markup": "<script>alert('harbour')</script>",
    "a path": "../../../etc/passwd",
    "an option": "--retriever harbour",
    "a command": "$(touch harbour) `touch harbour`",
    "Chinese": "港口 灯塔",
    "Japanese": "港の灯台",
    "Arabic": "ميناء المنارة",
    "Hebrew": "נמל",
    "Hindi": "बंदरगाह",
    "Thai": "ท่าเรือ",
    "Russian": "гавань маяк",
    "letters with many marks": "h" + "\u0301" * 5_000 + "arbour",
    "half a surrogate pair in a word": "harbour \ud800",
    "digits": "3.14159 " * 100,
    "one letter": "h",
}
"""Queries that hold something, which may be found or not."""

ARGUMENTS: Mapping[str, tuple[tuple[str, ...], int, str]] = {
    "no query": ((), 2, "Missing argument"),
    "k of 0": (("harbour", "-k", "0"), 0, "nothing found"),
    "k beyond all chunks": (("harbour", "-k", "1000000000000000000000"), 0, "harbour"),
    "k below 0": (("harbour", "-k", "-1"), 2, "-1 is not in the range"),
    "k that is no number": (("harbour", "-k", "many"), 2, "is not a valid int"),
    "a retriever that is not there": (
        ("harbour", "--retriever", "fuzzy"),
        2,
        "no retriever 'fuzzy'; there are",
    ),
    "a strategy that is not there": (("harbour", "--strategy", "magic"), 2, "no strategy 'magic'; there are"),
    "a source that is not there": (("harbour", "--repository", "x' --"), 2, "no source is named"),
    "a country that is not there": (("harbour", "--country", "Narnia"), 2, "no country 'Narnia'; give"),
    "a type that is not there": (("harbour", "--type", "spaceship"), 2, "no type 'spaceship'; there are"),
    "a tier that is not there": (("harbour", "--tier", "9"), 2, "no tier '9'; there are"),
    "a language that is not there": (
        ("harbour", "--language", "klingon!"),
        2,
        "no language 'klingon!'; give",
    ),
    "a filter that is not there": (("harbour", "--colour", "red"), 2, "No such option"),
    "a filter that nothing passes": (("harbour", "--country", "NZ"), 0, "nothing found"),
    "filters that nothing passes as JSON": (("harbour", "--tier", "1", "--json"), 0, '"results": []'),
    "an empty query": (("",), 0, "nothing found"),
    "emoji": (("\U0001f6a2",), 0, "nothing found"),
    "a query that looks like an option": (("--", "--harbour"), 0, "harbour"),
    "SQL": (("harbour'; DROP TABLE chunks; --",), 0, "harbour"),
    "100 KB": (("harbour " * 12_500,), 0, "harbour"),
    "100 KB as JSON": (("harbour " * 12_500, "--json", "-k", "1"), 0, '"rank": 1'),
}
"""Arguments of the command, its exit code, and what it says."""
