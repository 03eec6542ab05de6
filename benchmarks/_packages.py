"""The npm packages that the chunking benchmarks cut: which, in which version, and how they come here.

Their sources are fetched by ``npm pack`` into a cache folder, once, and are never a part of this project.
No script of a package is run, nothing of it is installed, and a tarball that is not the pinned one is
refused.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks._documents import kept_documents
from chunk_pipeline.chunking.chunk import Document
from chunk_pipeline.corpus.profiles import BUILT_IN, ProfileSpec

CACHE = Path(__file__).resolve().parents[1] / "data" / "cache" / "packages"
"""Where tarballs are kept; ``make clean`` deletes it."""

SECONDS = 300
"""How long npm may take for one package."""


class PackagesUnavailableError(RuntimeError):
    """The packages could not be fetched; the message says why and what to do."""


class Package(NamedTuple):
    """A package as the registry has it.

    Attributes:
        name: On npm.
        version: Exact.
        integrity: SHA-512 of the tarball, in the registry's notation.
        folders: What of it people wrote, or would index: the rest is built from that.
    """

    name: str
    version: str
    integrity: str
    folders: tuple[str, ...]

    @property
    def tarball(self) -> str:
        """The file name that ``npm pack`` gives it."""
        return f"{self.name}-{self.version}.tgz"


PACKAGES = (
    Package(
        "three",
        "0.187.0",
        "sha512-Qiu7R+Cmh8CstZsY1uJOSWnVlfo7ZtNLV7mF8Jltk3LB3AtDu9cRZlcnRKkAk8Y4z6KKw35z7Y7Urd7jWY8etA==",
        ("src", "examples/jsm"),
    ),
    Package(
        "bootstrap-vue",
        "2.23.1",
        "sha512-SEWkG4LzmMuWjQdSYmAQk1G/oOKm37dtNfjB5kxq0YafnL2W6qUAmeDTcIZVbPiQd2OQlIkWOMPBRGySk/zGsg==",
        ("src", "dist/web-types.json", "dist/vetur-tags.json"),
    ),
    Package(
        "next",
        "16.4.6",
        "sha512-QZJiYhaZLJMo2KpkQGQIwvmd79WVsAWeYIU554a8d7zArS3si/IRy3lBNV/rtYhE70oLwdLYhPAXLPx8HwcwtA==",
        ("dist/docs", "dist/server", "dist/client"),
    ),
    Package(
        "primevue",
        "4.5.4",
        "sha512-nTyEohZABFJhVIpeUxgP0EJ8vKcJAhD+Z7DYj95e7ie/MNUCjRNcGjqmE1cXtXi4z54qDfTSI9h2uJ51qz2DIw==",
        ("",),
    ),
)
"""Three large ones with JavaScript, JSON and Markdown, and one with Vue components; all are MIT."""

PROFILE = ProfileSpec(
    cap=5_000_000,
    whitelist=(".cjs", ".js", ".json", ".md", ".mjs", ".ts", ".tsx", ".vue"),
    not_pruned=("build", "dist"),
    excluded_names=(),
).completed("benchmark", BUILT_IN["default"])
"""As ``default``, but with files up to 5 MB, built folders and package.json; minified files stay out."""


def package_documents(cache: Path = CACHE) -> list[Document]:
    """The kept files of all packages.

    Args:
        cache: Folder for the tarballs; made if it is not there.

    Raises:
        PackagesUnavailableError: One is not in the cache and cannot be fetched, or is not the pinned one.
    """
    documents: list[Document] = []
    for package in PACKAGES:
        tarball = fetched(package, cache)
        with tempfile.TemporaryDirectory() as folder, tarfile.open(tarball) as archive:
            archive.extractall(folder, members=wanted_files(archive, package.folders), filter="data")
            documents += kept_documents(package.name, Path(folder) / "package", PROFILE)
    return documents


def fetched(package: Package, cache: Path) -> Path:
    """The package's tarball in the cache, fetched if it is not there, its integrity checked.

    Raises:
        PackagesUnavailableError: As ``package_documents``.
    """
    tarball = cache / package.tarball
    if not tarball.exists():
        cache.mkdir(parents=True, exist_ok=True)
        _fetch(package, cache)
    with tarball.open("rb") as file:
        digest = hashlib.file_digest(file, "sha512").digest()
    found = f"sha512-{base64.b64encode(digest).decode()}"
    if found != package.integrity:
        raise PackagesUnavailableError(
            f"{tarball}: its integrity is {found}, not {package.integrity}; delete it and run again"
        )
    return tarball


def wanted_files(archive: tarfile.TarFile, folders: Sequence[str]) -> Iterator[tarfile.TarInfo]:
    """Members that are files at or below the folders; npm puts everything into one called ``package``."""
    for member in archive:
        path = member.name.removeprefix("package/")
        if member.isfile() and any(
            not each or path == each or path.startswith(f"{each}/") for each in folders
        ):
            yield member


def _fetch(package: Package, cache: Path) -> None:
    npm = shutil.which("npm")
    wanted = f"{package.name}@{package.version}"
    if npm is None:
        raise PackagesUnavailableError(
            f"npm is not installed, so {wanted} cannot be fetched: install Node.js, or run "
            f"'npm pack --ignore-scripts {wanted}' elsewhere and put {package.tarball} into {cache}"
        )
    command = [npm, "pack", "--ignore-scripts", "--silent", f"--pack-destination={cache}", wanted]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, cwd=cache, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise PackagesUnavailableError(f"npm took over {SECONDS} s for {wanted}; run again") from error
    if done.returncode or not (cache / package.tarball).exists():
        reason = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
        raise PackagesUnavailableError(
            f"npm could not fetch {wanted} ({reason[0]}): see whether it reaches its registry, then run again"
        )
