"""Conversations that programs held are left out, and marked where they are taken."""

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from support.harness import CLIENT, make_repository
from support.rounds import every_row
from support.transcripts import records, written_records
from support.workspaces import workspace_at

from gitmem.actions.context.build import brief
from gitmem.actions.importing.histories import importable_histories
from gitmem.actions.importing.import_transcripts import (
    ImportRequest,
    bring_in,
    wanted_files,
)
from gitmem.actions.importing.report import ImportReport, as_json
from gitmem.assistants.readers import reader_named
from gitmem.documents.session.session import Session

PROMPTS = ("checkout", "totals")
OBSERVER = "You are a Claude-Mem, a specialized observer tool for memory."


def imported(repository: Path, *paths: Path) -> tuple[ImportReport, list[Session]]:
    workspace, report = workspace_at(repository), ImportReport()
    wanted = ImportRequest(reader=reader_named("claude-code"), paths=paths)
    files = wanted_files(workspace, wanted)
    bring_in(workspace, wanted, files, report, lambda _done, _total: None)
    return report, [*workspace_at(repository).store.memory().newest()]


def held(repository: Path, *prompts: str, edits: bool = False, **values: Any) -> Path:
    lines = records(repository, CLIENT, *prompts)
    if not edits:
        lines = [each for each in lines if isinstance(each["message"]["content"], str)]
    return written_records(repository, CLIENT, ({**each, **values} for each in lines))


@every_row(
    ("values", "prompt", "program"),
    [
        ({"entrypoint": "sdk-ts"}, "checkout", "sdk-ts"),
        ({"entrypoint": "sdk-py"}, "checkout", "sdk-py"),
        ({"entrypoint": "sdk-cli"}, "checkout", "sdk-cli"),
        ({"entrypoint": "cli"}, OBSERVER, "observer"),
        ({}, OBSERVER, "observer"),
    ],
)
def test_those_of_programs_are_imported_by_name_alone(
    tmp_path: Path, values: dict[str, Any], prompt: str, program: str
) -> None:
    repository = make_repository(Path(mkdtemp(dir=tmp_path)) / "r")
    file = held(repository, prompt, "totals", **values)
    report, sessions = imported(repository)
    assert (report.programs, report.sessions, report.conversations) == (1, [], 1)
    assert as_json(report)["programs"] == 1
    report, sessions = imported(repository, file)
    assert [each.program for each in sessions] == [program]
    assert prompt not in brief(workspace_at(repository), None, "claude-code").text


def test_those_of_programs_are_not_offered(repository: Path) -> None:
    for entrypoint, files in (("sdk-ts", []), ("cli", [1])):
        held(repository, *PROMPTS, entrypoint=entrypoint)
        histories = importable_histories(workspace_at(repository))
        assert [len(each.files) for each in histories] == files


def test_what_claude_p_changed_is_work(repository: Path) -> None:
    held(repository, *PROMPTS, edits=True, entrypoint="sdk-cli")
    _, (session,) = imported(repository)
    assert session.program == "sdk-cli"
    assert "checkout" in brief(workspace_at(repository), None, "claude-code").text


def test_one_that_a_person_went_on_with_is_theirs(repository: Path) -> None:
    lines = records(repository, CLIENT, *PROMPTS)
    entrypoints = ["sdk-ts"] * 4 + ["cli"] * 4
    pairs = zip(lines, entrypoints, strict=True)
    written_records(
        repository, CLIENT, [{**each, "entrypoint": e} for each, e in pairs]
    )
    _, (session,) = imported(repository)
    assert session.program == ""
