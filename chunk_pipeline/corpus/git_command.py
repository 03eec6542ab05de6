"""Running git on repositories that nobody vouches for.

Git executes commands named in configuration (``core.fsmonitor``, hooks, ``ext::`` transports, credential
helpers), so every call here switches those off, ignores the machine's configuration, may use one transport
alone, cannot prompt, and ends by a timeout with all its children. Guards, beside never checking out, against
CVE-2019-1387, CVE-2022-39253, CVE-2024-32002, CVE-2024-32004, CVE-2024-32020 and CVE-2024-32021. What is
asked of git does not belong here (``git``, ``git_fetch``).
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

LOCAL_TIMEOUT = 120.0
"""Seconds for a command on the cache."""
QUESTION_TIMEOUT = 30.0
"""Seconds for one question to a server; a sensor asks several in a minute."""
FETCH_TIMEOUT = 1800.0
"""Seconds for a fetch."""
MAX_FILE_BYTES = 8 * 2**30
"""Largest file that git may write, so that a hostile server cannot fill the disk with one pack."""
MAX_OUTPUT_BYTES = 256 * 2**20
"""What a command may print, two million paths: a few small trees that name each other can list for ever."""

_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.symlinks=false",
    "core.askPass=",
    "credential.helper=",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "fetch.recurseSubmodules=false",
    "transfer.fsckObjects=true",
    "fetch.fsckObjects=true",
    # Old, harmless habits of other tools, frequent in long histories.
    "fetch.fsck.zeroPaddedFilemode=ignore",
    "fetch.fsck.missingSpaceBeforeDate=ignore",
    "fetch.fsck.badTimezone=ignore",
    # Objects are never deleted, so a snapshot stays readable while another run fetches.
    "gc.auto=0",
    "maintenance.auto=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
)
_KEPT_VARIABLES = ("GIT_SSL_CAINFO", "GIT_SSH_COMMAND")
_PASSWORD = re.compile(r"(?<=://)[^/@\s]+@")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class GitError(RuntimeError):
    """Git ended with an error; the message is what it said, without passwords and control characters."""


class GitOutputError(GitError):
    """Git printed more than is read; what it would have said is not known."""


def run_git(arguments: Sequence[str], *, repository: Path | None, protocol: str, timeout: float) -> bytes:
    """Run a git command and give its standard output.

    Args:
        arguments: The command and its arguments.
        repository: Bare repository to work in; ``None`` for commands that need none.
        protocol: The one transport allowed (``https``, ``ssh``, ``file``), or empty for none.
        timeout: Seconds after which git and its children are killed.

    Raises:
        GitError: It failed, was killed by the timeout, or is not installed.
        GitOutputError: It printed more than ``MAX_OUTPUT_BYTES``.
    """
    with start_git(
        arguments,
        repository=repository,
        protocol=protocol,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            output, errors = _communicate(process, arguments[0], timeout)
        except subprocess.TimeoutExpired as error:
            _kill(process)
            raise GitError(f"git {arguments[0]} took longer than {timeout:.0f} seconds") from error
        except BaseException:
            _kill(process)
            raise
    if process.returncode != 0:
        raise GitError(_readable(errors) or f"git {arguments[0]} ended with {process.returncode}")
    return output


@contextlib.contextmanager
def start_git(
    arguments: Sequence[str], *, repository: Path | None, protocol: str, stdin: int, stderr: int
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a hardened git as a process group of its own; at the end it is killed if it still runs.

    Raises:
        GitError: Git is not installed.
    """
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    # Without a repository git would look for one in the working directory and obey its configuration.
    where = f"--git-dir={repository or os.devnull}"
    try:
        process = subprocess.Popen(
            ["git", *settings, where, *arguments],
            env=_environment(protocol),
            cwd=repository or Path("/"),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    except FileNotFoundError as error:
        raise GitError("git is not installed, or its cache folder is gone") from error
    _limit_files(process.pid)
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                _kill(process)


def _communicate(process: subprocess.Popen[bytes], command: str, timeout: float) -> tuple[bytes, bytes]:
    """Both outputs of a process, which has to end in time and may not fill the memory."""
    deadline = time.monotonic() + timeout
    read: dict[int, bytearray] = {}
    with selectors.DefaultSelector() as selector:
        streams = [stream.fileno() for stream in (process.stdout, process.stderr) if stream is not None]
        for stream in streams:
            selector.register(stream, selectors.EVENT_READ)
            read[stream] = bytearray()
        while selector.get_map():
            if (left := deadline - time.monotonic()) <= 0:
                raise subprocess.TimeoutExpired(command, timeout)
            for key, _ in selector.select(left):
                data = os.read(key.fd, 2**16)
                read[key.fd] += data
                if not data:
                    selector.unregister(key.fd)
                elif len(read[key.fd]) > MAX_OUTPUT_BYTES:
                    raise GitOutputError(f"git {command} printed more than {MAX_OUTPUT_BYTES:,} bytes")
    process.wait(timeout=max(deadline - time.monotonic(), 0.1))
    output, errors = (bytes(read[stream]) for stream in streams)
    return output, errors


def _limit_files(process_id: int) -> None:
    """Limit what the process may write, where the system can (Linux)."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process_id, resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _environment(protocol: str) -> dict[str, str]:
    """The caller's environment without git's own variables, which redirect and execute."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in _KEPT_VARIABLES or not name.startswith(("GIT_", "SSH_ASKPASS"))
    }
    kept.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
    return kept | {
        "GIT_ALLOW_PROTOCOL": protocol,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "LC_ALL": "C",
    }


def _readable(errors: bytes) -> str:
    """The last lines that git wrote, fit for people and logs."""
    text = _PASSWORD.sub("", errors.decode("utf-8", "backslashreplace"))
    lines = [_CONTROL.sub(" ", line).strip() for line in text.splitlines()]
    # Git's advice to trust a foreign folder globally would change nothing here.
    told = [line for line in lines if line and "safe.directory" not in line and "To add an exc" not in line]
    return " | ".join(told[-6:])
