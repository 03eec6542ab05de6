from __future__ import annotations

import stat
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from chunk_pipeline.corpus.sources import Source, SourcesError, SourcesFile, add_source, load_sources

VALID = """\
    # Ours.
    sources:
      - name: app
        kind: git
        url: https://example.org/app.git
        ref: main
        depth: 1
        history: rewritten
        profile: mine
        metadata: {audience: all}
      # The notes.
      - name: notes
        kind: folder
        path: ../notes   # beside this folder
        encodings: [latin-1]

    # Profiles come last.
    profiles:
      mine:
        extends: js_vue_rag
        cap: 5
    """


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sources.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return path


def errors(tmp_path: Path, text: str) -> list[str]:
    """The error lines, without the file's name."""
    path = written(tmp_path, text)
    with pytest.raises(SourcesError) as caught:
        load_sources(path)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"{path}:") for line in lines)
    return [line.removeprefix(f"{path}:") for line in lines]


def test_a_valid_file_is_read_whole(tmp_path: Path) -> None:
    loaded = load_sources(written(tmp_path, VALID))
    app, notes = loaded.sources
    assert (app.url, app.ref, app.depth, app.history, app.metadata) == (
        "https://example.org/app.git",
        "main",
        1,
        "rewritten",
        {"audience": "all"},
    )
    assert notes.path == tmp_path / "../notes"
    assert notes.encodings == ("latin-1",)
    assert loaded.profile(app.profile).cap == 5
    assert loaded.profile("default").cap == 100_000
    assert loaded.source("notes") is notes
    assert loaded.model == "all-MiniLM-L6-v2"
    assert "schemas_validation" in loaded.indexed_categories


@pytest.mark.parametrize("text", ["", "sources:\n", "# nothing yet\n", "sources: []\n"])
def test_a_file_without_sources_is_valid(tmp_path: Path, text: str) -> None:
    assert load_sources(written(tmp_path, text)).sources == ()


def test_unknown_names_are_answered_with_those_there_are(tmp_path: Path) -> None:
    loaded = load_sources(written(tmp_path, VALID))
    with pytest.raises(KeyError, match="there are: app, notes"):
        loaded.source("nope")
    with pytest.raises(KeyError, match="there are: default, heritage, ingestion, js_vue_rag, mine"):
        loaded.profile("nope")
    with pytest.raises(KeyError, match="there are: none"):
        SourcesFile().source("nope")


def test_all_errors_come_at_once_each_with_its_line(tmp_path: Path) -> None:
    found = errors(
        tmp_path,
        """\
        sources:
          - name: one
            kind: git
            url: ext::sh -c touch% /tmp/x
            colour: red
          - kind: svn
            path: x
          - name: two
            kind: folder
            path: x
            depth: "5"
            metadata:
              version: 1.10
        modle: x
        """,
    )
    expected = (
        "4: sources[0].url: uses the transport 'ext', which runs commands",
        "5: sources[0].colour: is not a known key; remove it or write one of name, kind, url",
        "6: sources[1].name: is missing; add it",
        "6: sources[1].kind: Input should be 'git' or 'folder'",
        "11: sources[2].depth: Input should be a valid integer",
        "13: sources[2].metadata.version: must be text; put it in quotes",
        "14: modle: is not a known key; remove it or write one of sources, profiles",
    )
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(start)


def test_references_between_entries_are_checked_with_their_lines(tmp_path: Path) -> None:
    found = errors(
        tmp_path,
        """\
        sources:
          - {name: one, kind: folder, path: x}
          - name: one
            kind: folder
            path: y
            profile: nope
        profiles:
          mine: {cap: 5}
        indexed_categories:
          - i18n_translations
          - i18n
        """,
    )
    assert found[0].startswith("3: sources[1].name: 'one' is the name in line 2 too")
    assert found[1].startswith("6: sources[1].profile: there is no profile 'nope'; write one of default,")
    assert found[2].startswith("11: indexed_categories[1]: there is no category 'i18n'")


def test_strategies_are_held_against_those_that_there_are(tmp_path: Path) -> None:
    path = written(tmp_path, "sources: []\nstrategies:\n  - json_category\n  - json_categories\n")
    assert load_sources(path).strategies == ("json_category", "json_categories")
    assert load_sources(path, ["json_category", "json_categories"]).strategies is not None
    with pytest.raises(SourcesError) as caught:
        load_sources(path, ["json_category", "token"])
    (line,) = str(caught.value).splitlines()
    assert line.endswith(
        ":4: strategies[1]: there is no strategy 'json_categories'; write one of json_category, token"
    )
    with pytest.raises(SourcesError, match="2: strategies"):
        load_sources(written(tmp_path, "sources: []\nstrategies: []\n"))


def test_models_are_held_against_those_that_there_are_each_with_its_line(tmp_path: Path) -> None:
    text = """\
        model: small
        models:
          website: big
          websites: small
        sources:
          - {name: one, kind: folder, path: x}
          - name: two
            kind: folder
            path: y
            model: huge
        """
    path = written(tmp_path, dedent(text))
    with pytest.raises(SourcesError) as caught:
        load_sources(path, models=["small", "big"])
    first, second = str(caught.value).splitlines()
    assert ":4: models.websites: there is no category 'websites'; write one of" in first
    assert second.endswith(
        ":10: sources[1].model: there is no embedding model 'huge'; write one of small, big"
    )
    with pytest.raises(SourcesError, match="1: model: there is no embedding model 'small'"):
        load_sources(written(tmp_path, "model: small\n"), models=["big"])
    with pytest.raises(SourcesError, match="1: context_tags: "):
        load_sources(written(tmp_path, "context_tags: maybe\n"))


def test_the_model_of_a_source_goes_before_that_of_a_category_and_both_before_the_files(
    tmp_path: Path,
) -> None:
    text = """\
        model: small
        models: {website: big}
        context_tags: true
        indexed_categories: [website, document]
        sources:
          - {name: one, kind: folder, path: x}
          - {name: two, kind: folder, path: x, model: huge}
        """
    loaded = load_sources(written(tmp_path, dedent(text)))
    assert loaded.context_tags
    assert [loaded.model_for("one", each) for each in ("website", "document")] == ["big", "small"]
    assert [loaded.model_for("two", each) for each in ("website", "document")] == ["huge", "huge"]
    assert loaded.model_for("gone", "website") == "big"
    assert loaded.models_in_use == ("big", "huge", "small")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sources:\n  - name: 'x\n", "3: is not valid YAML"),
        ("sources:\n\t- name: x\n", "2: is not valid YAML"),
        ("sources: !!python/object/apply:os.system ['true']\n", "1: is not valid YAML"),
        ("model: a\nmodel: b\n", "2: model: is there twice"),
        ("a: &a [1]\nsources: *a\n", "2: *a: is an alias"),
        ("- name: x\n", "1: must be a mapping"),
        ("sources: " + "[" * 600 + "]" * 600, "1: is nested too deeply"),
        ("a: 1\n---\nb: 2\n", "2: is not valid YAML"),
        ("profiles:\n  mine:\n    extends: nope\n", "2: profiles.mine: extends 'nope'"),
        ("profiles:\n  default:\n    cap: 5\n", "2: profiles.default: 'default' is built in"),
        ("profiles:\n  mine:\n    whitelist: [json]\n", "3: profiles.mine.whitelist: 'json' is not a suffix"),
        ("profiles:\n  mine:\n    caps: 5\n", "3: profiles.mine.caps: is not a known key"),
        ("sources:\n  - just text\n", "2: sources[0]: "),
        ("sources: text\n", "1: sources: "),
    ],
)
def test_errors_of_form_name_the_line(tmp_path: Path, text: str, line: str) -> None:
    assert errors(tmp_path, text)[0].startswith(line)


def test_a_file_that_is_not_there_or_not_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(SourcesError, match="cannot be read"):
        load_sources(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"# caf\xe9\n")
    with pytest.raises(SourcesError, match="save it as UTF-8"):
        load_sources(tmp_path / "latin.yaml")


def test_places_are_relative_to_the_file_and_take_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN", "s3cret")
    monkeypatch.setenv("ROOT", "/srv")
    path = written(
        tmp_path,
        """\
        sources:
          - {name: a, kind: git, url: "https://x:${TOKEN}@example.org/a.git"}
          - {name: b, kind: git, url: ../b}
          - {name: c, kind: folder, path: "${ROOT}/c"}
          - {name: d, kind: git, url: "git@example.org:d.git"}
        """,
    )
    a, b, c, d = load_sources(path).sources
    assert a.url == "https://x:s3cret@example.org/a.git"
    assert "s3cret" not in repr(a)
    assert b.url == str(tmp_path.parent / "b")
    assert c.path == Path("/srv/c")
    assert d.url == "git@example.org:d.git"


def test_a_variable_that_is_not_set_is_an_error_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NOT_THERE", raising=False)
    text = "sources:\n  - name: a\n    kind: git\n    url: https://${NOT_THERE}@example.org/a\n"
    assert errors(tmp_path, text) == [
        "4: sources[0].url: needs the environment variable NOT_THERE, which is not set; set it"
    ]


GIT = {"name": "a", "kind": "git"}


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a.git",
        "ssh://git@example.org:22/a.git",
        "git@example.org:group/a.git",
        "file:///srv/a.git",
        "/srv/a",
        "./-odd",
        "../a",
        "https://[::1]/a",
    ],
)
def test_allowed_addresses(url: str) -> None:
    assert Source.model_validate(GIT | {"url": url}).url == url


@pytest.mark.parametrize(
    "url",
    [
        "",
        " https://example.org/a",
        "-uexec",
        "--upload-pack=touch x",
        "ext::sh -c id",
        "fd::17",
        "transport::https://example.org",
        "http://example.org/a",
        "git://example.org/a",
        "ftp://example.org/a",
        "EXT://x",
        "ssh://-oProxyCommand=id/x",
        "ssh://git@-oProxyCommand=id/x",
        "git@-oProxyCommand=id:x",
        "git@example.org:-x",
        "https:///a",
        "file://host/a",
        "/srv/a\nb",
    ],
)
def test_refused_addresses(url: str) -> None:
    with pytest.raises(ValidationError):
        Source.model_validate(GIT | {"url": url})


@pytest.mark.parametrize(
    "changes",
    [
        {"ref": "-x"},
        {"ref": "a..b"},
        {"ref": "a:b"},
        {"ref": "main~1"},
        {"ref": "a*"},
        {"ref": "a\nb"},
        {"ref": ""},
        {"sub_path": "../x"},
        {"sub_path": "/etc"},
        {"sub_path": "a/../../b"},
        {"depth": 0},
        {"depth": True},
        {"history": "chaotic"},
        {"encodings": ["latin-none"]},
        {"encodings": ["rot13"]},
        {"name": ""},
        {"name": "a\nb"},
        {"name": " a"},
        {"name": "x" * 300},
        {"path": "x"},
        {"surprise": 1},
    ],
)
def test_refused_settings(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Source.model_validate(GIT | {"url": "/srv/a"} | changes)


@pytest.mark.parametrize(
    "changes", [{"path": None}, {"url": "/srv/a"}, {"ref": "main"}, {"depth": 1}, {"history": "rewritten"}]
)
def test_a_folder_takes_no_settings_of_git(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Source.model_validate({"name": "a", "kind": "folder", "path": "x"} | changes)


def test_a_sub_path_is_normalised() -> None:
    assert Source.model_validate(GIT | {"url": "/a", "sub_path": "./docs//guide/"}).sub_path == "docs/guide"


NEW = Source.model_validate({"name": "new: [one]", "kind": "folder", "path": "x", "metadata": {"a": "yes"}})


def test_a_source_is_added_below_the_others_with_all_comments_kept(tmp_path: Path) -> None:
    path = written(tmp_path, VALID)
    before = path.read_text().splitlines()
    path.chmod(0o640)
    add_source(path, NEW)
    after = path.read_text().splitlines()
    place = before.index("    encodings: [latin-1]") + 1
    assert after[place] == "  - name: 'new: [one]'"
    del after[place : place + 5]
    assert after == before
    assert load_sources(path).source("new: [one]").metadata == {"a": "yes"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["sources.yaml"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# empty\n",
        "sources:\n",
        "sources: []\nmodel: m\n",
        "sources:\n- name: a\n  kind: folder\n  path: |-\n    a\n# end\nmodel: m",
        "model: m # last line without an end",
        'sources:\n    - {name: a, kind: folder,\n       path: "x"}\n\n\nmodel: m\n',
        "sources:\n  - name: a\n    kind: folder\n    path: x\n    metadata:\n      k: v # note\n",
    ],
)
def test_a_source_is_added_to_any_layout(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, text)
    before = load_sources(path)
    add_source(path, NEW)
    after = load_sources(path)
    assert [each.name for each in after.sources] == [*(each.name for each in before.sources), NEW.name]
    assert after.model == before.model
    assert [line for line in text.splitlines() if "#" in line and line not in path.read_text()] == []


def test_a_source_is_added_to_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "data" / "sources.yaml"
    add_source(path, Source.model_validate(GIT | {"url": "https://example.org/a", "ref": "v1"}))
    assert path.read_text() == (
        "sources:\n  - name: a\n    kind: git\n    url: https://example.org/a\n    ref: v1\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sources:\n  - {name: 'new: [one]', kind: folder, path: x}\n", "is the name in line 2 too"),
        ("sources: [{name: a, kind: folder, path: x}]\n", "write it as a block"),
        ("sources:\n  - {name: a}\n", "is missing"),
    ],
)
def test_a_source_that_does_not_fit_leaves_the_file_as_it_was(
    tmp_path: Path, text: str, message: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SourcesError, match=message):
        add_source(path, NEW)
    assert path.read_text() == text


TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=20)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=3, unique=True), TEXT)
def test_whatever_is_added_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, names: list[str], value: str
) -> None:
    path = tmp_path_factory.mktemp("sources") / "sources.yaml"
    added = []
    for name in names:
        try:
            source = Source.model_validate(
                {"name": name, "kind": "folder", "path": "/x", "metadata": {value: value}}
            )
        except ValidationError:
            continue
        add_source(path, source)
        added.append(source)
    assert list(load_sources(path).sources if added else ()) == added
