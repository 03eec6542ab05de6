"""Fragments of heritage sources: rows, entities, conversations, elements of pages; whole and broken."""

from __future__ import annotations

import json
from typing import Any


def _message(number: int, text: str, sender: str = "human", **more: Any) -> dict[str, Any]:
    return {
        "uuid": f"m{number}",
        "sender": sender,
        "text": text,
        "created_at": "2025-01-01T00:00:00Z",
        **more,
    }


def _conversation(number: int, *messages: dict[str, Any] | None, **more: Any) -> str:
    row = {"uuid": f"c{number}", "name": f"Talk {number}", "chat_messages": list(messages), **more}
    return json.dumps(row, ensure_ascii=number % 2 == 0, indent=number % 3 or None)


_BLOCKS = [
    {"type": "thinking", "thinking": "Hm."},
    {"type": "text", "text": 'Here it is:\n\n- caf\u00e9 \U0001f600\n- "quoted" \\ back'},
    {"type": "tool_use", "name": "search", "input": {"query": "salt"}},
    {"type": "text", "text": "And there. " * 90},
]
_FENCE = "```\nThis block is not supported on your current device yet.\n```"

CONVERSATION = [
    _conversation(0),
    _conversation(1, None, _message(1, "Where is it?"), _message(2, "There.", "assistant")),
    _conversation(2, _message(3, "x", content=_BLOCKS), _message(4, f"Look: {_FENCE} done.", "assistant")),
    _conversation(3, _message(5, "A paragraph of words.\n\n" * 300, "assistant"), _message(6, "Thanks")),
    _conversation(
        4,
        _message(7, "First.", parent_message_uuid="root"),
        _message(8, "One way. " * 20, "assistant", parent_message_uuid="m7"),
        _message(9, "Another way. " * 20, "assistant", parent_message_uuid="m7"),
        current_leaf_message_uuid="m9",
    ),
    _conversation(
        5, _message(10, "", attachments=[{"file_name": "a.txt", "extracted_content": "Row\n" * 400}])
    ),
]
BROKEN_CONVERSATION = [
    '{"chat_messages": 1}',
    '{"uuid": "c", "chat_messages": [{"text": 7}, [], "x"]}',
    "[",
    "}",
    '"\\ud800"',
]

CSV_HEADER = "Volgnr.;Plaats;Instelling;ISIL code;Toegekend op;Opmerking\n"
CSV = [
    "1;Den Haag;Archief A;NL-AbcDE;01-01-2010;\n",
    '2;NA;"Museum ""De; Kuil""";NL-XyzQR;2013;"over\ntwo lines"\n',
    "3;;;;;\n",
    ";;;;;\n",
    "\n",
    "4;Goirle;Caf\u00e9 \u20ac;NL-GolCE;01234567;" + "a long note of words " * 400 + "\n",
]
BROKEN_CSV = [
    CSV_HEADER,
    "ISIL-codes 2025;;;;;\n",
    '"never closed;a\n',
    "a,b,c\n",
    "1;2;3;4;5;6;7;8\n",
    "7;short\n",
    '"Volgnr.,Plaats,Instelling"\n',
    "\t",
    '"',
]

YAML = [
    "- hc_id: a\n  preferred_label: Archief A\n  custodian_place: {settlement: Den Haag, country: NO}\n",
    "- preferred_label: 'B''s museum'\n  postcode: 01234\n  opened: 12:30:00\n  identifiers:\n"
    "  - {identifier_scheme: ISIL, identifier_value: NL-AbcDE}\n",
    "# a comment between\n- has_label: C\n  has_description: >-\n    folded\n    over\n\n    and more\n",
    '- preferred_label: "caf\\u00e9 \\U0001F600"\n  description: |\n' + "    " + "words " * 500 + "\n",
    "- preferred_label: D\n  collections:\n" + "  - collection_name: something kept here\n" * 60,
    "- &one\n  preferred_label: E\n- preferred_label: F\n",
]
BROKEN_YAML = [
    "---\n",
    "...\n",
    "%YAML 1.2\n---\n",
    "- *nowhere\n",
    "- !!python/object:os.system x\n",
    "\ttab: 1\n",
    "key: [never closed\n",
    "a: 1\na: 2\n",
    "plain text\n",
    "? complex\n: key\n",
    "- |\n  block\n",
]

HTML = [
    "<h1>Museum</h1><p>Text with <b>bold</b> and <a href='x'>a link</a> &amp; caf&eacute; &#8364;.</p>\n",
    "<nav><ul><li><a href='/'>Home</a></li></ul></nav>",
    "<main><h2>Openingstijden</h2><table><tr><th>Dag</th><th>Van</th></tr>"
    + "<tr><td>Dinsdag</td><td colspan='2'>10:00</td></tr>" * 60
    + "</table></main>",
    "<section><h2>Contact</h2><p>Words of a paragraph. " * 1 + "More words here. " * 200 + "</p></section>",
    "<ul><li>One<ul><li>Sub</li></ul></li><li>Two</li></ul><dl><dt>T</dt><dd>D</dd></dl>",
    "<p hidden>hidden</p><script>var a = '<p>no</p>'</script><style>.a{}</style><!-- comment -->",
    "<form><label>Name <input name='n'></label><textarea>area</textarea><select><option>A</select></form>",
    "<footer><p>\u00a9 2025</p></footer><aside class='sidebar'><p>News</p></aside>",
    "<details><summary>More</summary><p>Inside.</p></details><pre>  kept\n   as is</pre>",
    "<div>" * 30 + "deep" + "</div>" * 30,
]
BROKEN_HTML = [
    "<p>never closed",
    "</div>",
    "<b><i>crossed</b></i>",
    "<td>outside a table</td>",
    "<",
    "&",
    "&amp",
    "&#xD800;",
    "<script>never closed",
    "<!-- never closed",
    "<![CDATA[data]]>",
    "<html><body>again</body></html>",
    "<p title='>'>attribute</p>",
    "<svg><title>t</title></svg>",
    "<p\x00>",
    "plain text",
]
