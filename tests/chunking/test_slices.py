from __future__ import annotations

import pytest

from chunk_pipeline.chunking.slices import rows_are_whole, slice_is_whole, tags_are_balanced


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plaats;Instelling\nGoirle;Archief\n", True),
        ("ISIL-codes 2025\nPlaats;Instelling\nGoirle;Archief\n", True),
        ('a,"b\nc"\nd,e\n', True),
        ("a\tb\tc\n", True),
        ("rchief;NL-A\nDen Haag;Museum;NL-B\n", False),
        ("Den Haag;Museum;NL-B\nGoirle;Ar", False),
        ('a,"b\n', False),
        ("no table at all\n", False),
    ],
)
def test_a_slice_of_a_table_is_whole_where_no_row_is_torn(text: str, expected: bool) -> None:
    assert rows_are_whole(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>text</p>", True),
        ("<ul><li>one<li>two</ul><br><img src='a'>", True),
        ("<p>left open", True),
        ("text alone", True),
        ("<circle/>", True),
        ("text</p>", False),
        ("<section><p>text</p>", False),
        ("<b><i>crossed</b></i>", False),
        ("<div class='cut of", False),
        ("<table><tr><td>a</td></tr>", False),
    ],
)
def test_a_slice_of_a_page_is_whole_where_no_tag_lacks_its_other_one(text: str, expected: bool) -> None:
    assert tags_are_balanced(text) is expected


@pytest.mark.parametrize(
    ("category", "path", "text", "expected"),
    [
        ("conversation", "c.json", '{"a": 1}', True),
        ("conversation", "c.json", '"a": 1', False),
        ("yaml_instance", "i.yaml", "a: 1\n", True),
        ("yaml_instance", "i.yaml", "a: [1\n", False),
        ("markdown", "a.md", "```\nopen\n", False),
        ("document", "a.MD", "```\nopen\n", False),
        ("document", "a.docx", "```\nopen\n", True),
        ("text", "a.txt", "<p", True),
    ],
)
def test_a_slice_is_held_to_the_format_of_its_file(
    category: str, path: str, text: str, expected: bool
) -> None:
    assert slice_is_whole(category, path, text) is expected
