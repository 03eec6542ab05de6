"""Orchestration: the only place that knows Dagster. Assets call the library; no logic belongs here."""
