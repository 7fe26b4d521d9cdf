"""What an import says of itself."""

from pathlib import Path

from gitmem.actions.importing.import_report import Report, as_json
from gitmem.assistants.transcripts import Unread

SECRET = "ghp_" + "a1B2" * 9


def test_no_name_of_a_file_or_folder_tells_a_secret() -> None:
    report = Report()
    report.note_unread(Path("/p/.specstory/history", f"use {SECRET}.md"), Unread("odd"))
    report.elsewhere[f"/p/{SECRET}"] += 1
    said = as_json(report)
    assert said["unread"][0]["file"] == "/p/.specstory/history/use [REDACTED:github]"
    assert SECRET not in repr(said)
