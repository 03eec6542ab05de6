"""The code location: nothing but the assembly of ``defs``."""

from chunk_pipeline.defs.assembly import build_definitions

defs = build_definitions()
