"""The log stays small, whatever goes wrong."""

from pathlib import Path

from gitmem.redaction.redact import redact
from gitmem.store.error_log import LOG_LIMIT, append_to_log


def test_one_giant_message_is_cut_in_its_middle(tmp_path: Path) -> None:
    text = redact("begins\n" + "x " * 200_000 + "\nends\n")
    log = append_to_log(tmp_path, text).read_text()
    assert len(log) < LOG_LIMIT / 4
    assert log.startswith("begins\n")
    assert log.endswith("\nends\n")


def test_log_grows_one_message_past_its_limit(tmp_path: Path) -> None:
    for _ in range(12):
        log = append_to_log(tmp_path, redact("y " * 15_000 + "\n"))
        assert log.stat().st_size < 1.5 * LOG_LIMIT
