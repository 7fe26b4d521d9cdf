"""Checks of our state in this clone beside the refs: journal, index, locks, settings.

Locks of git are files that outlive their process; below `refs/ocm/` only gitmem and
`git fetch` make any.
"""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from gitmem import config
from gitmem.actions.doctor.finding import FIX, Code, Finding, note, ok, problem, warning
from gitmem.documents.event_log import from_json
from gitmem.documents.session.record import records_in
from gitmem.git.files import end_of, is_file
from gitmem.git.layout import MOVE_AWAY, own_folders, path_conflicts
from gitmem.meaning.model import is_installed
from gitmem.redaction.user_rules import SECTION, problems
from gitmem.search.documents import stands_at
from gitmem.search.folder import UnusableError, is_locked, is_whole, open_index
from gitmem.store.error_log import LOG_LIMIT, log_path
from gitmem.store.install_manifest import installed_files, manifest_path
from gitmem.store.journal.journal import Journal
from gitmem.store.remote.remote import SHARE_CONVERSATIONS
from gitmem.text.counting import counted, shortlist
from gitmem.text.patterns import pattern
from gitmem.workspace import Workspace

_STALE = 10.0
"""Seconds; a ref is locked for milliseconds."""
_OTHERS = 0o077
_PRIVATE = ("*.jsonl", "*.mark", "*.diff", "*.lines", "*.json", "*.md", "log")
_NAMED = 3
_MOST_LINES = 10_000
"""Lines of the journal to look at."""

_TRUTH = (pattern(r"true|false|yes|no|on|off|1|0", re.IGNORECASE), "true or false")
_NUMBER = pattern(r"-?\d{1,6}[kmg]?", re.IGNORECASE)
_COUNT = pattern(r"-?[0-9]{1,6}")
_SETTINGS = {
    config.BRIEF_SETTING: (
        pattern(r"[0-9]{1,9}"),
        "a number of tokens, 0 for no brief",
    ),
    config.NUDGE_SETTING: (_NUMBER, "a number of edits, 0 for no reminder"),
    config.CHECKPOINT_SETTING: (_COUNT, "a number of edits, 0 for no checkpoint"),
    config.NOTES_SETTING: _TRUTH,
    config.TRAILER_SETTING: (
        pattern(r"off|session|assisted-by"),
        "off, session or assisted-by",
    ),
    config.AUTO_IMPORT_SETTING: _TRUTH,
    config.CONVERSATIONS_SETTING: _TRUTH,
    config.KEEP_DIFF_SETTING: _TRUTH,
    SHARE_CONVERSATIONS: _TRUTH,
    config.AUTO_PUSH_SETTING: _TRUTH,
    config.AUTO_PULL_SETTING: _TRUTH,
}

_SHOWN = 5
"""Errors reported, the last ones."""
_RECENT = timedelta(days=7)
"""Older errors are notes."""
_ENTRY = pattern(
    r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S{0,12}) (.*(?:\n(?!\d{4}-\d\d-\d\dT).*)*)",
    re.MULTILINE,
)
_LENGTH = 200


def places(workspace: Workspace) -> Iterator[Finding]:
    common_dir = workspace.repository.common_dir
    for path in path_conflicts(common_dir):
        name = path.relative_to(common_dir).as_posix()
        message = f"something else stands where gitmem keeps {name}"
        yield problem(Code.PLACE, message, MOVE_AWAY, name, str(path))


def locks(workspace: Workspace) -> Iterator[Finding]:
    for path in dead_locks(workspace):
        message = f"{path.name} was left behind by a process that is gone"
        yield problem(Code.LOCK, message, FIX, path.name, str(path))


def dead_locks(workspace: Workspace) -> list[Path]:
    """Return locks of our refs that are older than any writer needs."""
    oldest = workspace.now().timestamp() - _STALE
    refs = workspace.repository.common_dir / "refs" / "ocm"
    lock_files = (path for path in refs.rglob("*.lock") if path.is_file())
    # A lock of a running git is younger: taking it away would lose an update.
    return sorted(path for path in lock_files if _was_made_before(path, oldest))


def _was_made_before(path: Path, time: float) -> bool:
    with suppress(FileNotFoundError):  # it may go meanwhile
        return path.lstat().st_mtime < time
    return False


def permissions(workspace: Workspace) -> Iterator[Finding]:
    if paths := open_to_others(workspace):
        common_dir = workspace.repository.common_dir
        names = [path.relative_to(common_dir).as_posix() for path in paths]
        message = f"other users may read or write {shortlist(names, _NAMED)}"
        yield warning(Code.PERMISSIONS, message, FIX, location=str(workspace.own_dir))


def open_to_others(workspace: Workspace) -> list[Path]:
    """Return our folders and files that other users may read or write."""
    folders = own_folders(workspace.repository.common_dir)
    files = (path for f in folders for pattern in _PRIVATE for path in f.glob(pattern))
    return [path for path in (*folders, *sorted(files)) if _is_open(path)]


def manifest(workspace: Workspace) -> Iterator[Finding]:
    """Check the manifest; other damaged files are rewritten anyway."""
    common_dir = workspace.repository.common_dir
    path = manifest_path(common_dir)
    if is_file(path) and not installed_files(common_dir):
        message = "the record of what `ocm init` changed cannot be read"
        remedy = (
            "Restore it from a backup, as `ocm uninstall` needs it. Without one, move"
            " it away, and `ocm init` begins a new one."
        )
        yield warning(Code.OWN_FILE, message, remedy, path.name, str(path))


def journal(workspace: Workspace) -> Iterator[Finding]:
    folder = workspace.own_dir / "journal"
    location = str(folder)
    if folder.is_dir() and not os.access(folder, os.W_OK):
        message = "nothing can be written into the journal"
        remedy = "Make it writable for you."
        yield problem(Code.JOURNAL, message, remedy, location=location)
        return
    waiting, unknown = _waiting_lines(workspace.store.journal, _MOST_LINES)
    if unknown:
        message = f"{counted(unknown, 'line')} of the journal cannot be read"
        remedy = "They are skipped; a newer gitmem may be able to read them."
        yield warning(Code.JOURNAL, message, remedy, location=location)
    if waiting:
        verb = "is" if waiting == 1 else "are"
        message = counted(waiting, "checkpoint")
        message += f" in the journal {verb} not committed yet"
        remedy = f"{FIX} They are safe, and the next command commits them, too."
        yield note(Code.JOURNAL, message, remedy, location=location)
    elif not unknown:
        yield ok(Code.JOURNAL, "everything in the journal is committed")


def index(workspace: Workspace) -> Iterator[Finding]:
    report, state = _index_state(workspace)
    remedy = FIX if report is not ok else ""
    location = str(workspace.index_folder)
    yield report(Code.INDEX, f"the index {state}", remedy, location=location)
    message = _WITH_MODEL if is_installed() else _WITHOUT_MODEL
    yield ok(Code.INDEX, message, about="meaning")


_WITH_MODEL = "memories are found by their words and by meaning"
_WITHOUT_MODEL = (
    "memories are found by their words; `pipx install '.[meaning]'` (40 MB) finds them "
    "by meaning, too"
)


def settings(workspace: Workspace) -> Iterator[Finding]:
    for name, (valid, meaning) in _SETTINGS.items():
        value = workspace.repository.config(name)
        if value is not None and valid.fullmatch(value.strip()):
            yield ok(Code.SETTING, f"{name} is {value!r}", about=name)
        elif value is not None:
            message = f"{name} is {value!r}, which is not valid"
            yield warning(Code.SETTING, message, f"It takes {meaning}.", name)


def redaction_rules(workspace: Workspace) -> Iterator[Finding]:
    """Check the user's own rules without showing patterns or samples."""
    rules = workspace.user_rules()
    faults = {fault.name: fault.reason for fault in problems(rules)}
    for rule in rules:
        about = f"{SECTION}{rule.name}"
        if rule.name in faults:
            message = f"the rule {about} is ignored: {faults[rule.name]}"
            remedy = "Correct the setting; `ocm scan` checks what was saved meanwhile."
            yield problem(Code.SETTING, message, remedy, about)
        else:
            yield ok(Code.SETTING, f"the rule {about} finds its samples", about=about)


def log(workspace: Workspace) -> Iterator[Finding]:
    """Report logged errors, such as those of hooks."""
    path, now = log_path(workspace.repository.common_dir), workspace.now()
    if not path.exists():
        yield ok(Code.LOG, "the log has no errors")
        return
    if not is_file(path) or not os.access(path, os.R_OK | os.W_OK):
        message = "the log is not a file that can be read and written"
        remedy = "Move it away; the next error makes a new one."
        yield warning(Code.LOG, message, remedy, location=str(path))
        return
    entries = list(_entries(end_of(path, 2 * LOG_LIMIT).decode("utf-8", "replace")))
    if not entries:
        message = "the log has no error that can be read"
        yield ok(Code.LOG, message, location=str(path))
    for at, text in entries[-_SHOWN:]:
        report = warning if now - at < _RECENT else note
        message = f"{at.astimezone(now.tzinfo):%Y-%m-%d %H:%M} {text}"
        remedy = "If it happens again, report it with the lines of the log around it."
        yield report(Code.LOG, message, remedy, location=str(path))


def _is_open(path: Path) -> bool:
    try:
        return not path.is_symlink() and bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def _index_state(workspace: Workspace) -> tuple[Callable[..., Finding], str]:
    folder = workspace.index_folder
    if not folder.exists():
        return ok, "is not there; the next search makes it"
    try:
        tip, waiting = stands_at(open_index(folder).searcher())
    except UnusableError:
        return note, "cannot be used; the next search rebuilds it"
    if not is_whole(folder):
        return warning, "is damaged, and searches may fail or find less"
    if waiting and is_locked(workspace.index_lock):
        return ok, f"is being built: {workspace.open_index().extent} so far"
    if tip == (workspace.searched().state or None):
        return ok, "is up to date"
    return ok, "catches up with the next search"


def _entries(text: str) -> Iterator[tuple[datetime, str]]:
    """Yield time and last line of each error."""
    for time, lines in _ENTRY.findall(text):
        with suppress(ValueError):
            at = datetime.fromisoformat(time)
            last_line = lines.strip().rpartition("\n")[2]
            if at.utcoffset() is not None:
                yield at, last_line.strip()[:_LENGTH]


def _waiting_lines(journal: Journal, most: int) -> tuple[int, int]:
    """Count the waiting checkpoints, and the unreadable lines, of so many lines."""
    waiting = unknown = 0
    for entry in islice(journal.pending(), most):
        is_record = next(records_in([entry.line]), None) is not None
        waiting += is_record
        unknown += not is_record and from_json(entry.line) is None
    return waiting, unknown
