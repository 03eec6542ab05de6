"""How large a web page may be.

Pages that people write have some thousand elements, some dozen deep. What is far beyond was made by a
machine, or to do harm, and its conversion would take more time and memory than a run has.
"""

MOST_CHARACTERS = 20_000_000
"""Characters of a page, markup and embedded images among them."""

MOST_TEXT = 5_000_000
"""Characters of a page's text, scripts among it; so many take about 1.2 GB and half a minute."""

MOST_ELEMENTS = 200_000
"""Elements of a page."""

DEEPEST = 200
"""Elements inside each other; libxml2 drops what is deeper than 256 without a word."""

MOST_CONVERTED = 30_000
"""Elements that Docling gets; the headings of a page with more are taken from its tree."""
