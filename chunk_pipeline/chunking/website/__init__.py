"""Web pages: sections with their place in the page."""
