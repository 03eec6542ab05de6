"""What a run writes to the terminal and shows in the UI where a source is hostile."""

import logging

import dagster as dg
import pytest

from chunk_pipeline.defs.assembly import build_definitions
from chunk_pipeline.defs.jobs import EVALUATE, HOUSEKEEPING, INGEST
from chunk_pipeline.defs.logs import TO_PLAIN_CONSOLE, PlainFormatter, plain_console
from chunk_pipeline.defs.tables import ui_table

HOSTILE = "\x1b]0;title\x07 \x1b[2J\u202egnp.exe\nnext [red]"

pytestmark = pytest.mark.bad_input


@dg.op
def tells(context: dg.OpExecutionContext) -> None:
    context.log.info("reading %s", HOSTILE)


@dg.op
def fails(context: dg.OpExecutionContext) -> None:
    raise ValueError(f"line 1: {HOSTILE}")


@dg.job(logger_defs={"console": plain_console}, config=TO_PLAIN_CONSOLE)
def hostile() -> None:
    tells()
    fails()


def test_log_lines_and_errors_of_a_run_are_written_out(capsys: pytest.CaptureFixture[str]) -> None:
    with dg.instance_for_test() as instance:
        result = hostile.execute_in_process(instance=instance, raise_on_error=False)
        assert not result.success
        stored = [
            record.event_log_entry.user_message
            for record in instance.get_records_for_run(result.run_id).records
        ]
    told = capsys.readouterr().err
    assert "reading \\x1b]0;title\\x07 \\x1b[2J\\u202egnp.exe\nnext" in told
    assert "line 1: \\x1b]0;title\\x07" in told
    assert "\x1b]0;" not in told
    assert "\x1b[2J" not in told
    assert "\u202e" not in told
    # Only what a terminal is given is changed.
    assert any(HOSTILE in message for message in stored)


def test_a_record_that_others_handle_too_stays_as_it_is() -> None:
    record = logging.LogRecord("name", logging.INFO, "", 1, "read %s", ("\x1b[2J",), None)
    assert (
        PlainFormatter(logging.Formatter("%(levelname)s %(message)s")).format(record) == "INFO read \\x1b[2J"
    )
    assert record.getMessage() == "read \x1b[2J"


def test_every_job_logs_so() -> None:
    definitions = build_definitions()
    assert definitions.loggers == {"console": plain_console}
    for name in (EVALUATE, HOUSEKEEPING):
        assert definitions.resolve_job_def(name).run_config == TO_PLAIN_CONSOLE
    partitioned = definitions.resolve_job_def(INGEST).partitioned_config
    assert partitioned is not None
    assert partitioned.get_run_config_for_partition_key("any") == TO_PLAIN_CONSOLE


def test_cells_of_the_ui_are_written_out_and_cut() -> None:
    (row,) = ui_table([{"path": HOSTILE, "size": -1, "whole": "x" * 100}]).records
    assert row.data == {
        "path": "\\x1b]0;title\\x07 \\x1b[2J\\u202egnp.exe\\nnext [red]",
        "size": -1,
        "whole": "x" * 59 + "…",
    }
