"""YAML with the line of every key and item, so that an error can name where it is.

Only what a configuration file needs: no aliases (they can grow without bound), no key twice (YAML keeps the
last in silence). What the values mean does not belong here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

Location = tuple[str | int, ...]
"""Keys and indexes from the top of the document."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a file, at a line (from 1)."""

    line: int
    key: str
    message: str


@dataclass(frozen=True, slots=True)
class LinedYaml:
    """A document's data, the line of each location, and what is wrong with its form."""

    data: Any = None
    lines: dict[Location, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def line(self, location: Location) -> int:
        """The line of a location, or of the nearest one above it that the file has."""
        for length in range(len(location), 0, -1):
            if location[:length] in self.lines:
                return self.lines[location[:length]]
        return 1

    def problem(self, location: Location, message: str) -> Problem:
        """A problem at a location."""
        return Problem(self.line(location), dotted(location), message)


def dotted(location: Location) -> str:
    """A location for people: ``sources[0].url``."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return "".join(parts).removeprefix(".")


def read_yaml(text: str) -> LinedYaml:
    """Parse one YAML document; errors of form are in ``problems``, never raised."""
    try:
        aliases = [event for event in yaml.parse(text, yaml.SafeLoader) if isinstance(event, yaml.AliasEvent)]
        if aliases:
            mark = aliases[0].start_mark
            line = mark.line + 1 if mark else 1
            name = f"*{aliases[0].anchor}"
            return LinedYaml(problems=[Problem(line, name, "is an alias; write the value out")])
        node = yaml.compose(text, yaml.SafeLoader)
        read = LinedYaml(yaml.safe_load(text))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = mark.line + 1 if mark else 1
        what = f"is not valid YAML: {error.problem or error.context}"
        return LinedYaml(problems=[Problem(line, "", f"{what}; correct the line or put the value in quotes")])
    except (yaml.YAMLError, ValueError) as error:
        return LinedYaml(problems=[Problem(1, "", f"is not valid YAML: {str(error).splitlines()[0]}")])
    except RecursionError:
        return LinedYaml(problems=[Problem(1, "", "is nested too deeply; write it flat")])
    for location, line, repeated in _locations(node, ()):
        if repeated:
            read.problems.append(Problem(line, dotted(location), "is there twice; remove one"))
        read.lines[location] = line
    return read


def _locations(node: yaml.Node | None, above: Location) -> Iterator[tuple[Location, int, bool]]:
    """Each location below a node, its line, and whether its key was there before."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            name = str(key.value)
            yield (*above, name), key.start_mark.line + 1, name in seen
            seen.add(name)
            yield from _locations(value, (*above, name))
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            yield (*above, index), item.start_mark.line + 1, False
            yield from _locations(item, (*above, index))
