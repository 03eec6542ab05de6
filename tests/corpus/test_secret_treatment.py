from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from test_filtering import Files, fates, source

from chunk_pipeline.corpus.filtering import Filtered, filter_files, scan
from chunk_pipeline.corpus.profiles import BUILT_IN, Profile, ProfileSpec
from chunk_pipeline.corpus.secrets.treatment import conceal, treat
from chunk_pipeline.corpus.sources import SourcesError, parse_sources
from tests.corpus.planted_secrets import KEY_LINES, PASSWORD, PRIVATE_KEY, TOKENS, drawn

DEFAULT = BUILT_IN["default"]
TOKEN = TOKENS["github_token"]


def profile(**changes: object) -> Profile:
    return Profile.model_validate(DEFAULT.model_dump() | changes)


def filtered(files: dict[str, bytes], of: Profile = DEFAULT, previous: Filtered | None = None) -> Filtered:
    snapshot = Files(files)
    return filter_files(scan(source(), of, snapshot), snapshot, source(), of, previous)


def test_redacting_is_what_every_built_in_profile_does() -> None:
    assert {name: each.secrets for name, each in BUILT_IN.items()} == dict.fromkeys(BUILT_IN, "redact")


def test_files_that_differ_in_their_secret_alone_have_one_text_and_one_digest() -> None:
    first, second = (json.dumps({"password": drawn(seed, 12)}).encode() for seed in (70, 71))
    outcome = filtered({"a.json": first, "b.json": second, "c.json": b"{}"})
    digests = dict(
        zip(outcome.files["path"].to_pylist(), outcome.files["content_sha256"].to_pylist(), strict=True)
    )
    text = '{"password": "(REDACTED:password)"}'
    assert digests["a.json"] == digests["b.json"] == hashlib.sha256(text.encode()).hexdigest()
    assert digests["c.json"] == hashlib.sha256(b"{}").hexdigest()
    assert set(outcome.contents["text"].to_pylist()) == {text, "{}"}


def test_no_digest_of_a_file_that_was_left_out_is_kept_beside_the_scan() -> None:
    outcome = filtered({"token.txt": TOKEN.encode()}, profile(secrets="skip"))
    (row,) = outcome.files.to_pylist()
    assert (row["fate"], row["reason"], row["content_sha256"]) == ("dropped", "secret: github_token", None)


@pytest.mark.parametrize("policy", ["skip", "redact", "flag", "off"])
def test_verdicts_are_taken_over_only_under_the_same_policy(policy: str) -> None:
    files = {
        "a.md": TOKEN.encode(),
        "b.md": b"nothing",
        "broken.md": TOKEN.encode() + b"\xff",
        ".env": b"A=1",
        "deploy/x.env": b"A=1",
    }
    first = filtered(files, profile(secrets=policy))
    again = filtered(files, profile(secrets=policy), first)
    assert (again.n_read, again.n_reused) == (0, first.n_read)
    for name in ("files", "contents", "quarantine", "secrets"):
        assert getattr(again, name).equals(getattr(first, name)), name
    for other in {"skip", "redact", "flag", "off"} - {policy}:
        changed = filtered(files, profile(secrets=other), first)
        assert changed.n_reused == 0
        assert changed.secrets.equals(filtered(files, profile(secrets=other)).secrets)


def test_files_that_are_credentials_fall_to_the_other_rules_where_secrets_are_not_acted_on() -> None:
    files = {".env": b"A=1", "id_rsa": b"x", "x.env": b"A=1"}
    others = {
        ".env": ("dropped", "no_extension"),
        "id_rsa": ("dropped", "no_extension"),
        "x.env": ("dropped", "binary_or_non_text"),
    }
    assert fates(filtered(files, profile(secrets="flag"))) == others
    assert fates(filtered(files, profile(secrets="off"))) == others
    assert fates(filtered(files))["x.env"] == ("dropped", "secret: environment_file")
    allowed = [{"path": "*.env", "kind": "environment_file"}]
    assert fates(filtered(files, profile(allowed_secrets=allowed)))["x.env"] == others["x.env"]


def test_an_error_that_quotes_the_file_is_shown_without_the_secret() -> None:
    data = f'{{"password": "{PASSWORD}", "key": "{PRIVATE_KEY}"}}'.encode()
    error = f"not read: ValueError: expected ',' after {PASSWORD!r} near {KEY_LINES[2]} and {TOKEN}"
    first_bytes, shown, notes = conceal(data, "first", error, "a.json", DEFAULT)
    assert first_bytes.startswith("(REDACTED:")
    assert not [value for value in (PASSWORD, KEY_LINES[2], TOKEN) if value in shown]
    assert {note.action for note in notes} == {"dropped"}
    assert conceal(data, "first", error, "a.json", profile(secrets="off")) == ("first", error, ())


def test_a_secret_that_only_the_structure_of_a_document_holds_is_taken_out_of_it() -> None:
    structure = _structure(
        "See the page.", hyperlink=f"https://ferry:{PASSWORD}@harbour.example-harbour.org/"
    )
    treated = treat("See the page.", structure, "a.docx", DEFAULT)
    assert treated.text == "See the page."
    assert PASSWORD not in treated.structure
    assert treated.changed
    assert [(note.line, note.kind, note.action) for note in treated.notes] == [
        (0, "url_password", "redacted")
    ]


def test_a_document_whose_structure_would_still_hold_a_secret_is_dropped() -> None:
    structure = _structure("See the page.", **{TOKEN: "a name, and names are not changed"})
    treated = treat("See the page.", structure, "a.docx", DEFAULT)
    assert (treated.text, treated.structure, treated.reason) == ("", "", "secret: github_token")
    assert [note.action for note in treated.notes] == ["dropped"]


def _structure(text: str, **more: str) -> str:
    item = {
        "self_ref": "#/texts/0",
        "label": "text",
        "content_layer": "body",
        "text": text,
        "prov": [],
        **more,
    }
    body = {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}], "label": "unspecified"}
    document = {"body": body, "texts": [item], "groups": [], "tables": [], "pictures": []}
    return json.dumps(document, separators=(",", ":"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("secrets: hide", "4: profiles.mine.secrets: Input should be 'skip', 'redact', 'flag' or 'off'"),
        (
            "allowed_secrets:\n      - {path: a, kind: nothing}",
            "5: profiles.mine.allowed_secrets[0].kind: there is no kind of secret 'nothing'; write one of ",
        ),
        (
            "allowed_secrets:\n      - path: a\n        kind: password\n        why: b",
            "7: profiles.mine.allowed_secrets[0].why: is not a known key; remove it or write one of path",
        ),
        (
            "allowed_secrets:\n      - path: a",
            "5: profiles.mine.allowed_secrets[0].kind: is missing; add it",
        ),
    ],
)
def test_what_is_written_about_secrets_is_validated_with_its_line(lines: str, message: str) -> None:
    text = f"sources: []\nprofiles:\n  mine:\n    {lines}\n"
    with pytest.raises(SourcesError) as caught:
        parse_sources(text, Path("sources.yaml"))
    assert f"sources.yaml:{message}" in str(caught.value)


def test_a_profile_hands_its_policy_and_what_it_allows_on() -> None:
    allowed = [{"path": "docs/*", "kind": "json_web_token"}]
    base = ProfileSpec.model_validate({"secrets": "flag", "allowed_secrets": allowed}).completed("a", DEFAULT)
    assert base.secrets == "flag"
    child = ProfileSpec.model_validate({"cap": 5}).completed("b", base)
    assert (child.secrets, child.allowed_secrets) == (base.secrets, base.allowed_secrets)
    assert child.tag() != child.model_copy(update={"allowed_secrets": ()}).tag()
