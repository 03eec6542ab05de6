"""Vue components: the strategies of the reference study and ``vue_syntax``."""
