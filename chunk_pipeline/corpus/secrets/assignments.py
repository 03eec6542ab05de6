"""Credentials that only the name in front of them tells: ``password: …``, ``API_KEY=…``, ``<token>…<``.

The name's last word has to say so (``reset-password-label`` does not), and the value has to look like one
(``values``): translations, schemas and placeholders do not. In program text a value has to be quoted; in
files of settings, and where a name in capitals is followed by ``=``, it need not. The keyword plugin of
detect-secrets is not used: it gives no places, only the first value of a line, and takes the square of a
line's length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from chunk_pipeline.corpus.paths import file_name, suffix
from chunk_pipeline.corpus.secrets.secret import Secret, secret_at
from chunk_pipeline.corpus.secrets.values import could_be_password, could_be_token, is_stand_in

DETECTOR = "named_value"

_SETTINGS = frozenset(
    {".env", ".ini", ".cfg", ".conf", ".cnf", ".config", ".properties", ".toml", ".yaml", ".yml", ".tfvars"}
    | {".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".npmrc", ".pypirc", ".netrc", ".dockerfile"}
)
"""Suffixes of files in which values are not quoted."""

_STEMS = {
    "pass": ("password", r"pass(?:words?|wd|phrase)?"),
    "pwd": ("password", r"pwd"),
    "secret": ("token", r"secrets?"),
    "token": ("token", r"tokens?"),
    "credential": ("token", r"credentials?"),
    "_auth": ("token", r"_auth"),
    "key": ("key", r"keys?"),
}
"""What names of credentials end with: how the last word begins, what it stands for, and all of it."""

_SUFFIX = (
    r"(?:[_\-.]?(?:value|prod|production|dev|development|test|staging|default|old|new|base64|\d{1,2}))?"
    r"(?![a-z0-9])"
)
_NAMES = {stem: re.compile(pattern + _SUFFIX) for stem, (_, pattern) in _STEMS.items()}
_KEY_OF = re.compile(
    r"(?:api|access|auth|account|storage|signing|encryption|master|private|secret|shared|service|client"
    r"|license|consumer|app|application|webhook)[_\-. ]?\Z"
)
_OPERATOR = re.compile(
    r"(?:\\*[\"'`])?(?:\s?\])?(?:\s{0,8}:\s?string)?"
    r"(?:[ \t]{0,20}(?::=|={1,3}|!={1,2}|=>|:)|(?P<element>>))[ \t]{0,20}"
)
_QUOTED = re.compile(r"[furb@]?([\"'`])((?:\\.|(?!\1)[^\\\n]){4,200})\1")
_ESCAPED = re.compile(r"(\\+[\"'])([^\"'`\\\s]{4,200})\1")
_ELEMENT = re.compile(r"([^<>&\s\"']{4,200})</")
_BARE = re.compile(r"[^\s\"'`<>(){}\[\],;|&\\#]{4,200}")
_BARE_SETTING = re.compile(r"[^\s\"'`\\{}\[\],][^\s\"'`\\]{3,200}")
_PARAMETER = re.compile(r"[A-Za-z0-9%._~+/=\-]{4,200}")
_CLOSING = re.compile(r"[,}\]]")

_NO_CREDENTIAL = re.compile(
    r"(?:page|next|sync|continuation|cursor|csrf|xsrf|design|syntax|public|publishable|anon|hash(?:ed)?|sha\d*"
    r"|fake|dummy|mock|example|sample)[_\-.]?\Z"
)
_PUBLIC = ("pk_", "pk.", "sqb_", "$2a$", "$2b$", "$2y$", "$argon2")
"""How values begin that are shown to everybody (keys of web pages, tokens of badges) or are digests."""

_KEY_CHARACTERS = 40
_LINE = 500


class _Place(NamedTuple):
    start: int
    end: int
    bare: bool


def assignments(text: str, path: str) -> Iterator[Secret]:
    """Every value whose name says that it is a credential, and that could be one; spans may overlap."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = (
            text  # A few letters become two: then names in capitals are overlooked, but no place is wrong.
        )
    settings = is_settings(path)
    for stem, (meaning, _) in _STEMS.items():
        start = lowered.find(stem)
        while start >= 0:
            if (name := _NAMES[stem].match(lowered, start)) and (
                found := _assigned(text, lowered, name, meaning, settings)
            ):
                yield found
            start = lowered.find(stem, start + 1)


def _assigned(text: str, lowered: str, name: re.Match[str], meaning: str, settings: bool) -> Secret | None:
    """The credential behind a name, if the name says so, and one is there."""
    operator = _OPERATOR.match(text, name.end())
    if operator is None or not _says_so(text, lowered, name.start(), meaning):
        return None
    place = _value(text, name.start(), operator, settings)
    if place is None:
        return None
    value = text[place.start : place.end]
    if value.startswith(_PUBLIC):
        return None
    if meaning == "password":
        kind = "password" if could_be_password(value) else ""
    else:
        kind = "secret_value" if could_be_token(value, in_settings=place.bare) else ""
    return secret_at(text, place.start, place.end, kind, DETECTOR) if kind else None


def is_settings(path: str) -> bool:
    """Whether a file holds settings, by its name."""
    name = file_name(path).lower()
    return suffix(path) in _SETTINGS or name.startswith((".env", "dockerfile")) or name in _SETTINGS


def _says_so(text: str, lowered: str, start: int, meaning: str) -> bool:
    """Whether a last word is one: not in ``bypass``, but in ``mypassword`` and ``dbToken``."""
    before = lowered[max(0, start - 16) : start]
    if _NO_CREDENTIAL.search(before):
        return False
    if meaning == "key":
        return _KEY_OF.search(before) is not None
    if not before[-1:].isalpha() or (text[start].isupper() and text[start - 1].islower()):
        return True
    return lowered.startswith(("passw", "passp", "secret"), start)


def _value(text: str, name: int, operator: re.Match[str], settings: bool) -> _Place | None:
    """Where the value behind a name stands, if one is written there."""
    at = operator.end()
    if operator["element"]:
        element = _ELEMENT.match(text, at)
        return _Place(*element.span(1), False) if element else None
    for pattern in (_QUOTED, _ESCAPED):
        if quoted := pattern.match(text, at):
            return _Place(*quoted.span(2), False)
    key = _key(text, name, operator.start())
    assigned = text[operator.start() : at].strip() == "="
    if assigned and text[name - len(key[0]) - 1 : name - len(key[0])] in ("?", "&"):
        bare = _PARAMETER.match(text, at)
        return _Place(*bare.span(), False) if bare else None
    if settings:
        bare = _BARE_SETTING.match(text, at)
        return _Place(at, _end(text, name, bare), True) if bare else None
    if assigned and "".join(key).isupper() and not text[at - 1].isspace():
        bare = _BARE.match(text, at)
        return _Place(*bare.span(), True) if bare else None
    return None


def _key(text: str, name: int, end: int) -> tuple[str, str]:
    """The whole name: what stands before its last word, and from there on."""
    start = name
    while (
        start and name - start < _KEY_CHARACTERS and (text[start - 1].isalnum() or text[start - 1] in "_-.")
    ):
        start -= 1
    return text[start:name], text[name:end]


def _end(text: str, name: int, bare: re.Match[str]) -> int:
    """Where a value without quotes ends: in a mapping or list on one line before what closes it."""
    before = text[max(0, name - _LINE) : name]
    line = before.rpartition("\n")[2]
    if len(line) < _LINE and not any(each in line for each in "{["):
        return bare.end()
    closed = _CLOSING.search(bare[0])
    return bare.start() + closed.start() if closed else bare.end()


_HEADER = re.compile(r"\b(?:[Bb]earer|[Bb]asic|BEARER|BASIC) {1,4}([A-Za-z0-9+/=._~\-]{16,})")
_URL = re.compile(r"://([^\s:/?#@\"'<>`\\{}|,]{0,100}):([^\s/?#@\"'<>`\\{}|]{3,200})@(?=[\w\[.])")

_SHOWN = frozenset({"password", "passwd", "pass", "pwd", "secret", "token", "api_key", "apikey", "key"})
_SHORT_WORD = 8


def headers(text: str) -> Iterator[Secret]:
    """Values behind ``Bearer`` and ``Basic``."""
    if not any(each in text for each in ("earer ", "asic ", "EARER ", "ASIC ")):
        return
    for match in _HEADER.finditer(text):
        if could_be_token(match[1]):
            yield secret_at(text, *match.span(1), "authorization_header", "authorization_header")


def url_passwords(text: str) -> Iterator[Secret]:
    """Passwords in addresses; not those that a page shows in place of one (``user:password@host``)."""
    if "://" not in text:
        return
    for match in _URL.finditer(text):
        user, value = match.groups()
        word = value.lower()
        if is_stand_in(value + "-") or "$" in value[:1] or word == user.lower() or word.startswith("pass"):
            continue
        if (
            value.isascii()
            and not value.isdigit()
            and not (value.isalpha() and value.islower() and len(value) < 8)
        ):
            yield secret_at(text, *match.span(2), "url_password", "BasicAuthDetector")
