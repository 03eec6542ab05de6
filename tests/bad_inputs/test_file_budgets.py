"""Each file has a time and a memory budget: what is too much for a parser stops itself and nothing else."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunk_pipeline.chunking.chunk import Chunk, Document, Skip, digest
from chunk_pipeline.chunking.registry import Strategy, strategy
from chunk_pipeline.chunking.repository import Chunked, chunk_repository
from chunk_pipeline.chunking.rows import cut_rows
from chunk_pipeline.chunking.unusual import DEEP, LARGE, is_unusual
from chunk_pipeline.embedding.budgets import model_budget, narrowest
from chunk_pipeline.embedding.models import DEFAULT_MODEL, model
from chunk_pipeline.isolation.limits import FileLimits, OverLimitError, is_final
from chunk_pipeline.isolation.process import Isolated, NotSendableError
from tests.bad_inputs.hazard_runs import LIMITS, children, cut, hazard
from tests.bad_inputs.hazards import HAZARDS, Hazardous, babble, crash, eat, keep
from tests.chunking.chunking_documents import tables
from tests.end_to_end.project import SAMPLE

ROOT = Path(__file__).parents[2]
REASONS = {
    "hang": "over its time budget: it takes more than 2 s of processor time, or gives nothing for 6 s",
    "sleep": "over its time budget: it takes more than 2 s of processor time, or gives nothing for 6 s",
    "eat": "over its memory budget: it takes more than 300 MiB",
    "crash": "the process that read it ended by SIGSEGV",
    "leave": "the process that read it ended with status 3",
    "exit": "RuntimeError: SystemExit: enough",
    "panic": "RuntimeError: PanicException: index out of bounds",
    "fail": "line 7: not of this format",
}

FINAL = ("exit", "panic", "fail")
"""What is no matter of time and memory, and does not end the process."""

pytestmark = pytest.mark.bad_input


@pytest.fixture(scope="module")
def outcome() -> tuple[Chunked, set[int], int]:
    before = children()
    with Isolated(LIMITS) as isolated:
        cut_once = cut(["a-good-one", *HAZARDS, "one-more"], isolated)
    return cut_once, children() - before, isolated.starts


@pytest.mark.parametrize("word", REASONS, ids=lambda word: f"budget {word}")
def test_a_file_that_is_too_much_for_its_parser_is_quarantined_with_a_reason(
    outcome: tuple[Chunked, set[int], int], word: str
) -> None:
    rows = {row["path"]: row for row in outcome[0].quarantine.to_pylist()}
    error = rows[f"{word}.txt"]["error"]
    assert error.startswith(REASONS[word])
    assert is_final(error, FileLimits(3, 300)) == (word in FINAL)
    if word not in FINAL:
        assert "exclude the file or cut it into smaller ones, or raise CHUNK_PIPELINE_FILE_" in error


def test_the_files_beside_it_are_cut_and_no_process_is_left(outcome: tuple[Chunked, set[int], int]) -> None:
    cut_once, left, starts = outcome
    assert cut_once.chunks["path"].to_pylist() == ["a-good-one.txt", "babble.txt", "one-more.txt"]
    assert cut_once.quarantine.num_rows == len(REASONS)
    assert left == set()
    # The first one, and one after each that had to be ended.
    assert starts == 1 + sum(word not in FINAL for word in REASONS)
    assert cut_once.n_files_isolated == len(HAZARDS) + 2


def test_memory_is_bounded_on_both_sides() -> None:
    script = (
        "import resource; from tests.bad_inputs.hazard_runs import *; from tests.memory import peak_memory\n"
        "with Isolated(LIMITS) as isolated:\n"
        "    assert cut(['eat', 'good'], isolated).chunks.num_rows == 1\n"
        "print(peak_memory() // 2**20)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    ours, theirs = (int(each) for each in done.stdout.split())
    assert ours < 400
    assert theirs < LIMITS.memory_mb + 150


def test_a_process_that_has_kept_much_is_replaced_by_a_fresh_one() -> None:
    with Isolated(LIMITS) as isolated:
        assert [isolated.call(keep, 100) for _ in range(3)] == [100, 200, 100]
        assert isolated.starts == 2


def test_what_a_parser_prints_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    with Isolated(LIMITS) as isolated:
        assert isolated.call(babble) is None
        assert isolated.call(len, "abc") == 3
    assert capfd.readouterr() == ("", "")


def test_ordinary_files_pay_nothing() -> None:
    ordinary = Document("shop", "a.txt", "A page. (Of salt.)\n" * 500, "text", "x", language="text")
    with Isolated(LIMITS) as isolated:
        result = chunk_repository(Hazardous(), *tables([ordinary]), isolated=isolated)
        assert (result.n_files_isolated, isolated.starts) == (0, 0)


@pytest.mark.parametrize(
    ("text", "unusual"),
    [
        ("a" * LARGE, False),
        ("a" * (LARGE + 1), True),
        ("(" * DEEP + "x" + ")" * DEEP, False),
        ("(" * (DEEP + 1) + "x" + ")" * (DEEP + 1), True),
        ("é" + "[" * (DEEP + 1), True),
        (")" * 1000 + "{" * DEEP, False),
        ("}" * 1000 + "{" * (DEEP + 1), True),
        ("()[]{}" * 1000, False),
        ("\ud800" + "(" * (DEEP + 1), True),
        ("", False),
    ],
)
def test_a_file_is_unusual_by_its_size_or_its_depth(text: str, unusual: bool) -> None:
    assert is_unusual(Document("shop", "a.txt", text, "text")) is unusual


def test_a_large_structure_counts_as_well() -> None:
    assert is_unusual(Document("shop", "a.docx", "x", "document", structure="{" + " " * LARGE + "}"))


def test_a_file_that_was_given_up_is_tried_again_under_other_limits_only() -> None:
    words = ["eat", "fail", "good"]
    with Isolated(LIMITS) as isolated:
        first = cut(words, isolated)
        again = cut(words, isolated, first)
    assert (again.n_files_chunked, again.n_files_reused) == (0, 3)
    with Isolated(FileLimits(2, 310)) as isolated:
        larger = cut(words, isolated, first)
    assert (larger.n_files_chunked, larger.n_files_reused) == (1, 2)
    errors = {row["path"]: row["error"] for row in larger.quarantine.to_pylist()}
    assert errors["eat.txt"].endswith("[file_seconds=2 file_memory_mb=310]")
    assert larger.chunks == first.chunks


BUDGET = narrowest([model_budget(model(DEFAULT_MODEL)), model_budget(model(DEFAULT_MODEL), None, True)])
PAGE = SAMPLE / "heritage" / "website" / "rietkraag" / "index.html"
SAMPLES = {
    "json_syntax": ("other", "json", "[" + ",".join(['{"salt": ["pan", 1]}'] * 600) + "]"),
    "js_syntax": ("javascript", "javascript", "export function salt(pan) { return pan + 1 }\n" * 250),
    "vue_syntax": ("vue", "vue", "<template>" + "<p>salt</p>\n" * 900 + "</template>\n"),
    "markdown_syntax": ("markdown", "markdown", "# Salt\n\nA pan of *salt*.\n\n" * 450),
    "sentence": ("text", "text", "A pan of salt. " * 700),
    "recursive": ("text", "text", "A pan of salt. " * 700),
    "website": ("website", "html", PAGE.read_text() + f"<!-- {'salt ' * 200} -->"),
    "yaml_instance": ("yaml_instance", "yaml", "- {preferred_label: Zoutkeet, note: pan}\n" * 60),
}
"""Category, format and a text, by strategy."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name == "website" else ()) for name in SAMPLES]
)
def test_a_file_gives_the_same_rows_in_a_process_of_its_own(name: str) -> None:
    category, language, text = SAMPLES[name]
    wanted: Strategy = strategy(name).with_budget(BUDGET)
    document = Document("shop", f"a.{language}", text, category, digest(text), language=language)
    with Isolated() as isolated:
        there = isolated.call(cut_rows, wanted, document)
        assert isolated.starts == 1
    assert there == cut_rows(wanted, document)
    assert there[0]


def test_a_strategy_that_cannot_be_sent_cuts_here_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    class Local(Hazardous):
        """No other process can know it."""

        name = "local"

    with Isolated(LIMITS) as isolated, caplog.at_level(logging.WARNING):
        result = chunk_repository(Local(), *tables([hazard("good"), hazard("fail")]), isolated=isolated)
        with pytest.raises(NotSendableError):
            isolated.call(lambda: None)
        assert isolated.starts == 0
    assert (result.n_files_isolated, result.chunks.num_rows, result.quarantine.num_rows) == (0, 1, 1)
    (line,) = caplog.messages
    assert line.startswith("local cannot be sent to another process (")
    assert line.endswith("no file's time and memory are bounded")


@pytest.mark.parametrize("word", ["exit", "interrupt"])
def test_what_ends_a_run_ends_it_where_it_is_no_panic(word: str) -> None:
    class Here(Hazardous):
        """Cuts here."""

        needs_encoder = True

        def cut(self, document: Document) -> Iterator[Chunk | Skip]:
            raise {"exit": SystemExit, "interrupt": KeyboardInterrupt}.get(word, ValueError)

    with pytest.raises((SystemExit, KeyboardInterrupt)):
        chunk_repository(Here(), *tables([hazard("good")]))


def test_a_panic_stops_only_its_own_file_here_too() -> None:
    class Here(Hazardous):
        """Cuts here."""

        needs_encoder = True

    result = chunk_repository(Here(), *tables([hazard("panic"), hazard("good")]))
    assert [row["error"] for row in result.quarantine.to_pylist()] == ["PanicException: index out of bounds"]
    assert result.chunks.num_rows == 1


def test_a_strategy_that_needs_an_encoder_cuts_here() -> None:
    class Encoding(Hazardous):
        """Would take its encoder along."""

        needs_encoder = True

    with Isolated(LIMITS) as isolated:
        assert chunk_repository(Encoding(), *tables([hazard("good")]), isolated=isolated).chunks.num_rows == 1
        assert isolated.starts == 0


def test_the_process_ends_with_a_parent_that_was_killed() -> None:
    script = (
        "from tests.bad_inputs.hazard_runs import *\n"
        "isolated = Isolated(LIMITS)\n"
        "isolated.call(len, 'abc')\n"
        "print(*children(), flush=True)\n"
        "isolated.call(__import__('time').sleep, 600)"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = Path("/proc") / parent.stdout.readline().strip()
        assert child.exists()
        parent.kill()
    for _ in range(200):
        if not child.exists() or child.joinpath("stat").read_text().split()[2] == "Z":
            break
        time.sleep(0.05)
    else:
        pytest.fail(f"{child} is still there")


def test_an_interrupted_call_leaves_no_process_and_no_answer_for_the_next_one() -> None:
    script = (
        "import signal; from tests.bad_inputs.hazard_runs import *\n"
        "isolated = Isolated(FileLimits(30, 300))\n"
        "isolated.call(len, 'abc')\n"
        "signal.signal(signal.SIGALRM, signal.default_int_handler); signal.alarm(1)\n"
        "try:\n"
        "    isolated.call(__import__('time').sleep, 600)\n"
        "except KeyboardInterrupt:\n"
        "    print(len(children()), isolated.call(len, 'ab'), isolated.starts)"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "2", "2"]


@pytest.mark.parametrize("function", [eat, crash])
def test_the_next_call_has_a_process_of_its_own(function: object) -> None:
    assert callable(function)
    with Isolated(LIMITS) as isolated:
        with pytest.raises(OverLimitError):
            isolated.call(function)
        assert isolated.call(len, "abc") == 3
