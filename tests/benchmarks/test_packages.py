"""Packages are taken only as they are pinned, and only the parts that are named."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from benchmarks import _packages
from benchmarks._packages import PACKAGES, Package, PackagesUnavailableError, fetched, package_documents

FILES = {"src/a.md": "# A\n", "src/deep/b.json": "{}\n", "test/c.md": "left out\n", "srcs/d.md": "left out\n"}


def packed(folder: Path) -> Package:
    """A tarball as npm makes them, in the folder, and its pin."""
    tarball = folder / "shop-1.0.0.tgz"
    with tarfile.open(tarball, "w:gz") as archive:
        for path, text in FILES.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    return Package("shop", "1.0.0", f"sha512-{digest}", ("src",))


def test_only_the_named_folders_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_packages, "PACKAGES", (packed(tmp_path),))
    documents = package_documents(tmp_path)
    assert [(each.name, each.category) for each in documents] == [
        ("shop/src/a.md", "markdown"),
        ("shop/src/deep/b.json", "other"),
    ]


def test_a_tarball_that_is_not_the_pinned_one_is_refused(tmp_path: Path) -> None:
    package = packed(tmp_path)
    (tmp_path / package.tarball).write_bytes(b"something else")
    with pytest.raises(PackagesUnavailableError, match="delete it and run again"):
        fetched(package, tmp_path)


def test_without_npm_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackagesUnavailableError, match=r"install Node\.js, or run 'npm pack"):
        fetched(PACKAGES[0], tmp_path / "cache")
