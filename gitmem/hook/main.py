"""`ocm-hook ASSISTANT`: handle one event of an assistant's hook, read from stdin.

A hook must never break its host: exit status 0 whatever happens, nothing on stdout but
what the client reads, and errors in the log of the repository.
"""

import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from gitmem.assistants.assistant import LAUNCHER, EventKind, HookClient, HookEvent
from gitmem.assistants.known import calling_client, hook_files_of
from gitmem.config import EVERYWHERE_SETTING, current_time
from gitmem.documents.event import Trigger
from gitmem.documents.names import clean_client_id
from gitmem.errors import InvalidInput
from gitmem.git.files import write_all
from gitmem.git.redaction_settings import user_rules
from gitmem.hook.answers import answer
from gitmem.hook.observe import CUT_OFF, HookConversation, observe
from gitmem.hook.place import Checkout, find_place, is_set
from gitmem.redaction.redact import follow, redact
from gitmem.resources import collect_rarely
from gitmem.store.error_log import append_to_log

_PAYLOAD_LIMIT = 100_000_000
_SAVED_AT = {
    EventKind.COMPACTION: Trigger.CONTEXT_LIMIT,
    EventKind.END: Trigger.SESSION_END,
}


def main() -> None:
    """Hear an event, or do the work that a process was started for."""
    collect_rarely()
    try:
        _run(sys.argv[1:], sys.stdin.buffer)
    except Exception as error:  # noqa: BLE001 - a hook never fails its host
        _log(error)


def _run(arguments: list[str], stdin: BinaryIO) -> None:
    match arguments:
        case [named]:
            _hear(named, json.loads(stdin.read(_PAYLOAD_LIMIT)))
        case ["git", *rest]:
            from gitmem.hook import git

            git.run(rest, stdin)
        case ["elsewhere", *rest]:
            from gitmem.hook import background

            background.save_elsewhere(rest)
        case _:
            from gitmem.hook import background

            background.run(arguments, stdin)


def _hear(name: str, payload: Any) -> None:
    if not isinstance(payload, dict):
        raise InvalidInput("The payload of a hook is an object.")
    assistant = calling_client(name, payload, os.environ)
    if not (seen := assistant.read(payload)):
        return
    place = find_place(folder := _folder(assistant, seen))
    if place is None:
        _hear_outside(assistant, seen, folder)
        return
    if _has_own_hooks(name, assistant, place):
        return
    follow(user_rules(place.common_dir, os.environ))  # before anything is written
    conversation = HookConversation(
        assistant.name, clean_client_id(seen.client_session_id), place, current_time()
    )
    if seen.kind is EventKind.END and assistant.is_cut_off(payload, os.environ):
        seen = replace(seen, source=CUT_OFF)
    if observe(seen, conversation):
        _say(answer(assistant, seen, conversation))
        _work_later(seen, conversation)


def _hear_outside(assistant: HookClient, seen: HookEvent, folder: Path) -> None:
    """Save what a conversation outside of repositories did in those that it touched."""
    if seen.kind is not EventKind.TURN_END and seen.kind not in _SAVED_AT:
        return
    from gitmem import processes
    from gitmem.hook.background import as_argument

    client_id, trigger = seen.client_session_id, _SAVED_AT.get(seen.kind, "")
    about = clean_client_id(client_id), assistant.name, as_argument(seen.transcript)
    arguments = ("elsewhere", "outside", trigger, str(folder), *about)
    processes.start_late(folder, *arguments, stdin="")


def _work_later(seen: HookEvent, conversation: HookConversation) -> None:
    is_compacted = seen.kind is EventKind.START and seen.source == "compact"
    saved_at = _SAVED_AT.get(EventKind.COMPACTION if is_compacted else seen.kind)
    is_read = seen.kind is EventKind.TURN_END
    if not (saved_at or is_read or seen.kind is EventKind.START):
        return
    from gitmem.hook import background

    if saved_at:
        root, client_id = conversation.place.root, conversation.client_session_id
        background.start(root, client_id, saved_at, conversation.tool, seen.transcript)
    if is_read:
        background.start_reading(conversation, seen.last_answer)
    if seen.kind is EventKind.START:
        background.start_pull(conversation.place)


def _folder(assistant: HookClient, seen: HookEvent) -> Path:
    """Return where the assistant was started; a `cd` changes nothing."""
    folder = os.environ.get(assistant.project_variable) or seen.folder
    return Path(folder).resolve()


def _has_own_hooks(name: str, assistant: HookClient, place: Checkout) -> bool:
    """Tell whether an assistant run by another's hooks also has its own.

    Those in the user's own settings count where the user wants them to.
    """
    targets_of_name = hook_files_of(name)
    for target in hook_files_of(assistant.name):
        if target in targets_of_name:
            continue
        if _runs_us(place.root / target.path):
            return True
        user_file = target.user and target.user(Path.home(), os.environ)
        if (
            user_file
            and _runs_us(user_file)
            and is_set(place.common_dir, EVERYWHERE_SETTING)
        ):
            return True
    return False


def _runs_us(file: Path) -> bool:
    with suppress(OSError):
        return LAUNCHER in file.read_text("utf-8", "replace")
    return False


def _say(text: str) -> None:
    """Write in one piece without Python's buffer, which could fail at exit."""
    with suppress(BrokenPipeError):
        write_all(1, text.encode("utf-8", "replace"))


def _log(error: Exception) -> None:
    """Log kind and place of an error, nothing of the payload."""
    try:
        place = find_place(Path.cwd())  # the host may have deleted it
        if place:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z")
            line = redact(f"{stamp} ocm-hook: {_name(error)}\n")
            append_to_log(place.common_dir, line)
    except (OSError, ValueError):
        return


def _name(error: Exception) -> str:
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = Path(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} in {file}:{trace.tb_lineno}"
