"""JSON: the strategies of the reference study and ``json_syntax``."""
