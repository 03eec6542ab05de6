"""No input makes a route raise, and every answer is a stretch of the file that it names."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.evaluation.gold.mining import mine

PIECES = st.sampled_from(
    [
        "# Title here\n",
        "## A section\n",
        "### `portDues(x)`\n",
        "```js\n",
        "```\n",
        "~~~\n",
        "- item `portDues(x)` is\n",
        "| a | b |\n",
        "[to](./a.md#title-here) ",
        "Sentences about berths, quays and vessels follow. ",
        "\r\n",
        "\r",
        "\n\n",
        "---\n",
        "title: Ünï 💥\n",
        "::: tip\n",
        "**BerthBoard** ",
        "export function portDues (x) {",
        "}",
        "/** Says é. */\n",
        "export const berthPlan = () => ",
        "<template>",
        "</template>",
        "<script>",
        "</script>",
        "useTides()",
        "\x00",
        "\u0301",
        "name: 'berth-board'",
        "export default {",
        "// 💥\n",
        "'",
        "`",
    ]
)


@settings(max_examples=60, deadline=None)
@given(page=st.lists(PIECES), script=st.lists(PIECES), component=st.lists(PIECES))
def test_answers_are_stretches_of_their_files(
    page: list[str], script: list[str], component: list[str]
) -> None:
    documents = [
        Document("shop", "a.md", "".join(page), "markdown"),
        Document("shop", "b.js", "".join(script), "javascript"),
        Document("shop", "BerthBoard.vue", "".join(component), "vue"),
    ]
    lengths = {each.path: len(each.text) for each in documents}
    for row in mine(documents).to_pylist():
        assert 0 <= row["lexical_overlap"] <= 1
        for span in row["relevant"]:
            assert 0 <= span["start"] < span["end"] <= lengths[span["path"]]
