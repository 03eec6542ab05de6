"""Which of several models a sources file means: the first that is on this machine.

A model may have no package for a platform. Who would rather have it but can do without writes a list, so that
one sources file serves all machines; the model that was taken is in the key of every vector.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from chunk_pipeline.corpus.yaml_lines import LinedYaml, Location, Problem


def choose_models(
    data: dict[str, Any], known: Collection[str] | None, installed: Collection[str] | None, read: LinedYaml
) -> Iterator[Problem]:
    """Replace each list of models, in place, by the first of it that is installed, or else by its first.

    Args:
        data: The sources file as read.
        known: Names of the models that there are; without them names are not looked at.
        installed: Those of them that are on this machine; without them the first of a list is taken.
        read: Where the lines are.

    Yields:
        Names in lists that are no model's.
    """
    for location, holder, key in _places(data):
        wanted = holder.get(key)
        if not isinstance(wanted, list) or not wanted or not all(isinstance(each, str) for each in wanted):
            continue
        for place, name in enumerate(wanted):
            if known is not None and name not in known:
                message = f"there is no embedding model {name!r}; write one of {', '.join(known)}"
                yield read.problem((*location, place), message)
        holder[key] = next((each for each in wanted if installed is None or each in installed), wanted[0])


def _places(data: dict[str, Any]) -> Iterator[tuple[Location, dict[str, Any], str]]:
    """(location, mapping, key) of everything that may name a model."""
    yield ("model",), data, "model"
    models = data.get("models")
    if isinstance(models, dict):
        yield from ((("models", category), models, category) for category in models)
    sources = data.get("sources")
    for index, source in enumerate(sources if isinstance(sources, list) else []):
        if isinstance(source, dict):
            yield ("sources", index, "model"), source, "model"
