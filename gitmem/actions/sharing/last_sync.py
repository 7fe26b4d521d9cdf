"""How the last sync went, for whoever was not there to see it."""

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from gitmem.actions.sharing.sync_report import Report, in_words
from gitmem.errors import GitmemError
from gitmem.git.files import make_folder, read_own, replace_file
from gitmem.redaction.redact import redact
from gitmem.store.remote.remote import Remote
from gitmem.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LastSync:
    at: datetime
    remote: str
    words: str
    """What came of it, a sentence."""
    error: str | None = None
    """The code of the error that ended it."""
    hint: str | None = None


def last_sync(workspace: Workspace) -> LastSync | None:
    """None where there was none, or nobody can read how it went."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        found = json.loads(read_own(_file(workspace)))
        return LastSync(
            at=datetime.fromisoformat(found["at"]),
            remote=str(found["remote"]),
            words=str(found["words"]),
            error=_text_or_none(found.get("error")),
            hint=_text_or_none(found.get("hint")),
        )
    return None


def remember_report(workspace: Workspace, report: Report) -> None:
    """In words of ours alone: no name, so nothing has to be looked for in them."""
    nameless = replace(report, arrived=replace(report.arrived, authors=()))
    words, error = in_words(nameless), report.outcome.error
    _remember(workspace, LastSync(workspace.now(), report.remote, words, error))


def remember_error(workspace: Workspace, remote: Remote, error: GitmemError) -> None:
    words, hint = redact(error.message), error.hint and redact(error.hint)
    _remember(
        workspace, LastSync(workspace.now(), remote.name, words, error.code, hint)
    )


def forget_last_sync(workspace: Workspace) -> None:
    _file(workspace).unlink(missing_ok=True)


def _remember(workspace: Workspace, last: LastSync) -> None:
    """No sync fails because nothing can be noted of it."""
    file = _file(workspace)
    with suppress(OSError):
        make_folder(file.parent)
        replace_file(file, _rendered(last).encode())


def _rendered(last: LastSync) -> str:
    return json.dumps(
        {
            "at": last.at.isoformat(),
            "remote": last.remote,
            "words": last.words,
            "error": last.error,
            "hint": last.hint,
        }
    )


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _file(workspace: Workspace) -> Path:
    return workspace.own_dir / "sync.json"
