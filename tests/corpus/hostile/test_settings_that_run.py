"""Git runs what configuration names: none of it runs, wherever a hostile source or a user put it.

Each setting is first shown to work: plain git, with that one setting, runs the program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.corpus.hostile.arena import Arena

pytestmark = pytest.mark.hostile_repository

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
HOOKS = (
    "applypatch-msg", "fsmonitor-watchman", "post-checkout", "post-index-change", "post-update",
    "pre-auto-gc", "pre-receive", "proc-receive", "push-to-checkout", "reference-transaction", "update",
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """A setting that runs a program.

    Attributes:
        lines: The configuration, given the arena.
        trigger: A plain git command that it makes run the program.
    """

    lines: Callable[[Arena], str]
    trigger: Callable[[Arena], tuple[str, ...]]


def _plain(section: str, key: str, *trigger: str) -> Setting:
    return Setting(lambda it: f"[{section}]\n\t{key} = {it.program}\n", lambda it: ("git", *trigger))


def _hooks(arena: Arena) -> str:
    folder = arena.root / "hooks"
    folder.mkdir(exist_ok=True)
    for hook in HOOKS:
        (folder / hook).unlink(missing_ok=True)
        (folder / hook).hardlink_to(arena.program)
    return f"[core]\n\thooksPath = {folder}\n"


def _included(arena: Arena) -> str:
    included = arena.root / "included"
    included.write_text(f"[core]\n\tfsmonitor = {arena.program}\n")
    return str(included)


def _template(arena: Arena) -> str:
    hooks = arena.root / "template" / "hooks"
    hooks.mkdir(parents=True, exist_ok=True)
    for hook in HOOKS:
        (hooks / hook).unlink(missing_ok=True)
        (hooks / hook).hardlink_to(arena.program)
    return f"[init]\n\ttemplateDir = {hooks.parent}\n"


def _helper(arena: Arena) -> str:
    """Another transport for the same address: a helper found on the path."""
    helper = arena.program.with_name("git-remote-evil")
    helper.unlink(missing_ok=True)
    helper.hardlink_to(arena.program)
    address = arena.repository.folder
    return f'[url "evil::x"]\n\tinsteadOf = {address}\n[protocol "evil"]\n\tallow = always\n'


def _ext(arena: Arena) -> str:
    address = f"ext::sh -c touch% {arena.marker}"
    return f'[url "{address}"]\n\tinsteadOf = {arena.repository.folder}\n[protocol "ext"]\n\tallow = always\n'


def _clone(arena: Arena) -> tuple[str, ...]:
    return ("git", "clone", "--no-local", "--quiet", str(arena.repository.folder), str(arena.root / "copy"))


SETTINGS = {
    "core.fsmonitor": _plain("core", "fsmonitor", "status"),
    "core.hooksPath": Setting(_hooks, lambda it: ("git", "update-ref", "refs/heads/x", "HEAD")),
    "init.templateDir": Setting(_template, lambda it: ("git", "clone", "-q", ".", str(it.root / "copy"))),
    "core.sshCommand": _plain("core", "sshCommand", "ls-remote", "ssh://example.invalid/x"),
    "core.gitProxy": _plain("core", "gitProxy", "ls-remote", "git://example.invalid/x"),
    "core.askPass": _plain("core", "askPass", "credential", "fill"),
    "core.editor": _plain("core", "editor", "commit", "--allow-empty"),
    "credential.helper": _plain("credential", "helper", "credential", "fill"),
    "credential.https.helper": _plain('credential "https://example.invalid"', "helper", "credential", "fill"),
    "filter.clean": _plain('filter "evil"', "clean", "hash-object", "--path=a.json", "--stdin"),
    "filter.smudge": _plain('filter "evil"', "smudge", "cat-file", "--filters", "HEAD:a.json"),
    "filter.process": _plain('filter "evil"', "process", "cat-file", "--filters", "HEAD:a.json"),
    "diff.textconv": _plain('diff "evil"', "textconv", "cat-file", "--textconv", "HEAD:a.json"),
    "diff.command": _plain('diff "evil"', "command", "diff", EMPTY_TREE, "HEAD"),
    "diff.external": _plain("diff", "external", "diff", EMPTY_TREE, "HEAD"),
    "gpg.program": _plain("gpg", "program", "commit", "--allow-empty", "-S", "-m", "x"),
    "alias": Setting(lambda it: f"[alias]\n\tls-evil = !{it.program}\n", lambda it: ("git", "ls-evil")),
    "uploadpack.packObjectsHook": Setting(
        lambda it: f"[uploadpack]\n\tpackObjectsHook = {it.program}\n", _clone
    ),
    "include.path": Setting(
        lambda it: f"[include]\n\tpath = {_included(it)}\n", lambda it: ("git", "status")
    ),
    "includeIf.gitdir": Setting(
        lambda it: f'[includeIf "gitdir:**"]\n\tpath = {_included(it)}\n', lambda it: ("git", "status")
    ),
    "url.insteadOf ext": Setting(_ext, lambda it: ("git", "ls-remote", str(it.repository.folder))),
    "url.insteadOf helper": Setting(_helper, lambda it: ("git", "ls-remote", str(it.repository.folder))),
    "trace2.normalTarget": Setting(
        lambda it: f"[trace2]\n\tnormalTarget = {it.marker}\n", lambda it: ("git", "status")
    ),
}


def _repository(arena: Arena) -> None:
    """Attributes that would hand every file to the configured programs."""
    attributes = "*.json filter=evil diff=evil merge=evil text eol=crlf ident"
    arena.repository.add("a.json", "[1]")
    arena.repository.add(".gitattributes", attributes)
    arena.repository.commit()
    (arena.repository.folder / ".gitattributes").write_text(attributes)


def _in_source(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with (arena.repository.folder / ".git" / "config").open("a") as file:
        file.write(lines)


def _in_hooks(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _hooks(arena)
    (arena.repository.folder / ".git" / "hooks").mkdir(exist_ok=True)
    for hook in HOOKS:
        (arena.root / "hooks" / hook).replace(arena.repository.folder / ".git" / "hooks" / hook)


def _in_home(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(arena.root / "home"))
    _written(arena.root / "home" / ".gitconfig", lines)


def _in_xdg(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(arena.root / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(arena.root / "xdg"))
    _written(arena.root / "xdg" / "git" / "config", lines)


def _in_system(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(arena.root / "system", lines)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", str(arena.root / "system"))


def _in_global_variable(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(arena.root / "global", lines)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(arena.root / "global"))


def _in_counted_variables(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "include.path")
    _written(arena.root / "counted", lines)
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(arena.root / "counted"))


def _in_parameters(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _written(arena.root / "parameters", lines)
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'include.path={arena.root / 'parameters'}'")


def _where_it_runs(arena: Arena, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here = arena.root / "here"
    arena.repository.git("init", "--quiet", str(here))
    with (here / ".git" / "config").open("a") as file:
        file.write(lines)
    monkeypatch.chdir(here)


def _written(path: Path, lines: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(lines)


PLACES = {
    "the source": _in_source,
    "the home folder": _in_home,
    "XDG_CONFIG_HOME": _in_xdg,
    "GIT_CONFIG_SYSTEM": _in_system,
    "GIT_CONFIG_GLOBAL": _in_global_variable,
    "GIT_CONFIG_COUNT": _in_counted_variables,
    "GIT_CONFIG_PARAMETERS": _in_parameters,
    "the working directory": _where_it_runs,
}
TELLING = ("core.hooksPath", "url.insteadOf ext", "url.insteadOf helper", "trace2.normalTarget")
CASES = [(setting, place) for setting in SETTINGS for place in ("the source", "the home folder")] + [
    (setting, place) for place in list(PLACES)[2:] for setting in TELLING
]


@pytest.mark.parametrize(("name", "place"), CASES, ids=[" in ".join(each) for each in CASES])
def test_a_setting_that_runs_a_program_runs_nothing(
    name: str, place: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    _repository(arena)
    setting = SETTINGS[name]
    lines = setting.lines(arena)
    monkeypatch.setenv("PATH", f"{arena.program.parent}:{Path('/usr/bin')}:{Path('/bin')}")
    if place == "the home folder":
        (arena.root / "trap").write_text(lines + "[user]\n\tname = x\n\temail = x@example.invalid\n")
        trapped = arena.sprung(*setting.trigger(arena), GIT_CONFIG_GLOBAL=str(arena.root / "trap"))
        assert trapped, "the trap must work for the test to mean anything"
    PLACES[place](arena, lines, monkeypatch)
    assert arena.fates()["a.json"] == ("kept", None)
    assert arena.texts() == {"[1]"}
    assert not arena.marker.exists()


@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_of_the_source_is_not_run(hook: str, arena: Arena) -> None:
    _repository(arena)
    hooks = arena.repository.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / hook).unlink(missing_ok=True)
    (hooks / hook).hardlink_to(arena.program)
    assert arena.fates()["a.json"] == ("kept", None)
    assert not arena.marker.exists()


VARIABLES = {
    "GIT_SSH": "program",
    "GIT_ASKPASS": "program",
    "SSH_ASKPASS": "program",
    "GIT_EDITOR": "program",
    "GIT_PAGER": "program",
    "GIT_PROXY_COMMAND": "program",
    "GIT_EXTERNAL_DIFF": "program",
    "GIT_EXEC_PATH": "bin",
    "GIT_TEMPLATE_DIR": "template",
    "GIT_TRACE2": "marker",
    "GIT_TRACE": "marker",
    "GIT_TRACE_SETUP": "marker",
    "GIT_DIR": "elsewhere",
    "GIT_COMMON_DIR": "elsewhere",
    "GIT_WORK_TREE": "elsewhere",
    "GIT_INDEX_FILE": "elsewhere",
    "GIT_NAMESPACE": "elsewhere",
    "GIT_OBJECT_DIRECTORY": "elsewhere",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "elsewhere",
    "GIT_SHALLOW_FILE": "elsewhere",
    "GIT_GRAFT_FILE": "elsewhere",
    "GIT_CEILING_DIRECTORIES": "elsewhere",
    "GIT_PROTOCOL_FROM_USER": "elsewhere",
    "GIT_ALLOW_PROTOCOL": "elsewhere",
    "GIT_REPLACE_REF_BASE": "elsewhere",
}


@pytest.mark.parametrize("variable", VARIABLES)
def test_a_variable_of_the_caller_is_not_obeyed(
    variable: str, arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    _repository(arena)
    values = {
        "program": arena.program,
        "bin": arena.program.parent,
        "marker": arena.marker,
        "elsewhere": arena.root / "elsewhere",
        "template": arena.root / "template",
    }
    _template(arena)
    for name in ("git-upload-pack", "git-ls-remote", "git-fetch", "git-remote-https"):
        arena.program.with_name(name).hardlink_to(arena.program)
    monkeypatch.setenv(variable, str(values[VARIABLES[variable]]))
    assert arena.fates()["a.json"] == ("kept", None)
    assert not arena.marker.exists()
    assert not (arena.root / "elsewhere").exists()
