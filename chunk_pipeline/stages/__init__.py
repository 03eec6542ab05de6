"""One function a stage: read inputs, call the library, write tables, say what was done.

This is the pipeline without an orchestrator: assets, the command line and benchmarks call these functions.
What does not belong here: how files are cut, encoded, ranked or judged, and anything of Dagster.
"""
