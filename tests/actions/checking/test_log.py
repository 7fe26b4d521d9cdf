"""What `ocm doctor` finds in the log."""

from datetime import timedelta

from examining import NOTE, WARNING, Place
from seeing import now

from gitmem.actions.doctor.finding import Code


def test_the_last_five_errors_are_told_with_their_time(healthy: Place) -> None:
    stamp = now().isoformat()
    lines = "".join(f"{stamp} ocm-hook: Error{n} in x.py:1\n" for n in range(7))
    healthy.write(".git/ocm/log", lines)
    found = [each for each in healthy.findings() if each.code is Code.LOG]
    assert [each.what[-16:] for each in found] == [
        f"Error{n} in x.py:1" for n in range(2, 7)
    ]
    assert {each.grade for each in found} == {WARNING}


def test_an_error_of_last_month_is_no_warning(healthy: Place) -> None:
    then = (now() - timedelta(days=30)).isoformat()
    healthy.write(".git/ocm/log", f"{then} ocm-hook: OSError in x.py:1\n")
    assert healthy.found(Code.LOG).grade is NOTE


def test_of_a_traceback_the_last_line_is_told(healthy: Place) -> None:
    trace = 'Traceback (most recent call last):\n  File "x", line 1\nKeyError: 3\n'
    healthy.write(".git/ocm/log", f"{now().isoformat()} {trace}")
    assert healthy.found(Code.LOG).what.endswith(" KeyError: 3")


def test_a_log_that_cannot_be_written_is_a_warning(healthy: Place) -> None:
    (healthy.common_dir / "ocm" / "log").mkdir()
    assert healthy.found(Code.LOG).grade is WARNING


def test_of_a_large_log_the_end_is_looked_at(healthy: Place) -> None:
    end = f"\n{now().isoformat()} ocm-hook: OSError in x.py:1\n"
    healthy.write(".git/ocm/log", "x" * 1_000_000 + end)
    found = [each for each in healthy.findings() if each.code is Code.LOG]
    assert [each.grade for each in found] == [NOTE, WARNING]
