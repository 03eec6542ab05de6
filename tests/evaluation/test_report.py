"""The report: complete, deterministic, self-contained, and harmless whatever the sources hold."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from chunk_pipeline.evaluation.comparisons import comparisons_table
from chunk_pipeline.evaluation.html import render_html
from chunk_pipeline.evaluation.metrics import metrics_table
from chunk_pipeline.evaluation.plots import hit_plot, size_plot
from chunk_pipeline.evaluation.recommendation import recommend
from chunk_pipeline.evaluation.report import Report, advice_rows, render_markdown
from chunk_pipeline.evaluation.scores import score
from chunk_pipeline.evaluation.view import TableView
from chunk_pipeline.warehouse import tables
from tests.evaluation.evaluation_tables import chunk_row, chunk_table, gold_of, ranking_table, skip_table

HOSTILE = "<script>alert(1)</script> | \x1b[31mred \u202egnp.exe\n# heading <img src=http://x.example/a.png>"
CATEGORY = "i18n_translations"
N = 12

EMPTY = Report(
    *(
        table.empty()
        for table in (
            tables.GOLD_QUERIES,
            tables.RETRIEVAL_METRICS,
            tables.COMPARISONS,
            tables.STRUCTURE_METRICS,
            tables.QUARANTINE,
            tables.SKIPS,
        )
    )
)


def structure(figures: dict[str, dict[str, float]], category: str = CATEGORY) -> pa.Table:
    rows = [
        {"strategy": strategy, "category": each, "metric": metric, "value": value, "n": 1}
        for strategy, metrics in figures.items()
        for metric, value in metrics.items()
        for each in (category, "all")
    ]
    return pa.Table.from_pylist(rows, schema=tables.STRUCTURE_METRICS.schema)


SOUND = {
    "chunks": 12.0,
    "parse_integrity": 1.0,
    "cover": 1.0,
    "leaf_coverage": 1.0,
    "duplication": 1.1,
    "median": 80.0,
}


def report(hostile: str = "harmless") -> Report:
    """``good`` finds every answer first, ``poor`` finds none of them there."""
    queries = [f"query {n:02}" for n in range(N)]
    gold = pa.concat_tables(
        gold_of({query: [(f"{n:02}.json", 0, 10)]}, path=f"{n:02}.json") for n, query in enumerate(queries)
    )
    chunks, rankings = {}, {}
    for strategy, shift in (("good", 0), ("poor", 1)):
        ids = [f"{strategy}{n:02}" for n in range(N)]
        chunks[strategy] = chunk_table(
            chunk_row(each, f"{n:02}.json", [(0, 10)], strategy=strategy) for n, each in enumerate(ids)
        )
        found = {query: [ids[(n + shift) % N], ids[n - 1], ids[n - 2]] for n, query in enumerate(queries)}
        rankings[strategy] = ranking_table({"bm25": found, "rrf": found}, strategy)
    scores = score(gold, rankings, chunks)
    quarantine = pa.Table.from_pylist(
        [
            {
                "repository": "shop",
                "path": hostile,
                "stage": "filtered_files",
                "error": hostile,
                "first_bytes": "",
                "content_sha256": None,
            }
        ],
        schema=tables.QUARANTINE.schema,
    )
    return Report(
        gold=pa.concat_tables([gold, gold_of({hostile: [(hostile, 0, 5)]}, path=hostile)]),
        retrieval=metrics_table(scores),
        comparisons=comparisons_table(scores),
        structure=structure({"good": SOUND, "poor": {**SOUND, "duplication": 0.9}}),
        quarantine=quarantine,
        skips=skip_table([("a.json", 0, 5, hostile)]),
        notes=(("Model", hostile),),
    )


class Page(HTMLParser):
    """The tags of a page, and what its table cells say."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_the_page_asks_for_nothing_from_outside() -> None:
    page = render_html(report())
    assert not re.search(r"https?://|@import|url\(", page)
    parsed = Page(page)
    assert not {"link", "iframe", "object", "base"} & set(parsed.tags)
    sources = [value or "" for name, value in parsed.attributes if name in ("src", "href")]
    assert all(value.startswith(("data:image/png;base64,", "#")) for value in sources)
    assert "default-src 'none'" in page


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_hostile_text_is_shown_and_does_nothing(render: object) -> None:
    assert callable(render)
    text = render(report(HOSTILE))
    assert "&lt;script&gt;" in text
    assert "<script>alert" not in text
    assert "<img src=http" not in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\n# heading" not in text


def test_hostile_text_adds_no_tag_to_the_page() -> None:
    assert Page(render_html(report(HOSTILE))).tags == Page(render_html(report())).tags


def test_every_row_of_a_markdown_table_has_the_columns_of_its_heading() -> None:
    lines = render_markdown(report(HOSTILE)).splitlines()
    for before, line in pairwise(lines):
        if before.startswith("|") and line.startswith("|"):
            assert line.count("|") - line.count("\\|") == before.count("|") - before.count("\\|")


@pytest.mark.parametrize("render", [render_html, render_markdown])
def test_a_report_of_nothing_says_so(render: object) -> None:
    assert callable(render)
    assert "nothing to recommend" in render(EMPTY)


def test_the_same_tables_give_the_same_bytes() -> None:
    assert render_html(report()) == render_html(report())
    assert render_markdown(report()) == render_markdown(report())


def test_plots_are_small_and_have_no_date_or_software_in_them() -> None:
    made = report()
    for png in (hit_plot(made.retrieval), size_plot(made.structure), hit_plot(EMPTY.retrieval)):
        assert png.startswith(b"\x89PNG")
        assert len(png) < 12_000
        assert b"tEXt" not in png
        assert b"tIME" not in png


def test_the_better_strategy_is_recommended_with_how_sure_we_are() -> None:
    (advice,) = report().recommendations()
    assert (advice.category, advice.strategy) == (CATEGORY, "good")
    assert advice.certainty == "Sure: better than poor, beyond noise."
    assert "12 distinct queries" in advice.reasons[0]
    assert f"use **{advice.strategy}**" in render_markdown(report())


def test_strategies_that_are_not_distinguishable_are_called_so() -> None:
    made = report()
    level = made.comparisons.set_column(
        made.comparisons.schema.get_field_index("verdict"),
        tables.COMPARISONS.schema.field("verdict"),
        pa.array(["not distinguishable"] * made.comparisons.num_rows),
    )
    (advice,) = recommend(made.structure, made.retrieval, level)
    assert advice.certainty == "Not sure: not distinguishable from poor on this gold."
    assert advice.reasons[-1] == "poor stores least (0.90 times the source) and may serve as well."


def test_a_strategy_that_breaks_or_loses_values_is_out() -> None:
    made = report()
    for metric, words in (
        ("broken", "do not parse"),
        ("cover", "characters in no chunk"),
        ("leaf_coverage", "values in no chunk"),
    ):
        poor = {"broken": 0.0, **SOUND}
        broken = structure({"good": {**poor, metric: 0.5}, "poor": poor})
        (advice,) = recommend(broken, made.retrieval, made.comparisons)
        assert advice.strategy == "poor"
        assert any(reason.startswith("good is out: 50.0%") and words in reason for reason in advice.reasons)
        assert (advice.out, advice.certainty) == (
            ("good",),
            "The only candidate left: 1 is out by how it cuts.",
        )
        found = views(replace(made, structure=broken))["How well it is found"]
        assert [(row[0].text, row[0].note) for row in found.rows] == [
            ("good", "out by how it cuts"),
            ("poor", "recommended"),
        ]


def test_a_strategy_that_takes_fewer_of_the_files_is_out() -> None:
    made = report()
    figures = structure(
        {"good": {**SOUND, "files": 3.0}, "poor": {**SOUND, "files": 2.0, "files_uncut": 8.0}}
    )
    (advice,) = recommend(figures, made.retrieval, made.comparisons)
    assert advice.strategy == "poor"
    assert "good is out: it takes 3 files, others 10." in advice.reasons


def test_of_strategies_that_find_the_same_the_one_that_stores_less_is_recommended() -> None:
    made = report()
    value = made.retrieval.schema.get_field_index("value")
    same = made.retrieval.set_column(
        value, made.retrieval.schema.field("value"), pa.array([1.0] * made.retrieval.num_rows)
    )
    for small, large in (("good", "poor"), ("poor", "good")):
        figures = structure({small: {**SOUND, "duplication": 1.0}, large: {**SOUND, "duplication": 2.0}})
        (advice,) = recommend(figures, same, made.comparisons)
        assert advice.strategy == small


def test_without_gold_the_structure_decides_and_the_report_says_so() -> None:
    figures = structure({"good": {**SOUND, "oversized": 0.2}, "poor": {**SOUND, "oversized": 0.0}}, "other")
    (advice,) = recommend(figures, EMPTY.retrieval, EMPTY.comparisons)
    assert (advice.category, advice.strategy, advice.retriever) == ("other", "poor", "")
    assert advice.certainty.startswith("Structure only")


def views(made: Report, anchor: str = f"category-{CATEGORY}") -> dict[str, TableView]:
    """The tables of a section by their titles."""
    (section,) = [each for each in made.sections() if each.anchor == anchor]
    return {view.title: view for view in section.views}


def test_a_category_opens_with_one_line_a_strategy_the_best_first() -> None:
    found = views(report())["How well it is found"]
    assert not found.folded
    assert [row[0].text for row in found.rows] == ["good", "poor"]
    assert (found.rows[0][0].note, found.rows[1][0].note) == ("recommended", "")
    mrr = found.columns.index("mrr")
    assert (found.rows[0][mrr].text, found.rows[0][mrr].best, found.rows[1][mrr].best) == (
        "1.000",
        True,
        False,
    )
    assert not found.is_words(mrr)
    assert {"hit@500t", "hit@1000t", "hit@2000t", "IoU", "bundle"} < set(found.columns)


def test_the_recommended_strategy_is_held_against_the_others_and_the_rest_is_counted() -> None:
    made = report()
    shown = views(made)
    deciding = shown["good against the others, all questions: MRR at the level of chunks"]
    assert deciding.folded
    assert {(row[0].text, row[1].text, row[2].text) for row in deciding.rows} == {
        ("bm25", "poor", "good"),
        ("rrf", "poor", "good"),
    }
    assert {row[-1].text for row in deciding.rows} == {"better"}
    assert all(row[3].text.startswith("+") for row in deciding.rows)
    told = shown["How often two strategies are told apart"]
    of_it = made.comparisons.filter((pc.field("category") == CATEGORY) & (pc.field("route") == "all"))
    beyond = pc.sum(pc.not_equal(of_it["verdict"], "not distinguishable")).as_py()
    assert f"Of {of_it.num_rows:,} comparisons, {beyond:,} are beyond noise" in told.caption
    one_retriever = pc.equal(of_it["left_retriever"], of_it["right_retriever"])
    assert sum(int(cell.text) for cell in told.rows[0][2:]) == pc.sum(one_retriever).as_py()


def test_categories_that_gold_asks_for_come_first() -> None:
    made = report()
    unasked = structure({"good": SOUND}, "a_first_by_name")
    both = replace(made, structure=pa.concat_tables([unasked, made.structure]))
    assert [each["category"] for each in advice_rows(both.recommendations())] == [CATEGORY, "a_first_by_name"]
    assert [each["how sure"] for each in advice_rows(both.recommendations())] == ["Sure", "Structure only"]
