from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from chunk_pipeline.corpus.secrets.detection import find_secrets, line_numbers, redact
from chunk_pipeline.corpus.secrets.file_rules import secret_file
from chunk_pipeline.corpus.secrets.kinds import CONTEXT_KINDS, TOKEN_KINDS, AllowedSecret
from tests.corpus.planted_secrets import (
    IN_CONTEXT,
    JSON_WEB_TOKEN,
    KEY_LINES,
    PASSWORD,
    PRIVATE_KEY,
    SECRET_VALUE,
    TOKENS,
    drawn,
)

COMMIT = "3f786850e387550fdab836ed7e6dc881de23001b"
SHA256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
SHA512 = (
    "sha512-" + "pQ9rXbW1zK8nN0m3v7u5T2yY6a4s8D1fG3hJ5kL7qW9eR0tYuIoP2aSdFgHjKlZ4xCvBnM6qWeRtYuIoPaSdFg=="
)
UUID = "5b3e8f0a-7c1d-4e2b-9a6f-0d1c2b3a4e5f"


def kinds(text: str, path: str = "notes.md") -> list[str]:
    return [each.kind for each in find_secrets(text, path)]


def test_there_is_a_planted_secret_of_every_kind() -> None:
    assert set(TOKENS) | set(IN_CONTEXT) == {*TOKEN_KINDS, *CONTEXT_KINDS}


@pytest.mark.parametrize("kind", sorted(TOKENS))
@pytest.mark.parametrize("around", ['{"a": "%s"}', "see %s.", "x\\n%s\\ny", "%s", "?q=%%3D%s&b", "<b>%s</b>"])
def test_a_token_is_found_wherever_it_stands_and_as_a_whole(kind: str, around: str) -> None:
    text = around % TOKENS[kind]
    (found,) = find_secrets(text, "a.json")
    assert (found.kind, text[found.start : found.end]) == (kind, TOKENS[kind])


@pytest.mark.parametrize("kind", sorted(IN_CONTEXT))
def test_what_its_surroundings_tell_is_found_as_a_whole(kind: str) -> None:
    text, value = IN_CONTEXT[kind]
    (found,) = find_secrets(f"# One\n\n{text}\n", "notes.md")
    assert found.kind == kind
    assert f"# One\n\n{text}\n"[found.start : found.end] == value
    assert line_numbers(f"# One\n\n{text}\n", [found]) == [3]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", f'{{"db": {{"password": "{PASSWORD}"}}}}'),
        ("a.json", json.dumps({"inner": json.dumps({"password": PASSWORD})})),
        ("a.js", f"const DB_PASSWORD = '{PASSWORD}'"),
        ("a.ts", f"private password: string = `{PASSWORD}`"),
        ("a.js", f"if (user.password === '{PASSWORD}') run()"),
        ("a.yaml", f"db:\n  password: {PASSWORD}\n"),
        ("a.yaml", f"db: {{password: {PASSWORD}, port: 1}}\n"),
        ("app.properties", f"spring.datasource.password = {PASSWORD}"),
        ("prod.conf", f"password={PASSWORD}"),
        ("run.sh", f"export PGPASSWORD={PASSWORD}"),
        ("notes.md", f"```sh\nDB_PASSWORD={PASSWORD} node .\n```"),
        ("a.xml", f"<password>{PASSWORD}</password>"),
        ("a.csv", f"1,DB_PASSWORD={PASSWORD},x"),
    ],
)
def test_a_password_is_found_under_its_name(path: str, text: str) -> None:
    (found,) = find_secrets(text, path)
    assert (found.kind, text[found.start : found.end]) == ("password", PASSWORD)


@pytest.mark.parametrize(
    "text",
    [
        f'"apiKey": "{SECRET_VALUE}"',
        f'"client_secret": "{SECRET_VALUE}"',
        f"auth_token = '{SECRET_VALUE}'",
        f"https://api.example.org/v1?access_token={SECRET_VALUE}&x=1",
        f"ENCRYPTION_KEY={SECRET_VALUE}",
        f'"secret": "{drawn(50, 40, "0123456789abcdef")}"',
    ],
)
def test_a_long_value_is_found_where_its_name_says_credential(text: str) -> None:
    assert kinds(text, "a.json") == ["secret_value"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (PRIVATE_KEY + "\n", "(REDACTED:private_key)\n"),
        (json.dumps({"key": PRIVATE_KEY + "\n"}), '{"key": "(REDACTED:private_key)\\n"}'),
        (f"key: |\n  {PRIVATE_KEY}\n", "key: |\n  (REDACTED:private_key)\n"),
    ],
)
def test_a_private_key_in_one_piece_is_replaced_as_one(text: str, left: str) -> None:
    assert redact(text, "a.json").text == left


def test_a_private_key_quoted_line_by_line_leaves_the_quotes() -> None:
    lines = json.loads(redact(json.dumps(PRIVATE_KEY.split("\n"), indent=1), "a.json").text)
    assert lines[1:-1] == ["(REDACTED:private_key)"] * len(KEY_LINES)


def test_a_private_key_that_was_cut_off_is_found_and_what_follows_is_left() -> None:
    text = PRIVATE_KEY.partition("-----END")[0] + "\n\nThat was it.\n"
    assert redact(text, "a.md").text == "(REDACTED:private_key)\n\n\nThat was it.\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Fixed in {COMMIT}.",
        f'{{"commit": "{COMMIT}", "tree": "{COMMIT}", "sha256": "{SHA256}"}}',
        f'"node_modules/a": {{"version": "1.0.0", "resolved": "https://r.org/a", "integrity": "{SHA512}"}}',
        f'a@^1:\n  version "1.0"\n  resolved "https://r.org/a.tgz#{COMMIT}"\n  integrity {SHA512}\n',
        f"a==1.0 \\\n    --hash=sha256:{SHA256}\n",
        f'[[package]]\nname = "a"\nfiles = [{{file = "a.whl", hash = "sha256:{SHA256}"}}]\n',
        f'{{url = "https://f.org/a.whl", hash = "sha256:{SHA256}", size = 1}}',
        f'image: "app@sha256:{SHA256}"',
        f'"token": "{UUID}", "id": "{UUID}", "key": "{UUID}"',
        'token: "<token>", password: "<your-password>", secret: "${SECRET}", apiKey: "{{ apiKey }}"',
        'password: "changeme", password2: "change-me-1", token: "xxxxxxxxxxxxxxxxxxxxxx", pwd: "********"',
        '"Password": "Mot de passe", "WEAK_PASSWORD": "Zu schwach: 8 Zeichen", "PASSWORD": "密码1234567"',
        '"Password": "Passwort", "password": "password", "RESET_PASSWORD_TITLE": "Abc12345x"',
        '{"properties": {"password": {"type": "string", "minLength": 8}, "apiToken": {"$ref": "#/token"}}}',
        '"required": ["password", "token2"], "format": "password", "tokenUrl": "https://a.b/oauth2/token1"',
        "The password must have 8 characters; a token: see RFC 6750. Basic authentication, Bearer tokens.",
        "password: process.env.DB_PASSWORD1, token: getToken('a1'), secret: config.auth.secret1, key: a[1]",
        "const token = 'oauth2-access-token', tokenType = 'Bearer', passwordField = 'user.password2'",
        "https://user:password@example.org postgres://postgres:postgres@localhost http://${u}:${p}@host x://h:80@y",
        "git@github.com:org/repo.git ssh://git@host:22/x npm:@scope/a@1.2.3",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
        "Look for '-----BEGIN " + "PRIVATE KEY-----' at its beginning.",
        "-----BEGIN CERTIFICATE-----\n" + "\n".join(KEY_LINES) + "\n-----END CERTIFICATE-----",
        "AK" + "IAIOSFODNN7EXAMPLE and gh" + "p_" + "x" * 36,
        "?project=a&metric=b&tok" + "en=sqb_" + COMMIT,
        "bypass: 'a1b2c3d4e5f6', monkey: 'a1b2c3d4e5f6g7h8', primary_key: 'a1b2c3d4e5f6g7h8'",
        "passwordHash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92l', csrfToken: 'aB3dE5fG7hJ9kL1m'",
        f"tokenSha256: '{SHA256}'",
    ],
)
@pytest.mark.parametrize("path", ["a.json", "a.js", "a.md"])
def test_what_is_no_secret_is_left_alone(text: str, path: str) -> None:
    assert kinds(text, path) == []


@pytest.mark.parametrize(
    "text",
    ["password: changeme", "api_key: ${API_KEY}", "token: <token>", "secret: !vault x1", "password: secret"],
)
@pytest.mark.parametrize("path", ["a.yaml", ".env", "a.ini"])
def test_stand_ins_in_settings_are_left_alone(text: str, path: str) -> None:
    assert kinds(text, path) == []


def test_a_yaml_value_stays_a_text_and_an_address_stays_one() -> None:
    from urllib.parse import urlsplit

    import yaml

    text = f"password: {PASSWORD}\nurl: {IN_CONTEXT['url_password'][0]}\n"
    read = yaml.safe_load(redact(text, "a.yaml").text)
    assert read["password"] == "(REDACTED:password)"
    assert urlsplit(read["url"]).hostname == "db.internal"


def test_what_is_allowed_is_not_found_where_it_is_allowed() -> None:
    allowed = (AllowedSecret(path="docs/*", kind="json_web_token"),)
    assert find_secrets(JSON_WEB_TOKEN, "docs/guide/a.md", allowed) == ()
    assert len(find_secrets(JSON_WEB_TOKEN, "src/a.md", allowed)) == 1
    assert len(find_secrets(TOKENS["github_token"], "docs/a.md", allowed)) == 1


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".env", "environment_file"),
        ("a/.env.production", "environment_file"),
        ("prod.env", "environment_file"),
        (".env.example", None),
        (".env.local.sample", None),
        ("env", None),
        ("environment.ts", None),
        ("ssh/id_rsa", "private_key_file"),
        ("id_ed25519", "private_key_file"),
        ("id_rsa.pub", None),
        (".netrc", "credentials_file"),
        ("home/.aws/credentials", "credentials_file"),
        ("credentials", None),
        ("docs/credentials.md", None),
        (".npmrc", None),
    ],
)
def test_files_that_are_credentials_are_known_by_name(path: str, kind: str | None) -> None:
    assert secret_file(path) == kind


def test_the_library_s_settings_are_left_as_they_were() -> None:
    code = (
        "from chunk_pipeline.corpus.secrets.detection import find_secrets\n"
        "import sys; assert 'detect_secrets' not in sys.modules, 'imported without need'\n"
        f"assert find_secrets('gh' + 'p_{drawn(8, 36)}', 'a.md')\n"
        "from detect_secrets.settings import get_settings, Settings\n"
        "assert get_settings().json() == Settings().json()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "repeated",
    [
        "eyJ",
        "eyJ.",
        "sk-",
        "://a:",
        "password=",
        "-----BEGIN PRIVATE" + " KEY-----",
        "\\\\",
        "A",
        '"token": "',
    ],
)
def test_hostile_repetition_ends(repeated: str) -> None:
    text = repeated * (300_000 // len(repeated))
    assert redact(text, "a.yaml").text == text


def test_the_public_corpora_hold_what_is_known_and_nothing_else(corpora: Path) -> None:
    found = []
    for name in ("kalisio", "heritage"):
        root = corpora / "corpora" / name
        for path in sorted(root.rglob("*")):
            data = path.read_bytes() if path.is_file() else b"\0"
            if b"\0" in data:
                continue
            text = data.decode("utf-8", "replace")
            secrets = find_secrets(text, str(path.relative_to(root)))
            lines = line_numbers(text, secrets)
            found += [
                (str(path.relative_to(root)), line, one.kind)
                for line, one in zip(lines, secrets, strict=True)
            ]
    # A token for a service on the reader's own machine, signed with a key that the page does not show.
    assert found == [("kano/docs/guides/installing-services.md", 133, "json_web_token")]
