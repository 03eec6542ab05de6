"""JavaScript and TypeScript: the strategies of the reference study and ``js_syntax``."""
