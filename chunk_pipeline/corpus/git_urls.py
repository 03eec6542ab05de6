"""Which addresses of git repositories are allowed, and the one transport that each may use.

``ext::`` and other helpers run commands, ``http`` and ``git`` have no authenticity, and an address or host
that begins with ``-`` would be read as an option (CVE-2017-1000117).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_SCP = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._-]*@([^/:]*):(.+)", re.DOTALL)
_HOST = re.compile(r"(?:[^@/]*@)?(?:[A-Za-z0-9_][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?")
_ALLOWED = "allowed are https://, ssh://, git@host:path, file:/// and a local path"


@dataclass(frozen=True, slots=True)
class GitLocation:
    """An address as git is given it, and the transport (``https``, ``ssh``, ``file``) that it uses."""

    address: str
    protocol: str

    @property
    def is_local_path(self) -> bool:
        """Whether it is a path without a scheme."""
        return self.protocol == "file" and not self.address.startswith("file://")

    @property
    def folder(self) -> Path | None:
        """Where it lies on this machine, or ``None``; git reads ``%2e`` in a ``file://`` address as ``.``."""
        if self.protocol != "file":
            return None
        return Path(self.address if self.is_local_path else unquote(self.address.removeprefix("file://")))


def git_location(url: str) -> GitLocation:
    """Check an address and name its transport; a local path is made absolute.

    Raises:
        ValueError: It is empty, an option, or not of an allowed transport; passwords are not repeated.
    """
    if not url or not url.isprintable() or url != url.strip():
        raise ValueError("is empty or holds spaces at its ends or control characters; write a plain address")
    if url.startswith("-"):
        raise ValueError("begins with '-', which git would read as an option; write './-…' for such a folder")
    if _HELPER.match(url):
        raise ValueError(f"uses the transport {url.split('::')[0]!r}, which runs commands; {_ALLOWED}")
    if match := _SCHEME.fullmatch(url):
        return _with_scheme(url, match[1].lower(), match[2])
    if match := _SCP.fullmatch(url):
        if not _HOST.fullmatch(match[1]) or match[2].startswith("-"):
            raise ValueError(f"has no proper host or path; {_ALLOWED}")
        return GitLocation(url, "ssh")
    return GitLocation(str(Path(url).absolute()), "file")


def _with_scheme(url: str, scheme: str, rest: str) -> GitLocation:
    if scheme == "file":
        if not rest.startswith("/"):
            raise ValueError("must be file:/// and an absolute path; write a relative one without file://")
        return GitLocation(url, "file")
    if scheme not in ("https", "ssh"):
        raise ValueError(f"uses the transport {scheme!r}; {_ALLOWED}")
    if not _HOST.fullmatch(rest.split("/", 1)[0]):
        raise ValueError(f"has no proper host; {_ALLOWED}")
    return GitLocation(url, scheme)
