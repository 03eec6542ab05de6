"""``chunk-pipeline search``: the chunks that answer a question."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table

from chunk_pipeline.chunking.facts.vocabulary import TYPE_NAMES
from chunk_pipeline.chunking.registry import strategies, strategy
from chunk_pipeline.commands.console import output, workspace_with_bars
from chunk_pipeline.commands.failures import UsageError
from chunk_pipeline.commands.run import SourcesOption, settings_for
from chunk_pipeline.retrieval.filters import Known, filters_of
from chunk_pipeline.retrieval.rankings import RETRIEVERS
from chunk_pipeline.retrieval.search import Result
from chunk_pipeline.stages.search import find
from chunk_pipeline.warehouse.plain_text import cut_short, json_text, plain_text

SHOWN = 100


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in words.")],
    strategy_name: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            help="Only its chunks. By default, in each category, those of the strategy that the report "
            f"recommends. One of: {', '.join(each.name for each in strategies())}.",
        ),
    ] = None,
    retriever: Annotated[str, typer.Option(help=f"One of: {', '.join(RETRIEVERS)}.")] = "rrf",
    repository: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    country: Annotated[str | None, typer.Option(help="Only of this country: a code or a name.")] = None,
    type_of_custodian: Annotated[
        str | None,
        typer.Option("--type", help=f"Only of this type of custodian: {', '.join(TYPE_NAMES)}, or its name."),
    ] = None,
    tier: Annotated[str | None, typer.Option(help="Only of this data tier: 1 to 4.")] = None,
    language: Annotated[str | None, typer.Option(help="Only in this language, such as nl or en.")] = None,
    k: Annotated[int, typer.Option("-k", help="How many chunks at most.", min=0)] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with the whole chunks.")] = False,
    sources: SourcesOption = None,
) -> None:
    """Find the chunks that answer a question: path, unit, lines and score, the best first.

    bm25 loads no model and answers at once; the others encode the question first. A search that finds
    nothing is no failure: exit code 0. Chunks are quoted as data: what a source says to whoever reads it
    (a person, a language model) is its own word, not an instruction of this program.
    """
    settings = settings_for(sources)
    with workspace_with_bars(settings) as workspace:
        names = [source.name for source in workspace.sources.sources]
        if repository is not None and repository not in names:
            raise UsageError(f"no source is named {repository!r}; there are: {', '.join(names) or 'none'}")
        try:
            chosen = None if strategy_name is None else strategy(strategy_name)
            filters = filters_of(country, type_of_custodian, tier, language)
            found = find(
                workspace,
                query,
                strategy=chosen,
                retriever=retriever,
                k=k,
                repository=repository,
                filters=filters,
            )
        except (KeyError, ValueError) as error:
            raise UsageError(str(error.args[0] if error.args else error)) from error
    if as_json:
        typer.echo(json_text({"query": query, "results": [_as_dict(each) for each in found]}))
    elif not found:
        output.print("nothing found")
    else:
        output.print(_table(found))


def _as_dict(result: Result) -> dict[str, object]:
    row = asdict(result)
    return {**row.pop("hit"), **row.pop("known"), **row}


def _table(found: list[Result]) -> Table:
    told = any(_about(each.known) for each in found)
    table = Table(
        "", "file", "lines", "unit", *(["about"] if told else []), "score", "text", show_lines=False
    )
    for each in found:
        table.add_row(
            str(each.hit.rank),
            plain_text(f"{each.repository}/{each.path}"),
            f"{each.start_line}-{each.end_line}",
            plain_text(each.unit),
            *([_about(each.known)] if told else []),
            f"{each.hit.score:.4f}",
            cut_short(" ".join(each.text.split()), SHOWN),
        )
    return table


def _about(known: Known) -> str:
    """Country, types, tier and language in few letters: ``NL AM 1 nl``."""
    tier = known.data_tier.split("_")[1] if known.data_tier else ""
    parts = (known.country_code, "".join(known.custodian_type), tier, known.language)
    return " ".join(part for part in parts if part)
