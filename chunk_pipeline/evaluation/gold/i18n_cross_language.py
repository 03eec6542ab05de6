"""Route ``i18n_cross_language``: a text in another language is asked for, the English unit answers.

It asks what a person asks who works in one language and looks for the text in the English source. Texts that
share most of their words with the English are left out, so the route is not lexical by construction. The file
of the query's own language is in the index as well and holds the query word for word: it ranks above the
answer without being one, which holds for all strategies alike.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.i18n_value import LONGEST, MOST_FILES, PER_FILE, SHORTEST
from chunk_pipeline.evaluation.gold.query import GoldQuery, RelevantSpan, Route
from chunk_pipeline.evaluation.gold.translations import ENGLISH, Translation, differ, translations


class I18nCrossLanguage(Route):
    """Texts of 8 to 80 characters in any language but English; per file the 8 rarest, longest first."""

    name = "i18n_cross_language"
    categories = frozenset({"i18n_translations"})
    asks = "Where is the English text of what is said here in another language?"
    lexical = False

    def mine(self, documents: Sequence[Document]) -> Iterator[GoldQuery]:
        """Yield the queries in the order of files; ties keep the order of the file."""
        files = translations(documents)
        english = {each.base: each for each in files if each.language == ENGLISH}
        pairs = [
            (each, english[each.base]) for each in files if each.language != ENGLISH and each.base in english
        ]
        answers: dict[str, list[RelevantSpan]] = defaultdict(list)
        holders: dict[str, set[str]] = defaultdict(set)
        usable: list[tuple[Translation, list[tuple[str, str]]]] = []
        for foreign, original in pairs:
            texts = dict(_usable(foreign, original))
            for text, pointer in texts.items():
                holders[text].add(foreign.document.name)
                answers[text].append(original.leaves[pointer][1])
            usable.append((foreign, [(text, original.leaves[pointer][0]) for text, pointer in texts.items()]))
        for foreign, candidates in usable:
            rare = [each for each in candidates if len(holders[each[0]]) <= MOST_FILES]
            for text, target in sorted(rare, key=lambda each: (len(holders[each[0]]), -len(each[0])))[
                :PER_FILE
            ]:
                yield GoldQuery(
                    query=text,
                    route=self.name,
                    repository=foreign.document.repository,
                    path=foreign.document.path,
                    category=foreign.document.category,
                    relevant=tuple(answers[text]),
                    target=target,
                    languages=f"{foreign.language}-{ENGLISH}",
                )


def _usable(foreign: Translation, original: Translation) -> Iterator[tuple[str, str]]:
    """Each text of a file that is translated, with its key's pointer; of equal texts the last."""
    for pointer, (text, _) in foreign.leaves.items():
        english = original.leaves[pointer][0] if pointer in original.leaves else ""
        if english and SHORTEST <= len(text) <= LONGEST and differ(text, english):
            yield text, pointer
