"""Files that are credentials as a whole, by their names: they are left out without being read."""

from __future__ import annotations

import re

from chunk_pipeline.corpus.paths import file_name, suffix

_ENVIRONMENT = re.compile(r"\.env(?:rc)?\Z|\.env\.[\w.\-]+\Z|[\w\-]+\.env\Z", re.IGNORECASE)
_SHOWN = re.compile(
    r"(?:\A|[.\-_])(?:example|sample|template|tpl|dist|defaults?|schema)(?:\Z|[.\-_])", re.IGNORECASE
)
_KEYS = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?\Z")
_CREDENTIALS = frozenset(
    {".netrc", "_netrc", ".pgpass", ".pypirc", ".git-credentials", ".htpasswd", ".dockercfg"}
)
_FOLDERS = (".aws/credentials", ".docker/config.json", ".kube/config", ".ssh/identity")
_KEY_SUFFIXES = frozenset({".pem", ".key", ".ppk", ".asc", ".pk8", ".p8"})


def secret_file(path: str) -> str | None:
    """What kind of credentials a file is by its name, one of ``kinds.FILE_KINDS``, or ``None``."""
    name = file_name(path)
    environment = _ENVIRONMENT.match(name)
    if environment and not _SHOWN.search(name):
        return "environment_file"
    if _KEYS.match(name):
        return "private_key_file"
    if name in _CREDENTIALS or f"/{path}".endswith(tuple(f"/{each}" for each in _FOLDERS)):
        return "credentials_file"
    return None


def holds_keys(path: str) -> bool:
    """Whether a file with a private key in it is one as a whole, by its suffix."""
    return suffix(path) in _KEY_SUFFIXES
