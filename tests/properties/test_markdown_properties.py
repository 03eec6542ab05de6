"""What holds for any Markdown document, and for any text that is none."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, chunk_id
from chunk_pipeline.chunking.integrity import prove
from chunk_pipeline.chunking.markdown.fences import closing_of_open_fence
from chunk_pipeline.chunking.markdown.syntax import cut_markdown
from chunk_pipeline.chunking.registry import strategy

NAMES = (
    "markdown_recursive",
    "markdown_header",
    "markdown_structure",
    "markdown_structure_breadcrumb",
    "markdown_syntax",
)
LINES = st.sampled_from(
    [
        "# Title",
        "## Part `a`",
        "Setext",
        "===",
        "---",
        "```",
        "```js",
        "````",
        "~~~",
        "  ```",
        "> quote",
        "> ```",
        "- item",
        "  - nested",
        "    - deeper",
        "1. one",
        "   ```sh",
        "      code",
        "| a | b |",
        "|---|---|",
        "| c | d |",
        "::: tip",
        ":::",
        "$$",
        "<div>",
        "<!--",
        "-->",
        "[^1]: note",
        "[a]: http://a",
        "A sentence. Another one! ``` And a third: é 😀 e\u0301",
        "Words " * 12,
        "x" * 90,
        "\ttab",
        "\x00",
        "",
        "",
        "",
    ]
)
TEXTS = st.one_of(
    st.tuples(st.lists(LINES, max_size=60), st.sampled_from(["\n", "\n", "\r\n", "\r"])).map(
        lambda parts: parts[1].join(parts[0])
    ),
    st.text(max_size=300),
)


def _cut(name: str, text: str) -> tuple[Document, list[Chunk], list[Skip]]:
    source = Document("r", "docs/a.md", text, "markdown")
    cut = list(strategy(name).cut(source))
    chunks = [each for each in cut if isinstance(each, Chunk)]
    return source, chunks, [each for each in cut if isinstance(each, Skip)]


@settings(max_examples=150, deadline=None)
@given(text=TEXTS, name=st.sampled_from(NAMES))
def test_cover_is_complete_spans_are_exact_and_ids_are_unique(text: str, name: str) -> None:
    source, chunks, skips = _cut(name, text)
    proof = prove(text, chunks, skips, "markdown")
    assert proof.holds, proof
    assert len({chunk_id(name, source, chunk) for chunk in chunks}) == len(chunks)


@settings(max_examples=200, deadline=None)
@given(text=TEXTS, limit=st.sampled_from([120, 200, 1000]))
def test_pieces_of_the_syntax_are_whole_disjoint_and_within_the_limit(text: str, limit: int) -> None:
    cut = list(cut_markdown(Document("r", "docs/a.md", text, "markdown"), limit))
    chunks = [each for each in cut if isinstance(each, Chunk)]
    skips = [each for each in cut if isinstance(each, Skip)]
    proof = prove(text, chunks, skips, "markdown")
    assert proof.holds, proof
    assert proof.parsing == proof.chunks
    assert max((len(chunk.text) for chunk in chunks), default=0) <= limit
    for chunk in chunks:
        if not chunk.metadata.fallback:
            assert not chunk.overlap
            assert not closing_of_open_fence(chunk.passage), chunk
