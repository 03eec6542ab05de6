"""A project whose files hold a secret of every kind, and a search of all that a run leaves for them."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import yaml

from tests.corpus.planted_secrets import (
    IN_CONTEXT,
    KEY_LINES,
    PASSWORD,
    PRIVATE_KEY,
    SECRET_VALUE,
    TOKENS,
    drawn,
)
from tests.end_to_end.project import SAMPLE, Project

SOURCE = "harbour-office"
STRATEGIES = (
    "csv_registry",
    "document",
    "js_syntax",
    "json_category",
    "markdown_structure",
    "website",
    "yaml_instance",
)
ENVIRONMENT_PASSWORD = drawn(60, 18)
BROKEN_PASSWORD = drawn(61, 18)
SHOWN = "Ferries leave at nine"
"""Stands next to the secrets and is to be found."""

VALUES = {
    **TOKENS,
    **{kind: value for kind, (_, value) in IN_CONTEXT.items() if kind != "private_key"},
    **{f"private_key {number}": line for number, line in enumerate(KEY_LINES)},
    "password of the environment": ENVIRONMENT_PASSWORD,
    "password of a broken file": BROKEN_PASSWORD,
}
"""What was planted and may be nowhere, by what it is."""


def _csv(rows: Iterable[tuple[str, ...]]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([("naam_organisatie", "Soort", "E-mail"), *rows])
    return buffer.getvalue()


def _document() -> bytes:
    from tests.conversion.documents import saved

    def fill(document: object) -> None:
        for line in (
            SHOWN,
            f"Password: '{PASSWORD}'",
            f"Use {TOKENS['github_token']} here.",
            *PRIVATE_KEY.split("\n"),
        ):
            document.add_paragraph(line)  # type: ignore[attr-defined]

    return saved(fill)


def files() -> dict[str, bytes]:
    """What the project's source holds."""
    everything = {**TOKENS, **{kind: text for kind, (text, _) in IN_CONTEXT.items()}}
    lines = [f"- {SHOWN}: {text}" for text in everything.values() if "\n" not in text]
    page = "".join(f"<p>{SHOWN}: {value}</p>" for value in TOKENS.values())
    registry = [(str(number), kind, value) for number, (kind, value) in enumerate(TOKENS.items())]
    texts = {
        "config/settings.json": json.dumps(
            {"about": SHOWN, "inner": everything, "password": PASSWORD, "key": PRIVATE_KEY}, indent=2
        ),
        "config/lines.json": json.dumps({"about": SHOWN, "key": PRIVATE_KEY.split("\n")}),
        "docs/guide.md": "# Guide\n\n" + "\n".join(lines) + f"\n\n```\n{PRIVATE_KEY}\n```\n",
        "src/app.js": "".join(f"export const t{n} = '{value}'\n" for n, value in enumerate(TOKENS.values()))
        + f"const dbPassword = '{PASSWORD}'\nconst about = '{SHOWN}'\n",
        "data/site.yaml": yaml.safe_dump(
            {"about": SHOWN, "password": PASSWORD, "tokens": TOKENS, "key": PRIVATE_KEY}
        ),
        "data/registry.csv": _csv(registry),
        "web/page.html": f"<html><body><h1>Page</h1>{page}</body></html>",
        "broken.json": f'{{"about": "{SHOWN}", "password": "{BROKEN_PASSWORD}", ',
        ".env": f"DB_PASSWORD={ENVIRONMENT_PASSWORD}\n",
        "deploy/id_rsa": PRIVATE_KEY,
        "deploy/server.pem": PRIVATE_KEY + "\n",
        "clean.json": json.dumps({"about": SHOWN, "commit": hashlib.sha1(b"").hexdigest()}),
    }
    undecodable = f'{{"password": "{BROKEN_PASSWORD}"}}'.encode() + b"\xff"
    utf_16 = f'{{"password": "{BROKEN_PASSWORD}"}}'.encode("utf-16-le")
    return {name: text.encode() for name, text in texts.items()} | {
        "undecodable.json": undecodable,
        "unmarked.json": utf_16,
        "letter.docx": _document(),
    }


def plant(root: Path, policy: str, strategies: Sequence[str] = STRATEGIES) -> Project:
    """A project of those files under a policy; every file that can be read is."""
    project = Project(root)
    (root / "dagster_home").mkdir(parents=True)
    shutil.copy(SAMPLE.parents[1] / "dagster_home" / "dagster.yaml", root / "dagster_home")
    for name, data in files().items():
        path = project.file(SOURCE, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    choose(project, policy, strategies=strategies)
    return project


def choose(
    project: Project,
    policy: str,
    allowed: Iterable[dict[str, str]] = (),
    strategies: Sequence[str] = STRATEGIES,
) -> None:
    """Write the sources file with another policy."""
    labels = {".yaml": "yaml_instance", ".csv": "csv_registry", ".html": "website", ".docx": "document"}
    profile = {
        "whitelist": [".csv", ".docx", ".html", ".js", ".json", ".md", ".pem", ".yaml"],
        "not_excluded_suffixes": [".pem"],
        "labels": labels,
        "secrets": policy,
        "allowed_secrets": list(allowed),
    }
    source = {"name": SOURCE, "kind": "folder", "path": f"repositories/{SOURCE}", "profile": "planted"}
    written = {"sources": [source], "profiles": {"planted": profile}, "strategies": list(strategies)}
    project.sources.write_text(yaml.safe_dump(written), encoding="utf-8")


def leaked(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Where a planted value, or a digest of one, stands: ``place: what``."""
    wanted = dict(VALUES)
    for name, value in VALUES.items():
        for algorithm in ("md5", "sha1", "sha256"):
            wanted[f"{algorithm} of {name}"] = hashlib.new(algorithm, value.encode()).hexdigest()
    return [f"{place}: {name}" for place, text in texts for name, value in wanted.items() if value in text]


def everything_below(folder: Path) -> Iterator[tuple[str, str]]:
    """Each file of a folder: its bytes, and of compressed ones what is in them."""
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        yield str(path), path.read_bytes().decode("latin-1").replace("\0", "")
        if path.suffix == ".parquet":
            table = pq.ParquetFile(path).read()
            yield from ((f"{path} {name}", str(table[name].to_pylist())) for name in table.column_names)
        elif path.suffix == ".duckdb":
            yield from _catalog(path)


def _catalog(path: Path) -> Iterator[tuple[str, str]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            yield f"{path} {name}", str(connection.execute(f'SELECT * FROM "{name}"').fetchall())


__all__ = ["SECRET_VALUE", "choose", "everything_below", "files", "leaked", "plant"]
