"""Orchestration: the only place that knows Dagster. Assets call the library; no logic belongs here."""

import warnings

# Used on purpose although Dagster marks it beta or preview: one partition a run, checks that know their
# partition, links from the UI to the code. Everything else still warns.
for _message in (
    "Parameter `include_sources` of",
    "Specifying a partitions_def on an AssetCheckSpec",
    "Class `LocalFileCodeReference`",
    "Class `CodeReferencesMetadata",
    "Function `with_source_code_references`",
):
    warnings.filterwarnings("ignore", message=_message)
